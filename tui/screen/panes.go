package screen

import (
	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/ui"
)

// pane is one framed part of a screen.
type pane struct {
	title func() string
	note  func() string
	draw  func(c *ui.Canvas, focus bool)
	list  list // what the movement keys move; nil when nothing moves
	enter func()
	keys  func() []Binding
	click func(x, y, w int) tea.Cmd          // cells inside the frame
	mouse func(tea.MouseMsg) (tea.Cmd, bool) // before click: drags; x,y inside the frame
}

// list is what movement keys drive: a table or a text.
type list interface {
	move(n int)
	home()
	end()
	page() int
	scroll(n int)
	filter() ui.Filter
	setFilter(ui.Filter) tea.Cmd
	again(step int) // to the next or the last hit
}

// panes lays out, focuses and zooms the panes of one screen.
type panes struct {
	env   *Env
	all   []*pane
	rects []ui.Rect // of all panes at the present size; empty when hidden
	focus int
	zoom  bool
	w, h  int
	// place gives each pane its rectangle on w×h cells; a pane that has none
	// is hidden until it has the focus.
	place func(w, h int) []ui.Rect
}

// narrow is the width under which a screen shows one pane at a time, short
// the height.
const (
	narrow = 72
	short  = 17
)

func (p *panes) setSize(w, h int) {
	p.w, p.h = w, h
	p.rects = make([]ui.Rect, len(p.all))
	if p.zoom || w < narrow || h < short {
		p.rects[p.focus] = ui.Rect{W: w, H: h}
		return
	}
	copy(p.rects, p.place(w, h))
	if p.rects[p.focus].Empty() {
		for i := range p.rects {
			p.rects[i] = ui.Rect{}
		}
		p.rects[p.focus] = ui.Rect{W: w, H: h}
	}
}

func (p *panes) single() bool { return p.rects[p.focus].W == p.w && p.rects[p.focus].H == p.h }

func (p *panes) setFocus(i int) {
	p.focus = (i + len(p.all)) % len(p.all)
	if f := p.all[p.focus].enter; f != nil {
		f()
	}
	p.setSize(p.w, p.h)
}

func (p *panes) view(c *ui.Canvas) {
	for i, pn := range p.all {
		if p.rects[i].Empty() {
			continue
		}
		// The inside first: title and note tell of what has been drawn.
		r := p.rects[i]
		if r.W > 2 && r.H > 2 {
			pn.draw(c.Sub(ui.Rect{X: r.X + 1, Y: r.Y + 1, W: r.W - 2, H: r.H - 2}), i == p.focus)
		}
		title, note := pn.title(), ""
		if pn.note != nil {
			note = pn.note()
		}
		if p.single() && len(p.all) > 1 {
			// One pane at a time: the bottom edge says which, and how
			// to get to the others.
			if note != "" {
				note += " · "
			}
			note += p.env.F("pane %d of %d, tab", i+1, len(p.all))
		}
		ui.Frame(c.Sub(r), title, note, i == p.focus)
	}
}

