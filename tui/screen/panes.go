package screen

import (
	"cmp"

	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/role"
	"angler/tui/ui"
)

// Pane is one framed part of a screen.
type Pane struct {
	Title func() string
	Note  func() string
	Draw  func(c *ui.Canvas, focus bool)
	List  List   // what the movement keys move; nil when nothing moves
	Enter func() // before a key acts on a row, and when the pane gets the focus
	Keys  func() []Binding
	Click func(x, y, w int) tea.Cmd          // cells inside the frame
	Mouse func(tea.MouseMsg) (tea.Cmd, bool) // before click: drags; x,y inside the frame
}

// Panes lays out, focuses and zooms the panes of one screen.
type Panes struct {
	ui     *UI
	shared *Shared
	all    []*Pane
	Rects  []ui.Rect // of all panes at the present size; empty when hidden
	Focus  int
	zoom   bool
	w, h   int
	// place gives each pane its rectangle on w×h cells; a pane that has none
	// is hidden until it has the focus.
	place func(w, h int) []ui.Rect
}

// NewPanes returns panes with the focus on the first; see Panes.place.
func NewPanes(u *UI, sh *Shared, all []*Pane, place func(w, h int) []ui.Rect) Panes {
	return Panes{ui: u, shared: sh, all: all, place: place}
}

// Narrow is the width under which a screen shows one pane at a time, short the
// height.
const (
	Narrow = 72
	short  = 17
)

// SetSize gives the panes w×h cells.
func (p *Panes) SetSize(w, h int) {
	p.w, p.h = w, h
	p.Rects = make([]ui.Rect, len(p.all))
	if p.zoom || w < Narrow || h < short {
		p.Rects[p.Focus] = ui.Rect{W: w, H: h}
		return
	}
	copy(p.Rects, p.place(w, h))
	if p.Rects[p.Focus].Empty() {
		for i := range p.Rects {
			p.Rects[i] = ui.Rect{}
		}
		p.Rects[p.Focus] = ui.Rect{W: w, H: h}
	}
}

func (p *Panes) single() bool { return p.Rects[p.Focus].W == p.w && p.Rects[p.Focus].H == p.h }

// SetFocus moves the focus to a pane, round the ends.
func (p *Panes) SetFocus(i int) {
	p.Focus = (i + len(p.all)) % len(p.all)
	if f := p.all[p.Focus].Enter; f != nil {
		f()
	}
	p.SetSize(p.w, p.h)
}

// View draws the panes.
func (p *Panes) View(c *ui.Canvas) {
	for i, pn := range p.all {
		if p.Rects[i].Empty() {
			continue
		}
		// The inside first: title and note tell of what has been drawn.
		r := p.Rects[i]
		if r.W > 2 && r.H > 2 {
			pn.Draw(c.Sub(ui.Rect{X: r.X + 1, Y: r.Y + 1, W: r.W - 2, H: r.H - 2}), i == p.Focus)
		}
		title, note := pn.Title(), ""
		if pn.Note != nil {
			note = pn.Note()
		}
		if p.single() && len(p.all) > 1 {
			// One pane at a time: the bottom edge says which, and how
			// to get to the others.
			if note != "" {
				note += " · "
			}
			note += p.shared.F("pane %d of %d, tab", i+1, len(p.all))
		}
		ui.Frame(c.Sub(r), title, note, i == p.Focus)
	}
}

// Mouse sends a click, a drag or the wheel to the pane under it.
func (p *Panes) Mouse(m tea.MouseMsg) tea.Cmd {
	for i, r := range p.Rects {
		in := r.Inset(1)
		if pn := p.all[i]; !r.Empty() && pn.Mouse != nil {
			rel := m
			rel.X, rel.Y = m.X-in.X, m.Y-in.Y
			if r.Contains(m.X, m.Y) || m.Action != tea.MouseActionPress {
				if cmd, took := pn.Mouse(rel); took {
					if m.Action == tea.MouseActionPress && i != p.Focus {
						p.SetFocus(i)
					}
					return cmd
				}
			}
		}
		if !r.Contains(m.X, m.Y) || m.Action != tea.MouseActionPress {
			continue
		}
		pn := p.all[i]
		switch m.Button {
		case tea.MouseButtonWheelUp, tea.MouseButtonWheelDown:
			if pn.List != nil {
				n := 3
				if m.Button == tea.MouseButtonWheelUp {
					n = -3
				}
				pn.List.Scroll(n)
			}
		case tea.MouseButtonLeft:
			if i != p.Focus {
				p.SetFocus(i)
			}
			if pn.Click != nil && in.Contains(m.X, m.Y) {
				return pn.Click(m.X-in.X, m.Y-in.Y, in.W)
			}
		}
		return nil
	}
	return nil
}

