package frontier

// ordering is the element type's part of a heap: the order, and the notification of an element's
// index, by which it can be moved or removed.
type ordering[T any] interface {
	before(a, b T) bool
	moved(x T, i int)
}

// Heaps are plain slices, because a million queued entries in a thousand queues must cost only four
// bytes each.

func heapPush[T any, O ordering[T]](h *[]T, x T, o O) {
	*h = append(*h, x)
	siftUp(*h, len(*h)-1, o)
}

// heapRemove removes the element at index i.
func heapRemove[T any, O ordering[T]](h *[]T, i int, o O) T {
	a := *h
	x, last := a[i], len(a)-1
	y := a[last]
	var zero T
	a[last] = zero
	*h = a[:last]
	if i < last {
		a[i] = y
		if siftUp(*h, i, o) == i {
			siftDown(*h, i, o)
		}
	}
	return x
}

func heapInit[T any, O ordering[T]](a []T, o O) {
	for i := range a {
		o.moved(a[i], i)
	}
	for i := len(a)/2 - 1; i >= 0; i-- {
		siftDown(a, i, o)
	}
}

func siftUp[T any, O ordering[T]](a []T, i int, o O) int {
	x := a[i]
	for i > 0 {
		p := (i - 1) / 2
		if !o.before(x, a[p]) {
			break
		}
		a[i] = a[p]
		o.moved(a[i], i)
		i = p
	}
	a[i] = x
	o.moved(x, i)
	return i
}

func siftDown[T any, O ordering[T]](a []T, i int, o O) {
	x := a[i]
	for {
		c := 2*i + 1
		if c >= len(a) {
			break
		}
		if c+1 < len(a) && o.before(a[c+1], a[c]) {
			c++
		}
		if !o.before(a[c], x) {
			break
		}
		a[i] = a[c]
		o.moved(a[i], i)
		i = c
	}
	a[i] = x
	o.moved(x, i)
}
