package dict

import "math/bits"

// pairs leads from the children of a trie's root to theirs in one look into a table with
// open addresses. Thousands of words begin with some characters: a search among those
// misses the processor's cache at every step.
type pairs struct {
	nodes uint32 // the nodes below it are children of the root, the root apart
	shift int
	slots []pairSlot // a power of two of them, half of them empty at least
}

// pairSlot says where a rune leads from a node; to 0 is an empty slot.
type pairSlot struct{ key, to uint32 }

// newPairs makes the table of a trie for runes below 1<<16. It takes some 16 bytes for
// each pair of characters that a word begins with.
func newPairs(t *trie) pairs {
	p := pairs{nodes: min(t.nodes[1].first, 1<<16)} // the root's children end where its first child's begin
	if len(t.nodes) < 3 {
		return pairs{}
	}
	last := t.nodes[p.nodes].first
	p.shift = 32 - bits.Len32(2*(last-p.nodes)+1)
	p.slots = make([]pairSlot, 1<<(32-p.shift))
	for node := uint32(1); node < p.nodes; node++ {
		for to := t.nodes[node].first; to < t.nodes[node+1].first; to++ {
			if r := t.nodes[to].label; r < 1<<16 {
				key := pairKey(node, r)
				i := p.home(key)
				for p.slots[i].to != 0 {
					i = (i + 1) % uint32(len(p.slots))
				}
				p.slots[i] = pairSlot{key, to}
			}
		}
	}
	return p
}

func pairKey(node uint32, r rune) uint32 { return node<<16 | uint32(r) }

// home is where the search for a key begins.
func (p *pairs) home(key uint32) uint32 { return key * 0x9e3779b1 >> p.shift }

// find returns the node that a rune leads to from a child of the root, 0 if there is none.
func (p *pairs) find(node uint32, r rune) uint32 {
	key := pairKey(node, r)
	for i := p.home(key); ; i = (i + 1) & uint32(len(p.slots)-1) {
		if s := p.slots[i]; s.key == key || s.to == 0 {
			return s.to
		}
	}
}
