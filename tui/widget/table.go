package widget

import (
	"maps"
	"slices"

	tea "github.com/charmbracelet/bubbletea"
)

// Column is one column of a table. A column without Flex takes exactly Width cells, one with Flex
// at least Width and a share of the rest. In a table that is too narrow, the columns with the
// highest Drop are dropped first; Drop 0 is never dropped.
type Column[T any] struct {
	Title string
	Head  string // translated heading; "": Title
	Width int
	Flex  int
	Max   int  // maximum width with Flex; 0: none
	Wish  int  // width for which Spare columns are dropped; 0: none
	Spare bool // is dropped for the Wish of another column
	Right bool
	Ends  bool // cut in the middle, so that both ends stay
	Drop  int
	Join  bool        // no gap before the next column
	Off   bool        // hidden until the reader chooses it
	Hide  func() bool // hides the column while true; nil: never
	// Cell returns the shown text; nil shows what the column sorts by, in Style: a text, a count, or a
	// number of 0 … 1 with Digits.
	Cell   func(*T) (string, Style)
	Style  Style
	Digits int
	Tail   func(*T) (string, Style) // text after the cell's text, if there is room
	// One of these sorts the rows; a column without them is not sortable. Text and Number are read once
	// a row, which is much faster than Less.
	Text   func(*T) string
	Number func(*T) float64
	Less   func(a, b *T) bool

	off bool // the reader has hidden it
}

// sorts reports whether the column is sortable.
func (c *Column[T]) sorts() bool {
	return !c.hidden() && (c.Less != nil || c.Text != nil || c.Number != nil)
}

func (c *Column[T]) hidden() bool { return c.off || c.Hide != nil && c.Hide() }

// Table is a windowed list: it renders only the visible rows. The cursor follows a row's identity
// (Key), never its index, so live data cannot put another row under a labelling key. Filtering and
// sorting 1 000 or more runs in a Cmd tagged with a revision; an outdated result is dropped. It is
// for one goroutine.
type Table[T any] struct {
	Cols  []Column[T]
	Key   func(*T) uint64
	Match func(*T) string // text that a filter searches
	Under func(*T) uint64 // key of the row that a row follows in every order, 0 = none; nil: no row follows another
	Live  bool            // rows arrive by themselves: announce those outside the window
	Lit   []string        // words to highlight besides those of the filter, lower case

	Settled func() tea.Cmd // runs after rows sorted in the background are shown; nil: nothing

	given  []T // the newest rows; shown once they are sorted
	rows   []T
	view   []int32 // indexes of the shown rows, in order
	rev    int     // revision of the last sort request
	query  Filter
	only   func(*T) bool // a second filter; nil accepts all rows
	sort   int           // column, -1: as given
	desc   bool
	by     int // column by which given rows are sorted, from 1; 0: none
	byDesc bool

	lit    int   // highlighted column, from 1; 0: none
	width  int   // width of the last frame
	asks   []int // width of the texts seen in each column
	signed int   // column that needs a cell for the sign of the order, from 1; 0: none

	cur    int // index into view
	curKey uint64
	has    bool // there is a row under the cursor
	moved  bool // the reader moved it: rows arriving above do not take its place
	top    int
	height int

	known map[uint64]bool
	fresh map[uint64]bool // arrived since the reader last saw the end
	marks marks

	freshAt []int32 // places of fresh rows among the shown ones, ascending
	wanted  uint64  // row for the cursor once it arrives
	chosen  bool    // the reader has chosen columns
}

// NewTable returns an empty table.
func NewTable[T any](key func(*T) uint64, match func(*T) string, cols ...Column[T]) *Table[T] {
	for i := range cols {
		c := &cols[i]
		c.off = c.Off
		if c.Cell == nil {
			c.Cell = shownValue(c.Style, c.Digits, c.Text, c.Number)
		}
	}
	return &Table[T]{Cols: cols, Key: key, Match: match, sort: -1}
}

