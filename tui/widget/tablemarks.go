package widget

// marks are the marked rows by identity, so that they stay marked while rows move, and the range
// being marked.
type marks struct {
	set      map[uint64]struct{}
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
	if _, ok := t.marks.set[key]; ok {
		delete(t.marks.set, key)
	} else {
		t.Mark(key)
	}
	t.Move(1)
}

// Mark marks the row of a key.
func (t *Table[T]) Mark(key uint64) {
	if t.marks.set == nil {
		t.marks.set = map[uint64]struct{}{}
	}
	t.marks.set[key] = struct{}{}
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
	if !t.marks.ranging {
		return
	}
	lo, hi := span(t)
	for i := lo; i <= hi && i < len(t.view); i++ {
		t.Mark(t.Key(&t.rows[t.view[i]]))
	}
	t.marks.ranging = false
}

// span returns the range among the shown rows, both ends included.
func span[T any](t *Table[T]) (lo, hi int) {
	return min(t.marks.fromView, t.cur), max(t.marks.fromView, t.cur)
}

// MarkAll marks every shown row, or unmarks them if all are marked.
func MarkAll[T any](t *Table[T]) {
	endRange(t)
	all := true
	for _, r := range t.view {
		if _, ok := t.marks.set[t.Key(&t.rows[r])]; !ok {
			all = false
			break
		}
	}
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
	if !t.marks.ranging {
		return len(t.marks.set)
	}
	n := len(t.marks.set)
	lo, hi := span(t)
	for i := lo; i <= hi && i < len(t.view); i++ {
		if _, ok := t.marks.set[t.Key(&t.rows[t.view[i]])]; !ok {
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
	ranged := map[uint64]struct{}{}
	if t.marks.ranging {
		lo, hi := span(t)
		for _, r := range t.view[lo:min(hi+1, len(t.view))] {
			ranged[t.Key(&t.rows[r])] = struct{}{}
		}
	}
	out := make([]*T, 0, n)
	for i := range t.rows {
		key := t.Key(&t.rows[i])
		_, marked := t.marks.set[key]
		if _, ok := ranged[key]; ok || marked {
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
	if t.marks.ranging {
		if lo, hi := span(t); i >= lo && i <= hi {
			return true
		}
	}
	_, ok := t.marks.set[key]
	return ok
}

// dropMarks removes the marks of rows that are gone.
func dropMarks[T any](t *Table[T], known map[uint64]struct{}) {
	for key := range t.marks.set {
		if _, ok := known[key]; !ok {
			delete(t.marks.set, key)
		}
	}
}

// findRange moves the start of the range back to its row after a sort; the range ends if its row is
// gone.
func findRange[T any](t *Table[T]) {
	if !t.marks.ranging {
		return
	}
	for i, r := range t.view {
		if t.Key(&t.rows[r]) == t.marks.from {
			t.marks.fromView = i
			return
		}
	}
	t.marks.ranging = false
}
