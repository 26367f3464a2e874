// Package dict cuts text into words for every other package. It cuts Chinese text with gse's
// simplified dictionary, normalises the words, drops those without a topic, and counts the rest by
// small integer ids.
//
// gse itself needs 2 to 4 s and 130 MB to load that dictionary. So the same words are stored as a
// compressed list (base.txt.zst, made from gse's data by go generate). A flat trie cuts by the same
// rule, the shortest path over word probabilities. It loads in a tenth of a second in the
// background, takes about 12 MB, and needs a quarter of gse's time for a page. A test compares list
// and cuts with gse: of 10 000 words at most one differs. With Options.Engine set to gse, gse
// itself cuts; each such Dict loads it.
//
// The counts of a text block are cached by its hash, so navigation and footers, which repeat on
// every page of a site, cost almost nothing the second time.
//
// Ids belong to one Lexicon, and counts to one state of the dictionary. A new user word needs a new
// Dict, and pages counted by the old one are then outdated (compare Fingerprint).
package dict

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"
)

// The engines that cut text.
const (
	EngineFlat = "flat" // the flat trie, the default
	EngineGse  = "gse"  // go-ego/gse itself
)

// Options adds words to the base dictionary and selects the engine.
type Options struct {
	// Engine is EngineFlat, which "" also means, or EngineGse. They give nearly the same words; gse is
	// for comparison, and costs 2 to 4 s and 130 MB.
	Engine string
	// UserWords lists further words, "word [frequency [part-of-speech]]" a line, the format of gse and
	// jieba. A word with a frequency competes by it with words of the dictionary. A word without one
	// always wins: it is cut as one word wherever it occurs, unless a longer such word covers it. The
	// encoding is UTF-8, or GBK if the bytes are not UTF-8.
	UserWords io.Reader
	// StopWords lists further words to drop, one a line.
	StopWords io.Reader
	// Cache bounds the number of cached text blocks; 0 means 32 768, about 10 MB when full. A negative
	// value disables the cache.
	Cache int
}

// Dict cuts and counts text. Open makes one; it is safe for concurrent use. Methods that need words
// wait until the dictionary is loaded.
type Dict struct {
	ready       chan struct{}
	begun       time.Time // when gse started to load; zero for the flat trie
	err         error
	problems    []problem
	engine      engine
	own         *own // words that always win; nil if there are none
	stop        map[string]struct{}
	fingerprint uint64
	cache       *blockCache
	numbers     atomic.Pointer[numbers] // of the lexicon that counted first
	scratch     sync.Pool
}

// Open returns at once and loads in the background; Ready is closed at the end. Loading reads the
// readers of Options to their end and does not close them.
func Open(o Options) *Dict {
	d := &Dict{ready: make(chan struct{}), cache: newBlockCache(o.Cache)}
	if o.Engine == EngineGse {
		d.begun = time.Now()
	}
	d.scratch.New = func() any { return new(scratch) }
	go d.load(o)
	return d
}

// Shared returns the process-wide dictionary without user words. The first
// call starts loading it.
var Shared = sync.OnceValue(func() *Dict { return Open(Options{}) })

func (d *Dict) load(o Options) {
	defer close(d.ready)
	var words []entry
	if o.UserWords != nil {
		var ps []problem
		var err error
		words, ps, err = readWords(o.UserWords)
		d.note(ps, "user words", err)
	}
	d.stop = ownStopWords()
	if o.StopWords != nil {
		ps, err := readStopWords(o.StopWords, d.stop)
		d.note(ps, "stop words", err)
	}
	d.fingerprint = fingerprint(o.Engine, words, d.stop)
	words, winners := apart(words)
	var err error
	switch o.Engine {
	case EngineGse:
		d.engine, err = loadGse(words)
	case EngineFlat, "":
		d.engine, err = loadFlat(words)
	default:
		d.engine, _ = loadFlat(words)
		err = fmt.Errorf("segmenter %q is unknown; use %s or %s", clip(o.Engine), EngineFlat, EngineGse)
	}
	if err != nil {
		d.err = err
	}
	d.own = newOwn(winners, d.engine)
}

func (d *Dict) note(ps []problem, file string, err error) {
	for _, p := range ps {
		p.File = file
		d.problems = append(d.problems, p)
	}
	if err != nil && d.err == nil {
		d.err = fmt.Errorf("read %s: %w", file, err)
	}
}

// Loading returns the number of words in the base dictionary and an estimate of the remaining time.
// gse reports no progress, so the estimate is the duration of this process's last load, and several
// seconds for the first. Both are 0 once it is loaded, or if it takes less than a second.
func (d *Dict) Loading() (words int, left time.Duration) {
	select {
	case <-d.ready:
		return 0, 0
	default:
	}
	if d.begun.IsZero() {
		return 0, 0
	}
	return gseHolds, max(0, time.Duration(gseTakes.Load())-time.Since(d.begun))
}

// Ready is closed when the dictionary is loaded.
func (d *Dict) Ready() <-chan struct{} { return d.ready }

// Wait blocks until the dictionary is loaded and returns Err, or until ctx is done and returns its
// error.
func (d *Dict) Wait(ctx context.Context) error {
	select {
	case <-d.ready:
		return d.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Err waits for the load and returns its error: a list that could not be read. The words read
// before it are in use.
func (d *Dict) Err() error { <-d.ready; return d.err }

// Problems waits for the load and returns the skipped lines.
func (d *Dict) Problems() []problem { <-d.ready; return d.problems }

// Fingerprint identifies the words and stop words in use: dictionaries with the same fingerprint
// count every text alike. It waits for the load.
func (d *Dict) Fingerprint() uint64 { <-d.ready; return d.fingerprint }

// words returns the words of text that may become features, in order. They are folded (NFKC, lower
// case, half width), without single characters, numbers, punctuation and stop words.
func (d *Dict) words(text string) []string {
	<-d.ready
	sc := d.scratch.Get().(*scratch)
	defer d.scratch.Put(sc)
	var out []string
	eachBlock(text, func(_ int, block string) {
		d.cut(sc, block)
		for _, w := range sc.words {
			if b := sc.word(w); d.keep(sc, w, b) {
				out = append(out, string(b))
			}
		}
	})
	return out
}

// Token is one word of a text as the segmenter cut it.
type Token struct {
	Text  string `json:"text"`  // folded: NFKC, lower case
	POS   string `json:"pos"`   // part of speech, ICTCLAS tags; "x" if the word is unknown
	Start int    `json:"start"` // byte offsets into the text given to Segment; tokens that
	End   int    `json:"end"`   // of one character (℃) share its offsets
	Stop  bool   `json:"stop"`  // in the list of stop words
}

// Segment cuts text into all its tokens except white space.
func (d *Dict) Segment(text string) []Token {
	<-d.ready
	sc := d.scratch.Get().(*scratch)
	defer d.scratch.Put(sc)
	var out []Token
	eachBlock(text, func(at int, block string) {
		sc.trace = true
		d.cut(sc, block)
		sc.trace = false
		for _, w := range sc.words {
			t := string(sc.word(w))
			if isSpace(t) {
				continue
			}
			out = append(out, Token{
				Text: t, POS: d.pos(w), Stop: d.stops(sc, w),
				Start: at + int(sc.src[w.start]), End: at + sc.srcEnd(w.end),
			})
		}
	})
	return out
}

// known reports whether the dictionary holds word, independent of any text. It waits for the load.
func (d *Dict) known(word string) bool {
	<-d.ready
	word = foldWord(word)
	if d.own != nil && d.own.words.find(word) != 0 {
		return true
	}
	_, known := d.engine.find(word)
	return known
}
