package widget

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Filter is the text typed after '/'. All words must occur, in any order, case folded; a leading
// '!' shows the rows that do not match. The zero Filter matches everything.
type Filter struct {
	Text   string
	words  []string
	invert bool
}

// NewFilter parses a filter.
func NewFilter(text string) Filter {
	f := Filter{Text: strings.TrimSpace(text)}
	rest, inv := strings.CutPrefix(f.Text, "!")
	f.invert = inv
	f.words = strings.Fields(strings.ToLower(rest))
	return f
}

// Active reports whether the filter may hide a row.
func (f Filter) Active() bool { return len(f.words) > 0 }

// shown returns the words to highlight; none if inverted.
func (f Filter) shown() []string {
	if f.invert {
		return nil
	}
	return f.words
}

// Match reports whether s matches.
func (f Filter) Match(s string) bool {
	if len(f.words) == 0 {
		return true
	}
	s = lower(s)
	for _, w := range f.words {
		if !strings.Contains(s, w) {
			return f.invert
		}
	}
	return !f.invert
}

// lower is strings.ToLower with a fast path for Chinese and lower case.
func lower(s string) string {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c < 0x80 && (c < 'A' || c > 'Z'):
		case c >= 0xE3 && c <= 0xE9: // U+3000 … U+9FFF has no case
			i += 2
		default:
			return strings.ToLower(s)
		}
	}
	return s
}

// inline is the number of rows up to which filtering and sorting run at once: about 200 µs, less
// than a frame.
const inline = inlineRows

// Arranged is the finished background sort of a table. The program calls Show in its update loop.
type Arranged struct{ Show func() tea.Cmd }

// arrange filters and sorts rows and shows them.
func (t *Table[T]) arrange(rows []T) tea.Cmd {
	t.rev++
	t.given = rows
	query, match, only, by, key, under := t.query, t.Match, t.only, t.order(), t.Key, t.Under
	if len(rows) <= inline || !query.Active() && by.none() && only == nil {
		t.rows, t.view = rows, following(rows, arranged(rows, query, match, only, by), key, under)
		t.restore()
		return nil
	}
	// Until then the old rows stay in their order.
	rev := t.rev
	return func() tea.Msg {
		view := following(rows, arranged(rows, query, match, only, by), key, under)
		return Arranged{func() tea.Cmd {
			if rev != t.rev {
				return nil // a newer sort is under way
			}
			t.rows, t.view = rows, view
			t.restore()
			if t.Settled == nil {
				return nil
			}
			return t.Settled()
		}}
	}
}

func arranged[T any](rows []T, query Filter, match func(*T) string, only func(*T) bool, by order[T]) []int32 {
	keep := func(from, to int) []int32 {
		view := make([]int32, 0, to-from)
		for i := from; i < to; i++ {
			if (only == nil || only(&rows[i])) && (!query.Active() || query.Match(match(&rows[i]))) {
				view = append(view, int32(i))
			}
		}
		return view
	}
	var view []int32
	if len(rows) <= inline || !query.Active() {
		view = keep(0, len(rows))
	} else {
		right := make(chan []int32)
		go func() { right <- keep(len(rows)/2, len(rows)) }()
		view = append(keep(0, len(rows)/2), <-right...)
	}
	switch {
	case by.text != nil:
		sortByText(view, func(r int32) string { return by.text(&rows[r]) }, by.desc)
	case by.number != nil:
		sortByNumber(view, func(r int32) float64 { return by.number(&rows[r]) }, by.desc)
	case by.less != nil:
		sortHalves(view, func(a, b int32) int {
			x, y := &rows[a], &rows[b]
			if by.desc {
				x, y = y, x
			}
			switch {
			case by.less(x, y):
				return -1
			case a > b, by.less(y, x): // equal rows keep their order
				return 1
			}
			return -1
		})
	}
	return view
}

