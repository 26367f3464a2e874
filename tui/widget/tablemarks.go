package widget

import "slices"

// marks are the marked rows by identity, so that they stay marked while rows move, and the range
// being marked.
type marks struct {
	set      map[uint64]bool
	ranging  bool
	from     uint64 // the first row of the range
	fromView int    // its place among the shown rows
}

// markSign precedes a marked row.
const markSign = "◆"

// ToggleMark marks or unmarks the row under the cursor and moves to the next.
func ToggleMark[T any](t *Table[T]) {
	r := t.Selected()
	if r == nil {
		return
	}
	endRange(t)
	key := t.Key(r)
	if t.marks.set[key] {
		delete(t.marks.set, key)
	} else {
		t.Mark(key)
	}
	t.Move(1)
}

// Mark marks the row of a key.
func (t *Table[T]) Mark(key uint64) {
	if t.marks.set == nil {
		t.marks.set = map[uint64]bool{}
	}
	t.marks.set[key] = true
}

// MarkRange starts a range at the cursor, which movement extends, or ends it.
func MarkRange[T any](t *Table[T]) {
	if t.marks.ranging {
		endRange(t)
		return
	}
	if r := t.Selected(); r != nil {
		t.moved = true
		t.marks.ranging, t.marks.from, t.marks.fromView = true, t.Key(r), t.cur
	}
}

// endRange marks the rows of the range.
func endRange[T any](t *Table[T]) {
	for _, r := range ranged(t) {
		t.Mark(t.Key(&t.rows[r]))
	}
	t.marks.ranging = false
}

// span returns the range among the shown rows: from lo to before hi; both are 0 without a range.
func span[T any](t *Table[T]) (lo, hi int) {
	if !t.marks.ranging {
		return 0, 0
	}
	return min(t.marks.fromView, t.cur), min(max(t.marks.fromView, t.cur)+1, len(t.view))
}

// ranged returns the rows of the range.
func ranged[T any](t *Table[T]) []int32 {
	lo, hi := span(t)
	return t.view[min(lo, hi):hi]
}

// MarkAll marks every shown row, or unmarks them if all are marked.
func MarkAll[T any](t *Table[T]) {
	endRange(t)
	all := !slices.ContainsFunc(t.view, func(r int32) bool { return !t.marks.set[t.Key(&t.rows[r])] })
	for _, r := range t.view {
		if key := t.Key(&t.rows[r]); all {
			delete(t.marks.set, key)
		} else {
			t.Mark(key)
		}
	}
}

// Unmark removes all marks.
func (t *Table[T]) Unmark() { t.marks = marks{} }

// NumMarked counts the marked rows, including hidden ones.
func (t *Table[T]) NumMarked() int {
	n := len(t.marks.set)
	for _, r := range ranged(t) {
		if !t.marks.set[t.Key(&t.rows[r])] {
			n++
		}
	}
	return n
}

// Marked returns the marked rows in the given order, including hidden ones.
func (t *Table[T]) Marked() []*T {
	n := t.NumMarked()
	if n == 0 {
		return nil
	}
	within := map[uint64]bool{}
	for _, r := range ranged(t) {
		within[t.Key(&t.rows[r])] = true
	}
	out := make([]*T, 0, n)
	for i := range t.rows {
		if key := t.Key(&t.rows[i]); within[key] || t.marks.set[key] {
			out = append(out, &t.rows[i])
		}
	}
	return out
}

// Meant returns the marked rows, or the row under the cursor.
func (t *Table[T]) Meant() []*T {
	if out := t.Marked(); out != nil {
		return out
	}
	if r := t.Selected(); r != nil {
		return []*T{r}
	}
	return nil
}

// isMarked reports whether shown row i is marked.
func isMarked[T any](t *Table[T], i int, key uint64) bool {
	lo, hi := span(t)
	return lo <= i && i < hi || t.marks.set[key]
}

// findRange moves the start of the range back to its row after a sort; the range ends if its row is
// gone.
func findRange[T any](t *Table[T]) {
	if !t.marks.ranging {
		return
	}
	t.marks.fromView = index(t, t.marks.from)
	t.marks.ranging = t.marks.fromView >= 0
}
