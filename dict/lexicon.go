package dict

import (
	"math"
	"sync"
	"sync/atomic"
)

// NoWord is the id of a word that the full lexicon could not number.
const NoWord = math.MaxUint32

// maxWords bounds a lexicon. Real sites need about 200 000 words; a site that invents words must
// not use up the memory.
const maxWords = 4 << 20

// Lexicon numbers words from 0 in order of first occurrence. It only grows, and an id never changes
// its word, so ids may be stored. All methods are safe for concurrent use; Word and Len take no
// lock.
type Lexicon struct {
	mu    sync.RWMutex
	ids   map[string]uint32
	words atomic.Pointer[[]string] // grows in place; a published prefix never changes
	salt  uint64                   // distinguishes lexicons in the block cache
}

var lexicons atomic.Uint64

// NewLexicon returns a lexicon that holds words at ids 0, 1, 2 …, as Since returned them. A
// repeated word keeps its first id.
func NewLexicon(words []string) *Lexicon {
	l := &Lexicon{ids: make(map[string]uint32, len(words)), salt: lexicons.Add(1)}
	own := append(make([]string, 0, len(words)+1024), words...)
	for i, w := range own {
		if _, twice := l.ids[w]; !twice {
			l.ids[w] = uint32(i)
		}
	}
	l.words.Store(&own)
	return l
}

// Len returns the number of words.
func (l *Lexicon) Len() int { return len(*l.words.Load()) }

// Word returns the word of id, "" if there is none.
func (l *Lexicon) Word(id uint32) string {
	if words := *l.words.Load(); uint64(id) < uint64(len(words)) {
		return words[id]
	}
	return ""
}

// Lookup returns the id of word.
func (l *Lexicon) Lookup(word string) (uint32, bool) {
	l.mu.RLock()
	id, ok := l.ids[word]
	l.mu.RUnlock()
	return id, ok
}

// Lookups calls f with a Lookup that takes one lock for all words; f must not keep the words or
// call the lexicon itself.
func (l *Lexicon) Lookups(f func(lookup func(word []byte) (uint32, bool))) {
	l.mu.RLock()
	defer l.mu.RUnlock()
	f(func(word []byte) (uint32, bool) {
		id, ok := l.ids[string(word)]
		return id, ok
	})
}

// Intern returns the id of word and numbers a new word; NoWord if the lexicon is full.
func (l *Lexicon) Intern(word string) uint32 {
	if id, ok := l.Lookup(word); ok {
		return id
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.intern(word)
}

// intern is Intern; the caller holds the write lock.
func (l *Lexicon) intern(word string) uint32 {
	if id, ok := l.ids[word]; ok {
		return id
	}
	words := *l.words.Load()
	if len(words) >= maxWords {
		return NoWord
	}
	id := uint32(len(words))
	// Readers hold the old header and never read past its length.
	words = append(words, word)
	l.words.Store(&words)
	l.ids[word] = id
	return id
}

// Since returns the words with ids n, n+1 …, so that a store can follow. Do not change the result.
func (l *Lexicon) Since(n int) []string {
	words := *l.words.Load()
	if n < 0 || n >= len(words) {
		return nil
	}
	return words[n:len(words):len(words)]
}
