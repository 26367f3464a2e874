package dict

import (
	"math/bits"
	"slices"
)

// step is the target of a rune in a trie: node 0 means none. dist is the node's, negative if the
// node has no children. Most have none, and reading the node itself would cost another cache miss.
type step struct {
	node uint32
	dist float32
}

// pairs maps two runes below 1<<16 from a trie's root in one lookup of an open-addressing table.
// Some characters begin thousands of words: searching those misses the cache at every step.
type pairs struct {
	shift int
	slots []pairSlot // length is a power of two, at least half empty
}

// pairSlot is the target of a pair of runes; an empty slot has none.
type pairSlot struct {
	key uint32
	step
}

// newPairs makes the table of a trie. It takes about 24 bytes for each pair of characters that
// begins a word.
func newPairs(t *trie) pairs {
	if len(t.nodes) < 3 {
		return pairs{shift: 32, slots: make([]pairSlot, 1)}
	}
	top := t.nodes[1].first // the children of the root end where those of its first child begin
	n := bits.Len32(2*(t.nodes[top].first-top) + 1)
	p := pairs{shift: 32 - n, slots: make([]pairSlot, 1<<n)}
	for node := uint32(1); node < top; node++ {
		for to := t.nodes[node].first; to < t.nodes[node+1].first; to++ {
			a, b := t.nodes[node].label, t.nodes[to].label
			if a|b >= 1<<16 {
				continue
			}
			key := pairKey(a, b)
			i := p.home(key)
			for p.slots[i].node != 0 {
				i = (i + 1) % uint32(len(p.slots))
			}
			p.slots[i] = pairSlot{key, t.stepTo(to)}
		}
	}
	return p
}

func pairKey(a, b rune) uint32 { return uint32(a)<<16 | uint32(b)&0xffff }

// home returns the slot where the search for a key begins.
func (p *pairs) home(key uint32) uint32 { return uint32(uint64(key*0x9e3779b1) >> p.shift) }

// find returns the target of a pair of runes below 1<<16.
func (p *pairs) find(key uint32) step {
	for i := p.home(key); ; i = (i + 1) & uint32(len(p.slots)-1) {
		if s := &p.slots[i]; s.key == key || s.node == 0 {
			return s.step
		}
	}
}

// glance holds a rune's target and the first slot of the pair with the next rune, before any word
// is followed.
type glance struct {
	first  step
	second pairSlot
}

// ahead reads the targets of all runes of a text without waiting for any. The tables are seldom in
// the processor's cache, and following each word to its end would wait for memory at every step.
func (t *trie) ahead(runes []rune, into []glance) []glance {
	into = slices.Grow(into[:0], len(runes))[:len(runes)]
	if len(t.nodes) == 0 {
		clear(into)
		return into
	}
	for k, r := range runes {
		after := rune(0)
		if k+1 < len(runes) {
			after = runes[k+1]
		}
		g, key := &into[k], pairKey(r, after)
		if r|after < 1<<16 {
			g.first, g.second = t.root[r], t.pairs.slots[t.pairs.home(key)]
			continue
		}
		if g.first = t.child(0, r); g.first.node != 0 {
			g.second = pairSlot{key, t.child(g.first.node, after)}
		}
	}
	return into
}

// after returns the target of a rune and the next one.
func (t *trie) after(g *glance, key uint32) step {
	if g.second.key == key || g.second.node == 0 {
		return g.second.step
	}
	return t.pairs.find(key)
}