// shownValue returns the Cell of a column that shows what it sorts by.
func shownValue[T any](st Style, digits int, text func(*T) string, number func(*T) float64) func(*T) (string, Style) {
	return func(r *T) (string, Style) {
		switch {
		case text != nil:
			return Clean(text(r)), st
		case digits > 0:
			return Score(number(r), digits), st
		}
		return Count(int(number(r))), st
	}
}

// SetHeight sets the number of visible rows.
func (t *Table[T]) SetHeight(h int) { t.height = max(0, h); t.scroll() }

// Len returns the number of shown rows, Total of all rows.
func (t *Table[T]) Len() int   { return len(t.view) }
func (t *Table[T]) Total() int { return len(t.rows) }

// Rows returns all rows in the given order; do not change them.
func (t *Table[T]) Rows() []T { return t.rows }

// Selected returns the row under the cursor, or nil.
func (t *Table[T]) Selected() *T {
	if t.cur < 0 || t.cur >= len(t.view) {
		return nil
	}
	return &t.rows[t.view[t.cur]]
}

// SetRows replaces the rows and keeps the slice. The returned Cmd, if any, sorts them in the
// background, see Arranged.
func (t *Table[T]) SetRows(rows []T) tea.Cmd {
	known := make(map[uint64]bool, len(rows))
	if t.fresh == nil {
		t.fresh = map[uint64]bool{}
	}
	for i := range rows {
		k := t.Key(&rows[i])
		known[k] = true
		if t.known != nil && t.Live && !t.known[k] {
			t.fresh[k] = true
		}
	}
	gone := func(k uint64, _ bool) bool { return !known[k] }
	maps.DeleteFunc(t.fresh, gone)
	maps.DeleteFunc(t.marks.set, gone)
	t.known = known
	return t.arrange(rows)
}

// Anew says that the next rows answer another question: none of them counts as fresh.
func Anew[T any](t *Table[T]) { t.known, t.fresh, t.asks = nil, nil, nil }

// Update changes the rows with some keys at once, as the answer to an action before new data arrive.
func (t *Table[T]) Update(change func(*T), keys ...uint64) {
	want := make(map[uint64]bool, len(keys))
	for _, k := range keys {
		want[k] = true
	}
	rows, changed := slices.Clone(t.rows), false // a Cmd may be reading the old slice
	for i := range rows {
		if want[t.Key(&rows[i])] {
			change(&rows[i])
			changed = true
		}
	}
	if changed && len(t.given) == len(rows) {
		t.given = rows
	}
	t.rows = rows
}

// index returns the place of a row among the shown ones, -1 if it is not shown.
func index[T any](t *Table[T], key uint64) int {
	return slices.IndexFunc(t.view, func(r int32) bool { return t.Key(&t.rows[r]) == key })
}

// restore puts the cursor back on its row after a sort and keeps that row at the same height of the
// window.
func (t *Table[T]) restore() {
	findRange(t)
	placeFresh(t)
	defer find(t)
	if !t.moved || !t.has {
		t.cur, t.top = min(t.cur, max(0, len(t.view)-1)), min(t.top, max(0, len(t.view)-1))
		if !t.moved {
			t.cur, t.top = 0, 0
		}
		t.note()
		return
	}
	at := t.cur - t.top
	if i := index(t, t.curKey); i >= 0 {
		t.cur, t.top = i, max(0, i-at)
		t.scroll()
		return
	}
	t.cur = min(t.cur, max(0, len(t.view)-1)) // its row is gone: keep the position
	t.note()
}

// note stores the identity of the row under the cursor.
func (t *Table[T]) note() {
	if r := t.Selected(); r != nil {
		t.curKey, t.has = t.Key(r), true
	} else {
		t.has = false
	}
	t.scroll()
}

func (t *Table[T]) scroll() {
	if t.height > 0 {
		t.top = inWindow(t.top, t.cur, t.height)
	}
	t.top = max(0, min(t.top, len(t.view)-t.height))
}

