package records

import (
	"encoding/binary"
	"math"
)

// This file encodes a row of facts: numbers as varints, texts after their length. A text that
// repeats an earlier one of the row is encoded as its number.

const (
	factsForm = 3 // of rows
	taught    = 2 // rows with learned labels of hosts; outdated if any was used
	ofOnce    = 1 // rows of form 2 without a sketch; always outdated
	bitLong   = 1
)

type factsWriter struct {
	b     []byte
	known map[string]uint64
}

func (w *factsWriter) number(n int)  { w.b = binary.AppendUvarint(w.b, uint64(max(0, n))) }
func (w *factsWriter) wide(n uint64) { w.b = binary.AppendUvarint(w.b, n) }

// text writes 2·length+1 and the bytes, or 2·number of an earlier equal text.
func (w *factsWriter) text(s string) {
	if n, ok := w.known[s]; ok {
		w.wide(2 * n)
		return
	}
	w.known[s] = uint64(len(w.known))
	w.wide(2*uint64(len(s)) + 1)
	w.b = append(w.b, s...)
}

func appendFacts(b []byte, r *Facts) []byte {
	w := &factsWriter{b: append(b, factsForm), known: map[string]uint64{"": 0}}
	w.wide(uint64(r.Stamp.Version))
	w.wide(r.Stamp.Set)
	w.wide(uint64(r.Stamp.Notice))
	w.wide(r.Stamp.Files)
	for _, list := range [][]FactValue{r.Values, r.Doubtful} {
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
	long := 0
	if r.Sketch.Long {
		long = bitLong
	}
	w.number(long)
	w.wide(uint64(r.Sketch.Families))
	w.wide(uint64(r.Sketch.Size))
	return w.b
}

func (w *factsWriter) value(v *FactValue) {
	for _, s := range [...]string{v.Field, v.Lot, v.Norm, v.Text, v.Source, v.Label, v.Doubt} {
		w.text(s)
	}
	clock := 0
	if v.Clock {
		clock = 1
	}
	for _, n := range [...]int{v.From, v.To - v.From, v.Table, v.Row, v.Column, v.Agree, int(math.Round(v.Sure * 1000)),
		clock} {
		w.number(n)
	}
}

// factsReader decodes a row; the first error sticks.
type factsReader struct {
	b     []byte
	known []string
	bad   bool
}

func (r *factsReader) wide() uint64 {
	n, size := binary.Uvarint(r.b)
	if size <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[size:]
	return n
}

func (r *factsReader) number() int {
	n := r.wide()
	if n > math.MaxInt32 {
		r.bad, r.b = true, nil
		return 0
	}
	return int(n)
}

func (r *factsReader) text() string {
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

// length returns the number of entries that follow; each takes at least least bytes.
func (r *factsReader) length(least int) int {
	n := r.number()
	if n > len(r.b)/least {
		r.bad, r.b = true, nil
		return 0
	}
	return n
}

// decodeFacts decodes the row of a notice without its id.
func decodeFacts(v []byte) (*Facts, error) {
	if len(v) == 0 || v[0] < ofOnce || v[0] > factsForm {
		return nil, errForm
	}
	in := &factsReader{b: v[1:], known: []string{""}}
	row := &Facts{}
	row.Stamp = FactsStamp{Version: uint32(in.wide()), Set: in.wide(), Notice: uint32(in.wide())}
	before := v[0] < factsForm
	rules := before && in.wide() != 0
	row.Stamp.Files = in.wide()
	if before {
		in.text() // the host
	}
	for _, list := range []*[]FactValue{&row.Values, &row.Doubtful} {
		if n := in.length(15); n > 0 {
			*list = make([]FactValue, n)
		}
		for i := range *list {
			in.value(&(*list)[i])
		}
	}
	if before {
		for n := in.length(3); n > 0; n-- { // labels, fields, and whether they agree
			in.text()
			in.text()
			in.number()
		}
	}
	for n := in.length(1); n > 0; n-- {
		row.Limits = append(row.Limits, in.text())
	}
	if v[0] > ofOnce {
		row.Sketch = Sketch{Words: in.wide(), Figures: in.wide(), Long: in.number() == bitLong,
			Families: uint32(in.wide()), Size: uint32(in.wide())}
	}
	if v[0] == ofOnce {
		row.Stamp.Version = 0
	}
	if rules {
		row.Stamp.Set = 0 // labels of the host were used
	}
	if in.bad || len(in.b) > 0 {
		return nil, errForm
	}
	return row, nil
}

func (r *factsReader) value(v *FactValue) {
	for _, s := range [...]*string{&v.Field, &v.Lot, &v.Norm, &v.Text, &v.Source, &v.Label, &v.Doubt} {
		*s = r.text()
	}
	var size, sure, clock int
	for _, n := range [...]*int{&v.From, &size, &v.Table, &v.Row, &v.Column, &v.Agree, &sure, &clock} {
		*n = r.number()
	}
	v.To, v.Sure, v.Clock = v.From+size, float64(sure)/1000, clock == 1
}
