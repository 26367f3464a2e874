package dict

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"
)

// entry is one dictionary word. freq 0 means no frequency.
type entry struct {
	word string
	freq float64
	pos  string
}

// unknown is the path length of a character that is not a word, as in gse.
const unknown = 32

// trie holds words as a tree of runes in breadth-first order: the children of node i are the nodes
// nodes[i].first … nodes[i+1].first-1, sorted by label. That needs no holes and no pointers and is
// built in one pass over a sorted list. The children of a node share one or two cache lines with
// their data. Node 0 is the root and also means "no such word"; the last node only ends the
// children of the one before. It is immutable after newTrie.
type trie struct {
	nodes []trieNode
	pos   []uint8 // by node: index into names
	names []string
	root  [1 << 16]step // targets from the root by rune, hot first
	pairs pairs         // targets of the first two runes
	joins map[rune]bool // runes inside words that are neither letters nor numbers
	total float64       // sum of all frequencies
	words int
}

type trieNode struct {
	label rune
	first uint32
	dist  float32 // log2(total ÷ frequency); 0: no word ends here
}

// newTrie builds a trie from words sorted by their bytes, each once. Path
// lengths are log2(total/freq); total 0 means the sum over words.
func newTrie(words []entry, total float64) *trie {
	t := &trie{joins: map[rune]bool{}, words: len(words), total: total}
	if total == 0 {
		for _, w := range words {
			t.total += w.freq
		}
	}
	logTotal := float32(math.Log2(t.total))
	posID := map[string]uint8{}
	type span struct{ lo, hi uint32 } // words below one node
	level := []span{{0, uint32(len(words))}}
	cursor := make([]uint8, len(words)) // used bytes of each word
	// Chinese words share few prefixes: about one and a half nodes a word.
	n := len(words) + len(words)/2 + 16
	t.nodes, t.pos = make([]trieNode, 0, n+1), make([]uint8, 0, n)
	t.add(0)
	node := 0
	for len(level) > 0 {
		var next []span
		for _, s := range level {
			lo := s.lo
			if lo < s.hi && int(cursor[lo]) == len(words[lo].word) {
				w := &words[lo]
				t.nodes[node].dist = logTotal - float32(math.Log2(w.freq))
				t.pos[node] = t.posID(posID, w.pos)
				lo++
			}
			t.nodes[node].first = uint32(len(t.nodes))
			for lo < s.hi {
				r, n := utf8.DecodeRuneInString(words[lo].word[cursor[lo]:])
				hi := lo
				for hi < s.hi {
					q, _ := utf8.DecodeRuneInString(words[hi].word[cursor[hi]:])
					if q != r {
						break
					}
					cursor[hi] += uint8(n)
					hi++
				}
				if !letterOrNumber(r) {
					t.joins[r] = true
				}
				t.add(r)
				next = append(next, span{lo, hi})
				lo = hi
			}
			node++
		}
		level = next
	}
	t.nodes = append(t.nodes, trieNode{first: uint32(len(t.nodes))})
	for node := uint32(1); node < t.nodes[1].first; node++ {
		if r := t.nodes[node].label; r < 1<<16 {
			t.root[r] = t.stepTo(node)
		}
	}
	t.pairs = newPairs(t)
	return t
}

// stepTo returns the step to a node.
func (t *trie) stepTo(node uint32) step {
	s := step{node, t.nodes[node].dist}
	if t.nodes[node].first == t.nodes[node+1].first {
		s.dist = -s.dist
	}
	return s
}

func (t *trie) add(r rune) {
	t.nodes = append(t.nodes, trieNode{label: r})
	t.pos = append(t.pos, 0)
}

func (t *trie) posID(ids map[string]uint8, pos string) uint8 {
	id, ok := ids[pos]
	if !ok && len(t.names) < 256 {
		id = uint8(len(t.names))
		t.names = append(t.names, pos)
		ids[pos] = id
	}
	return id
}

func (t *trie) posName(node uint32) string {
	if name := t.names[t.pos[node]]; name != "" {
		return name
	}
	return "x"
}

// child returns the target of a rune from a node.
func (t *trie) child(node uint32, r rune) step {
	if node == 0 {
		if uint32(r) < uint32(len(t.root)) {
			return t.root[r]
		}
		if len(t.nodes) == 0 {
			return step{}
		}
	}
	lo, hi := t.nodes[node].first, t.nodes[node+1].first
	for hi-lo > 8 {
		mid := (lo + hi) / 2
		if t.nodes[mid].label <= r {
			lo = mid
		} else {
			hi = mid
		}
	}
	for ; lo < hi; lo++ {
		if n := &t.nodes[lo]; n.label == r {
			return step{lo, n.dist}
		}
	}
	return step{}
}

// find returns the node of a whole word, 0 if the trie does not hold it.
func (t *trie) find(word string) uint32 {
	node := uint32(0)
	for _, r := range word {
		if node = t.child(node, r).node; node == 0 {
			return 0
		}
	}
	if node != 0 && t.nodes[node].dist == 0 {
		return 0
	}
	return node
}

// userTrie builds the trie of listed words with a frequency; nil if there are none.
func userTrie(base *trie, words []entry) *trie {
	if len(words) == 0 || base.total == 0 {
		return nil
	}
	words = sortedOnce(words)
	for i := range words {
		// A share of more than half would make the path negative.
		words[i].freq = min(words[i].freq, base.total/2)
	}
	return newTrie(words, base.total)
}

// sortedOnce returns words for newTrie: sorted by bytes, each once; the first listed wins.
func sortedOnce(words []entry) []entry {
	words = slices.Clone(words)
	slices.SortStableFunc(words, func(a, b entry) int { return strings.Compare(a.word, b.word) })
	return slices.CompactFunc(words, func(a, b entry) bool { return a.word == b.word })
}
