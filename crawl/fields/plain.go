package fields

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"strings"
)

// PlainNotice holds the values of a notice by field name. A sum is a number of yuan, a time local
// ISO 8601 without zone, and several values are a list. Missing fields are left out. A notice with
// several things (Set.Itemised) also has a list "items", one object each.
type PlainNotice struct {
	Set    *Set
	Result *Result
}

// MarshalJSON writes the fields in the order of their set.
func (v PlainNotice) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for _, f := range v.Set.Fields() {
		plain := v.Plain(&f)
		if len(plain) == 0 {
			continue
		}
		var out any = plain
		if len(plain) == 1 {
			out = plain[0]
		}
		if err := putMember(&b, f.Name, out); err != nil {
			return nil, err
		}
	}
	if things := v.items(); len(things) > 1 {
		if err := putMember(&b, "items", things); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// putMember adds a member to the JSON object that b begins.
func putMember(b *bytes.Buffer, name string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	if b.Len() > 1 {
		b.WriteByte(',')
	}
	key, _ := json.Marshal(name)
	b.Write(key)
	b.WriteByte(':')
	b.Write(text)
	return nil
}

// Plain returns the accepted values of a field without repetitions. A printed total replaces the
// sums of its lots.
func (v PlainNotice) Plain(f *Field) []any {
	var out []any
	seen := map[string]bool{}
	for _, value := range v.Result.Of(f.Name) {
		if seen[value.Norm] {
			continue
		}
		seen[value.Norm] = true
		switch f.Type {
		case Money, Number:
			out = append(out, json.Number(value.Norm))
			if value.Lot == "" {
				return out
			}
		case Time:
			out = append(out, local(value.Norm))
		default:
			out = append(out, value.Norm)
		}
	}
	return out
}

// local removes the zone from a time or a span of times.
func local(norm string) string {
	parts := strings.Split(norm, "/")
	for i, p := range parts {
		parts[i] = strings.TrimSuffix(p, "+08:00")
	}
	return strings.Join(parts, "/")
}

// Line returns the values in one line for people: 采购人：东湖大学 · 预算：902460 元.
func (v PlainNotice) Line() string {
	var parts []string
	for i := range v.Set.fields {
		f := &v.Set.fields[i]
		var texts []string
		for _, p := range v.Plain(f) {
			t := fmt.Sprint(p)
			switch f.Type {
			case Money:
				t += " 元"
			case Time:
				t = strings.Replace(t, "T", " ", 2) // a span has two
			}
			texts = append(texts, t)
		}
		if len(texts) > 0 {
			parts = append(parts, f.Heading(false)+"："+strings.Join(texts, "、"))
		}
	}
	return strings.Join(parts, " · ")
}

// Version is the version of the reader. Another version may read a notice differently.
const Version = 7

// Fingerprint returns a hash of the fields.
func (s *Set) Fingerprint() uint64 {
	h := fnv.New64a()
	for i := range s.fields {
		f := &s.fields[i]
		fmt.Fprintf(h, "%q %q %q %q %v\n", f.Name, f.Type, f.Labels, f.Choices, f.form.preset)
	}
	return h.Sum64()
}

// Named returns a field by its name; nil without one.
func (s *Set) Named(name string) *Field {
	if i, ok := s.fieldIndex[name]; ok {
		return &s.fields[i]
	}
	return nil
}
