package screen

import (
	"cmp"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/keymap"
	"angler/tui/widget"
)

// Pane is one framed part of a screen.
type Pane struct {
	Of    func() *Pane // the pane that stands in this place now; nil: this one
	Title func() string
	Note  func() string
	Draw  func(c *widget.Canvas, focus bool)
	List  list   // target of the movement keys; nil: none
	Enter func() // runs before a key acts on a row, and when the pane gets the focus
	Keys  func() []Binding
	Sorts bool           // has the keys that sort its table
	Marks bool           // has the keys that mark rows of its table
	Moved func() tea.Cmd // runs after the cursor moved; nil: nothing
	Rows  func() int     // number of rows; nil: no list
	// reports whether a row is y lines below the head, so that a double click opens it; nil: everywhere
	RowAt func(y int) bool
	// index of the pane that enter opens for the row under the cursor; 0: none
	Opens int
	Open  func() (off string, do func() tea.Cmd) // action of enter if it opens no pane; nil: see Opens
	Click func(x, y, w int) tea.Cmd              // cells inside the frame
	Tabs  func() []string                        // names of views in the title; nil: none
	Tab   func(i int) tea.Cmd                    // shows a view
	Mouse func(tea.MouseMsg) (tea.Cmd, bool)     // called before Click: drags; x,y inside the frame

	Gone func() bool // the pane is hidden now, and tab skips it; nil: never

	Figures func() []Figure   // figures that can be explained; nil: only those of the status line
	Columns func(*UI) Binding // the key that chooses columns; nil: none

	sorting func() []Binding // the keys that sort, see Sorts
	marking func() []Binding // the keys that mark, see Marks
}

func (pn *Pane) moved() tea.Cmd {
	if pn.Moved == nil {
		return nil
	}
	return pn.Moved()
}

// Panes lays out, focuses and zooms the panes of one screen.
type Panes struct {
	ui     *UI
	shared *Shared
	all    []*Pane
	Rects  []widget.Rect // of all panes at the current size; empty if hidden
	Focus  int
	zoom   bool
	opened int // the pane opened from another, counted from 1; 0: none
	from   int // the pane that opened it
	w, h   int
	last   click // on a row
	// place returns the rectangle of each pane on w×h cells. A pane without one is hidden until it has
	// the focus.
	place func(w, h int) []widget.Rect
	// Around adds the screen's own keys to those of the focused pane; nil: it has none.
	Around func(pane []Binding) []Binding
	// Covers lie over the panes while they are Open: they are drawn, and get keys and mouse.
	Covers []*Panes
	Open   bool   // of a cover
	Title  string // name of the screen; "" for a cover
	// Refresh loads what has changed, while the screen is shown; nil: nothing.
	Refresh func() tea.Cmd
}

// NewPanes returns panes with the focus on the first; see Panes.place.
func NewPanes(u *UI, sh *Shared, all []*Pane, place func(w, h int) []widget.Rect) Panes {
	for _, pn := range all {
		if pn.Of == nil {
			sh.All = append(sh.All, pn)
		}
	}
	return Panes{ui: u, shared: sh, all: all, place: place}
}

// Name implements Screen.
func (p *Panes) Name() string { return p.Title }

// Update implements Screen: every message refreshes the visible screen.
func (p *Panes) Update(tea.Msg) tea.Cmd {
	if p.Refresh == nil || PanesOf(p.shared.Shown) != p {
		return nil
	}
	return p.Refresh()
}

// Narrow is the width below which a screen shows one pane at a time, short the height.
const (
	Narrow = 72
	short  = 17
)

// SetSize gives the panes and their covers w×h cells.
func (p *Panes) SetSize(w, h int) {
	p.w, p.h = w, h
	for _, c := range p.Covers {
		c.SetSize(w, h)
	}
	p.Again()
}

// over returns the open cover; nil: none is.
func (p *Panes) over() *Panes {
	for _, c := range p.Covers {
		if c.Open {
			return c
		}
	}
	return nil
}

// Again places the panes again after their layout changed.
func (p *Panes) Again() {
	w, h := p.w, p.h
	p.Rects = make([]widget.Rect, len(p.all))
	if p.gone(p.Focus) {
		p.Focus, p.zoom, p.opened = 0, false, 0
	}
	if p.zoom || w < Narrow || h < short {
		p.Rects[p.Focus] = widget.Rect{W: w, H: h}
		return
	}
	copy(p.Rects, p.place(w, h))
	if p.Rects[p.Focus].Empty() {
		for i := range p.Rects {
			p.Rects[i] = widget.Rect{}
		}
		p.Rects[p.Focus] = widget.Rect{W: w, H: h}
	}
}

