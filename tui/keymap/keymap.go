// Package keymap is the one table of the workbench's keys. Every action has a row
// here: what it is called in the settings, its keys, the place where it works, who
// may do it and what help says of it. The bindings of all screens take their keys
// from their rows, so that help, footer, palette, the documents' table of keys, the test
// for clashes and the keys a workspace changes all come from this table.
//
// The grammar that the table keeps: a reserved key has its one meaning everywhere, a
// key of every screen is shadowed by none, what leaves the machine or drives a run
// stands on a shifted key or asks first. The danger is a key that means another thing
// than the same key one pane further; the tests refuse it.
package keymap

import "angler/crawl/auth"

// Entry is a row of the table: an action and its keys.
type Entry struct {
	ID    string   // the name in the settings
	Keys  []string // as Bubble Tea spells them; the first is printed
	Show  string   // how the keys are printed when not as Keys[0]
	Place Place
	Verb  string // its meaning where several actions are forms of one; "" = ID

	Action auth.Action // what it does, and who may
	Help   string      // a phrase for help and palette
	Foot   int16       // place in the footer, 1 first; 0 = not there
	Row    bool        // acts on the row under the cursor, which then stays there
}

// Place is where an action works.
type Place uint8

// The places, from the widest to the narrowest.
const (
	Everywhere Place = iota
	Panes            // every pane of every screen
	Rows             // lists whose rows can be marked
	Pages            // wherever pages or notices are judged
	Shown            // wherever a page is shown beside a list
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

// Shared reports that the place is no screen of its own: help lists its keys once.
func (p Place) Shared() bool { return p < Home }

// shared places lie on these screens; Everywhere and Panes on all.
var on = map[Place][]Place{
	Rows:    {Samples, Features, Terms, Threshold, Crawl, Seeding, Harvest, Sourcing, Label, Lab},
	Pages:   {Samples, Threshold, Crawl, Seeding, Harvest, Sourcing, Label, Reader},
	Notices: {Harvest, Reader},
	Shown:   {Samples, Threshold, Crawl, Harvest, Label},
}

// meet reports that two actions can be at hand at the same time.
func meet(a, b Place) bool {
	if a > b {
		a, b = b, a
	}
	if a <= Panes || a == b || b.Shared() {
		return true
	}
	for _, screen := range on[a] {
		if screen == b {
			return true
		}
	}
	return false
}

// meaning is what the keys of the entry stand for: actions of one meaning may share
// a key, and the first that can be done is.
func (e *Entry) meaning() string {
	if e.Verb != "" {
		return e.Verb
	}
	return e.ID
}

var table []*Entry

func add(e Entry) *Entry {
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
