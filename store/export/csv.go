package export

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// bom marks a file as UTF-8. Excel reads CSV without it in the system's old encoding and garbles
// Chinese. Other programs take it for a part of the first column's name, so it is written only on
// request.
const bom = "\ufeff"

// csvRows writes CSV (RFC 4180, lines end with \n): a line of column names, then one line a row.
// Numbers are written as in JSON, times as RFC 3339, lists as JSON, unknown values as empty fields.
type csvRows[T any] struct {
	w      *csv.Writer
	fields []int
	more   []Column
	cells  []string
}

func newCSV[T any](w io.Writer, mark bool, more []Column) (*csvRows[T], error) {
	t := &csvRows[T]{w: csv.NewWriter(w)}
	kind := reflect.TypeFor[T]()
	var names []string
	for i := range kind.NumField() {
		f := kind.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "" || name == "-" || f.Type.Kind() == reflect.Pointer &&
			f.Type.Elem().Kind() == reflect.Struct {
			continue // fields that are not cells are in More
		}
		names, t.fields = append(names, name), append(t.fields, i)
	}
	for _, c := range more {
		if !slices.Contains(names, c.Name) {
			names, t.more = append(names, c.Name), append(t.more, c)
		}
	}
	t.cells = make([]string, len(names))
	if mark {
		if _, err := io.WriteString(w, bom); err != nil {
			return nil, err
		}
	}
	return t, t.w.Write(names)
}

// values writes a table as CSV.
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

func (t *csvRows[T]) Row(row T) error {
	v := reflect.ValueOf(row)
	for i, f := range t.fields {
		s, err := cell(v.Field(f))
		if err != nil {
			return err
		}
		t.cells[i] = s
	}
	if wider, ok := any(row).(wider); ok && len(t.more) > 0 {
		values := wider.More()
		for i, c := range t.more {
			t.cells[len(t.fields)+i] = valueCell(values[c.Name])
		}
	}
	return t.w.Write(t.cells)
}

func (t *csvRows[T]) Close() error {
	t.w.Flush()
	return t.w.Error()
}

func cell(v reflect.Value) (string, error) {
	if at, ok := v.Interface().(time.Time); ok {
		if at.IsZero() {
			return "", nil
		}
		return at.Format(time.RFC3339), nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return "", nil
		}
		return cell(v.Elem())
	case reflect.String:
		return harmless(v.String()), nil
	case reflect.Float64, reflect.Float32:
		return strconv.FormatFloat(v.Float(), 'f', -1, 64), nil
	case reflect.Slice, reflect.Map:
		if v.Len() == 0 {
			return "", nil
		}
		var b strings.Builder
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		err := enc.Encode(v.Interface())
		return strings.TrimSuffix(b.String(), "\n"), err
	}
	return fmt.Sprint(v.Interface()), nil
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
