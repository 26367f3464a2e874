package article

import (
	"iter"
	"strings"
	"unicode"

	"angler/crawl/htmldoc"
)

// maxShingleBytes bounds the part of a text that is cut into shingles.
const maxShingleBytes = 256 << 10

// shingleSize is the number of letters and digits of a shingle. It is large enough that a menu has
// no shingle of a text by chance.
const shingleSize = 12

// shingles counts the shingles of the methods' texts and holds their lines.
type shingles struct {
	count map[uint64]*[methodCount]uint32
	lines map[string]uint8 // line without white space → methods with this line, one bit each
	all   [methodCount]int
}

func shinglesOf(texts [methodCount]string) shingles {
	longest := min(max(len(texts[0]), len(texts[1]), len(texts[2])), maxShingleBytes)
	s := shingles{count: make(map[uint64]*[methodCount]uint32, longest/2), lines: map[string]uint8{}}
	var room [][methodCount]uint32
	for k, text := range texts {
		text = text[:min(len(text), maxShingleBytes)]
		for run := range eachShingle(text) {
			c := s.count[run]
			if c == nil {
				if len(room) == 0 {
					room = make([][methodCount]uint32, 256)
				}
				c, room = &room[0], room[1:]
				s.count[run] = c
			}
			c[k]++
			s.all[k]++
		}
		for line := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '\n' || r == '\t' }) {
			s.lines[string(htmldoc.Squeeze(nil, line))] |= 1 << k
		}
	}
	return s
}

// votesFor returns the share of a line in each method's text: 1 if the text has the line, else the
// share of its shingles.
func (s *shingles) votesFor(line string) (votes [methodCount]float64) {
	all := 0
	for run := range eachShingle(line) {
		all++
		if c := s.count[run]; c != nil {
			for k := range methodCount {
				votes[k] += indicator(c[k] > 0)
			}
		}
	}
	whole := s.lines[string(htmldoc.Squeeze(nil, line))]
	for k := range methodCount {
		votes[k] = max(votes[k]/float64(max(1, all)), float64(whole>>k&1))
	}
	return votes
}

// likeness returns the F1 of the texts of methods a and b, 0 … 1. It is 0 if both are empty.
func (s *shingles) likeness(a, b int) float64 {
	if s.all[a]+s.all[b] == 0 {
		return 0
	}
	both := 0
	for _, c := range s.count {
		both += int(min(c[a], c[b]))
	}
	return 2 * float64(both) / float64(s.all[a]+s.all[b])
}

// eachShingle yields the hashes of all sequences of shingleSize letters or digits of a text. It
// ignores case.
func eachShingle(s string) iter.Seq[uint64] {
	const base = 1099511628211
	out := uint64(1) // base to the power of shingleSize
	for range shingleSize {
		out *= base
	}
	return func(yield func(uint64) bool) {
		var last [shingleSize]uint64
		var hash uint64
		n := 0
		for _, r := range s {
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				continue
			}
			c := uint64(unicode.ToLower(r))
			hash = hash*base + c - last[n%shingleSize]*out
			last[n%shingleSize] = c
			if n++; n >= shingleSize && !yield(hash) {
				return
			}
		}
	}
}
