// Package export writes rows to files for people and other programs: JSON lines, CSV, Atom, Excel
// workbooks and HTML reports.
//
// A writer takes one row at a time and keeps none (Atom keeps the newest, a workbook uses a
// temporary file), so a workspace of any size can be exported. Rows are structs; their json tags
// name the fields in JSON lines and the columns in CSV. Strangers wrote the text in them: CSV keeps
// spreadsheets from treating it as formulas, Atom removes the characters that XML forbids.
package export

import (
	"bytes"
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
	XLSX  = "xlsx"
	HTML  = "html"
	Atom  = "atom"

	// GraphML is for graphs, see GraphWriter.
	GraphML = "graphml"
)

// Formats lists the formats of rows, the simplest first.
var Formats = []string{JSONL, CSV, XLSX, HTML, Atom}

// Options are the options of New.
type Options struct {
	Format string // one of Formats; "": JSONL
	BOM    bool   // CSV: begin with a byte order mark
	Feed   Feed   // Atom

	Name  string            // XLSX, HTML: name of the rows
	Heads map[string]string // XLSX, HTML: headings by column name; nil: the names
	Lang  string            // HTML: "zh" or English
	At    time.Time

	// More are CSV columns after those of the row's fields; rows that are wider have their values.
	More []Column
}

// wider is a row with values besides its fields.
type wider interface {
	// More returns the values by column name; a missing one is unknown.
	More() map[string]Value
}

// Feed is the head of an Atom feed.
type Feed struct {
	ID     string // an IRI that stays the same in later exports
	Title  string
	At     time.Time // when it was written; time of an empty feed
	Newest int       // maximum of entries; 0: DefaultNewest
}

// writer writes rows of type T, one at a time. It is for one goroutine.
type writer[T any] interface {
	Row(T) error
	// Close writes the remaining data. It does not close the file.
	Close() error
}

// New returns a writer of rows in a format. Atom needs a T that is an entrant.
func New[T any](w io.Writer, o Options) (writer[T], error) {
	switch o.Format {
	case "", JSONL:
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		return jsonLines[T]{enc}, nil
	case Atom:
		return newFeed[T](w, o.Feed)
	case CSV:
		of := tableNew[T](kinds)
		x := structs[T]{of: of, csv: true}
		columns := slices.Clone(of.Columns)
		for _, c := range o.More {
			if !slices.ContainsFunc(columns, func(x Column) bool { return x.Name == c.Name }) {
				columns, x.more = append(columns, c), append(x.more, c.Name)
			}
		}
		var err error
		x.w, err = NewTable(w, o, columns)
		return x, err
	case XLSX, HTML:
		of := tableNew[T](kinds)
		for i := range of.Columns {
			of.Columns[i].Title = o.Heads[of.Columns[i].Name]
		}
		t, err := NewTable(w, o, of.Columns)
		return structs[T]{of: of, w: t}, err
	}
	return nil, unknown(o.Format)
}

func unknown(format string) error {
	return fmt.Errorf("format %q is unknown; choose from: %s", format, strings.Join(Formats, ", "))
}

// kinds are kinds of fields that their Go types do not show.
var kinds = map[string]Kind{"url": Link, "source": Link, "target": Link, "date": Time}

// structs writes structs as rows of a table.
type structs[T any] struct {
	of   *of[T]
	w    TableSink
	csv  bool     // times have no fractions of a second
	more []string // names of the columns after those of the fields
}

func (s structs[T]) Row(row T) error {
	values := s.of.Row(row)
	if s.csv {
		for i, v := range values {
			if v.Kind == Time && v.Text == v.Time.Format(time.RFC3339Nano) {
				values[i].Text = v.Time.Format(time.RFC3339)
			}
		}
	}
	if wider, ok := any(row).(wider); ok && len(s.more) > 0 {
		more := wider.More()
		for _, name := range s.more {
			values = append(values, more[name])
		}
	}
	return s.w.Row(values)
}

func (s structs[T]) Close() error { return s.w.Close() }
func (s structs[T]) discard()     { Discard(s.w) }

// Discard removes the temporary files of an unclosed writer of any format, for example after an
// error. After Close it does nothing.
func Discard(writer any) {
	if w, ok := writer.(interface{ discard() }); ok {
		w.discard()
	}
}

// NewTable returns a writer of rows with the same columns, in any of Formats but Atom.
func NewTable(w io.Writer, o Options, columns []Column) (TableSink, error) {
	switch o.Format {
	case "", JSONL:
		return objects{w, columns, new(bytes.Buffer)}, nil
	case CSV:
		return newValues(w, o.BOM, columns)
	case XLSX:
		return newWorkbook(w, o.Name, columns)
	case HTML:
		return newReport(w, reportHead{Title: o.Name, Lang: o.Lang, At: o.At}, columns), nil
	}
	return nil, unknown(o.Format)
}

// objects writes rows as JSON lines: an object with the known values of each row.
type objects struct {
	w       io.Writer
	columns []Column
	line    *bytes.Buffer
}

func (o objects) Row(values []Value) error {
	o.line.Reset()
	o.line.WriteByte('{')
	for i := range values {
		v := values[i].json()
		if v == nil {
			continue
		}
		if o.line.Len() > 1 {
			o.line.WriteByte(',')
		}
		o.line.Write(TextOf(o.columns[i].Name).json())
		o.line.WriteByte(':')
		o.line.Write(v)
	}
	o.line.WriteString("}\n")
	_, err := o.w.Write(o.line.Bytes())
	return err
}

func (o objects) Close() error { return nil }

// Known reports whether format is a valid format.
func Known(format string) bool { return format == GraphML || slices.Contains(Formats, format) }

type jsonLines[T any] struct{ enc *json.Encoder }

func (j jsonLines[T]) Row(row T) error { return j.enc.Encode(row) }
func (j jsonLines[T]) Close() error    { return nil }
