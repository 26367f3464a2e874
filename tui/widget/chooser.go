package widget

import (
	"cmp"
	"sort"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/tui/i18n"
)

// Item is one line of a Chooser.
type Item struct {
	Name string
	Note string         // shown dimmed after the name
	Key  string         // shown at the right
	Off  string         // why it cannot be chosen; "": it can
	Mark bool           // the current value
	Raw  bool           // the name is not translated
	Of   string         // the setting of which the name is a value; "": none
	Used int            // number of its last choice; without a query the newest come first
	Do   func() tea.Cmd // nil: nothing happens
}

// shown returns the displayed name.
func (it *Item) shown(l *i18n.Lang) string {
	switch {
	case it.Of != "":
		return l.Value(it.Of, it.Name)
	case it.Raw:
		return it.Name
	}
	return l.T(it.Name)
}

// Chooser is a list over the screen that typed letters filter. The palette and every choice among
// values are Choosers. It is for one goroutine.
type Chooser struct {
	Title string
	items []Item
	found []int
	query Editor
	cur   int
	top   int
	rows  Rect
	lang  *i18n.Lang

	waiting bool // waiting for its items

	wide, measured int // width of the widest of the first measured items
	names          int // width of the widest name with a note, as far as the list adapts to it
	longest, aside int // width of the widest name with a note; of the widest note with its key

	Most int // visible rows, if there is room; 0: all

	Numbered bool // a digit chooses the item of that number while nothing is typed

	// Made returns items made of the typed text, which come first; nil makes none.
	Made  func(typed string) []Item
	given int // number of items that were not made
}

// In sets the language of the items; a query also finds their English texts.
func (c *Chooser) In(l *i18n.Lang) *Chooser { c.lang = l; return c }

// NewChooser returns a chooser of items with the cursor on the marked one.
func NewChooser(title string, items []Item) *Chooser {
	c := &Chooser{Title: title, items: items, given: len(items)}
	c.query.Label = "›"
	c.narrow()
	for i, k := range c.found {
		if items[k].Mark {
			c.cur = i
		}
	}
	return c
}

func (c *Chooser) text(it Item) string {
	s := it.Name + " " + it.Note
	if t := it.shown(c.lang) + " " + c.lang.T(it.Note); t != s {
		s = t + " " + s
	}
	return s
}

func (c *Chooser) narrow() {
	type hit struct{ i, score int }
	var hits []hit
	q := strings.TrimSpace(c.query.Text())
	c.items = c.items[:c.given:c.given]
	if c.Made != nil && q != "" {
		for _, it := range c.Made(q) {
			hits = append(hits, hit{len(c.items), 1 << 30})
			c.items = append(c.items, it)
		}
	}
	for i, it := range c.items[:c.given] {
		if s, _, ok := fuzzyMatch(q, c.text(it)); ok {
			hits = append(hits, hit{i, s})
		}
	}
	sort.SliceStable(hits, func(a, b int) bool {
		x, y := hits[a], hits[b]
		if q == "" {
			return c.items[x.i].Used > c.items[y.i].Used
		}
		return x.score > y.score
	})
	c.found = c.found[:0]
	for _, h := range hits {
		c.found = append(c.found, h.i)
	}
	c.cur, c.top = 0, 0
}

// Fill replaces the items of an open chooser. The typed text stays, and the cursor stays on the
// item with its name.
func (c *Chooser) Fill(items []Item) {
	on := ""
	if c.cur < len(c.found) {
		on = c.items[c.found[c.cur]].Name
	}
	c.items, c.given, c.waiting, c.measured = items, len(items), false, -1
	c.narrow()
	for i, k := range c.found {
		if items[k].Mark && on == "" || items[k].Name == on {
			c.cur = i
		}
	}
}

// Waiting returns a chooser whose items will follow: keys typed before go only to it.
func Waiting(title string) *Chooser {
	c := NewChooser(title, nil)
	c.waiting = true
	return c
}

// Key handles one key; closed reports whether the chooser is finished.
func (c *Chooser) Key(k tea.KeyMsg) (closed bool, cmd tea.Cmd) {
	switch k.String() {
	case "esc", "ctrl+c":
		return true, nil
	case "enter":
		return c.take()
	case "up", "ctrl+p":
		c.cur = max(0, c.cur-1)
	case "down", "ctrl+n", "tab":
		c.cur = min(max(0, len(c.found)-1), c.cur+1)
	case "pgdown":
		c.cur = min(max(0, len(c.found)-1), c.cur+10)
	case "pgup":
		c.cur = max(0, c.cur-10)
	default:
		before := c.query.Text()
		if n := numberOf(k); c.Numbered && before == "" && n > 0 {
			if n <= len(c.found) {
				c.cur = n - 1
				return c.take()
			}
			return false, nil
		}
		c.query.key(k)
		if c.query.Text() != before {
			c.narrow()
		}
	}
	return false, nil
}

