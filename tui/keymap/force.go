package keymap

import (
	"sync/atomic"

	"angler/crawl/auth"
)

// Force holds the keys in force for one viewer. The zero Force and nil mean the table itself. It is
// safe for concurrent use: several goroutines make texts that name keys.
type Force struct{ m atomic.Pointer[Map] }

// Set replaces the keys.
func (f *Force) Set(m *Map) { f.m.Store(m) }

func (f *Force) now() *Map {
	if f == nil {
		return nil
	}
	return f.m.Load()
}

// Of returns the changed keys of an entry; nil if they are the table's.
func (f *Force) Of(e *Entry) []string { return f.now().of(e) }

// Keys returns the keys in force.
func (f *Force) Keys(e *Entry) []string { return f.now().Keys(e) }

// Printed returns the first key in force in printed form.
func (f *Force) Printed(e *Entry) string { return f.now().printed(e) }

// Denied reports whether a role may not do the action with this id in the settings.
func Denied(r auth.Role, id string) bool {
	e := byID(id)
	return e != nil && r.Denied(e.Action) != ""
}

// Named returns the printed key of the action with this id in the settings; "" if there is none.
func (f *Force) Named(id string) string {
	if e := byID(id); e != nil {
		return f.Printed(e)
	}
	return ""
}
