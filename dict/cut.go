package dict

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// span is one word of scratch: runes start … end-1. node is its place in the trie from, 0 if
// unknown.
type span struct {
	start, end int32
	node       uint32
	from       origin
}

// origin is the source of a word.
type origin uint8

const (
	ofBase origin = iota
	ofUser        // a listed word with a frequency
	ofOwn         // a word that always wins, see own
)

// scratch is the working memory of one cut; it is reused.
type scratch struct {
	buf   []byte  // the folded block
	runes []rune  // the same as runes
	off   []int32 // byte offset in buf of each rune, and of the end
	src   []int32 // byte offset in the source, only if trace is set
	trace bool
	words []span
	// The shortest path, by rune position from the start of a run: the length so far and the word that
	// ends there.
	best []float32
	last []span
	next []int32
	base []glance // by rune position, in the base dictionary
	user []glance // and in the user's dictionary
	keys []uint32
	own  ownScratch
}

// word returns the text of a word, valid until the next block is folded.
func (sc *scratch) word(w span) []byte { return sc.buf[sc.off[w.start]:sc.off[w.end]] }

// maxRun bounds the runes of one shortest-path search. A run ends at white
// space and punctuation; only hostile text reaches the bound.
const maxRun = 4096

// maxBlock bounds the bytes cut at once, and so the scratch memory.
const maxBlock = 64 << 10

// eachBlock calls f for the lines of text with their starts. A line longer than maxBlock is split.
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

// engine finds the words of a folded block.
type engine interface {
	// cut appends all words of the runes from … to-1 to sc.words, in order; punctuation and white space
	// are words of one rune.
	cut(sc *scratch, from, to int32)
	// pos returns the part of speech of a word that cut just found, "x" if it is unknown.
	pos(w span) string
	// find returns the part of speech of a folded word, "x" if there is none, and
	// whether the engine's dictionary holds the word.
	find(word string) (pos string, known bool)
}

// cut folds block and leaves its words in sc.words.
func (d *Dict) cut(sc *scratch, block string) {
	sc.fold(block)
	sc.words = sc.words[:0]
	at, end := int32(0), int32(len(sc.runes))
	if d.own != nil {
		for _, w := range d.own.find(sc) {
			if at < w.start {
				d.engine.cut(sc, at, w.start)
			}
			sc.words = append(sc.words, w)
			at = w.end
		}
	}
	if at < end {
		d.engine.cut(sc, at, end)
	}
}

// pos returns the part of speech of a word that cut just found.
func (d *Dict) pos(w span) string {
	if w.from == ofOwn {
		return d.own.words.posName(w.node)
	}
	return d.engine.pos(w)
}

func isHan(r rune) bool { return r >= 0x4e00 && r <= 0x9fff }

func letterOrNumber(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

// latin reports whether r joins its neighbours into one unit: letters and numbers of at most two
// bytes, as in gse.
func latin(r rune) bool { return r < 0x800 && letterOrNumber(r) }

// keep reports whether a word may become a feature: at least two runes, not too long, with a
// letter, not a stop word.
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

func (d *Dict) stops(sc *scratch, w span) bool {
	_, stop := d.stop[string(sc.word(w))]
	return stop
}

// maxWordRunes is the longest counted word; longer runs of letters are keys, hashes and base64.
const maxWordRunes = 32

func isSpace(s string) bool {
	r, n := utf8.DecodeRuneInString(s)
	return n == len(s) && (unicode.IsSpace(r) || unicode.IsControl(r))
}