// inWindow returns the first line of a window of h lines, moved as little as needed to show line cur.
func inWindow(top, cur, h int) int { return max(min(top, cur), cur-h+1) }

// At returns the place of the cursor among the shown rows.
func (t *Table[T]) At() int { return t.cur }

// Again moves to the next row that matches the filter, or the previous one for n -1.
func (t *Table[T]) Again(n int) { t.Move(n) }

// Hits counts the rows that match the filter.
func (t *Table[T]) Hits() int { return t.Len() }

// Move moves the cursor by n rows, To to shown row n.
func (t *Table[T]) Move(n int) { t.To(t.cur + n) }
func (t *Table[T]) To(n int) {
	t.cur = max(0, min(n, len(t.view)-1))
	t.moved = true
	t.note()
}

// Find moves to the row of a key; false means that it is not shown.
func (t *Table[T]) Find(key uint64) bool {
	i := index(t, key)
	if i >= 0 {
		t.To(i)
	}
	return i >= 0
}

// Home moves to the first row and follows it as rows arrive.
func (t *Table[T]) Home() { t.To(0); t.moved = false }

// End goes to the last row.
func (t *Table[T]) End() { t.To(len(t.view) - 1) }

// Hold fixes the cursor on its row; call it when the reader enters the pane.
func (t *Table[T]) Hold() { t.moved = true; t.note() }

// Page returns how far PgDn moves.
func (t *Table[T]) Page() int { return max(1, t.height-1) }

// Scroll moves the window by n rows, and the cursor only as far as necessary.
func (t *Table[T]) Scroll(n int) {
	t.top = max(0, min(t.top+n, len(t.view)-t.height))
	cur := max(t.top, min(t.cur, t.top+t.height-1))
	if cur != t.cur {
		t.To(cur)
	}
}

// Click moves the cursor to visible row y (0: the first below the head) and reports whether it
// exists; y -1 is the head, and x selects the column to sort by.
func (t *Table[T]) Click(x, y, w int) (bool, tea.Cmd) {
	if y < 0 {
		for i, b := range t.layout(w) {
			if b.W > 0 && x >= b.X && x <= b.X+b.W && t.Cols[i].sorts() {
				return false, t.SortBy(i)
			}
		}
		return false, nil
	}
	if !HasRow(t, y) {
		return false, nil
	}
	t.To(t.top + y)
	return true, nil
}

// HasRow reports whether a row of t is y lines below the head.
func HasRow[T any](t *Table[T], y int) bool { return y >= 0 && t.top+y < len(t.view) }

// ColumnAt returns the column at cell x of the last frame; -1 if there is none.
func ColumnAt[T any](t *Table[T], x int) int {
	for i, b := range t.layout(t.width) {
		if b.W > 0 && x >= b.X && x <= b.X+b.W {
			return i
		}
	}
	return -1
}

// Light highlights the head of a column, or ends that.
func Light[T any](t *Table[T], i int, on bool) {
	t.lit = 0
	if on {
		t.lit = i + 1
	}
}

// SortedBy reports whether the rows are sorted by column i.
func SortedBy[T any](t *Table[T], i int) bool {
	col, _ := sortedBy(t)
	return col == i
}

// Fresh counts the unseen rows that arrived above and below the window.
func (t *Table[T]) Fresh() (above, below int) {
	for _, i := range t.freshAt {
		switch {
		case !t.fresh[t.Key(&t.rows[t.view[i]])]:
		case int(i) < t.top:
			above++
		case int(i) >= t.top+t.height:
			below++
		}
	}
	return above, below
}

// placeFresh stores the places of fresh rows, so that a frame need not search all rows.
func placeFresh[T any](t *Table[T]) {
	t.freshAt = t.freshAt[:0]
	if len(t.fresh) == 0 {
		return
	}
	for i, r := range t.view {
		if t.fresh[t.Key(&t.rows[r])] {
			t.freshAt = append(t.freshAt, int32(i))
		}
	}
}
