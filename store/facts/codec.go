package facts

import (
	"encoding/binary"
	"errors"
	"math"

	"angler/store"
)

// This file is the form of a row: numbers as varints, texts behind their length. A
// text that an earlier one of the row repeats is its number.

const (
	form    = 3 // of rows
	taught  = 2 // rows with labels that hosts taught; outdated if they were read by some
	ofOnce  = 1 // rows of form 2 without a sketch; they count as outdated
	bitLong = 1
)

var errForm = errors.New("it does not decode")

type writer struct {
	b     []byte
	known map[string]uint64
}

func (w *writer) number(n int)  { w.b = binary.AppendUvarint(w.b, uint64(max(0, n))) }
func (w *writer) wide(n uint64) { w.b = binary.AppendUvarint(w.b, n) }

// text writes 2·length+1 and the bytes, or 2·number of the text before.
func (w *writer) text(s string) {
	if n, ok := w.known[s]; ok {
		w.wide(2 * n)
		return
	}
	w.known[s] = uint64(len(w.known))
	w.wide(2*uint64(len(s)) + 1)
	w.b = append(w.b, s...)
}

func appendRow(b []byte, r *Row) []byte {
	w := &writer{b: append(b, form), known: map[string]uint64{"": 0}}
	w.wide(uint64(r.Stamp.Version))
	w.wide(r.Stamp.Set)
	w.wide(uint64(r.Stamp.Notice))
	w.wide(r.Stamp.Files)
	for _, list := range [][]Value{r.Values, r.Doubtful} {
		w.number(len(list))
		for i := range list {
			w.value(&list[i])
		}
	}
	w.number(len(r.Limits))
	for _, l := range r.Limits {
		w.text(l)
	}
	w.wide(r.Sketch.Words)
	w.wide(r.Sketch.Figures)
	w.number(map[bool]int{true: bitLong}[r.Sketch.Long])
	w.wide(uint64(r.Sketch.Families))
	w.wide(uint64(r.Sketch.Size))
	return w.b
}

func (w *writer) value(v *Value) {
	for _, s := range [...]string{v.Field, v.Lot, v.Norm, v.Text, v.Source, v.Label, v.Doubt} {
		w.text(s)
	}
	for _, n := range [...]int{v.From, v.To - v.From, v.Table, v.Row, v.Column, v.Agree, int(math.Round(v.Sure * 1000)), map[bool]int{true: 1}[v.Clock]} {
		w.number(n)
	}
}

// reader decodes a row; the first error sticks.
type reader struct {
	b     []byte
	known []string
	bad   bool
}

func (r *reader) wide() uint64 {
	n, size := binary.Uvarint(r.b)
	if size <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[size:]
	return n
}

func (r *reader) number() int {
	n := r.wide()
	if n > math.MaxInt32 {
		r.bad, r.b = true, nil
		return 0
	}
	return int(n)
}

func (r *reader) text() string {
	n := r.wide()
	at := n / 2
	switch {
	case n%2 == 0 && at < uint64(len(r.known)):
		return r.known[at]
	case n%2 == 1 && at <= uint64(len(r.b)):
		s := string(r.b[:at])
		r.b = r.b[at:]
		r.known = append(r.known, s)
		return s
	}
	r.bad, r.b = true, nil
	return ""
}

// length is how many entries follow, each of which takes some bytes at least.
func (r *reader) length(least int) int {
	n := r.number()
	if n > len(r.b)/least {
		r.bad, r.b = true, nil
		return 0
	}
	return n
}

// Decode reads the row of a notice.
func Decode(key, v []byte) (*Row, error) {
	if len(key) != 8 || store.KeyID(key) == 0 || len(v) == 0 || v[0] < ofOnce || v[0] > form {
		return nil, errForm
	}
	in := &reader{b: v[1:], known: []string{""}}
	row := &Row{ID: store.KeyID(key)}
	row.Stamp = Stamp{Version: uint32(in.wide()), Set: in.wide(), Notice: uint32(in.wide())}
	before := v[0] < form
	rules := before && in.wide() != 0
	row.Stamp.Files = in.wide()
	if before {
		in.text() // the host
	}
	for _, list := range []*[]Value{&row.Values, &row.Doubtful} {
		if n := in.length(15); n > 0 {
			*list = make([]Value, n)
		}
		for i := range *list {
			in.value(&(*list)[i])
		}
	}
	if before {
		for n := in.length(3); n > 0; n-- { // labels, fields and whether they agree
			in.text()
			in.text()
			in.number()
		}
	}
	for n := in.length(1); n > 0; n-- {
		row.Limits = append(row.Limits, in.text())
	}
	if v[0] > ofOnce {
		row.Sketch = Sketch{Words: in.wide(), Figures: in.wide(), Long: in.number() == bitLong, Families: uint32(in.wide()), Size: uint32(in.wide())}
	}
	if v[0] == ofOnce {
		row.Stamp.Version = 0
	}
	if rules {
		row.Stamp.Set = 0 // the fields had labels of the host
	}
	if in.bad || len(in.b) > 0 {
		return nil, errForm
	}
	return row, nil
}

func (r *reader) value(v *Value) {
	for _, s := range [...]*string{&v.Field, &v.Lot, &v.Norm, &v.Text, &v.Source, &v.Label, &v.Doubt} {
		*s = r.text()
	}
	var size, sure, clock int
	for _, n := range [...]*int{&v.From, &size, &v.Table, &v.Row, &v.Column, &v.Agree, &sure, &clock} {
		*n = r.number()
	}
	v.To, v.Sure, v.Clock = v.From+size, float64(sure)/1000, clock == 1
}
