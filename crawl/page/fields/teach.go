package fields

import (
	"strings"
	"unicode/utf8"

	"angler/crawl/page/printed"
)

// This file is what sites and people teach about labels.

// Taught returns a set that knows labels of one site besides: plain labels by the name
// of their field, or by "" when they stand before none.
func (s *Set) Taught(labels map[string]string) *Set {
	if len(labels) == 0 {
		return s
	}
	t := NewSet(s.fields)
	for label, name := range labels {
		if i, ok := s.named[name]; ok {
			t.labels[label] = hit{field: i, rank: taughtRank}
		} else if name == "" {
			t.labels[label] = hit{field: nobody}
		}
	}
	return t
}

// taughtRank lets a taught label win over those that the set knows by itself.
const taughtRank = 1.05

// nobody is the field of labels that stand before no field.
const nobody = -1

// Pair is a label and what stands behind it, whether the set knows the label or not.
type Pair struct {
	Label   string // plain, see PlainLabel
	Printed string
	Text    string // the value as it was read
	Field   string // that the set takes it for; "" = none
}

// PlainLabel returns a label without numbering, spaces and brackets, as Taught wants it;
// "" when the text is none.
func PlainLabel(s string) string { label, _ := plainLabel(fold(s).s); return label }

// Bounds of Pairs.
const (
	mostPairs  = 400
	mostUnseen = 16 // runes of a label that the set does not know
)

// Pairs returns the labels of a notice with what stands behind them: cells beside each
// other or under each other, and lines "label：value". It costs some 50 µs.
func (s *Set) Pairs(n Notice) []Pair {
	var out []Pair
	add := func(label, value string) {
		value = strings.TrimSpace(value)
		plain, _ := plainLabel(strings.TrimSpace(label))
		if size := utf8.RuneCountInString(plain); size < 2 || size > mostUnseen || value == "" || len(value) > maxValue || len(out) >= mostPairs || strings.ContainsAny(plain, "，。；、0123456789") {
			return
		}
		if h, taught := s.labels[plain]; taught && h.field == nobody {
			return // somebody has said that it says nothing
		}
		p := Pair{Label: plain, Printed: strings.TrimSpace(label), Text: value}
		if f := s.of(plain, nowhere); f.field && f.hit.field != nobody {
			p.Field = s.fields[f.hit.field].Name
		} else if f.label && !f.field {
			return // a thing of its own: an address, a note
		}
		out = append(out, p)
	}
	cells := 0
	for i := range n.Tables {
		s.tablePairs(&n.Tables[i], &cells, add)
	}
	lines := 0
	for line := range strings.SplitSeq(fold(n.Text).s, "\n") {
		if lines++; lines > maxLines {
			break
		}
		if i := strings.IndexByte(line, ':'); i > 0 && i < 3*mostLabel && i+1 < len(line) && !strings.HasPrefix(line[i+1:], "//") {
			add(line[:i], line[i+1:])
		} else if label, value, ok := strings.Cut(strings.Trim(line, "\t "), "\t"); ok && len(n.Tables) == 0 && !strings.Contains(value, "\t") {
			add(label, value)
		}
	}
	return out
}

// tablePairs gives the cells that stand beside or under others.
func (s *Set) tablePairs(t *Table, cells *int, add func(label, value string)) {
	for i, row := range t.Rows {
		if *cells += len(row); *cells > MaxCells {
			return
		}
		for k := range row {
			text := fold(row[k].Text).s
			if k > 0 && row[k-1].id != row[k].id && (k%2 == 1 || len(row) == 2) {
				add(fold(row[k-1].Text).s, text)
			}
			if i > 0 && len(t.Rows[0]) == len(row) && len(row) > 2 && len(t.Rows) < 40 {
				add(fold(t.Rows[0][k].Text).s, text)
			}
		}
	}
}

// Typed reads what somebody typed as a value of a field, in the ways notices print it:
// 92.28万, 2026-07-18 09:30, 上海某某有限公司. False when it is none.
func (s *Set) Typed(f *Field, text string) (Value, bool) {
	i, ok := s.named[f.Name]
	text = strings.TrimSpace(text)
	if !ok || text == "" || len(text) > maxValue {
		return Value{}, false
	}
	r := &reading{set: s, notice: &Notice{}, text: fold(text), found: make([][]Value, len(s.fields)), result: &Result{}}
	v := Value{Field: f.Name, Source: FromPerson, Text: text, Sure: 1}
	switch {
	case f.Type == Money:
		a, ok := printed.ParseMoney(r.text.s, "")
		if !ok || strings.Trim(r.text.s[a.To:], " 元整圆") != "" {
			return v, false
		}
		v.Norm = a.Yuan
	case f.form.code, f.Type == Person, f.Type == Text, f.Type == "":
		v.Norm = strings.Join(strings.Fields(r.text.s), " ")
	default:
		p := place{f: r.text, to: len(r.text.s), source: FromPerson, sure: 1}
		norm, _, to, _ := r.normal(&s.fields[i], &v, p)
		if rest := strings.TrimSpace(r.text.s[min(to, len(r.text.s)):]); norm == "" || f.Type == Number && rest != "" {
			return v, false
		}
		v.Norm = norm
	}
	return v, true
}

// Behind reads what stands behind a label as a value of a field; the label may tell the
// unit of sums. False when it is none.
func (s *Set) Behind(f *Field, p *Pair) (Value, bool) {
	switch {
	case f.form.code && !isCode(strings.TrimSpace(p.Text)):
		return Value{}, false
	case f.Type != Money:
		return s.Typed(f, p.Text)
	}
	a, ok := printed.ParseMoney(p.Text, unitOf(p.Printed))
	return Value{Field: f.Name, Norm: a.Yuan}, ok
}

// SameValue tells whether two values say the same.
func SameValue(a, b *Value) bool { return same(a.Norm, b.Norm) }

// Says tells whether a pair says a value: the same, in the pair's own words.
func (s *Set) Says(p *Pair, v *Value) bool {
	f := s.Named(v.Field)
	if f == nil {
		return false
	}
	got, ok := s.Behind(f, p)
	return ok && SameValue(&got, v)
}

func unitOf(label string) string { _, unit := plainLabel(label); return unit }