// Bindings returns the focused pane's keys and those every screen has.
// moved is called after the cursor of a list moved.
func (p *Panes) Bindings(moved func() tea.Cmd) []Binding {
	pn := p.all[p.Focus]
	var out []Binding
	if pn.Keys != nil {
		out = pn.Keys()
	}
	for i := range out {
		if act := out[i].Do; out[i].Row && act != nil && pn.Enter != nil {
			// Rows that arrive above may not come between this key and the next.
			out[i].Do = func() tea.Cmd { pn.Enter(); return act() }
		}
	}
	l := pn.List
	step := func(f func()) func() tea.Cmd {
		return func() tea.Cmd {
			f()
			if moved != nil {
				return moved()
			}
			return nil
		}
	}
	off := ""
	if l == nil {
		off, l = "nothing moves in this pane", noList{}
	}
	clear := ""
	if !l.Filter().Active() {
		clear = "no filter is set"
	}
	out = append(out,
		Binding{Keys: []string{"j", "down"}, Move: true, Show: "j ↓", Action: role.Own("down"), Help: "next row", Off: off, Do: step(func() { l.Move(1) })},
		Binding{Keys: []string{"k", "up"}, Move: true, Show: "k ↑", Action: role.Own("up"), Help: "row before", Off: off, Do: step(func() { l.Move(-1) })},
		Binding{Keys: []string{"g", "home"}, Move: true, Show: "g home", Action: role.Own("first"), Help: "first row", Off: off, Do: step(l.Home)},
		Binding{Keys: []string{"G", "end"}, Move: true, Show: "G end", Action: role.Own("last"), Help: "last row", Off: off, Do: step(l.End)},
		Binding{Keys: []string{"pgdown", "ctrl+f"}, Move: true, Action: role.Own("page"), Help: "one page down", Off: off, Do: step(func() { l.Move(l.Page()) })},
		Binding{Keys: []string{"pgup", "ctrl+b"}, Move: true, Action: role.Own("page"), Help: "one page up", Off: off, Do: step(func() { l.Move(-l.Page()) })},
		Binding{Keys: []string{"ctrl+d"}, Move: true, Action: role.Own("half"), Help: "half a page down", Off: off, Do: step(func() { l.Move(l.Page()/2 + 1) })},
		Binding{Keys: []string{"ctrl+u"}, Move: true, Action: role.Own("half"), Help: "half a page up", Off: off, Do: step(func() { l.Move(-l.Page()/2 - 1) })},
		Binding{Keys: []string{"/"}, Move: true, Action: role.Own("filter"), Help: "filter the rows (several words, Chinese too; !word hides); search in a text", Foot: 60, Off: off, Do: func() tea.Cmd { p.askFilter(l, moved); return nil }},
		Binding{Keys: []string{"n"}, Move: true, Action: role.Own("next"), Help: "next hit of the filter or search", Off: cmp.Or(off, clear), Do: step(func() { l.Again(1) })},
		Binding{Keys: []string{"N"}, Move: true, Action: role.Own("before"), Help: "hit before", Off: cmp.Or(off, clear), Do: step(func() { l.Again(-1) })},
		Binding{Keys: []string{"tab"}, Move: true, Action: role.Own("pane"), Help: "next pane", Foot: 70, Do: Do(func() { p.SetFocus(p.Focus + 1) })},
		Binding{Keys: []string{"shift+tab"}, Move: true, Action: role.Own("pane"), Help: "pane before", Do: Do(func() { p.SetFocus(p.Focus - 1) })},
		Binding{Keys: []string{"z"}, Move: true, Action: role.Own("zoom"), Help: "zoom this pane, and back", Foot: 71, Do: Do(func() { p.zoom = !p.zoom; p.SetSize(p.w, p.h) })},
	)
	return append(out, Binding{Keys: []string{"esc"}, Move: true, Action: role.Own("clear filter"), Help: "clear the filter", Foot: 59, Off: cmp.Or(off, clear), Do: func() tea.Cmd {
		cmd := l.SetFilter(ui.Filter{})
		if moved != nil {
			cmd = tea.Batch(cmd, moved())
		}
		return cmd
	}})
}

// Each collects the bindings of all panes, each once.
func (p *Panes) Each(bindings func() []Binding) []Binding {
	was := p.Focus
	defer func() { p.Focus = was }()
	var out []Binding
	seen := map[string]bool{}
	for i := range p.all {
		p.Focus = i
		for _, b := range bindings() {
			if id := b.Keys[0] + b.Help; !seen[id] {
				seen[id] = true
				out = append(out, b)
			}
		}
	}
	return out
}

func (p *Panes) askFilter(l List, moved func() tea.Cmd) {
	was := l.Filter()
	set := func(f ui.Filter) tea.Cmd {
		cmd := l.SetFilter(f)
		if moved != nil {
			cmd = tea.Batch(cmd, moved())
		}
		return cmd
	}
	pr := &ui.Prompt[ui.Filter]{
		Editor: ui.Editor{
			Label: "/", Hint: "words · ! hides · ↑ earlier · esc clears", Past: &p.shared.Filters,
			Live:   func(text string) tea.Cmd { return set(ui.NewFilter(text)) },
			Cancel: func() tea.Cmd { return set(ui.Filter{}) },
		},
		Check: func(text string) (ui.Filter, error) { return ui.NewFilter(text), nil },
		Do:    set,
	}
	pr.Preset(was.Text)
	p.ui.Ask(pr)
}
