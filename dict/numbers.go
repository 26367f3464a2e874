package dict

import "sync/atomic"

// numbers caches the ids of a lexicon for words of the base dictionary, by their place in the trie,
// and which of these words are never counted. A cut knows the place. So most words need neither the
// lexicon's map nor the list of stop words, which are lookups in cold memory. It takes 4 bytes a
// place, about 2 MB. A nil numbers caches nothing. It is safe for concurrent use.
type numbers struct {
	lex *Lexicon
	at  []atomic.Uint32 // 0: unknown, 1: never counted, else id + 2
}

// numbersOf returns the cache of a lexicon. A Dict usually counts for one lexicon, so only the
// first one gets a cache.
func (d *Dict) numbersOf(lex *Lexicon) *numbers {
	if n := d.numbers.Load(); n != nil {
		if n.lex == lex {
			return n
		}
		return nil
	}
	f, ok := d.engine.(*flat)
	if !ok {
		return nil
	}
	n := &numbers{lex, make([]atomic.Uint32, len(f.base.nodes))}
	if !d.numbers.CompareAndSwap(nil, n) {
		return d.numbersOf(lex)
	}
	return n
}

// of returns the cached id of a word, or NoWord, and whether the word is never counted.
func (n *numbers) of(w span) (id uint32, dropped bool) {
	if n == nil || w.from != ofBase || w.node == 0 {
		return NoWord, false
	}
	switch v := n.at[w.node].Load(); v {
	case 0:
		return NoWord, false
	case 1:
		return NoWord, true
	default:
		return v - 2, false
	}
}

func (n *numbers) drop(w span) { n.set(w, NoWord) }

// set caches the id of a word; NoWord means never counted.
func (n *numbers) set(w span, id uint32) {
	if n != nil && w.from == ofBase && w.node != 0 {
		n.at[w.node].Store(id + 2) // NoWord + 2 is 1
	}
}