// following places rows with a head directly after it, in their order; rows whose head is not shown
// come last.
func following[T any](rows []T, view []int32, key, under func(*T) uint64) []int32 {
	if under == nil {
		return view
	}
	behind, heads := map[uint64][]int32{}, make([]int32, 0, len(view)) // behind: rows by the key of their head
	for _, r := range view {
		if k := under(&rows[r]); k != 0 {
			behind[k] = append(behind[k], r)
		} else {
			heads = append(heads, r)
		}
	}
	if len(behind) == 0 {
		return view
	}
	out := make([]int32, 0, len(view))
	for _, r := range heads {
		k := key(&rows[r])
		out = append(append(out, r), behind[k]...)
		delete(behind, k)
	}
	for _, r := range view {
		if k := under(&rows[r]); k != 0 && behind[k] != nil {
			out = append(out, r)
		}
	}
	return out
}

// order sorts rows: by a text, a number, or by less, or not at all.
type order[T any] struct {
	text   func(*T) string
	number func(*T) float64
	less   func(a, b *T) bool
	desc   bool
}

func (o *order[T]) none() bool { return o.text == nil && o.number == nil && o.less == nil }

func (t *Table[T]) order() order[T] {
	if t.sort < 0 || t.sort >= len(t.Cols) {
		return order[T]{}
	}
	c := t.Cols[t.sort]
	return order[T]{c.Text, c.Number, c.Less, t.desc}
}

// SetFilter shows only the rows that match f.
func (t *Table[T]) SetFilter(f Filter) tea.Cmd { t.query = f; return t.arrange(t.given) }

// SetOnly shows only the rows that f accepts and the filter matches; nil accepts all.
func (t *Table[T]) SetOnly(f func(*T) bool) tea.Cmd { t.only = f; return t.arrange(t.given) }

// Filter returns the filter in force.
func (t *Table[T]) Filter() Filter { return t.query }

// OrderBy sets the initial order: by the column with that title. Call it before the first rows are
// set.
func (t *Table[T]) OrderBy(title string, desc bool) {
	t.sort, t.desc = slices.IndexFunc(t.Cols, func(c Column[T]) bool { return c.Title == title }), desc
}

// GivenBy names the column by which the given rows are sorted: its head shows that while no other
// order is chosen.
func GivenBy[T any](t *Table[T], title string, desc bool) *Table[T] {
	t.by, t.byDesc = 1+slices.IndexFunc(t.Cols, func(c Column[T]) bool { return c.Title == title }), desc
	return t
}

// sortedBy returns the visible column by which the rows are sorted, or -1.
func sortedBy[T any](t *Table[T]) (col int, desc bool) {
	if t.sort >= 0 {
		return t.sort, t.desc
	}
	return t.by - 1, t.byDesc
}

// SortBy sorts by column i; a second call reverses the order, a third returns to the given order.
func (t *Table[T]) SortBy(i int) tea.Cmd {
	switch {
	case t.sort != i:
		t.sort, t.desc = i, t.Cols[i].Right // numbers: largest first
	case t.desc == t.Cols[i].Right:
		t.desc = !t.desc
	default:
		t.sort = -1
	}
	return t.arrange(t.given)
}

// SortNext sorts by the next sortable column, and after the last by none.
func (t *Table[T]) SortNext(step int) tea.Cmd {
	n := len(t.Cols)
	for i, k := t.sort+step, 0; k <= n; i, k = i+step, k+1 {
		if i < -1 {
			i = n - 1
		}
		if i == -1 || i >= n {
			t.sort = -1
			break
		}
		if t.Cols[i].sorts() {
			t.sort, t.desc = i, t.Cols[i].Right
			break
		}
	}
	return t.arrange(t.given)
}

// Reverse reverses the sort order.
func (t *Table[T]) Reverse() tea.Cmd {
	if t.sort < 0 {
		return nil
	}
	t.desc = !t.desc
	return t.arrange(t.given)
}

// Sorted returns the title of the sort column, "" for the given order.
func (t *Table[T]) Sorted() string {
	if t.sort < 0 || t.sort >= len(t.Cols) {
		return ""
	}
	return t.Cols[t.sort].Title
}
