package records

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// This file keeps the queries that no notice answered: a hint where to look for more
// sites. One beyond maxQueries takes the place of the one that was asked longest ago.

// queriesBucket holds query → FailedQuery, JSON.
var queriesBucket = []byte("unanswered")

// Bounds of stored rows.
const (
	maxQueries = 200
	maxQuery   = 200 // bytes of one
)

// FailedQuery is a query that no notice answered.
type FailedQuery struct {
	Query string    `json:"query"` // words, with a space between them
	Times int       `json:"times"` // how often it was asked
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	By    string    `json:"by"` // the person who asked last
}

var queries = table[string, FailedQuery]{bucket: queriesBucket, key: text, sound: func(key []byte, q *FailedQuery) bool {
	return q.Query == string(key) && q.Query != "" && q.Times >= 1
}}

// QueryFailed notes that nothing answered a query. It ignores one that no person types.
func QueryFailed(db DB, query, by string, at time.Time) error {
	query = strings.Join(strings.Fields(query), " ")
	if query == "" || len(query) > maxQuery || !utf8.ValidString(query) {
		return nil
	}
	return queries.change(db, func(r rows[string, FailedQuery]) error {
		q := r.get(query)
		if q == nil {
			q = &FailedQuery{Query: query, First: at}
		}
		q.Times, q.Last, q.By = q.Times+1, at, by
		if err := r.put(query, q); err != nil {
			return err
		}
		all := r.scan(nil)
		slices.SortFunc(all, func(a, b *FailedQuery) int {
			return cmp.Or(a.Last.Compare(b.Last), cmp.Compare(a.Query, b.Query))
		})
		for _, old := range all[:max(0, len(all)-maxQueries)] {
			if err := r.delete(old.Query); err != nil {
				return err
			}
		}
		return nil
	})
}

// ForgetQuery removes a query.
func ForgetQuery(db DB, query string) error {
	return queries.change(db, func(r rows[string, FailedQuery]) error { return r.delete(query) })
}

// FailedQueries returns the queries, those that were asked most often first.
func FailedQueries(db DB) ([]FailedQuery, error) {
	list, err := values(queries.scan(db, nil))
	slices.SortFunc(list, func(a, b FailedQuery) int {
		return cmp.Or(cmp.Compare(b.Times, a.Times), b.Last.Compare(a.Last), cmp.Compare(a.Query, b.Query))
	})
	return list, err
}
