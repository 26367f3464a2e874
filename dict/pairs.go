package dict

import (
	"math/bits"
	"slices"
)

// step is where a rune leads in a trie: to node 0 where it leads nowhere. dist is the node's,
// negative where that has no children: most have none, and to ask the node itself would miss
// the processor's cache once more.
type step struct {
	node uint32
	dist float32
}

// pairs leads from a trie's root over two runes below 1<<16 in one look into a table with
// open addresses. Thousands of words begin with some characters: a search among those
// misses the cache at every step.
type pairs struct {
	shift int
	slots []pairSlot // a power of two of them, half of them empty at least
}

// pairSlot says where a pair of runes leads; one that leads nowhere is empty.
type pairSlot struct {
	key uint32
	step
}

// newPairs makes the table of a trie. It takes some 24 bytes for each pair of characters
// that a word begins with.
func newPairs(t *trie) pairs {
	if len(t.nodes) < 3 {
		return pairs{shift: 32, slots: make([]pairSlot, 1)}
	}
	top := t.nodes[1].first // the root's children end where its first child's begin
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

// home is where the search for a key begins.
func (p *pairs) home(key uint32) uint32 { return uint32(uint64(key*0x9e3779b1) >> p.shift) }

// find returns where a pair of runes below 1<<16 leads.
func (p *pairs) find(key uint32) step {
	for i := p.home(key); ; i = (i + 1) & uint32(len(p.slots)-1) {
		if s := &p.slots[i]; s.key == key || s.node == 0 {
			return s.step
		}
	}
}

// glance is what can be known of the words that begin at a rune before any is followed:
// where the rune leads, and the first slot that may say where it leads with the next one.
type glance struct {
	first  step
	second pairSlot
}

// ahead looks at all runes of a text, one look after the other without waiting for any. The
// tables are seldom in the processor's cache, and a search that follows each word to its end
// would wait for the memory at every step.
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

// after is where a rune and the next one lead.
func (t *trie) after(g *glance, key uint32) step {
	if g.second.key == key || g.second.node == 0 {
		return g.second.step
	}
	return t.pairs.find(key)
}