// mouse sends a click, a drag or the wheel to the pane under it.
func (p *panes) mouse(m tea.MouseMsg) tea.Cmd {
	for i, r := range p.rects {
		in := r.Inset(1)
		if pn := p.all[i]; !r.Empty() && pn.mouse != nil {
			rel := m
			rel.X, rel.Y = m.X-in.X, m.Y-in.Y
			if r.Contains(m.X, m.Y) || m.Action != tea.MouseActionPress {
				if cmd, took := pn.mouse(rel); took {
					if m.Action == tea.MouseActionPress && i != p.focus {
						p.setFocus(i)
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
			if pn.list != nil {
				n := 3
				if m.Button == tea.MouseButtonWheelUp {
					n = -3
				}
				pn.list.scroll(n)
			}
		case tea.MouseButtonLeft:
			if i != p.focus {
				p.setFocus(i)
			}
			if pn.click != nil && in.Contains(m.X, m.Y) {
				return pn.click(m.X-in.X, m.Y-in.Y, in.W)
			}
		}
		return nil
	}
	return nil
}

// bindings returns the focused pane's keys and those every screen has.
// moved is called after the cursor of a list moved.
func (p *panes) bindings(moved func() tea.Cmd) []Binding {
	pn := p.all[p.focus]
	var out []Binding
	if pn.keys != nil {
		out = pn.keys()
	}
	for i := range out {
		if act := out[i].Do; out[i].Row && act != nil && pn.enter != nil {
			// Rows that arrive above may not come between this key and the next.
			out[i].Do = func() tea.Cmd { pn.enter(); return act() }
		}
	}
	l := pn.list
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
	if !l.filter().Active() {
		clear = "no filter is set"
	}
	out = append(out,
		Binding{Keys: []string{"j", "down"}, Move: true, Show: "j ↓", Name: "down", Help: "next row", Off: off, Do: step(func() { l.move(1) })},
		Binding{Keys: []string{"k", "up"}, Move: true, Show: "k ↑", Name: "up", Help: "row before", Off: off, Do: step(func() { l.move(-1) })},
		Binding{Keys: []string{"g", "home"}, Move: true, Show: "g home", Name: "first", Help: "first row", Off: off, Do: step(l.home)},
		Binding{Keys: []string{"G", "end"}, Move: true, Show: "G end", Name: "last", Help: "last row", Off: off, Do: step(l.end)},
		Binding{Keys: []string{"pgdown", "ctrl+f"}, Move: true, Name: "page", Help: "one page down", Off: off, Do: step(func() { l.move(l.page()) })},
		Binding{Keys: []string{"pgup", "ctrl+b"}, Move: true, Name: "page", Help: "one page up", Off: off, Do: step(func() { l.move(-l.page()) })},
		Binding{Keys: []string{"ctrl+d"}, Move: true, Name: "half", Help: "half a page down", Off: off, Do: step(func() { l.move(l.page()/2 + 1) })},
		Binding{Keys: []string{"ctrl+u"}, Move: true, Name: "half", Help: "half a page up", Off: off, Do: step(func() { l.move(-l.page()/2 - 1) })},
		Binding{Keys: []string{"/"}, Move: true, Name: "filter", Help: "filter the rows (several words, Chinese too; !word hides); search in a text", Foot: 60, Off: off, Do: func() tea.Cmd { p.askFilter(l, moved); return nil }},
		Binding{Keys: []string{"n"}, Move: true, Name: "next", Help: "next hit of the filter or search", Off: first(off, clear), Do: step(func() { l.again(1) })},
		Binding{Keys: []string{"N"}, Move: true, Name: "before", Help: "hit before", Off: first(off, clear), Do: step(func() { l.again(-1) })},
		Binding{Keys: []string{"tab"}, Move: true, Name: "pane", Help: "next pane", Foot: 70, Do: do(func() { p.setFocus(p.focus + 1) })},
		Binding{Keys: []string{"shift+tab"}, Move: true, Name: "pane", Help: "pane before", Do: do(func() { p.setFocus(p.focus - 1) })},
		Binding{Keys: []string{"z"}, Move: true, Name: "zoom", Help: "zoom this pane, and back", Foot: 71, Do: do(func() { p.zoom = !p.zoom; p.setSize(p.w, p.h) })},
	)
	return append(out, Binding{Keys: []string{"esc"}, Move: true, Name: "clear filter", Help: "clear the filter", Foot: 59, Off: first(off, clear), Do: func() tea.Cmd {
		cmd := l.setFilter(ui.Filter{})
		if moved != nil {
			cmd = tea.Batch(cmd, moved())
		}
		return cmd
	}})
}

// each collects the bindings of all panes, each once.
func (p *panes) each(bindings func() []Binding) []Binding {
	was := p.focus
	defer func() { p.focus = was }()
	var out []Binding
	seen := map[string]bool{}
	for i := range p.all {
		p.focus = i
		for _, b := range bindings() {
			if id := b.Keys[0] + b.Help; !seen[id] {
				seen[id] = true
				out = append(out, b)
			}
		}
	}
	return out
}

func first(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

func (p *panes) askFilter(l list, moved func() tea.Cmd) {
	was := l.filter()
	set := func(text string) tea.Cmd {
		cmd := l.setFilter(ui.NewFilter(text))
		if moved != nil {
			cmd = tea.Batch(cmd, moved())
		}
		return cmd
	}
	pr := &ui.Prompt{
		Label: "/", Hint: "words · ! hides · ↑ earlier · esc clears", Past: &p.env.Filters,
		Live: set, Done: set,
		Cancel: func() tea.Cmd { return set("") },
	}
	pr.Preset(was.Text)
	p.env.Ask(pr)
}

// noList stands where no list is.
type noList struct{}

func (noList) move(int)                    {}
func (noList) home()                       {}
func (noList) end()                        {}
func (noList) page() int                   { return 1 }
func (noList) scroll(int)                  {}
func (noList) filter() ui.Filter           { return ui.Filter{} }
func (noList) setFilter(ui.Filter) tea.Cmd { return nil }
func (noList) again(int)                   {}

// rows makes a list of a table.
type rows[T any] struct{ t *ui.Table[T] }

func (r rows[T]) move(n int)                    { r.t.Move(n) }
func (r rows[T]) home()                         { r.t.Home() }
func (r rows[T]) end()                          { r.t.End() }
func (r rows[T]) page() int                     { return r.t.Page() }
func (r rows[T]) scroll(n int)                  { r.t.Scroll(n) }
func (r rows[T]) filter() ui.Filter             { return r.t.Filter() }
func (r rows[T]) setFilter(f ui.Filter) tea.Cmd { return r.t.SetFilter(f) }
func (r rows[T]) again(n int)                   { r.t.Move(n) }

// prose makes a list of a text.
type prose struct{ t *ui.Text }

func (r prose) move(n int)                    { r.t.Scroll(n) }
func (r prose) home()                         { r.t.Home() }
func (r prose) end()                          { r.t.End() }
func (r prose) page() int                     { return r.t.Page() }
func (r prose) scroll(n int)                  { r.t.Scroll(n) }
func (r prose) filter() ui.Filter             { return r.t.Filter() }
func (r prose) setFilter(f ui.Filter) tea.Cmd { r.t.Search(f); return nil }
func (r prose) again(n int)                   { r.t.Next(n) }

// tablePane frames a table: its title carries the counts, its bottom edge the
// order and what arrived outside the window.
func tablePane[T any](e *Env, t *ui.Table[T], title func() string, empty func() string) *pane {
	return &pane{
		title: func() string {
			if t.Filter().Active() {
				return e.T(title()) + " · " + e.F("%s of %s", ui.Count(t.Len()), ui.Count(t.Total())) + " /" + ui.Clean(t.Filter().Text)
			}
			return title()
		},
		note: func() string {
			above, below := t.Fresh()
			s := ""
			switch {
			case above > 0 && below > 0:
				s = e.F("%s new ↑ %s new ↓", ui.Count(above), ui.Count(below))
			case above > 0:
				s = e.F("%s new ↑", ui.Count(above))
			case below > 0:
				s = e.F("%s new ↓", ui.Count(below))
			}
			if by := t.Sorted(); by != "" {
				if s != "" {
					s += " · "
				}
				s += e.F("by %s", e.T(by))
			}
			return s
		},
		draw:  func(c *ui.Canvas, focus bool) { t.Draw(c, focus, empty()) },
		list:  rows[T]{t},
		enter: t.Hold,
	}
}

// sortKeys are the bindings of a table whose columns sort.
func sortKeys[T any](t *ui.Table[T]) []Binding {
	return []Binding{
		{Keys: []string{">"}, Name: "sort", Help: "sort by the next column; a click on its head does too", Foot: 62, Do: func() tea.Cmd { return t.SortNext(1) }},
		{Keys: []string{"<"}, Name: "sort", Help: "sort by the column before", Do: func() tea.Cmd { return t.SortNext(-1) }},
		{Keys: []string{"R"}, Name: "reverse", Help: "turn the sort order round", Do: t.Reverse},
	}
}