func (p *Panes) single() bool { return p.Rects[p.Focus].W == p.w && p.Rects[p.Focus].H == p.h }

// pane returns the pane that stands at place i now.
func (p *Panes) pane(i int) *Pane {
	if of := p.all[i].Of; of != nil {
		return of()
	}
	return p.all[i]
}

// focused returns the pane that has the focus.
func (p *Panes) focused() *Pane { return p.pane(p.Focus) }

// gone reports whether pane i is hidden now; the first never is.
func (p *Panes) gone(i int) bool { return i > 0 && p.all[i].Gone != nil && p.all[i].Gone() }

// step moves the focus by one visible pane.
func (p *Panes) step(by int) tea.Cmd {
	to := p.Focus + by
	for p.gone((to + len(p.all)) % len(p.all)) {
		to += by
	}
	p.SetFocus(to)
	return p.focused().moved()
}

// counted returns the position of the focused pane among the visible ones, counted from 1, and
// their number.
func (p *Panes) counted() (at, of int) {
	for i := range p.all {
		if p.gone(i) {
			continue
		}
		if of++; i == p.Focus {
			at = of
		}
	}
	return at, of
}

// SetFocus moves the focus to a pane, wrapping around, and closes an opened pane.
func (p *Panes) SetFocus(i int) {
	if p.opened > 0 {
		p.opened, p.zoom = 0, false
	}
	p.focus(i)
}

func (p *Panes) focus(i int) {
	p.Focus = (i + len(p.all)) % len(p.all)
	if f := p.focused().Enter; f != nil {
		f()
	}
	p.Again()
}

// OpenPane gives a pane the whole screen, like enter; closing returns.
func (p *Panes) OpenPane(i int) {
	p.from, p.zoom, p.opened = p.Focus, true, i+1
	p.focus(i)
}

// closePane returns to the pane that opened this one.
func (p *Panes) closePane() tea.Cmd {
	p.SetFocus(p.from)
	return p.focused().moved()
}

// View draws the panes.
func (p *Panes) View(c *widget.Canvas) {
	if over := p.over(); over != nil {
		over.View(c)
		return
	}
	for i, r := range p.Rects {
		if r.Empty() {
			continue
		}
		pn := p.pane(i)
		// The inside first: title and note depend on the drawn content.
		if r.W > 2 && r.H > 2 {
			pn.Draw(c.Sub(p.Inside(i)), i == p.Focus)
		}
		title, note := pn.Title(), ""
		if pn.Note != nil {
			note = pn.Note()
		}
		if pn.Rows == nil && pn.List != nil && pn.List.Filter().Active() {
			note = p.searchNote(pn.List, note)
		}
		if p.single() && len(p.all) > 1 {
			// With one pane at a time the bottom edge names it, and the way to the others.
			if note != "" {
				note += " · "
			}
			at, of := p.counted()
			note += p.shared.F("pane %d of %d, {next_pane}", at, of)
		}
		widget.Frame(c.Sub(r), title, note, i == p.Focus)
	}
}

// Inside returns the cells of pane i within its frame, with a cell of padding on each side. A table
// has its own padding for the cursor.
func (p *Panes) Inside(i int) widget.Rect {
	in := p.Rects[i].Inset(1)
	if p.pane(i).Rows == nil && in.W >= leastPadded {
		in.X, in.W = in.X+1, in.W-2
	}
	return in
}

// leastPadded is the width from which padding is added.
const leastPadded = 24

// searchNote puts the search text and its number of hits before a pane's note.
func (p *Panes) searchNote(l list, note string) string {
	text := "/" + widget.Clean(l.Filter().Text)
	if s, counts := l.(searched); counts {
		text += " · " + p.shared.N(s.Hits(), "hit")
	}
	if note != "" {
		text += " · " + note
	}
	return text
}

