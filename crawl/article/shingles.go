package article

import (
	"iter"
	"strings"
	"unicode"

	"angler/crawl/htmldoc"
)

// mostShingles is how many bytes of a text are cut into shingles.
const mostShingles = 256 << 10

// shingleSize is how many letters and digits a shingle has: so many that a menu's
// words do not make one that a text has by chance.
const shingleSize = 12

// shingles counts the shingles of the methods' texts, and notes their lines.
type shingles struct {
	count map[uint64]*[voters]uint32
	lines map[string]uint8 // a line without white space → the methods that have it, a bit each
	all   [voters]int
}

func shinglesOf(texts [voters]string) shingles {
	longest := min(max(len(texts[0]), len(texts[1]), len(texts[2])), mostShingles)
	s := shingles{count: make(map[uint64]*[voters]uint32, longest/2), lines: map[string]uint8{}}
	var room [][voters]uint32
	for k, text := range texts {
		text = text[:min(len(text), mostShingles)]
		for run := range eachShingle(text) {
			c := s.count[run]
			if c == nil {
				if len(room) == 0 {
					room = make([][voters]uint32, 256)
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

// votesFor returns which share of a line each method's text holds: all of it where it
// has the line, else that of its shingles.
func (s *shingles) votesFor(line string) (votes [voters]float64) {
	all := 0
	for run := range eachShingle(line) {
		all++
		if c := s.count[run]; c != nil {
			for k := range voters {
				votes[k] += truth(c[k] > 0)
			}
		}
	}
	whole := s.lines[string(htmldoc.Squeeze(nil, line))]
	for k := range voters {
		votes[k] = max(votes[k]/float64(max(1, all)), float64(whole>>k&1))
	}
	return votes
}

// likeness is the F1 of two methods' texts, 0 … 1; 0 when both are empty.
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

// eachShingle yields the hashes of the runs of shingleSize letters or digits of a
// text, whatever their case.
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
