// Package unanswered keeps what people have looked for and no notice answered: a hint
// where to look for more sites.
//
// A question is a row of a bucket of its own, which is made by the first. There are at
// most Most; one beyond takes the place of the one that was asked longest ago. Every call
// is one short transaction. Backup, check and repair treat the rows like all others.
package unanswered

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"angler/store"
	"angler/store/sealed"
)

// Bucket holds question → Row, JSON.
var Bucket = []byte("unanswered")

// Bounds of what is kept.
const (
	most    = 200 // questions
	longest = 200 // bytes of one
)

// Row is a question.
type Row struct {
	Query string    `json:"query"` // words, with a space between them
	Times int       `json:"times"` // how often it was asked
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	By    string    `json:"by"` // who asked last
}

// Asked notes that nothing answered a question.
func Asked(w *store.Workspace, query, by string, at time.Time) error {
	query = strings.Join(strings.Fields(query), " ")
	if query == "" || len(query) > longest || !utf8.ValidString(query) {
		return nil // no person types this
	}
	return change(w, func(b sealed.Bucket) error {
		r := Row{Query: query, First: at}
		if v := b.Get([]byte(query)); v != nil {
			if was, err := Decode([]byte(query), v); err == nil {
				r = was
			}
		}
		r.Times, r.Last, r.By = r.Times+1, at, by
		v, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if err := b.Put([]byte(query), v); err != nil {
			return err
		}
		return trim(b)
	})
}

// Forget takes a question out of the list.
func Forget(w *store.Workspace, query string) error {
	return change(w, func(b sealed.Bucket) error { return b.Delete([]byte(query)) })
}

func change(w *store.Workspace, f func(sealed.Bucket) error) error {
	return store.RowsOf(w).Write(func(tx sealed.Tx) error {
		if _, err := tx.Raw().CreateBucketIfNotExists(Bucket); err != nil {
			return err
		}
		return f(tx.Bucket(Bucket))
	})
}

// trim takes out what was asked longest ago, beyond Most.
func trim(b sealed.Bucket) error {
	rows := sealed.Scan(b, nil, Decode)
	if len(rows) <= most {
		return nil
	}
	slices.SortFunc(rows, func(a, b Row) int { return cmp.Or(a.Last.Compare(b.Last), cmp.Compare(a.Query, b.Query)) })
	for _, r := range rows[:len(rows)-most] {
		if err := b.Delete([]byte(r.Query)); err != nil {
			return err
		}
	}
	return nil
}

// List returns the questions, those that were asked most often first.
func List(w *store.Workspace) (rows []Row, err error) {
	err = store.RowsOf(w).DB().View(func(tx sealed.Tx) error {
		rows = sealed.Scan(tx.Bucket(Bucket), nil, Decode)
		return nil
	})
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(b.Times, a.Times), b.Last.Compare(a.Last), cmp.Compare(a.Query, b.Query))
	})
	return rows, err
}

var errForm = errors.New("it does not decode")

// Decode reads a row.
func Decode(key, v []byte) (r Row, err error) {
	if json.Unmarshal(v, &r) != nil || r.Query != string(key) || r.Query == "" || r.Times < 1 {
		return r, errForm
	}
	return r, nil
}
