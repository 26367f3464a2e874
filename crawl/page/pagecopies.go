package page

import (
	"math"
	"slices"
)

// One page may have many addresses: with other sort orders, a session id or growing parameters.
// Copies of a page have rare lines or rare link targets in common. Lines and links of all pages
// of the host have no weight. The pages of one title count as one page in the weights, because
// copies may be most of the sample.

const (
	minCopyShare       = .5  // common share of the weight of two copies with one title, at least
	minOtherTitleShare = .9  // common share of the weight of two copies with different titles, at least
	minCopyItems       = 5   // lines or links that two copies have in common, at least
	minItemWeight      = .25 // weight of a line or link that distinguishes pages, at least
	maxPagesPerTitle   = 4   // mean pages of a title on a host whose titles distinguish pages, at most
)

// sample holds the pages of a host's sample with their lines and links.
type sample struct {
	pages        []sampled
	title        []uint16 // title number of each page, from 1
	titles       int      // distinct titles
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
	s.lines = s.gatherItems(order, func(t *Trace) []uint32 { return t.lines })
	s.links = s.gatherItems(order, func(t *Trace) []uint32 { return t.targets })
	return s
}

// distinct returns the indices of the pages that are no copies of earlier pages.
func (s *sample) distinct() (kept []int) {
	for i := range s.pages {
		s.lines.compare(i)
		s.links.compare(i)
		if !slices.ContainsFunc(kept, func(j int) bool { return s.isCopy(i, j) }) {
			s.lines.add(i)
			s.links.add(i)
			kept = append(kept, i)
		}
	}
	return kept
}

// isCopy reports whether page i, compared last, is a copy of page j. Details of a section share
// the links of its menu and have hardly any others. So common links count only where titles
// distinguish pages.
func (s *sample) isCopy(i, j int) bool {
	lines := s.lines.share(i, j)
	return lines >= minOtherTitleShare || s.title[i] == s.title[j] &&
		(lines >= minCopyShare || s.titles*maxPagesPerTitle >= len(s.pages) && s.links.share(i, j) >= minCopyShare)
}

// items holds the lines or the links of all pages of a sample.
type items struct {
	hash        []uint32  // of each item
	pageItems   [][]int32 // items of each page, as indices of hash
	weight      []float32 // of each item; 0 means that it does not distinguish pages
	holderIndex []int32   // of each item in holders; 0 means that it has no weight or stands on one page

	holders [][]uint8 // pages added so far, by holderIndex
	total   []float32 // weight of each compared page
	shared  []float32 // weight that each added page has in common with the page compared last
	common  []int32   // items that each added page has in common with the page compared last
}

// gatherItems collects the lines or links of the pages and weighs them. order lists the pages of
// one title one after the other.
func (s *sample) gatherItems(order []int, hashes func(*Trace) []uint32) *items {
	n := 0
	for i := range s.pages {
		n += len(hashes(&s.pages[i].Trace))
	}
	type seen struct{ pages, titles, last uint16 }
	x := &items{hash: make([]uint32, 0, n/2), pageItems: make([][]int32, len(order)), holders: make([][]uint8, 1),
		total: make([]float32, len(order)), shared: make([]float32, len(order)), common: make([]int32, len(order))}
	room, known, all := make([]int32, 0, n), make(map[uint32]int32, n/2), make([]seen, 0, n/2)
	for _, i := range order {
		from := len(room)
		for _, h := range hashes(&s.pages[i].Trace) {
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
		x.pageItems[i] = room[from:]
	}
	x.weight, x.holderIndex = make([]float32, len(all)), make([]int32, len(all))
	for k, y := range all {
		w := math.Log(max(float64(len(order))/float64(y.pages), float64(s.titles)/float64(y.titles)))
		if w < minItemWeight {
			continue
		}
		if x.weight[k] = float32(w); y.pages > 1 {
			x.holderIndex[k] = int32(len(x.holders))
			x.holders = append(x.holders, nil)
		}
	}
	return x
}

// compare sums the weight of page i and the weights it has in common with each added page.
func (x *items) compare(i int) {
	clear(x.shared)
	clear(x.common)
	for _, k := range x.pageItems[i] {
		w := x.weight[k]
		x.total[i] += w
		for _, j := range x.holders[x.holderIndex[k]] {
			x.shared[j] += w
			x.common[j]++
		}
	}
}

// share returns the common share of the weight of two pages, 0 … 1; 0 for less than minCopyItems
// common items. Page i was compared last, page j was added.
func (x *items) share(i, j int) float32 {
	if x.common[j] < minCopyItems {
		return 0
	}
	return x.shared[j] / (x.total[i] + x.total[j] - x.shared[j])
}

// add includes page i in later comparisons.
func (x *items) add(i int) {
	for _, k := range x.pageItems[i] {
		if p := x.holderIndex[k]; p > 0 {
			x.holders[p] = append(x.holders[p], uint8(i))
		}
	}
}

// repeated returns the ascending hashes of items on more than 4 of the pages and on more than
// one page in oneIn. It returns nil for less than minProfilePages pages.
func (x *items) repeated(pages []int, oneIn int) (out []uint32) {
	if len(pages) < minProfilePages {
		return nil
	}
	n := make([]int, len(x.hash))
	for _, i := range pages {
		for _, k := range x.pageItems[i] {
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

// tail returns the longest ending of more than half of the pages' titles. It returns "" for
// less than minTailPages pages.
func (s *sample) tail(pages []int) (tail string) {
	if len(pages) < minTailPages {
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
