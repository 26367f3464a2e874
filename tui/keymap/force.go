package keymap

import (
	"sync/atomic"

	"angler/crawl/auth"
)

// Force holds the keys in force for one viewer. The zero Force, and nil, is the table itself. It is
// safe for concurrent use: texts that name a key are made in several goroutines.
type Force struct{ m atomic.Pointer[Map] }

// Set puts other keys in force.
func (f *Force) Set(m *Map) { f.m.Store(m) }

func (f *Force) now() *Map {
	if f == nil {
		return nil
	}
	return f.m.Load()
}

// Of returns the keys of an entry that were changed; nil where they are the table's.
func (f *Force) Of(e *Entry) []string { return f.now().of(e) }

// Keys returns the keys in force.
func (f *Force) Keys(e *Entry) []string { return f.now().Keys(e) }

// Printed returns the first key in force, as people read it.
func (f *Force) Printed(e *Entry) string { return f.now().printed(e) }

// Denied reports whether a role may not do the action that the settings call id.
func Denied(r auth.Role, id string) bool {
	e := byID(id)
	return e != nil && r.Denied(e.Action) != ""
}

// Named is Printed of the action that the settings call id; "" when there is none.
func (f *Force) Named(id string) string {
	if e := byID(id); e != nil {
		return f.Printed(e)
	}
	return ""
}
