package config

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// This file changes rows of [[notify]] as a whole: the keys of a way are valid together or not at
// all.

const notifyTable = "notify"

// NotifyOf returns the key of a row of [[notify]]. Its value is the row as Notify.Text writes it,
// "" if there is no such row.
func NotifyOf(name string) string { return notifyTable + "." + name }

// Text returns a row as TOML, one key a line, without keys that have their defaults.
func (n *Notify) Text() string {
	var b strings.Builder
	for _, l := range leaves(n) {
		if l.key == "name" || l.key == "way" || !l.v.IsZero() {
			fmt.Fprintf(&b, "%s = %s\n", l.key, literalOf(l.v))
		}
	}
	return b.String()
}

// literalOf returns a value as TOML.
func literalOf(v reflect.Value) string {
	switch kindOf(v) {
	case "text", "time":
		return quote(typed(v))
	}
	return typed(v)
}

// Rows returns the keys that a row of this way may have, without name and way.
func (n *Notify) Rows() []Row {
	var out []Row
	for _, l := range leaves(n) {
		key, v := l.key, l.v
		if key == "name" || key == "way" || !slices.Contains(waysOf(key), n.Way) ||
			(key == "at" || key == "zone") && n.RhythmOf() == AtOnce {
			continue
		}
		about := l.tag.Get("comment")
		if len(waysOf(key)) < len(Ways) && !strings.HasPrefix(about, "the same") {
			_, about, _ = strings.Cut(about, ": ") // the comment begins with the ways that have the key
		}
		r := Row{Key: key, Value: typed(v), Comment: about, Kind: kindOf(v), Default: typed(reflect.Zero(v.Type()))}
		if r.Kind == "time" && v.IsZero() {
			r.Value, r.Default = "", ""
		}
		switch key {
		case "rhythm":
			r.Value, r.Default, r.Choices = n.RhythmOf(), AtOnce, rhythms
		case "language":
			r.Choices = []string{"", "zh", "en"}
		case "tls":
			r.Choices = []string{"", TLSStart, TLSWhole, TLSNone}
		}
		out = append(out, r)
	}
	return out
}

// With returns the row with one key changed, as typed. wrong reports what is wrong with that value
// only; see Wrong for the rest.
func (n Notify) With(key, value string) (out Notify, wrong error) {
	out, value = n, strings.TrimSpace(value)
	l, found := leafOf(&out, key)
	if !found {
		return n, fmt.Errorf("no key of [[notify]] is called %s", key)
	}
	switch x := l.v.Addr().Interface().(type) {
	case *string:
		*x = value
	case *bool:
		*x = value == "true"
	case *[]string:
		*x, wrong = Items(value)
	case *Duration:
		if *x = 0; value != "" {
			wrong = x.UnmarshalText([]byte(value))
		}
	}
	switch {
	case wrong != nil:
		return n, wrong
	case out.RhythmOf() == AtOnce:
		out.At = ""
	}
	if at, why := out.check(); at == key {
		return n, fmt.Errorf("%s", why)
	}
	return out, nil
}

// Wrong reports the first key that makes a row invalid, and why; "" if the row is valid.
func (n *Notify) Wrong() (key, why string) { return n.check() }

// withNotify returns the settings with a row changed or added; an empty text removes the row.
func (s Settings) withNotify(name, text string) (Settings, error) {
	c := s.Clone()
	at := slices.IndexFunc(c.Notify, func(n Notify) bool { return n.Name == name })
	if strings.TrimSpace(text) == "" {
		if at < 0 {
			return s, fmt.Errorf("no row of [[notify]] is called %q", name)
		}
		c.Notify = slices.Delete(c.Notify, at, at+1)
		return c, nil
	}
	var n Notify
	d := toml.NewDecoder(strings.NewReader(text)).DisallowUnknownFields()
	if err := d.Decode(&n); err != nil {
		return s, fmt.Errorf("%s: %s", NotifyOf(name), Wrong(err))
	}
	n.Name = name
	if at < 0 {
		c.Notify = append(c.Notify, n)
	} else {
		c.Notify[at] = n
	}
	return c, c.Validate()
}

// editNotify writes the differences of two lists of rows into a document. Names identify rows.
func editNotify(doc []byte, was, is []Notify) (_ []byte, changed bool) {
	var names []string // in the order of the document
	for _, n := range was {
		names = append(names, n.Name)
	}
	for _, n := range was {
		if !slices.ContainsFunc(is, func(x Notify) bool { return x.Name == n.Name }) {
			at := slices.Index(names, n.Name)
			doc, names, changed = removeRow(doc, notifyTable, at), slices.Delete(names, at, at+1), true
		}
	}
	for _, n := range is {
		old := slices.IndexFunc(was, func(x Notify) bool { return x.Name == n.Name })
		if old < 0 {
			doc, names, changed = addRow(doc, notifyTable, n.Text()), append(names, n.Name), true
			continue
		}
		at, before := slices.Index(names, n.Name), leaves(&was[old])
		for i, l := range leaves(&n) {
			switch lit := literalOf(l.v); {
			case lit == literalOf(before[i].v):
				continue
			case l.v.IsZero():
				doc = removeRowKey(doc, notifyTable, at, l.key)
			default:
				doc = editRow(doc, notifyTable, at, l.key, lit)
			}
			changed = true
		}
	}
	return doc, changed
}
