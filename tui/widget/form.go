package widget

import (
	"cmp"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Field is one named value of a Form.
type Field struct {
	Group, Name string // the title of the group is translated, the name is not
	Title       string // display name; "" or Name: its name, below the group's
	Value       string
	Default     string
	Usual       string   // the default in readable form, with Press
	Note        string   // its purpose; translated
	Later       string   // when a change takes effect; translated
	Choices     []string // the allowed values
	Words       bool     // the choices are words to translate
	Toggle      bool     // true or false
	Items       []string // elements of a list, with List, or keys, with Press
	List        bool
	Press       bool           // its values are keys to press
	Open        func() tea.Cmd // opens another dialogue instead of an edit
}

// changed reports whether the field differs from its default.
func (f *Field) changed() bool { return f.Open == nil && f.Value != f.Default }

// Form shows fields in groups over the screen and edits them in place. For an invalid value it
// shows the reason and keeps the text. It is for one goroutine.
type Form struct {
	Title string
	// Check says what is wrong with a value, without side effects; ListOf makes a value of items.
	Check  func(name, value string) error
	ListOf func(items []string) string
	Set    func(name, value string) tea.Cmd // saves a checked value
	Choose func(*Chooser)                   // opens a list over the form

	fields  []Field
	found   []int // fields that match the search
	cur     int   // index into found
	top     int   // first visible line
	query   Editor
	finding bool

	pressed *pressing // waiting for a key; nil: not waiting
	editing *Editor   // editor of the value under the cursor; nil: not editing
	wrong   string    // fault of the typed text
	list    *formList // the open list; nil: none
	past    []taken   // values before the changes of this form, newest last
	waiting bool
	ahead   []tea.KeyMsg // keys typed before there were fields
	body    Rect         // the lines on the screen
}

// formList is an edited list.
type formList struct {
	name string
	all  []string
	cur  int
	edit int // the edited item; len(all): a new one
}

func (l *formList) move(n int) { l.cur = max(0, min(l.cur+n, len(l.all)-1)) }

// taken is a replaced value.
type taken struct{ name, value string }

// NewForm returns a form without fields, see Fill.
func NewForm(title string) *Form { return &Form{Title: title, waiting: true} }

// Fill sets the fields of the form; the cursor goes to the field at, if it exists, and stays
// otherwise.
func (f *Form) Fill(fields []Field, at string) tea.Cmd {
	at = cmp.Or(at, f.name())
	f.fields, f.waiting = fields, false
	f.narrow()
	f.to(at)
	if f.list != nil {
		for i := range fields {
			if fields[i].Name == f.list.name && f.editing == nil {
				f.list.all = slices.Clone(fields[i].Items)
				f.list.move(0)
			}
		}
	}
	var cmds []tea.Cmd
	ahead := f.ahead
	f.ahead = nil
	for _, k := range ahead {
		_, cmd := f.Key(k)
		cmds = append(cmds, cmd)
	}
	return tea.Batch(cmds...)
}

// Typing reports whether keys are text input.
func (f *Form) Typing() bool { return f.finding || f.editing != nil }

func (f *Form) narrow() {
	here := f.name()
	words := NewFilter(f.query.Text())
	f.found = f.found[:0]
	for i := range f.fields {
		x := &f.fields[i]
		if words.Match(x.Name + " " + x.Title + " " + x.Value + " " + x.Note) {
			f.found = append(f.found, i)
		}
	}
	f.cur = 0
	f.to(here)
}

// to moves the cursor to a shown field, if there is one of that name.
func (f *Form) to(name string) {
	if i := slices.IndexFunc(f.found, func(k int) bool { return f.fields[k].Name == name }); i >= 0 {
		f.cur = i
	}
}

// field returns the field under the cursor, or nil.
func (f *Form) field() *Field {
	if f.cur >= len(f.found) || f.found[f.cur] >= len(f.fields) {
		return nil
	}
	return &f.fields[f.found[f.cur]]
}

func (f *Form) name() string {
	if x := f.field(); x != nil {
		return x.Name
	}
	return ""
}

// Key handles one key; closed reports whether the form was closed.
func (f *Form) Key(k tea.KeyMsg) (closed bool, cmd tea.Cmd) {
	switch {
	case f.waiting && (k.String() == "esc" || k.String() == "ctrl+c"):
		return true, nil
	case f.waiting:
		f.ahead = append(f.ahead, k)
		return false, nil
	case f.finding:
		return false, f.findKey(k)
	case f.pressed != nil:
		return false, f.pressKey(k.String())
	case f.editing != nil:
		return false, f.editKey(k)
	case f.list != nil:
		return false, f.listKey(k.String())
	}
	switch k.String() {
	case "esc":
		if f.query.Text() != "" {
			f.query = Editor{}
			f.narrow()
			return false, nil
		}
		return true, nil
	case "q", "ctrl+c", ",":
		return true, nil
	case "j", "down", "tab":
		f.move(1)
	case "k", "up", "shift+tab":
		f.move(-1)
	case "pgdown", "ctrl+d", "ctrl+f":
		f.move(max(1, f.body.H-2))
	case "pgup", "ctrl+u", "ctrl+b":
		f.move(-max(1, f.body.H-2))
	case "g", "home":
		f.move(-len(f.found))
	case "G", "end":
		f.move(len(f.found))
	case "/":
		f.finding = true
	case "enter", " ":
		return false, f.change()
	case "+":
		if x := f.field(); x != nil && x.Press {
			f.pressed, f.wrong = &pressing{more: true}, ""
		}
	case "backspace", "delete":
		if x := f.field(); x != nil && x.changed() {
			return false, f.set(x, x.Default)
		}
	case "u":
		return false, f.undo()
	}
	return false, nil
}

func (f *Form) move(n int) { f.cur = max(0, min(f.cur+n, len(f.found)-1)) }

func (f *Form) findKey(k tea.KeyMsg) tea.Cmd {
	switch k.String() {
	case "enter", "down":
		f.finding = false
	case "esc", "ctrl+c":
		f.finding, f.query = false, Editor{}
		f.narrow()
	default:
		f.query.key(k)
		f.narrow()
	}
	return nil
}

// change starts the edit of the field under the cursor: it toggles a switch, offers choices, opens
// a list, or starts the editor.
func (f *Form) change() tea.Cmd {
	x := f.field()
	switch {
	case x == nil:
	case x.Open != nil:
		return x.Open()
	case x.Toggle && x.Value == "true":
		return f.set(x, "false")
	case x.Toggle:
		return f.set(x, "true")
	case x.Choices != nil:
		var all []Item
		for _, c := range x.Choices {
			of := x.Name
			note := Either(c == x.Default, "default", "")
			if x.Words {
				of = ""
			}
			all = append(all,
				Item{Name: c, Of: of, Note: note, Mark: c == x.Value, Do: func() tea.Cmd { return f.set(x, c) }})
		}
		f.Choose(NewChooser(cmp.Or(x.Title, x.Name), all))
	case x.Press:
		f.pressed, f.wrong = new(pressing), ""
	case x.List:
		f.list = &formList{name: x.Name, all: slices.Clone(x.Items)}
	default:
		f.edit(x.Value)
	}
	return nil
}

// editItem starts the editor of item i of the list; the one after the last is new.
func (f *Form) editItem(i int) {
	f.list.edit = i
	if i < len(f.list.all) {
		f.edit(f.list.all[i])
	} else {
		f.edit("")
	}
}

func (f *Form) edit(text string) {
	f.editing, f.wrong = &Editor{}, ""
	f.editing.Preset(text)
}

func (f *Form) editKey(k tea.KeyMsg) tea.Cmd {
	switch k.String() {
	case "esc", "ctrl+c":
		f.editing, f.wrong = nil, ""
		return nil
	case "enter":
		return f.take(strings.TrimSpace(f.editing.Text()))
	case "up", "down":
		return nil // there are no earlier entries
	}
	f.wrong = ""
	f.editing.key(k)
	return nil
}

// take saves the typed text, or says what is wrong with it.
func (f *Form) take(text string) tea.Cmd {
	x := f.field()
	if x == nil {
		f.editing = nil
		return nil
	}
	value := text
	var all []string
	if l := f.list; l != nil {
		all = slices.Clone(l.all)
		switch {
		case l.edit < len(all) && text == "":
			all = slices.Delete(all, l.edit, l.edit+1)
		case l.edit < len(all):
			all[l.edit] = text
		case text != "":
			all = append(all, text)
		}
		value = f.ListOf(all)
	}
	if !f.valid(x, value) {
		return nil
	}
	f.editing = nil
	if f.list != nil {
		f.list.all, f.list.cur = all, max(0, min(f.list.edit, len(all)-1))
	}
	return f.set(x, value)
}

// set saves a value and stores the old one.
func (f *Form) set(x *Field, value string) tea.Cmd {
	if value == x.Value || !f.valid(x, value) {
		return nil
	}
	f.past = append(f.past, taken{x.Name, x.Value})
	return f.Set(x.Name, value)
}

// valid reports whether a field may have a value; if not, the form shows why.
func (f *Form) valid(x *Field, value string) bool {
	f.wrong = ""
	err := f.Check(x.Name, value)
	if err != nil {
		f.wrong = err.Error()
	}
	return err == nil
}

// undo restores the last value changed in this form.
func (f *Form) undo() tea.Cmd {
	if len(f.past) == 0 {
		f.wrong = "nothing to undo"
		return nil
	}
	last := f.past[len(f.past)-1]
	f.past = f.past[:len(f.past)-1]
	f.wrong = ""
	return f.Set(last.name, last.value)
}

func (f *Form) listKey(key string) tea.Cmd {
	l := f.list
	switch key {
	case "esc", "q", "ctrl+c":
		f.list, f.wrong = nil, ""
	case "j", "down", "tab":
		l.move(1)
	case "k", "up", "shift+tab":
		l.move(-1)
	case "g", "home":
		l.move(-len(l.all))
	case "G", "end":
		l.move(len(l.all))
	case "a", "+":
		f.editItem(len(l.all))
	case "enter":
		f.editItem(l.cur)
	case "backspace", "delete":
		if x := f.field(); x != nil && l.cur < len(l.all) {
			all := slices.Delete(slices.Clone(l.all), l.cur, l.cur+1)
			cmd := f.set(x, f.ListOf(all))
			if cmd != nil {
				l.all, l.cur = all, max(0, min(l.cur, len(all)-1))
			}
			return cmd
		}
	case "u":
		return f.undo()
	}
	return nil
}

// Click moves the cursor to the field at x,y of the last frame. A click on the field under the
// cursor changes it, one beside the form closes it.
func (f *Form) Click(x, y int) (closed bool, cmd tea.Cmd) {
	if f.Typing() || f.pressed != nil {
		return false, nil
	}
	if !f.body.Contains(x, y) {
		return y < f.body.Y-2 || y > f.body.Y+f.body.H+3, nil
	}
	at := f.top + y - f.body.Y
	if f.list != nil {
		switch {
		case at == f.list.cur:
			return false, f.listKey("enter")
		case at < len(f.list.all):
			f.list.cur = at
		}
		return false, nil
	}
	lines := f.lines()
	if at >= len(lines) || lines[at] < 0 {
		return false, nil
	}
	if lines[at] == f.cur {
		return false, f.change()
	}
	f.cur = lines[at]
	return false, nil
}

// Scroll moves the cursor by n fields.
func (f *Form) Scroll(n int) {
	if f.list != nil {
		f.list.move(n)
		return
	}
	f.move(n)
}
