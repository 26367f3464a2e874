package filter

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// TermMatches counts the rows that match one term alone, and the rows that match all other terms. For a term without
// matches it lists existing values.
type TermMatches struct {
	Term           string `json:"term"`
	Alone, Without int

	Least, Most string   // of numbers and times, as typed; "" = unknown
	Values      []string // of texts and names, most frequent first, at most maxValues
}

const (
	maxValues = 6
	maxSeen   = 1000 // distinct texts counted
	longValue = 24   // runes; longer texts are not listed
)

// Reaches explains a filter without matches: it counts the rows that match each term. It reads the rows again for
// each term without matches.
func (f *Filter[T]) Reaches(rows func(yield func(*T) bool)) []TermMatches {
	out := make([]TermMatches, len(f.terms))
	for i := range f.terms {
		out[i].Term = f.terms[i].text
	}
	for row := range rows {
		failed, last := 0, 0
		for i := range f.terms {
			if f.terms[i].holds(row) {
				out[i].Alone++
			} else {
				failed, last = failed+1, i
			}
		}
		switch {
		case failed == 0 && f.matchesTogether(row, -1):
			for i := range out {
				out[i].Without++
			}
		case failed == 0: // each term matches a thing, but no thing matches all
			for i := range out {
				if t := &f.terms[i]; t.things != nil && !t.not && f.matchesTogether(row, i) {
					out[i].Without++
				}
			}
		case failed == 1 && f.matchesTogether(row, last):
			out[last].Without++
		}
	}
	for i := range out {
		if field := f.terms[i].field; out[i].Alone == 0 && field != nil && !f.terms[i].not {
			field.collectValues(rows, &out[i])
		}
	}
	return out
}

// collectValues collects the values of a field.
func (f *Field[T]) collectValues(rows func(yield func(*T) bool), out *TermMatches) {
	var least, most float64
	any, texts := false, map[string]int{}
	measure := func(v float64) {
		if !any {
			any, least, most = true, v, v
		}
		least, most = min(least, v), max(most, v)
	}
	note := func(s string) {
		if _, ok := texts[s]; (ok || len(texts) < maxSeen) && s != "" && len([]rune(s)) <= longValue {
			texts[s]++
		}
	}
	for row := range rows {
		switch {
		case f.Flags != nil:
			for name, holds := range f.Flags {
				if holds(row) {
					note(name)
				}
			}
		case f.Number != nil:
			if v, ok := f.Number(row); ok {
				measure(v)
			}
		case f.Numbers != nil:
			f.Numbers(row, func(v float64) bool { measure(v); return false })
		case f.Texts != nil:
			f.Texts(row, func(s string) bool { note(s); return false })
		case f.Day != nil, f.Until != nil:
			at := f.Day
			if at == nil {
				at = f.Until
			}
			if t := at(row); !t.IsZero() {
				measure(float64(t.Unix()))
			}
		case f.Text != nil:
			for _, s := range f.Text(row) {
				note(s)
			}
		}
	}
	switch {
	case any && (f.Number != nil || f.Numbers != nil):
		out.Least, out.Most = amount(least), amount(most)
	case any:
		out.Least, out.Most = time.Unix(int64(least), 0).Format(time.DateOnly),
			time.Unix(int64(most), 0).Format(time.DateOnly)
	}
	out.Values = slices.SortedFunc(maps.Keys(texts),
		func(a, b string) int { return cmp.Or(cmp.Compare(texts[b], texts[a]), strings.Compare(a, b)) })
	out.Values = out.Values[:min(len(out.Values), maxValues)]
}

// amount formats a number as typed: 92.28w, 3.
func amount(v float64) string {
	unit := ""
	if v >= 1e4 {
		v, unit = v/1e4, "w"
	}
	s := strconv.FormatFloat(v, 'f', 2, 64)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".") + unit
}
