package keymap

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Map holds the keys that a workspace has changed. The zero Map and nil change none. It is
// immutable.
type Map struct{ keys map[*Entry][]string }

// of returns the changed keys of an entry; nil if they are the table's.
func (m *Map) of(e *Entry) []string {
	if m == nil {
		return nil
	}
	return m.keys[e]
}

// Keys returns the keys in force.
func (m *Map) Keys(e *Entry) []string {
	if keys := m.of(e); keys != nil {
		return keys
	}
	return e.Keys
}

// printed returns the first key in force in printed form.
func (m *Map) printed(e *Entry) string {
	k := m.Keys(e)[:1]
	return cmp.Or(arrows[k[0]], Printed(k))
}

// Change reads the table [keys] of the settings: the name of an action and its key or list of keys.
// After the first error nothing is changed.
func Change(set map[string]any) (*Map, error) {
	m := &Map{keys: map[*Entry][]string{}}
	for _, id := range slices.Sorted(maps.Keys(set)) {
		e := byID(id)
		if e == nil {
			return nil, fmt.Errorf("[keys] %s: no action is called that%s", id, near(id))
		}
		keys, err := typed(set[id])
		if err != nil {
			return nil, fmt.Errorf("[keys] %s: %w", id, err)
		}
		m.keys[e] = keys
	}
	if c := m.clash(); c != nil {
		return nil, c
	}
	return m, nil
}

func byID(id string) *Entry {
	for _, e := range table {
		if e.ID == id {
			return e
		}
	}
	return nil
}

// near returns the likely action for a misspelt name.
func near(id string) string {
	best, most := "", 0
	for _, e := range table {
		n := 0
		for n < len(id) && n < len(e.ID) && id[n] == e.ID[n] {
			n++
		}
		if n > most {
			best, most = e.ID, n
		}
	}
	if most < 3 {
		return "; the help lists the actions with their names"
	}
	return fmt.Sprintf("; did you mean %s?", best)
}

// typed parses one key or a list of them.
func typed(v any) ([]string, error) {
	var names []any
	switch x := v.(type) {
	case string:
		names = []any{x}
	case []any:
		names = x
	default:
		return nil, fmt.Errorf("write a key in quotes, or a list of keys")
	}
	var out []string
	for _, n := range names {
		s, ok := n.(string)
		if !ok {
			return nil, fmt.Errorf("%v is no key; write it in quotes", n)
		}
		key, ok := Known(s)
		if !ok {
			return nil, fmt.Errorf("%q is no key; write one sign, ctrl+ and a letter, f1 … f12, or one of %s", s,
				strings.Join(named, ", "))
		}
		out = append(out, key)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("an action needs a key; take the line out to have its own back")
	}
	return out, nil
}

// named are the keys with names.
var named = []string{"space", "enter", "esc", "tab", "shift+tab", "up", "down", "left", "right", "home", "end", "pgup",
	"pgdown", "insert", "delete", "backspace"}

// Known returns a key as Bubble Tea spells it; ok is false for keys that a terminal cannot send, or
// sends as another key.
func Known(s string) (key string, ok bool) {
	letter, ctrl := strings.CutPrefix(s, "ctrl+")
	switch {
	case s == "space" || s == " ":
		return " ", true
	case slices.Contains(named, s):
		return s, true
	case ctrl: // ctrl+i is tab, ctrl+m enter
		return s, len(letter) == 1 && letter[0] >= 'a' && letter[0] <= 'z' && letter != "i" && letter != "m"
	case len(s) > 1 && s[0] == 'f':
		var n int
		_, err := fmt.Sscanf(s, "f%d", &n)
		return s, err == nil && n >= 1 && n <= 12 && s == fmt.Sprintf("f%d", n)
	}
	r, size := utf8.DecodeRuneInString(s)
	return s, size == len(s) && size > 0 && r != utf8.RuneError && unicode.IsPrint(r)
}

// Clash is the error of a key with two meanings in one place. A is a changed entry.
type Clash struct {
	Key  string
	A, B *Entry
}

func (c *Clash) Error() string {
	return fmt.Sprintf("[keys] %s = %q: %s is %s's already; give one of them another key", c.A.ID, c.Key, c.Key, c.B.ID)
}

// clash returns the first clash, or nil; a is a changed entry if one of the two is.
func (m *Map) clash() *Clash {
	holders := map[string][]*Entry{}
	for _, e := range table {
		for _, k := range m.Keys(e) {
			for _, o := range holders[k] {
				if meet(o.Place, e.Place) && o.meaning() != e.meaning() {
					a, b := e, o
					if m.of(a) == nil {
						a, b = o, e
					}
					return &Clash{cmp.Or(strings.TrimSpace(k), "space"), a, b}
				}
			}
			holders[k] = append(holders[k], e)
		}
	}
	return nil
}
