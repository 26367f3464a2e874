// Package export writes rows to files that other programs read: JSON lines, CSV
// and Atom.
//
// A Writer takes one row after the other and keeps none (Atom keeps the
// newest), so that a workspace of any size can be written. Rows are structs;
// their json tags name the fields in JSON lines and the columns in CSV. The
// text in them was written by strangers: CSV keeps spreadsheets from taking it
// for formulas, Atom drops what XML forbids.
package export

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// The formats.
const (
	JSONL = "jsonl"
	CSV   = "csv"
	Atom  = "atom"
)

// Formats lists the formats, the plainest first.
var Formats = []string{JSONL, CSV, Atom}

// Options choose what New writes.
type Options struct {
	Format string // one of Formats; "" = JSONL
	BOM    bool   // CSV: begin with a byte order mark
	Feed   Feed   // Atom
}

// Feed is the head of an Atom feed.
type Feed struct {
	ID     string // an IRI that stays when the feed is written again
	Title  string
	At     time.Time // when it was written; the feed's time while it has no entries
	Newest int       // most entries; 0 = DefaultNewest
}

// Writer writes rows of type T, one at a time. It is for one goroutine.
type Writer[T any] interface {
	Row(T) error
	// Close writes what is still to be written. It does not close the file.
	Close() error
}

// New returns a writer of rows in a format. Atom needs a T that is an Entrant.
func New[T any](w io.Writer, o Options) (Writer[T], error) {
	switch o.Format {
	case "", JSONL:
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return jsonLines[T]{enc}, nil
	case CSV:
		return newTable[T](w, o.BOM)
	case Atom:
		return newFeed[T](w, o.Feed)
	}
	return nil, fmt.Errorf("format %q is unknown; choose from: %s", o.Format, strings.Join(Formats, ", "))
}

// Known reports whether there is such a format.
func Known(format string) bool { return slices.Contains(Formats, format) }

type jsonLines[T any] struct{ enc *json.Encoder }

func (j jsonLines[T]) Row(row T) error { return j.enc.Encode(row) }
func (j jsonLines[T]) Close() error    { return nil }
