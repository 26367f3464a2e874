// Package unfollowed keeps what pages of lists show and nothing could follow: pagers
// without addresses, forms, entries that a script fetches. So what is missing of a
// list is known after a restart, and without reading its page again.
//
// A page has one row, id of the URL → JSON of some hundred bytes, in a bucket of its
// own that the first one makes. Nearly all pages have none. A row is written in the
// transaction that stores its page, and goes when a later visit finds that nothing is
// missing any more.
//
// Calls within a transaction are for its goroutine; the others are safe for concurrent
// use, one short transaction each.
package unfollowed

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"
	"time"
	"unicode/utf8"

	"angler/store/sealed"
)

// Bucket holds the rows.
var Bucket = []byte("unfollowed")

// Bounds of a row.
const (
	Most    = 8   // things
	Longest = 400 // bytes of one of their texts
)

// Thing is something that a page shows and nothing followed.
type Thing struct {
	Kind string `json:"kind"`
	Text string `json:"text,omitempty"`
	Why  string `json:"why,omitempty"`
}

// Row is what is known of one page.
type Row struct {
	ID    uint64    `json:"-"`
	Seen  []Thing   `json:"seen"`
	Since time.Time `json:"since"`          // the first visit that saw it
	Told  []string  `json:"told,omitempty"` // kinds that an event has told of
}

// Kinds are the kinds of what is seen, each once, sorted.
func (r *Row) Kinds() []string {
	var out []string
	for _, t := range r.Seen {
		out = append(out, t.Kind)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Untold reports whether something is of a kind that no event has told of.
func (r *Row) Untold() bool {
	return slices.ContainsFunc(r.Seen, func(t Thing) bool { return !slices.Contains(r.Told, t.Kind) })
}

// Put writes the row of a page; one without things removes what is stored.
func Put(tx sealed.Tx, id uint64, r *Row) error {
	key := binary.BigEndian.AppendUint64(nil, id)
	if len(r.Seen) == 0 {
		return tx.Bucket(Bucket).Delete(key)
	}
	if _, err := tx.Raw().CreateBucketIfNotExists(Bucket); err != nil {
		return err
	}
	row := *r
	row.Seen = slices.Clone(r.Seen[:min(len(r.Seen), Most)])
	for i := range row.Seen {
		t := &row.Seen[i]
		t.Text, t.Why = clip(t.Text), clip(t.Why)
	}
	v, err := json.Marshal(&row)
	if err != nil {
		return err
	}
	return tx.Bucket(Bucket).Put(key, v)
}

func clip(s string) string {
	if len(s) <= Longest {
		return s
	}
	i := Longest
	for i > 0 && !utf8.RuneStart(s[i]) {
		i--
	}
	return s[:i]
}

// Of returns the row of a page; nil without one, or for one that is damaged.
func Of(db *sealed.DB, id uint64) (r *Row, err error) {
	err = db.View(func(tx sealed.Tx) error {
		r = sealed.Find(tx.Bucket(Bucket), binary.BigEndian.AppendUint64(nil, id), Decode)
		return nil
	})
	return r, err
}

// All returns the rows in the order of their pages. Damaged ones are counted and left
// out.
func All(db *sealed.DB) (rows []*Row, err error) {
	err = db.View(func(tx sealed.Tx) error { rows = sealed.Scan(tx.Bucket(Bucket), nil, Decode); return nil })
	return rows, err
}

var errForm = errors.New("it does not decode")

// Decode reads a row.
func Decode(key, v []byte) (*Row, error) {
	r := new(Row)
	if len(key) != 8 || json.Unmarshal(v, r) != nil || len(r.Seen) == 0 || len(r.Seen) > Most {
		return nil, errForm
	}
	if r.ID = binary.BigEndian.Uint64(key); r.ID == 0 {
		return nil, errForm
	}
	return r, nil
}
