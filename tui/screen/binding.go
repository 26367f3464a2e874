package screen

import (
	"cmp"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/auth"
	"angler/tui/keymap"
	"angler/tui/widget"
)

// Binding is one key of the workbench: a row of the table of keys, and its effect in the current
// state. Footer, help, palette and the documents' table of keys are made from bindings, and keys
// are looked up in them. So the texts match the behaviour.
type Binding struct {
	of   *keymap.Entry
	Keys []string // as Bubble Tea spells them; the first is printed
	Show string   // printed form if it is not Keys[0]

	Action auth.Action // the action, which decides who may do it
	Help   string      // a phrase for help and palette
	Foot   int16       // place in the footer, 1 first; 0: not shown; small, as frames sort bindings
	Row    bool        // acts on the row under the cursor, which then stays there
	Off    string      // why it does nothing now; "": it works
	Do     func() tea.Cmd
}

// Bind makes a binding of a row of the table; off says why it does nothing now, "" if it works.
func Bind(e *keymap.Entry, off string, do func() tea.Cmd) Binding {
	return Binding{of: e, Keys: e.Keys, Show: e.Show, Action: e.Action, Help: e.Help, Foot: e.Foot, Row: e.Row,
		Off: off, Do: do}
}

// If returns text if on, "" otherwise: the reason why a key does nothing now.
func If(on bool, text string) string { return widget.Either(on, text, "") }

// Is reports whether the binding belongs to e.
func (b *Binding) Is(e *keymap.Entry) bool { return b.of == e }

// Entry returns the binding's row of the table.
func (b *Binding) Entry() *keymap.Entry { return b.of }

// Name returns a word or two for the footer.
func (b Binding) Name() string { return b.Action.Name() }

// Printed returns the keys in printed form.
func (b Binding) Printed() string {
	return cmp.Or(b.Show, keymap.Printed(b.Keys[:1]))
}

// Find returns the first binding of a key that is not switched off. If all are, it returns the
// first, whose Off says why nothing happens.
func Find(list []Binding, key string) (found Binding, ok bool) {
	for _, b := range list {
		for _, k := range b.Keys {
			if k != key {
				continue
			}
			if b.Off == "" {
				return b, true
			}
			if !ok {
				found, ok = b, true
			}
		}
	}
	return found, ok
}

// Joined joins the texts that are not empty by middle dots.
func Joined(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), " · ")
}

// Do makes an action of a change that needs no Cmd.
func Do(f func()) func() tea.Cmd { return func() tea.Cmd { f(); return nil } }
