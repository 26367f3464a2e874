package records

import (
	"slices"
	"time"
	"unicode/utf8"

	"angler/store/sealed"
)

// This file keeps the missing entries of list pages: pagers without addresses, forms, entries that
// a script fetches. So missing entries are known after a restart, without reading the page again.
// Nearly all pages have no row. A row is written in the transaction of its page, and deleted when a
// later visit finds no missing entries.

// missingBucket holds id of the page → MissingEntries, JSON of some hundred bytes.
var missingBucket = []byte("unfollowed")

// Bounds of a row.
const (
	maxMissing     = 8   // entries
	maxMissingText = 400 // bytes of one of their texts
)

// MissingEntry is an element of a page that the program cannot follow.
type MissingEntry struct {
	Kind string `json:"kind"`
	Text string `json:"text,omitempty"`
	Why  string `json:"why,omitempty"`
}

// MissingEntries lists the elements of one page that the program cannot follow.
type MissingEntries struct {
	ID    uint64         `json:"-"`
	Seen  []MissingEntry `json:"seen"`
	Since time.Time      `json:"since"`          // the first visit that found it
	Told  []string       `json:"told,omitempty"` // kinds that an event has reported
}

var missing = table[uint64, MissingEntries]{bucket: missingBucket, key: idKey,
	sound: func(key []byte, m *MissingEntries) bool {
		m.ID = idOf(key)
		return m.ID != 0 && len(m.Seen) > 0 && len(m.Seen) <= maxMissing
	}}

// Kinds returns the distinct kinds of entries, sorted.
func (m *MissingEntries) Kinds() []string {
	var out []string
	for _, e := range m.Seen {
		out = append(out, e.Kind)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// PutMissing writes the row of a page. A row without entries deletes the stored one.
func PutMissing(tx sealed.Tx, id uint64, m *MissingEntries) error {
	if len(m.Seen) == 0 {
		return missing.in(tx).delete(id)
	}
	row := *m
	row.Seen = slices.Clone(m.Seen[:min(len(m.Seen), maxMissing)])
	for i := range row.Seen {
		e := &row.Seen[i]
		e.Text, e.Why = clip(e.Text, maxMissingText), clip(e.Why, maxMissingText)
	}
	return missing.put(tx, id, &row)
}

// clip cuts a text to at most most bytes, between two characters.
func clip(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// MissingOf returns the row of a page; nil if it is missing or damaged.
func MissingOf(db DB, id uint64) (*MissingEntries, error) { return missing.of(db, id) }

// AllMissing returns the rows ordered by page.
func AllMissing(db DB) ([]*MissingEntries, error) { return missing.scan(db, nil) }
