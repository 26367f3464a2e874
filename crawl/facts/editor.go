package facts

import (
	"fmt"
	"strings"

	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/crawl/fields"
)

// Editor is the values in the hands of one person. It is safe for concurrent use.
type Editor struct {
	*Extractor
	*decisions.NoticeEditor
}

// EditorOf returns the values in the hands of a person.
func (k *Extractor) EditorOf(actor auth.Actor) *Editor {
	return &Editor{k, k.Decisions.EditorOf(actor)}
}

// At returns what the notice at an address says, corrections included; nil where there
// is none.
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

// Fields are those in force, in their order. It returns at once.
func (h *Editor) Fields() []fields.Field { return h.Set().Fields() }

// separators stand between several values that are typed.
const separators = ";；\n"

// CheckValue reads what a person typed as a value of a field, several between
// semicolons. It returns at once; the error says what is expected.
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

// expected says what a value of a field looks like.
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

// SetValue says what a notice says of a field, typed as for CheckValue; "" means that
// the notice does not say it. One undo takes it back.
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

// AsRead lets hold again what was read of a field.
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
