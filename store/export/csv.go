package export

import (
	"encoding/csv"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// bom marks a file as UTF-8. Excel reads CSV without it in the system's old encoding and garbles
// Chinese. Other programs take it for a part of the first column's name, so it is written only on
// request.
const bom = "\ufeff"

// values writes a table as CSV (RFC 4180, lines end with \n): a line of column names, then one line a
// row. Numbers and lists are written as in JSON, unknown values as empty fields.
type values struct {
	w     *csv.Writer
	cells []string
}

func newValues(w io.Writer, mark bool, columns []Column) (*values, error) {
	v := &values{csv.NewWriter(w), make([]string, len(columns))}
	for i, c := range columns {
		v.cells[i] = harmless(c.Name)
	}
	if mark {
		if _, err := io.WriteString(w, bom); err != nil {
			return nil, err
		}
	}
	return v, v.w.Write(v.cells)
}

func (v *values) Row(row []Value) error {
	for i := range row {
		v.cells[i] = valueCell(row[i])
	}
	return v.w.Write(v.cells)
}

func valueCell(v Value) string {
	if v.Kind == Number || v.Kind == Money {
		return v.String()
	}
	return harmless(v.String())
}

func (v *values) Close() error {
	v.w.Flush()
	return v.w.Error()
}

// formula holds the characters that start a formula in a spreadsheet; East Asian editions also
// accept the full-width ones.
const formula = "=+-@＝＋－＠"

// calculates reports whether a spreadsheet would treat a text as a formula if a user typed it. A
// spreadsheet may skip leading spaces and invisible characters.
func calculates(s string) bool {
	s = strings.TrimLeftFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.In(r, unicode.C) })
	first, _ := utf8.DecodeRuneInString(s)
	return s != "" && strings.ContainsRune(formula, first)
}

// harmless puts an apostrophe before a text that a spreadsheet would treat as a formula (CSV
// injection): a page's title must never start a program on a reader's machine. Numbers stay as they
// are.
func harmless(s string) string {
	if calculates(s) || s != "" && strings.ContainsRune("\t\r\n", rune(s[0])) {
		return "'" + s
	}
	return s
}
