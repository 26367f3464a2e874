package ui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// Filter is what the reader typed after '/'. All words must occur, in any
// order, case folded; a leading '!' shows the rows that do not match. The zero
// Filter matches everything.
type Filter struct {
	Text   string
	words  []string
	invert bool
}

// NewFilter reads a filter.
func NewFilter(text string) Filter {
	f := Filter{Text: strings.TrimSpace(text)}
	rest, inv := strings.CutPrefix(f.Text, "!")
	f.invert = inv
	f.words = strings.Fields(strings.ToLower(rest))
	return f
}

// Active reports whether the filter can hide a row.
func (f Filter) Active() bool { return len(f.words) > 0 }

// Words returns the words to mark in what is shown; none when inverted.
func (f Filter) Words() []string {
	if f.invert {
		return nil
	}
	return f.words
}

// Match reports whether s passes.
func (f Filter) Match(s string) bool {
	if len(f.words) == 0 {
		return true
	}
	s = strings.ToLower(s)
	for _, w := range f.words {
		if !strings.Contains(s, w) {
			return f.invert
		}
	}
	return !f.invert
}

// inline is the number of rows up to which filtering and sorting are done at
// once: some 200 µs, less than a frame.
const inline = 1000

// Arranged is the finished background arrangement of the table that asked.
type Arranged struct {
	owner any
	rev   int
	apply func()
}

// arrange filters and sorts rows and makes them the table's.
func (t *Table[T]) arrange(rows []T) tea.Cmd {
	t.rev++
	t.given = rows
	query, match, only, less := t.query, t.Match, t.only, t.less()
	if len(rows) <= inline || !query.Active() && less == nil && only == nil {
		t.rows, t.view = rows, arranged(rows, query, match, only, less)
		t.restore()
		return nil
	}
	// Until the result is there the old arrangement of the old rows is shown.
	rev := t.rev
	return func() tea.Msg {
		view := arranged(rows, query, match, only, less)
		return Arranged{owner: t, rev: rev, apply: func() {
			t.rows, t.view = rows, view
			t.restore()
		}}
	}
}

// Arranged takes a finished arrangement if it is this table's newest.
func (t *Table[T]) Arranged(m Arranged) {
	if m.owner == any(t) && m.rev == t.rev {
		m.apply()
	}
}

func arranged[T any](rows []T, query Filter, match func(*T) string, only func(*T) bool, less func(a, b *T) bool) []int32 {
	view := make([]int32, 0, len(rows))
	for i := range rows {
		if (only == nil || only(&rows[i])) && (!query.Active() || query.Match(match(&rows[i]))) {
			view = append(view, int32(i))
		}
	}
	if less != nil {
		sortView(view, func(a, b int32) int {
			switch x, y := &rows[a], &rows[b]; {
			case less(x, y):
				return -1
			case a > b, less(y, x): // equal rows keep their order
				return 1
			}
			return -1
		})
	}
	return view
}

// sortView sorts many rows in two halves at once and merges them. The order is
// total, so the result is that of a stable sort.
func sortView(view []int32, cmp func(a, b int32) int) {
	if len(view) <= inline {
		slices.SortFunc(view, cmp)
		return
	}
	left, right := slices.Clone(view[:len(view)/2]), slices.Clone(view[len(view)/2:])
	done := make(chan struct{})
	go func() {
		defer close(done)
		slices.SortFunc(left, cmp)
	}()
	slices.SortFunc(right, cmp)
	<-done
	for i := range view {
		if len(right) == 0 || len(left) > 0 && cmp(left[0], right[0]) < 0 {
			view[i], left = left[0], left[1:]
		} else {
			view[i], right = right[0], right[1:]
		}
	}
}

func (t *Table[T]) less() func(a, b *T) bool {
	if t.sort < 0 || t.sort >= len(t.Cols) {
		return nil
	}
	less := t.Cols[t.sort].Less
	if t.desc && less != nil {
		up := less
		less = func(a, b *T) bool { return up(b, a) }
	}
	return less
}

// SetFilter shows only the rows that pass f.
func (t *Table[T]) SetFilter(f Filter) tea.Cmd { t.query = f; return t.arrange(t.given) }

// SetOnly shows only the rows that f lets pass, besides the filter; nil shows
// all.
func (t *Table[T]) SetOnly(f func(*T) bool) tea.Cmd { t.only = f; return t.arrange(t.given) }

// Filter returns the filter in force.
func (t *Table[T]) Filter() Filter { return t.query }

// SortBy sorts by column i; again by the same column turns the order round,
// a third time returns to the order given.
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

// SortNext sorts by the next sortable column, after the last by none.
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
		if t.Cols[i].Less != nil {
			t.sort, t.desc = i, t.Cols[i].Right
			break
		}
	}
	return t.arrange(t.given)
}

// Reverse turns the sort order round.
func (t *Table[T]) Reverse() tea.Cmd {
	if t.sort < 0 {
		return nil
	}
	t.desc = !t.desc
	return t.arrange(t.given)
}

// Sorted names the column the rows are sorted by, "" for the order given.
func (t *Table[T]) Sorted() string {
	if t.sort < 0 || t.sort >= len(t.Cols) {
		return ""
	}
	return t.Cols[t.sort].Title
}
