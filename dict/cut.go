package dict

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// span is one word of scratch: runes start … end-1. node is its place in the
// trie, 0 if it is unknown; user says which trie.
type span struct {
	start, end int32
	node       uint32
	dist       float32
	user       bool
}

// scratch is the working memory of one cut, reused from call to call.
type scratch struct {
	buf   []byte  // the folded block
	runes []rune  // the same as runes
	off   []int32 // byte offset in buf of each rune, and of the end
	src   []int32 // byte offset in the source, only when trace is set
	trace bool
	words []span
	// The shortest path, by rune position from the start of a run: length so
	// far and the word that ends there.
	best []float32
	last []span
	next []int32
	keys []uint32
}

// maxRun bounds the runes of one shortest-path search. A run ends at white
// space and punctuation; only hostile text reaches the bound.
const maxRun = 4096

// maxBlock bounds the bytes that are cut at once, and so the scratch memory.
const maxBlock = 64 << 10

// eachBlock calls f for the lines of text and where they start. A line longer
// than maxBlock comes in pieces.
func eachBlock(text string, f func(at int, block string)) {
	for at := 0; at < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n
		}
		for end-at > maxBlock {
			cut := at + maxBlock
			for cut > at+maxBlock-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
				cut--
			}
			f(at, text[at:cut])
			at = cut
		}
		f(at, text[at:end])
		at = end + 1
	}
}

// cut folds block and leaves its words in sc.words. Punctuation and white space
// are words of one rune.
func (d *Dict) cut(sc *scratch, block string) {
	sc.fold(block)
	sc.words = sc.words[:0]
	n := len(sc.runes)
	for i := 0; i < n; {
		if d.breaks(sc.runes[i]) {
			sc.words = append(sc.words, span{start: int32(i), end: int32(i + 1), dist: unknown})
			i++
			continue
		}
		j := i + 1
		for j < n && j-i < maxRun && !d.breaks(sc.runes[j]) {
			j++
		}
		d.path(sc, i, j)
		i = j
	}
}

// breaks reports that no word reaches over r.
func (d *Dict) breaks(r rune) bool {
	if isHan(r) || letterOrNumber(r) || d.base.joins[r] {
		return false
	}
	return d.user == nil || !d.user.joins[r]
}

func isHan(r rune) bool { return r >= 0x4e00 && r <= 0x9fff }

func letterOrNumber(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// latin reports that r joins its neighbours into one unit: letters and numbers
// of at most two bytes, gse's rule.
func latin(r rune) bool { return r < 0x800 && letterOrNumber(r) }

// path appends the words of runes i … j-1: the cut with the smallest sum of
// log2(total ÷ frequency), the first found among equals, as gse's Segment does.
// A unit is a run of Latin letters and digits or any other single rune; words
// begin and end with units.
func (d *Dict) path(sc *scratch, i, j int) {
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
	for k := 0; k < n; k = int(next[k]) {
		single := d.base.walk(runes, next, k, i, best, last, false)
		if d.user != nil && d.user.walk(runes, next, k, i, best, last, true) {
			single = true
		}
		if e := next[k]; !single && best[k]+unknown < best[e] {
			best[e] = best[k] + unknown
			last[e] = span{start: int32(i + k), end: int32(i) + e, dist: unknown}
		}
	}
	from := len(sc.words)
	for k := n; k > 0; k = int(last[k].start) - i {
		sc.words = append(sc.words, last[k])
	}
	for a, b := from, len(sc.words)-1; a < b; a, b = a+1, b-1 {
		sc.words[a], sc.words[b] = sc.words[b], sc.words[a]
	}
}

// walk offers every word of t that starts at k to the search, and reports
// whether one of them is a single unit.
func (t *trie) walk(runes []rune, next []int32, k, base int, best []float32, last []span, user bool) (single bool) {
	node := uint32(0)
	for p := k; p < len(runes); {
		e := int(next[p])
		for ; p < e; p++ {
			if node = t.child(node, runes[p]); node == 0 {
				return single
			}
		}
		dist := t.dist[node]
		if dist == 0 {
			continue
		}
		single = single || e == int(next[k])
		if sum := best[k] + dist; sum < best[e] || user && sum == best[e] {
			best[e] = sum
			last[e] = span{start: int32(base + k), end: int32(base + e), node: node, dist: dist, user: user}
		}
	}
	return single
}

// keep reports whether a word may become a feature: two runes at least, not
// absurdly long, a letter in it, no stop word.
func (d *Dict) keep(sc *scratch, w span, word []byte) bool {
	if n := w.end - w.start; n < 2 || n > maxWordRunes {
		return false
	}
	letter := false
	for _, r := range sc.runes[w.start:w.end] {
		if isHan(r) || unicode.IsLetter(r) {
			letter = true
			break
		}
	}
	if !letter {
		return false
	}
	_, stop := d.stop[string(word)]
	return !stop
}

// maxWordRunes is the longest word that is counted; longer runs of letters are
// keys, hashes and base64.
const maxWordRunes = 32

func isSpace(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	return n == len(s) && (unicode.IsSpace(r) || unicode.IsControl(r))
}
