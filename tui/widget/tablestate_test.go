package widget

import "testing"

// The order of a table is restored, also by a column without a head.
func TestOrderIsRestored(t *testing.T) {
	nameless := func() *Table[item] {
		tb := newItems()
		tb.Cols = append(tb.Cols, Column[item]{Width: 1, Cell: func(*item) (string, Style) { return "●", Plain }, Number: func(r *item) float64 { return -float64(r.id) }})
		tb.SetRows(items("b", "c", "a"))
		return tb
	}
	for i, want := range []string{"a", "c"} {
		was, is := nameless(), nameless()
		was.SortBy(i)
		is.Restore(was.State())
		if is.sort != i {
			t.Errorf("sorted by %d, want %d", is.sort, i)
		}
		if first := is.view[0]; is.given[first].name != want {
			t.Errorf("sorted by %d, %q comes first, want %q", i, is.given[first].name, want)
		}
	}
	left := nameless()
	left.Restore(TableState{Sort: "gone"})
	if left.sort != -1 {
		t.Errorf("sorted by %d for a column that is gone", left.sort)
	}
}
