package export

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// This file defines tables for the writers of files: columns with a name and a kind, and rows of
// typed values. So a spreadsheet gets a date where JSON lines gets its text.
//
// Every format writes the same values. Value.String alone defines the text of a value, so JSON
// lines, CSV and a spreadsheet give equal texts when read back.

// Kind is the kind of a value.
type Kind uint8

// The kinds. None is an unknown value.
const (
	none   Kind = iota
	Text        // any text
	Number      // a number
	Money       // an amount in 元
	Time        // a day, with or without the time of day
	Link        // an address
	Flag        // yes or no
	List        // several values, as JSON
)

// Column is one column of a table.
type Column struct {
	Name  string // stable name for programs
	Title string // heading for people; "": Name
	Kind  Kind   // of most of its values; single values may differ
}

// head returns the heading of the column for people.
func (c Column) head() string {
	if c.Title != "" {
		return c.Title
	}
	return c.Name
}

// Value is one cell. The zero Value is unknown.
type Value struct {
	Kind   Kind
	Text   string    // for programs: the text, the address, the time as printed, the list as JSON
	Number float64   // of Number and Money; 1 for a true Flag
	Time   time.Time // of Time
	Day    bool      // of Time: without time of day
}

// TableSink writes rows one at a time; each has a value for every column. It is for one goroutine.
type TableSink interface {
	Row([]Value) error
	// Close writes the remaining data. It does not close the file.
	Close() error
}

// TextOf returns a text.
func TextOf(s string) Value { return Value{Kind: Text, Text: s} }

// LinkOf returns an address.
func LinkOf(url string) Value { return Value{Kind: Link, Text: url} }

// NumberOf returns a number.
func NumberOf(x float64) Value { return Value{Kind: Number, Number: x} }

// MoneyOf returns an amount in 元.
func MoneyOf(x float64) Value { return Value{Kind: Money, Number: x} }

// FlagOf returns a yes or no.
func FlagOf(yes bool) Value {
	if yes {
		return Value{Kind: Flag, Number: 1}
	}
	return Value{Kind: Flag}
}

// JSONOf returns a list of n values of any type; n = 0 means unknown.
func JSONOf(list any, n int) Value {
	if n == 0 {
		return Value{}
	}
	return Value{Kind: List, Text: encoded(list)}
}

// InstantOf returns a moment; the zero time is unknown.
func InstantOf(t time.Time) Value {
	if t.IsZero() {
		return Value{}
	}
	return Value{Kind: Time, Text: t.Format(time.RFC3339Nano), Time: t}
}

// The layouts in which dates are printed in rows.
var layouts = []struct {
	layout string
	day    bool
}{{time.DateOnly, true}, {"2006-01-02 15:04", false}, {"2006-01-02T15:04", false}, {"2006-01-02T15:04:05", false},
	{time.RFC3339Nano, false}}

// DateOf parses a time as printed in rows: 2026-11-22, 2026-11-22 09:30, 2026-11-22T09:30 or RFC
// 3339. Any other text (a date with a guessed year) stays a text; "" is unknown.
func DateOf(s string) Value {
	if s == "" {
		return Value{}
	}
	for _, l := range layouts {
		if len(s) < len(time.DateOnly) || s[0] < '0' || s[0] > '9' {
			break
		}
		if t, err := time.Parse(l.layout, s); err == nil {
			return Value{Kind: Time, Text: s, Time: t, Day: l.day}
		}
	}
	return TextOf(s)
}

// String returns the value as text; "" if it is unknown.
func (v Value) String() string {
	switch v.Kind {
	case Number, Money:
		return strconv.FormatFloat(v.Number, 'f', -1, 64)
	case Flag:
		return strconv.FormatBool(v.Number != 0)
	}
	return v.Text
}

// json returns the value as JSON; nil if it is unknown.
func (v Value) json() []byte {
	switch v.Kind {
	case none:
		return nil
	case Number, Money, Flag:
		return []byte(v.String())
	case List:
		if json.Valid([]byte(v.Text)) {
			return []byte(v.Text)
		}
	}
	return []byte(encoded(v.Text))
}

// encoded returns v as JSON with the least escaping.
func encoded(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return "null"
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// of converts rows of a type into a table: fields with a json tag become columns.
type of[T any] struct {
	Columns []Column
	fields  []int
	row     []Value
}

// tableNew prepares a type of rows, which must be a struct. Fields whose json name is in kinds have
// that kind; others have the kind of their Go type.
func tableNew[T any](kinds map[string]Kind) *of[T] {
	t := &of[T]{}
	kind := reflect.TypeFor[T]()
	for i := range kind.NumField() {
		f := kind.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if !f.IsExported() || name == "" || name == "-" || f.Type.Kind() == reflect.Pointer && kindOf(f.Type) == Text {
			continue // a struct is no cell
		}
		c := Column{Name: name, Kind: kindOf(f.Type)}
		if k, ok := kinds[name]; ok {
			c.Kind = k
		}
		t.Columns, t.fields = append(t.Columns, c), append(t.fields, i)
	}
	t.row = make([]Value, len(t.fields))
	return t
}

func kindOf(t reflect.Type) Kind {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return Time
	case t.Kind() == reflect.Pointer:
		return kindOf(t.Elem())
	}
	switch t.Kind() {
	case reflect.Int, reflect.Int64, reflect.Float64:
		return Number
	case reflect.Bool:
		return Flag
	case reflect.Slice, reflect.Map:
		return List
	}
	return Text
}

// Row returns the values of a row, valid until the next call.
func (t *of[T]) Row(row T) []Value {
	v := reflect.ValueOf(row)
	for i, f := range t.fields {
		t.row[i] = valueOf(v.Field(f), t.Columns[i].Kind)
	}
	return t.row
}

func valueOf(v reflect.Value, kind Kind) Value {
	if at, ok := v.Interface().(time.Time); ok {
		return InstantOf(at)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return Value{}
		}
		return valueOf(v.Elem(), kind)
	case reflect.Int, reflect.Int64:
		return Value{Kind: kind, Number: float64(v.Int())}
	case reflect.Float64:
		return Value{Kind: kind, Number: v.Float()}
	case reflect.Bool:
		return FlagOf(v.Bool())
	case reflect.Slice, reflect.Map:
		if v.Len() == 0 {
			return Value{}
		}
		return Value{Kind: List, Text: encoded(v.Interface())}
	}
	s := fmt.Sprint(v.Interface())
	switch {
	case s == "":
		return Value{}
	case kind == Time:
		return DateOf(s)
	}
	return Value{Kind: kind, Text: s}
}
