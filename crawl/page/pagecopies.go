package page

import (
	"math"
	"slices"
)

// A page that answers under many addresses, in other sort orders, with a session's name or
// with parameters that grow, is one page. Its copies show the same rare lines, or link to
// the same rare targets. What all pages of the host show says nothing; what pages of one
// title show counts as if one page showed it, because the copies may be most of the sample.

const (
	copyShare    = .5  // of the weight of two pages with one title that copies have in common
	unalikeShare = .9  // likewise of pages with different titles
	copyItems    = 5   // lines or links that they have in common, at least
	copyWeight   = .25 // of a line or link that tells pages apart, at least
	titledPages  = 4   // pages of a title on average, at most, where titles tell pages apart
)

// sample is the pages of a host's sample, by number, and what they hold.
type sample struct {
	pages        []sampled
	title        []uint16 // of each page, numbered from 1
	titles       int
	lines, links *items
}

func newSample(pages []sampled) *sample {
	s := &sample{pages: pages, title: make([]uint16, len(pages))}
	known, order := map[uint32]uint16{}, make([]int, len(pages))
	for i := range pages {
		h := pages[i].head
		if known[h] == 0 {
			known[h] = uint16(len(known) + 1)
		}
		s.title[i], order[i] = known[h], i
	}
	s.titles = len(known)
	slices.SortStableFunc(order, func(i, j int) int { return int(s.title[i]) - int(s.title[j]) })
	s.lines = s.items(order, func(t *Trace) []uint32 { return t.lines })
	s.links = s.items(order, func(t *Trace) []uint32 { return t.targets })
	return s
}

// distinct returns the pages that are no copies of earlier ones.
func (s *sample) distinct() (once []int) {
	for i := range s.pages {
		s.lines.compare(i)
		s.links.compare(i)
		if !slices.ContainsFunc(once, func(j int) bool { return s.copies(i, j) }) {
			s.lines.enter(i)
			s.links.enter(i)
			once = append(once, i)
		}
	}
	return once
}

// copies reports whether the page that was compared last is a copy of another. Details of
// a section have its menu in common and hardly any link of their own: their titles must
// tell them apart, else links say nothing.
func (s *sample) copies(i, j int) bool {
	lines := s.lines.share(i, j)
	return lines >= unalikeShare || s.title[i] == s.title[j] &&
		(lines >= copyShare || s.titles*titledPages >= len(s.pages) && s.links.share(i, j) >= copyShare)
}

// items are the lines or the links of all pages of a sample.
type items struct {
	hash   []uint32
	of     [][]int32 // of each page, as indices of hash
	weight []float32 // of each item; 0 = it tells no pages apart
	place  []int32   // of each item in holders; 0 = it tells none apart, or only one page has it

	holders [][]uint8 // pages that were entered
	total   []float32 // of each page that was compared
	shared  []float32 // of each page with the one that was compared last
	common  []int32   // likewise items
}

// items gathers what the pages hold; order has pages of one title together.
func (s *sample) items(order []int, of func(*Trace) []uint32) *items {
	n := 0
	for i := range s.pages {
		n += len(of(&s.pages[i].Trace))
	}
	type seen struct{ pages, titles, last uint16 }
	x := &items{hash: make([]uint32, 0, n/2), of: make([][]int32, len(order)), holders: make([][]uint8, 1),
		total: make([]float32, len(order)), shared: make([]float32, len(order)), common: make([]int32, len(order))}
	room, known, all := make([]int32, 0, n), make(map[uint32]int32, n/2), make([]seen, 0, n/2)
	for _, i := range order {
		from := len(room)
		for _, h := range of(&s.pages[i].Trace) {
			k, ok := known[h]
			if !ok {
				k = int32(len(all))
				known[h] = k
				all, x.hash = append(all, seen{}), append(x.hash, h)
			}
			if y := &all[k]; y.last != s.title[i] {
				y.last = s.title[i]
				y.titles++
			}
			all[k].pages++
			room = append(room, k)
		}
		x.of[i] = room[from:]
	}
	x.weight, x.place = make([]float32, len(all)), make([]int32, len(all))
	for k, y := range all {
		w := math.Log(max(float64(len(order))/float64(y.pages), float64(s.titles)/float64(y.titles)))
		if w < copyWeight {
			continue
		}
		if x.weight[k] = float32(w); y.pages > 1 {
			x.place[k] = int32(len(x.holders))
			x.holders = append(x.holders, nil)
		}
	}
	return x
}

// compare weighs a page and what it has in common with those that were entered.
func (x *items) compare(i int) {
	clear(x.shared)
	clear(x.common)
	for _, k := range x.of[i] {
		w := x.weight[k]
		x.total[i] += w
		for _, j := range x.holders[x.place[k]] {
			x.shared[j] += w
			x.common[j]++
		}
	}
}

// share is the part of the weight of two pages that they have in common, 0 where that is
// only a few items. The first one was compared last, the other was entered.
func (x *items) share(i, j int) float32 {
	if x.common[j] < copyItems {
		return 0
	}
	return x.shared[j] / (x.total[i] + x.total[j] - x.shared[j])
}

// enter has later pages compared with this one.
func (x *items) enter(i int) {
	for _, k := range x.of[i] {
		if p := x.place[k]; p > 0 {
			x.holders[p] = append(x.holders[p], uint8(i))
		}
	}
}

// repeated returns what stands on more than 4 of some pages and on more than one in so
// many, as ascending hashes; nothing where the pages are too few.
func (x *items) repeated(pages []int, oneIn int) (out []uint32) {
	if len(pages) < usablePages {
		return nil
	}
	n := make([]int, len(x.hash))
	for _, i := range pages {
		for _, k := range x.of[i] {
			n[k]++
		}
	}
	for k, h := range x.hash {
		if n[k] > max(4, len(pages)/oneIn) {
			out = append(out, h)
		}
	}
	slices.Sort(out)
	return out
}

// tail is the longest ending that more than half of the titles of some pages share.
func (s *sample) tail(pages []int) (tail string) {
	if len(pages) < usableTail {
		return ""
	}
	n := map[string]int{}
	for _, i := range pages {
		for _, t := range s.pages[i].tails {
			n[t]++
		}
	}
	for t, n := range n {
		if n*2 > len(pages) && (len(t) > len(tail) || len(t) == len(tail) && t < tail) {
			tail = t
		}
	}
	return tail
}
