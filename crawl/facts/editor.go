package facts

import (
	"fmt"
	"strings"

	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/crawl/fields"
)

// Editor gives one user access to the values. It is safe for concurrent use.
type Editor struct {
	*Extractor
	*decisions.NoticeEditor
}

// EditorOf returns an Editor for a user.
func (k *Extractor) EditorOf(actor auth.Actor) *Editor {
	return &Editor{k, k.Decisions.EditorOf(actor)}
}

// At returns the values of the notice at an address, with corrections; nil if there is none.
func (h *Editor) At(url string) (*fields.PlainNotice, error) {
	canonical, err := h.Reader.Resolver.Canonical(url)
	if err != nil {
		return nil, nil
	}
	id, known := h.Store.Lookup(canonical)
	if !known {
		return nil, nil
	}
	s, err := h.Of(id)
	if err != nil || s == nil {
		return nil, err
	}
	plain := s.Plain()
	return &plain, nil
}

// Fields returns the fields in force, in order. It does not block.
func (h *Editor) Fields() []fields.Field { return h.Set().Fields() }

// separators separate several typed values.
const separators = ";；\n"

// CheckValue parses a typed value of a field, or several values between semicolons. It does not
// block. The error names the expected form.
func (h *Editor) CheckValue(field, text string) ([]fields.Value, error) {
	set := h.Set()
	f := set.Named(field)
	if f == nil {
		return nil, fmt.Errorf("there is no field %s", field)
	}
	var out []fields.Value
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
		if strings.TrimSpace(part) == "" {
			continue
		}
		v, ok := set.Typed(f, part)
		if !ok {
			return nil, fmt.Errorf("%.40q: %s", strings.TrimSpace(part), expected(f))
		}
		out = append(out, v)
	}
	return out, nil
}

// expected describes a value of a field.
func expected(f *fields.Field) string {
	switch f.Type {
	case fields.Money:
		return "a sum of money, e.g. 92.28万 or 902460.50"
	case fields.Time:
		return "a time, e.g. 2026-07-18 09:30 or 2026-07-18"
	case fields.Number:
		return "a number, e.g. 12"
	case fields.Choice:
		return "one of " + strings.Join(f.Choices, ", ")
	case fields.Org:
		return "the name of an organisation"
	case fields.Person:
		return "the name of a person"
	case fields.Phone:
		return "a telephone number"
	}
	return fmt.Sprintf("a text of at most %d bytes", 300)
}

// SetValue corrects a field of a notice, typed as for CheckValue; "" = the notice has no such
// value. One undo reverts it.
func (h *Editor) SetValue(id uint64, field, text string) error {
	if err := h.May(auth.Correct); err != nil {
		return err
	}
	values, err := h.CheckValue(field, text)
	if err != nil {
		return err
	}
	return h.Correct(id, h.Set().Named(field), values, false)
}

// AsRead reverts the correction of a field.
func (h *Editor) AsRead(id uint64, field string) error {
	if err := h.May(auth.Correct); err != nil {
		return err
	}
	f := h.Set().Named(field)
	if f == nil {
		return fmt.Errorf("there is no field %s", field)
	}
	return h.Correct(id, f, nil, true)
}