// Mouse passes a click, a drag or the wheel to the pane under it.
func (p *Panes) Mouse(m tea.MouseMsg) tea.Cmd {
	if over := p.over(); over != nil {
		return over.Mouse(m)
	}
	for i, r := range p.Rects {
		in := p.Inside(i)
		if pn := p.pane(i); !r.Empty() && pn.Mouse != nil {
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
		pn := p.pane(i)
		switch m.Button {
		case tea.MouseButtonWheelUp, tea.MouseButtonWheelDown:
			if pn.List != nil {
				n := widget.Either(m.Button == tea.MouseButtonWheelUp, -3, 3)
				pn.List.Scroll(n)
			}
		case tea.MouseButtonLeft:
			if i != p.Focus {
				p.SetFocus(i)
			}
			if m.Y == r.Y && pn.Tabs != nil {
				return pn.clickTab(p.shared.T(pn.Title()), m.X-r.X-titleAt)
			}
			if pn.Click != nil && in.Contains(m.X, m.Y) {
				cmd := pn.Click(m.X-in.X, m.Y-in.Y, in.W)
				// below the head
				if p.again(click{i, m.X, m.Y, p.shared.Now()}) && m.Y > in.Y &&
					(pn.RowAt == nil || pn.RowAt(m.Y-in.Y-1)) {
					cmd = tea.Batch(cmd, func() tea.Msg { return OpenMsg{} })
				}
				return cmd
			}
		}
		return nil
	}
	return nil
}

// OpenMsg asks for the action of the open key after a double click on a row.
type OpenMsg struct{}

// click is the place and time of a mouse press.
type click struct {
	pane, x, y int
	at         time.Time
}

const double = 500 * time.Millisecond // most time between the clicks of a double click

// again reports whether a click is the second of a double click.
func (p *Panes) again(c click) bool {
	was := p.last
	p.last = c
	if c.pane != was.pane || c.y != was.y || max(c.x-was.x, was.x-c.x) > 1 || c.at.Sub(was.at) > double {
		return false
	}
	p.last = click{pane: -1} // a third click starts again
	return true
}

// titleAt is the cell of a frame where the title starts.
const titleAt = 3

// clickTab shows the view whose name is at cell x of the title.
func (pn *Pane) clickTab(title string, x int) tea.Cmd {
	tabs := pn.Tabs()
	for i := len(tabs) - 1; i >= 0; i-- { // names are at the end of the title
		at := strings.LastIndex(title, tabs[i])
		if at < 0 {
			return nil
		}
		if from := widget.Width(title[:at]); x >= from && x < from+widget.Width(tabs[i]) {
			return pn.Tab(i)
		}
		title = title[:at]
	}
	return nil
}

// Bindings returns the keys of the open cover, else of the screen with the focused pane.
func (p *Panes) Bindings() []Binding {
	if over := p.over(); over != nil {
		return over.Bindings()
	}
	return p.own()
}

// own returns the keys of the screen with the focused pane, whether it is covered or not.
func (p *Panes) own() []Binding {
	if p.Around == nil {
		return p.paneKeys()
	}
	return p.Around(p.paneKeys())
}

// paneKeys returns the focused pane's keys and those of every pane.
func (p *Panes) paneKeys() []Binding {
	pn := p.focused()
	var out []Binding
	if pn.Keys != nil {
		out = pn.Keys()
	}
	if pn.Marks {
		out = append(out, pn.marking()...)
	}
	if pn.Sorts {
		out = append(out, pn.sorting()...)
	}
	for i := range out {
		if act := out[i].Do; out[i].Row && act != nil && pn.Enter != nil {
			// No row may arrive above between this key and the next.
			out[i].Do = func() tea.Cmd { pn.Enter(); return act() }
		}
	}
	l := pn.List
	step := func(f func(), end string) func() tea.Cmd {
		return func() tea.Cmd {
			at, knows := l.(placed)
			was := 0
			if knows {
				was = at.At()
			}
			f()
			if knows && at.At() == was {
				p.ui.Say(end)
			}
			return pn.moved()
		}
	}
	off := ""
	if l == nil {
		off, l = "nothing moves in this pane", new(widget.Text)
	}
	clear := If(!l.Filter().Active(), "no filter is set")
	none := cmp.Or(off, clear)
	if s, counts := l.(searched); none == "" && counts && s.Hits() == 0 {
		none = "nothing matches; {clear_filter} clears it"
	}
	whole := If(p.single() && !p.zoom, "this pane has the whole screen already")
	// Before the screen's own esc, after the hits in the text.
	shut := ""
	switch {
	case p.opened != p.Focus+1:
		shut = "nothing is open"
	case clear == "":
		shut = "{clear_filter} clears the search first"
	}
	out = append([]Binding{Bind(keymap.Close, shut, p.closePane)}, out...)
	const top, end = "this is the top", "this is the end"
	out = append(out,
		Bind(keymap.Down, off, step(func() { l.Move(1) }, end)),
		Bind(keymap.Up, off, step(func() { l.Move(-1) }, top)),
		Bind(keymap.First, off, step(l.Home, top)),
		Bind(keymap.Last, off, step(l.End, end)),
		Bind(keymap.PageDown, off, step(func() { l.Move(l.Page()) }, end)),
		Bind(keymap.PageUp, off, step(func() { l.Move(-l.Page()) }, top)),
		Bind(keymap.HalfDown, off, step(func() { l.Move(l.Page()/2 + 1) }, end)),
		Bind(keymap.HalfUp, off, step(func() { l.Move(-l.Page()/2 - 1) }, top)),
		Bind(keymap.Search, off, Do(func() { p.askFilter(pn, l) })),
		Bind(keymap.NextHit, none, step(func() { l.Again(1) }, "this is the last hit")),
		Bind(keymap.LastHit, none, step(func() { l.Again(-1) }, "this is the first hit")),
		Bind(keymap.Explain, "", p.shared.explaining(pn, pn.Figures)),
		Bind(keymap.NextPane, "", func() tea.Cmd { return p.step(1) }),
		Bind(keymap.LastPane, "", func() tea.Cmd { return p.step(-1) }),
		Bind(keymap.Zoom, whole, Do(func() { p.zoom = !p.zoom; p.Again() })),
		p.opening(pn),
	)
	choose := Bind(keymap.Columns, "there are no columns in this pane", nil)
	if pn.Columns != nil {
		choose = pn.Columns(p.ui)
	}
	return append(out, choose, Bind(keymap.Clear, cmp.Or(off, clear), func() tea.Cmd {
		return tea.Batch(l.SetFilter(widget.Filter{}), pn.moved())
	}))
}

// opening returns the binding of enter in a pane.
func (p *Panes) opening(pn *Pane) Binding {
	switch {
	case pn.Open != nil:
		off, do := pn.Open()
		return Bind(keymap.Open, off, do)
	case pn.Opens == 0:
		return Bind(keymap.Open, "there is nothing to open in this pane", nil)
	case pn.Rows != nil && pn.Rows() == 0:
		return Bind(keymap.Open, "the list is empty", nil)
	}
	return Bind(keymap.Open, "", Do(func() {
		if pn.Enter != nil {
			pn.Enter()
		}
		p.OpenPane(pn.Opens)
	}))
}

// Keys returns the bindings of all panes and covers.
func (p *Panes) Keys() []Binding {
	all := p.Each()
	for _, c := range p.Covers {
		all = Union(all, c.Keys())
	}
	return all
}

// Each collects the bindings of all panes without repetitions.
func (p *Panes) Each() []Binding {
	was := p.Focus
	defer func() { p.Focus = was }()
	var all [][]Binding
	for i := range p.all {
		p.Focus = i
		all = append(all, p.own())
	}
	return Union(all...)
}

// Union joins bindings and drops repetitions.
func Union(lists ...[]Binding) []Binding {
	var out []Binding
	seen := map[*keymap.Entry]bool{}
	for _, b := range slices.Concat(lists...) {
		if !seen[b.of] {
			seen[b.of] = true
			out = append(out, b)
		}
	}
	return out
}

func (p *Panes) askFilter(pn *Pane, l list) {
	was := l.Filter()
	set := func(f widget.Filter) tea.Cmd { return tea.Batch(l.SetFilter(f), pn.moved()) }
	pr := &widget.Prompt[widget.Filter]{
		Editor: widget.Editor{
			Label: "/", Hint: "words · ! hides · ↑ earlier · esc clears", Past: &p.shared.Filters,
			Live:   func(text string) tea.Cmd { return set(widget.NewFilter(text)) },
			Cancel: func() tea.Cmd { return set(widget.Filter{}) },
		},
		Check: func(text string) (widget.Filter, error) { return widget.NewFilter(text), nil },
		Do:    set,
	}
	pr.Preset(was.Text)
	p.ui.Ask(pr)
}
