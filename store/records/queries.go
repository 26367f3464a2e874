package records

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// This file keeps the queries without results: hints for finding more sites. Beyond maxQueries the
// one asked longest ago is replaced.

// queriesBucket holds query → FailedQuery, JSON.
var queriesBucket = []byte("unanswered")

// Bounds of stored rows.
const (
	maxQueries = 200
	maxQuery   = 200 // bytes of a query
)

// FailedQuery is a query without results.
type FailedQuery struct {
	Query string    `json:"query"` // words, separated by spaces
	Times int       `json:"times"` // how often it was asked
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	By    string    `json:"by"` // the person who asked last
}

var queries = table[string, FailedQuery]{bucket: queriesBucket, key: text,
	sound: func(key []byte, q *FailedQuery) bool {
		return q.Query == string(key) && q.Query != "" && q.Times >= 1
	}}

// QueryFailed records a query without results. It ignores queries that no person typed.
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

// ForgetQuery deletes a query.
func ForgetQuery(db DB, query string) error {
	return queries.change(db, func(r rows[string, FailedQuery]) error { return r.delete(query) })
}

// FailedQueries returns the queries, the most frequent first.
func FailedQueries(db DB) ([]FailedQuery, error) {
	list, err := values(queries.scan(db, nil))
	slices.SortFunc(list, func(a, b FailedQuery) int {
		return cmp.Or(cmp.Compare(b.Times, a.Times), b.Last.Compare(a.Last), cmp.Compare(a.Query, b.Query))
	})
	return list, err
}
