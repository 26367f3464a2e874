package dict

import (
	"cmp"
	"slices"
)

// own holds the words that always win: terms accepted by an analyst, and listed words without a
// frequency. They are taken out of a block before the engine cuts the rest. So both engines obey
// them, and neither neighbours nor a longer word of the dictionary can split them. If such words
// overlap, the longest wins, then the leftmost.
//
// The search costs one table lookup for each character that starts no such word.
type own struct{ words *trie }

// ownScratch is the working memory of one search.
type ownScratch struct {
	found []span
	taken []bool // by rune; made if words overlap
}

// apart splits listed words into those with a frequency and those that always win.
func apart(words []entry) (weighed, winners []entry) {
	for _, w := range words {
		if w.freq > 0 {
			weighed = append(weighed, w)
		} else {
			winners = append(winners, w)
		}
	}
	return weighed, winners
}

// newOwn returns nil without words. A word that e holds keeps its part of speech; others get "x".
func newOwn(words []entry, e engine) *own {
	if len(words) == 0 {
		return nil
	}
	words = sortedOnce(words)
	for i := range words {
		words[i].freq = 1
		words[i].pos, _ = e.find(words[i].word)
	}
	return &own{newTrie(words, 2)} // paths of one bit: 0 would mean "no word"
}

// find returns the winning words of sc.runes, in order and without overlaps, valid until the next
// call with sc. Like all words they begin and end with units: ic is not in basic.
func (o *own) find(sc *scratch) []span {
	found := sc.own.found[:0]
	runes := sc.runes
	overlap, last := false, int32(0) // end of the last word so far
	for k := range runes {
		at := o.words.child(0, runes[k])
		if at.node == 0 || k > 0 && latin(runes[k-1]) && latin(runes[k]) {
			continue
		}
		for e := k + 1; at.node != 0; e++ {
			inside := e < len(runes) && latin(runes[e-1]) && latin(runes[e])
			if at.dist != 0 && !inside {
				found = append(found, span{start: int32(k), end: int32(e), node: at.node, from: ofOwn})
				overlap = overlap || int32(k) < last
				last = max(last, int32(e))
			}
			if e == len(runes) {
				break
			}
			at = o.words.child(at.node, runes[e])
		}
	}
	if overlap {
		found = sc.own.choose(found, len(runes))
	}
	sc.own.found = found
	return found
}

// choose keeps the longest words, then the leftmost, so that each of n runes is in at most one
// word.
func (s *ownScratch) choose(found []span, n int) []span {
	slices.SortFunc(found, func(a, b span) int {
		return cmp.Or(cmp.Compare(b.end-b.start, a.end-a.start), cmp.Compare(a.start, b.start))
	})
	s.taken = append(s.taken[:0], make([]bool, n)...)
	kept := found[:0]
	for _, w := range found {
		if at := s.taken[w.start:w.end]; !slices.Contains(at, true) {
			for i := range at {
				at[i] = true
			}
			kept = append(kept, w)
		}
	}
	slices.SortFunc(kept, func(a, b span) int { return cmp.Compare(a.start, b.start) })
	return kept
}
