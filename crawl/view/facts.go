package view

import (
	"fmt"
	"strings"
	"time"

	"angler/crawl/fields"
	"angler/crawl/htmldoc"
	"angler/crawl/notices"
)

// Correction is what somebody said of a field of a notice.
type Correction struct {
	Values []fields.Value `json:"values,omitempty"` // none: the notice does not say it
	Remark
}

// NoticeFacts is what a notice says: what was read of it, and what people have corrected,
// which takes the place of what was read. It is not to be changed.
type NoticeFacts struct {
	ID        uint64
	Set       *fields.Set
	Result    *fields.Result         // corrections taken up
	Read      *fields.Result         // as it was read
	Corrected map[string]*Correction // by field
	Pending   bool                   // it was read just now and is not stored yet
	Sketch    Sketch
}

// Plain is the values as exports have them.
func (s *NoticeFacts) Plain() fields.PlainNotice {
	return fields.PlainNotice{Set: s.Set, Result: s.Result}
}

// Time is the last moment that the notice gives for a field, zero when it gives none.
func (s *NoticeFacts) Time(field string) (last time.Time) {
	for i := range s.Result.Values {
		v := &s.Result.Values[i]
		if v.Field != field {
			continue
		}
		if n, ok := moment(v.Norm); ok {
			if t := time.Unix(60*n, 0); t.After(last) {
				last = t
			}
		}
	}
	return last
}

// Sketch is what a notice's text is compared and checked by. The zero Sketch is that of
// a notice that was not looked at yet.
type Sketch struct {
	notices.Simhash
	Families notices.Families
	Size     uint32 // of the text, in bytes
	Known    bool
}

// ExplainedValues are the values of a notice with where each comes from.
type ExplainedValues struct {
	Values    []fields.Value         `json:"values"`
	Doubtful  []fields.Value         `json:"doubtful,omitempty"`
	Corrected map[string]*Correction `json:"corrected,omitempty"` // by field
	Itemised  bool                   `json:"-"`                   // lots are the numbers of things, see fields.Set
}

// Explained is the part of an explanation that a notice's values are; nil where there
// are no fields.
func (s *NoticeFacts) Explained() *ExplainedValues {
	if s == nil || len(s.Set.Fields()) == 0 {
		return nil
	}
	return &ExplainedValues{s.Result.Values, s.Result.Doubtful, s.Corrected, s.Set.Itemised()}
}

// write prints the values for people, a row each.
func (x *ExplainedValues) write(row func(name, format string, args ...any)) {
	one := func(v *fields.Value) {
		text := printable(v.Norm)
		if v.Lot != "" {
			text = map[bool]string{true: "no. ", false: "lot "}[x.Itemised] + printable(v.Lot) + ": " + text
		}
		from := string(v.Source)
		if v.Table > 0 {
			from += fmt.Sprintf(" %d, row %d, column %d", v.Table, v.Row, v.Column)
		}
		if v.Label != "" {
			from += ", behind " + printable(strings.TrimSpace(v.Label))
		}
		if v.To > v.From {
			from += fmt.Sprintf(", bytes %d to %d", v.From, v.To)
		}
		if v.Agree > 0 {
			from += fmt.Sprintf(", %d places more say the same", v.Agree)
		}
		if c := x.Corrected[v.Field]; c != nil && v.Source == fields.FromPerson {
			from = fmt.Sprintf("corrected by %s at %s", printable(c.By), c.At.Format("2006-01-02 15:04"))
		}
		if v.Doubt != "" {
			text = "? " + text + " (" + v.Doubt + ")"
		}
		row(v.Field, "%s: %s, sure %.2f", text, from, v.Sure)
	}
	for i := range x.Values {
		one(&x.Values[i])
	}
	for name, c := range x.Corrected {
		if len(c.Values) == 0 {
			row(name, "not said: corrected by %s at %s", printable(c.By), c.At.Format("2006-01-02 15:04"))
		}
	}
	for i := range x.Doubtful {
		one(&x.Doubtful[i])
	}
}

// printable is a text of a page in one line.
func printable(s string) string { return htmldoc.CleanLine(s, 300) }
