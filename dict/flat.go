package dict

import "slices"

// flat cuts with two tries: the base dictionary and the listed words with a frequency. It is the
// engine of every crawl.
type flat struct {
	base *trie
	user *trie // nil if there are no such words
}

// loadFlat never returns nil: an engine without words cuts into characters.
func loadFlat(words []entry) (*flat, error) {
	base, err := loadBase()
	if err != nil {
		return &flat{base: &trie{}}, err
	}
	return &flat{base: base, user: userTrie(base, words)}, nil
}

func (f *flat) cut(sc *scratch, from, to int32) {
	n := int(to)
	for i := int(from); i < n; {
		if f.breaks(sc.runes[i]) {
			sc.words = append(sc.words, span{start: int32(i), end: int32(i + 1)})
			i++
			continue
		}
		j := i + 1
		for j < n && j-i < maxRun && !f.breaks(sc.runes[j]) {
			j++
		}
		f.path(sc, i, j)
		i = j
	}
}

// breaks reports whether no word spans r.
func (f *flat) breaks(r rune) bool {
	if isHan(r) || letterOrNumber(r) || f.base.joins[r] {
		return false
	}
	return f.user == nil || !f.user.joins[r]
}

// path appends the words of runes i … j-1: the cut with the smallest sum of log2(total ÷
// frequency), the first of equal ones, like gse's Segment. A unit is a run of Latin letters and
// digits or any other single rune; words begin and end with units.
func (f *flat) path(sc *scratch, i, j int) {
	n := j - i
	if cap(sc.best) <= n {
		sc.best = make([]float32, n+n/2+64)
		sc.last = make([]span, n+n/2+64)
		sc.next = make([]int32, n+n/2+64)
	}
	runes, best, last, next := sc.runes[i:j], sc.best[:n+1], sc.last[:n+1], sc.next[:n+1]
	// next[k] is the end of the unit that starts at k; 0 inside a unit.
	for k := 0; k < n; {
		e := k + 1
		next[k] = int32(e)
		if latin(runes[k]) {
			for e < n && latin(runes[e]) {
				next[e] = 0
				e++
			}
			next[k] = int32(e)
		}
		k = e
	}
	const inf = 1e30
	for k := range best {
		best[k] = inf
	}
	best[0] = 0
	sc.base = f.base.ahead(runes, sc.base)
	if f.user != nil {
		sc.user = f.user.ahead(runes, sc.user)
	}
	for k := 0; k < n; k = int(next[k]) {
		single := f.base.walk(runes, sc.base, next, k, i, best, last, ofBase)
		if f.user != nil && f.user.walk(runes, sc.user, next, k, i, best, last, ofUser) {
			single = true
		}
		if e := next[k]; !single && best[k]+unknown < best[e] {
			best[e] = best[k] + unknown
			last[e] = span{start: int32(i + k), end: int32(i) + e}
		}
	}
	from := len(sc.words)
	for k := n; k > 0; k = int(last[k].start) - i {
		sc.words = append(sc.words, last[k])
	}
	slices.Reverse(sc.words[from:])
}

// walk offers every word of t that starts at k to the search, and reports whether one of them is a
// single unit.
func (t *trie) walk(runes []rune, seen []glance, next []int32, k, base int, best []float32, last []span,
	from origin) (single bool) {
	at := seen[k].first
	for p := k; p < len(runes); {
		e := int(next[p])
		for ; p < e; p++ {
			switch p - k {
			case 0:
			case 1:
				at = t.after(&seen[k], pairKey(runes[k], runes[p]))
			default:
				at = t.child(at.node, runes[p])
			}
			if at.node == 0 {
				return single
			}
		}
		if at.dist == 0 {
			continue // only the beginning of a word
		}
		single = single || e == int(next[k])
		dist := max(at.dist, -at.dist)
		if sum := best[k] + dist; sum < best[e] || from == ofUser && sum == best[e] {
			best[e] = sum
			last[e] = span{start: int32(base + k), end: int32(base + e), node: at.node, from: from}
		}
		if at.dist < 0 {
			break
		}
	}
	return single
}

// pos returns the part of speech of a word.
func (f *flat) pos(w span) string {
	switch {
	case w.node == 0:
		return "x"
	case w.from == ofUser:
		return f.user.posName(w.node)
	}
	return f.base.posName(w.node)
}

// find looks a word up in both tries.
func (f *flat) find(word string) (pos string, known bool) {
	if f.user != nil {
		if node := f.user.find(word); node != 0 {
			return f.user.posName(node), true
		}
	}
	if node := f.base.find(word); node != 0 {
		return f.base.posName(node), true
	}
	return "x", false
}
