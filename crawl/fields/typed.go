package fields

import (
	"strings"
)

// Typed parses a typed value of a field, in the forms of notices: 92.28万, 2026-07-18 09:30,
// 上海某某有限公司. ok is false for an invalid value.
func (s *Set) Typed(f *Field, text string) (Value, bool) {
	i, ok := s.fieldIndex[f.Name]
	text = strings.TrimSpace(text)
	if !ok || text == "" || len(text) > maxValue {
		return Value{}, false
	}
	r := s.newReading(&Notice{Text: text})
	v := Value{Field: f.Name, Source: FromPerson, Text: text, Sure: 1}
	switch {
	case f.Type == Money:
		a, ok := ParseMoney(r.text.s, "")
		if !ok || a.Currency != "" || strings.Trim(r.text.s[a.To:], " 元整圆") != "" {
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
	return v, v.Norm != ""
}
