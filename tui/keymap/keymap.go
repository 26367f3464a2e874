// Package keymap is the one table of the workbench's keys. Every action has a row: its name in the
// settings, its keys, its place, the roles that may do it, and its help. The bindings of all
// screens take their keys from these rows. So help, footer, palette, the documents' table of keys,
// the test for clashes and the changed keys of a workspace all come from this table.
//
// Rules of the table: a reserved key has the same meaning everywhere. No key shadows a key of every
// screen. An action that sends data out of the machine or controls a run has a shifted key or asks
// first. The danger is a key with another meaning one pane further; the tests refuse it.
package keymap

import (
	"cmp"
	"slices"
	"strings"

	"angler/crawl/auth"
)

// Entry is a row of the table: an action and its keys.
type Entry struct {
	ID    string   // name in the settings
	Keys  []string // as Bubble Tea spells them; the first is printed
	Show  string   // printed form if it is not Keys[0]
	Place Place
	Verb  string // shared meaning of several actions; "": ID

	Action auth.Action // the action, which decides who may do it
	Help   string      // a phrase for help and palette
	Foot   int16       // place in the footer, 1 first; 0: not shown
	Row    bool        // acts on the row under the cursor, which then stays there
}

// Place is where an action works.
type Place uint8

// The places, from the widest to the narrowest.
const (
	Everywhere Place = iota
	Panes            // every pane of every screen
	Rows             // lists whose rows can be marked
	Pages            // all lists of pages or notices to judge
	Shown            // all screens that show a page beside a list
	Notices          // the list of notices and the reader
	Home
	Samples
	Features
	Terms
	Threshold
	Crawl
	Seeding
	Harvest
	Sourcing
	Label
	Lab
	Reader
)

// Shared reports whether the place is no screen of its own: help lists its keys once.
func (p Place) Shared() bool { return p < Home }

// the screens of each shared place; Everywhere and Panes are on all
var on = map[Place][]Place{
	Rows:    {Samples, Features, Terms, Threshold, Crawl, Seeding, Harvest, Sourcing, Label, Lab},
	Pages:   {Samples, Threshold, Crawl, Seeding, Harvest, Sourcing, Label, Reader},
	Notices: {Harvest, Reader},
	Shown:   {Samples, Threshold, Crawl, Harvest, Label},
}

// meet reports whether two actions can be available at the same time.
func meet(a, b Place) bool {
	if a > b {
		a, b = b, a
	}
	return a <= Panes || a == b || b.Shared() || slices.Contains(on[a], b)
}

// meaning returns the meaning of the entry's keys: actions of one meaning may share a key, and the
// first available one runs.
func (e *Entry) meaning() string {
	return cmp.Or(e.Verb, e.ID)
}

var table []*Entry

// add adds a row: keys are separated by spaces, and the space key is written as space.
func add(p Place, id, keys string, e Entry) *Entry {
	e.Place, e.ID, e.Keys = p, id, strings.Fields(keys)
	for i, k := range e.Keys {
		if k == "space" {
			e.Keys[i] = " "
		}
	}
	table = append(table, &e)
	return &e
}

// All returns every row of the table.
func All() []*Entry { return table }

// The meanings of reserved keys that several actions share.
const (
	open = "open"
	back = "back"
	step = "step"
)