// numberOf returns the number of a digit key; 0 for other keys.
func numberOf(k tea.KeyMsg) int {
	if s := k.String(); len(s) == 1 && s >= "1" && s <= "9" {
		return int(s[0] - '0')
	}
	return 0
}

func (c *Chooser) take() (bool, tea.Cmd) {
	if c.cur >= len(c.found) {
		return false, nil
	}
	it := c.items[c.found[c.cur]]
	if it.Off != "" {
		return false, nil // the reason is shown beside it
	}
	if it.Do == nil {
		return true, nil
	}
	return true, it.Do()
}

// Click chooses the item at x,y of the last frame.
func (c *Chooser) Click(x, y int) (closed bool, cmd tea.Cmd) {
	if !c.rows.Contains(x, y) {
		return true, nil
	}
	if i := c.top + y - c.rows.Y; i < len(c.found) {
		c.cur = i
		return c.take()
	}
	return false, nil
}

// mostAligned is the widest name for which notes are aligned in a column.
const mostAligned = 32

// mostChooser bounds the width of a list.
const mostChooser = 130

// widest returns the width of the widest item with the frame.
func (c *Chooser) widest(t *Theme) int {
	if c.measured != len(c.items) {
		c.measured, c.wide, c.names, c.longest, c.aside = len(c.items), 0, 0, 0, 0
		for i := range c.items {
			it := &c.items[i]
			name, note := it.shown(t.Lang), cmp.Or(it.Off, it.Note)
			if note == "" {
				continue
			}
			c.longest, c.aside = max(c.longest, Width(name)), max(c.aside, Width(t.Lang.T(it.Note))+Width(it.Key)+1)
			if Width(name) <= mostAligned {
				c.names = max(c.names, Width(name))
			}
		}
		for i := range c.items {
			it := &c.items[i]
			c.wide = max(c.wide,
				max(Width(it.shown(t.Lang)), c.names)+Width(t.Lang.T(cmp.Or(it.Off, it.Note)))+Width(it.Key)+12)
		}
	}
	return min(c.wide, mostChooser)
}

// Draw renders the chooser over c.
func (c *Chooser) Draw(cv *Canvas) {
	cw, ch := cv.Size()
	w := min(cw, max(44, min(max(84, c.widest(cv.theme)), cw-8)))
	h := min(ch, len(c.items)+4, max(8, ch-4))
	if c.Most > 0 {
		h = min(h, c.Most+4)
	}
	in := Dialog(cv, w, h, c.Title)
	w, h = in.Size()
	c.query.Draw(in, 0)
	if c.waiting {
		in.Say(2, 1, Dim, "one moment …")
		return
	}
	if len(c.found) == 0 {
		in.Say(2, 1, Dim, "nothing matches; esc closes")
		return
	}
	names := max(c.names, min(c.longest, w-5-c.aside)) // aligned if there is room
	h = max(0, h-1)
	c.top = inWindow(c.top, c.cur, h)
	c.rows = Rect{in.x, in.y + 1, w, h}
	for y := 0; y < h && c.top+y < len(c.found); y++ {
		in.Block(0, y+1,
			cv.theme.item(&c.items[c.found[c.top+y]], w, names, c.top+y == c.cur, strings.TrimSpace(c.query.Text())))
	}
}

// item lays out one line of a list: name and note at the left, the key at the right. The note is
// aligned after names cells unless that would cut it. The query is highlighted in the name.
func (t *Theme) item(it *Item, w, names int, here bool, query string) string {
	flag, cursor, mark := Plain, " ", " "
	if here {
		flag, cursor = Sel, "›"
	}
	if it.Mark {
		mark = "●"
	}
	st, name, note := Plain, it.shown(t.Lang), t.Lang.T(it.Note)
	if it.Off != "" {
		st, note = Dim, t.Lang.T(it.Off)
	}
	left := max(0, w-3)
	key := ""
	if it.Key != "" {
		key = " " + it.Key
		left = max(0, left-Width(key))
	}
	name = Fit(name, left)
	if note != "" {
		note = Fit(note, max(0, left-Width(name)-2))
	}
	gap := max(0, left-Width(name)-Width(note))
	before := min(max(2, names-Width(name)+2), gap)
	part := func(st Style, s string) string { return t.Style(st | flag).Render(s) }
	return part(Accent, cursor+mark+blank) + fuzzyLit(name, query, func(hit bool, s string) string {
		if hit {
			return part(Mark, s)
		}
		return part(st, s)
	}) + part(Dim, strings.Repeat(blank, before)+note) + part(Plain, strings.Repeat(blank, gap-before)) + part(Key, key)
}

// Hints are the keys of a list.
func (c *Chooser) Hints() []Hint {
	if c.Numbered {
		return []Hint{{"1…9", "choose"}, {"enter", "choose"}, {"↑ ↓", "move"}, {"esc", "close"}}
	}
	return []Hint{{"enter", "choose"}, {"↑ ↓", "move"}, {"a…z", "narrow down"}, {"esc", "close"}}
}

// At puts the cursor on item i.
func (c *Chooser) At(i int) { c.cur = max(0, min(i, len(c.found)-1)) }
