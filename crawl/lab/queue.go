package lab

import "math"

// queue holds the waiting pages in a binary heap, best first. It knows each page's index in the heap, so a page can
// be rescored in place. Equal scores are ordered by tie, smaller first.
type queue struct {
	heap  []int32
	place []int32 // by page: its index in heap + 1; 0 = not waiting
	score []float64
	tie   []uint64
}

func newQueue(pages int) *queue {
	return &queue{place: make([]int32, pages), score: make([]float64, pages), tie: make([]uint64, pages)}
}

func (q *queue) waits(p int32) bool { return q.place[p] != 0 }

func (q *queue) before(a, b int32) bool {
	if q.score[a] != q.score[b] {
		return q.score[a] > q.score[b]
	}
	return q.tie[a] < q.tie[b]
}

// finite replaces NaN and infinities by 0, because they would break the heap.
func finite(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}

// put adds p with a score, or moves it if it waits already.
func (q *queue) put(p int32, score float64) {
	q.score[p] = finite(score)
	i := int(q.place[p]) - 1
	if i < 0 {
		i = len(q.heap)
		q.heap = append(q.heap, p)
	}
	if q.up(i) == i {
		q.down(i)
	}
}

// pop removes and returns the best page. The queue must not be empty.
func (q *queue) pop() int32 {
	p, last := q.heap[0], len(q.heap)-1
	q.heap[0] = q.heap[last]
	q.heap = q.heap[:last]
	q.place[p] = 0
	if last > 0 {
		q.down(0)
	}
	return p
}

// rescore scores every waiting page again.
func (q *queue) rescore(score func(p int32) float64) {
	for _, p := range q.heap {
		q.score[p] = finite(score(p))
	}
	for i, p := range q.heap {
		q.place[p] = int32(i + 1)
	}
	for i := len(q.heap)/2 - 1; i >= 0; i-- {
		q.down(i)
	}
}

func (q *queue) up(i int) int {
	p := q.heap[i]
	for i > 0 {
		parent := (i - 1) / 2
		if !q.before(p, q.heap[parent]) {
			break
		}
		q.set(i, q.heap[parent])
		i = parent
	}
	q.set(i, p)
	return i
}

func (q *queue) down(i int) {
	p := q.heap[i]
	for {
		child := 2*i + 1
		if child >= len(q.heap) {
			break
		}
		if child+1 < len(q.heap) && q.before(q.heap[child+1], q.heap[child]) {
			child++
		}
		if !q.before(q.heap[child], p) {
			break
		}
		q.set(i, q.heap[child])
		i = child
	}
	q.set(i, p)
}

func (q *queue) set(i int, p int32) {
	q.heap[i] = p
	q.place[p] = int32(i + 1)
}
