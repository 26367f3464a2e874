package dict

import (
	"cmp"
	"hash/maphash"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// This file finds the words of a field that a general dictionary cuts to
// pieces: it counts runs of two to five segments whose parts of speech look like
// a noun compound, and ranks them by C-value (P2 2.3; Frantzi 1999), which asks
// of each run whether it stands on its own or only inside longer ones. An
// analyst looks the list over and takes what is right into the user dictionary;
// from then on 世界石油大会 is one word.
//
// It costs one segmentation of every line that was not seen before, and some
// 150 bytes a candidate, bounded. A menu that stands on every page would be the
// site's first term, so a line counts once, however many pages show it.
//
// P0 … P4: see docs/papers.md.

// TermOptions says what may be a term. The zero value is what P2 does.
type TermOptions struct {
	// Patterns lists the allowed sequences of parts of speech, "n+vn+n": two
	// to five ICTCLAS tags, a trailing * standing for any ending ("n*" is n,
	// ns, nz …). Nil means DefaultPatterns.
	Patterns []string
	// MinCount is how often a term must occur at least; 0 means 2. A run of
	// nine characters exceeds 3.0 with a single occurrence, and says nothing.
	MinCount int
	// Own reports words that analysts accepted as terms; it may be nil. The
	// dictionary knows no part of speech of theirs. Here they count as nz,
	// proper nouns, so that a longer term may hold them.
	Own func(word string) bool
	// Examples is how many places of use are kept with a term; 0 means 2, a
	// negative number none.
	Examples int
	// Limit bounds the candidates in memory; 0 means 200 000, some 30 MB. When
	// it is reached the rarest are forgotten, see Collector.Forgotten.
	Limit int
}

// defaultThreshold is the C-value that P2 2.3.3 found best.
const defaultThreshold = 3.0

// The defaults of Options.
const (
	defaultMinCount = 2
	defaultExamples = 2
	defaultLimit    = 200_000
)

// Term is one found term.
type Term struct {
	Word     string   `json:"word"`     // folded, as the dictionary holds words
	Segments []string `json:"segments"` // what the dictionary cuts it into
	POS      string   `json:"pos"`      // of the segments: "n+n+n"
	CValue   float64  `json:"c_value"`
	Count    int      `json:"count"`  // occurrences on distinct lines
	Pages    int      `json:"pages"`  // pages that brought them
	Inside   int      `json:"inside"` // longer candidates that hold it, P(Tₐ)
	Examples []string `json:"examples,omitempty"`
}

// Collector counts candidates page by page. It is not safe for concurrent use.
type Collector struct {
	d        *Dict
	o        TermOptions
	patterns *node
	found    map[string]*candidate // by segments joined with a space
	lines    recent
	pages    int
	floor    int // counts below may have been forgotten
}

type candidate struct {
	pos      string
	count    int
	pages    int
	page     int // the last page that brought it
	examples []string
}

// New returns a Collector that cuts with d. The error names a malformed
// pattern.
func New(d *Dict, o TermOptions) (*Collector, error) {
	if o.Patterns == nil {
		o.Patterns = DefaultPatterns
	}
	o.MinCount = cmp.Or(max(o.MinCount, 0), defaultMinCount)
	o.Examples = cmp.Or(o.Examples, defaultExamples)
	o.Limit = cmp.Or(max(o.Limit, 0), defaultLimit)
	p, err := compile(o.Patterns)
	if err != nil {
		return nil, err
	}
	return &Collector{d: d, o: o, patterns: p, found: map[string]*candidate{}, lines: recent{seed: maphash.MakeSeed()}}, nil
}

// Add counts the text of one page, lines separated by '\n'. It waits for the
// dictionary.
func (c *Collector) Add(text string) {
	c.pages++
	for line := range strings.SplitSeq(text, "\n") {
		if len(line) < 2*utf8.UTFMax-2 || !c.lines.add(line) { // one Han character at most
			continue
		}
		c.line(line)
	}
	if len(c.found) > c.o.Limit {
		c.forget()
	}
}

// Pages returns how many pages were added.
func (c *Collector) Pages() int { return c.pages }

// Forgotten returns the count up to which candidates were forgotten because
// Limit was reached; counts of what is left may be short by as much. 0 means
// that nothing was.
func (c *Collector) Forgotten() int { return c.floor }

func (c *Collector) line(line string) {
	tokens := c.d.Segment(line)
	var alive, next []*node
	var key, pos strings.Builder
	for i := range tokens {
		alive = append(alive[:0], c.patterns)
		key.Reset()
		pos.Reset()
		for j := i; j < len(tokens) && len(alive) > 0; j++ {
			t := &tokens[j]
			if j > i {
				if tokens[j-1].End != t.Start {
					break // white space or a line's end between them
				}
				key.WriteByte(' ')
				pos.WriteByte('+')
			}
			if noise(t) {
				break
			}
			tag := c.tag(t)
			key.WriteString(t.Text)
			pos.WriteString(tag)
			end := false
			next, end = termStep(alive, tag, next[:0])
			alive, next = next, alive
			if end {
				c.count(key.String(), pos.String(), line, tokens[i].Start, t.End)
			}
		}
	}
}

// tag returns the part of speech of t.
func (c *Collector) tag(t *Token) string {
	if t.POS == "x" && c.o.Own != nil && c.o.Own(t.Text) {
		return "nz"
	}
	return t.POS
}

// noise reports that no term holds t (P2 2.3.3, step 2): single-character verbs,
// symbols, and our stop words.
func noise(t *Token) bool {
	if t.Stop || t.POS[0] == 'v' && utf8.RuneCountInString(t.Text) == 1 {
		return true
	}
	return !strings.ContainsFunc(t.Text, unicode.IsLetter)
}

func (c *Collector) count(key, pos, line string, start, end int) {
	k := c.found[key]
	if k == nil {
		k = &candidate{pos: pos}
		c.found[key] = k
	}
	k.count++
	if k.page != c.pages {
		k.page = c.pages
		k.pages++
	}
	// Most candidates occur once; an example is kept from the second time on.
	if k.count > 1 && len(k.examples) < c.o.Examples {
		k.examples = append(k.examples, around(line, start, end))
	}
}

// contextRunes is how much of the line an example shows on either side.
const contextRunes = 12

// around returns a copy of line[start:end] with what stands around it.
func around(line string, start, end int) string {
	for n := 0; n < contextRunes && start > 0; n++ {
		_, size := utf8.DecodeLastRuneInString(line[:start])
		start -= size
	}
	for n := 0; n < contextRunes && end < len(line); n++ {
		_, size := utf8.DecodeRuneInString(line[end:])
		end += size
	}
	return strings.ToValidUTF8(strings.Join(strings.Fields(line[start:end]), " "), "\ufffd")
}

// forget drops the rarest candidates until a quarter of the room is free (the
// lossy counting of Manku and Motwani 2002, without its error per entry).
func (c *Collector) forget() {
	for len(c.found) > c.o.Limit*3/4 {
		c.floor++
		for key, k := range c.found {
			if k.count <= c.floor {
				delete(c.found, key)
			}
		}
	}
}

// Terms returns the terms found so far whose C-value exceeds threshold, the
// highest first, at most most of them (all if most ≤ 0). A threshold that is not
// above 0 means defaultThreshold. The Collector can be fed further.
//
//	C-value(a) = log₂|a| · f(a)                       if no candidate holds a
//	C-value(a) = log₂|a| · (f(a) − Σ f(b) ÷ P(Tₐ))    otherwise       (P2 2.3.1)
//
// |a| is the length of a in characters, f its occurrences, Tₐ the longer
// candidates b, of MinCount occurrences like a itself, that hold a's segments in
// a row, and P(Tₐ) their number.
func (c *Collector) Terms(most int, threshold float64) []Term {
	if !(threshold > 0) { // NaN too
		threshold = defaultThreshold
	}
	type nest struct{ sum, n int }
	nests := make(map[string]nest, len(c.found))
	for key, k := range c.found {
		if k.count < c.o.MinCount {
			continue // chance neighbours: they would dilute the mean
		}
		eachPart(key, func(part string) {
			if _, ok := c.found[part]; ok {
				n := nests[part]
				nests[part] = nest{n.sum + k.count, n.n + 1}
			}
		})
	}
	var out []Term
	for key, k := range c.found {
		if k.count < c.o.MinCount {
			continue
		}
		segments := strings.Split(key, " ")
		word := strings.Join(segments, "")
		alone := float64(k.count)
		in := nests[key]
		if in.n > 0 {
			alone -= float64(in.sum) / float64(in.n)
		}
		value := math.Log2(float64(utf8.RuneCountInString(word))) * alone
		if value <= threshold || c.d.known(word) {
			continue
		}
		out = append(out, Term{
			Word: word, Segments: segments, POS: k.pos, CValue: value,
			Count: k.count, Pages: k.pages, Inside: in.n, Examples: slices.Clone(k.examples),
		})
	}
	slices.SortFunc(out, func(a, b Term) int {
		if n := cmp.Compare(b.CValue, a.CValue); n != 0 {
			return n
		}
		// The same word may come from two ways to cut it.
		return cmp.Or(strings.Compare(a.Word, b.Word), slices.Compare(a.Segments, b.Segments))
	})
	if most > 0 {
		out = out[:min(most, len(out))]
	}
	return out
}

// eachPart calls f once for every run of at least two of key's segments that is
// shorter than key.
func eachPart(key string, f func(part string)) {
	bounds := make([]int, 1, maxSegments+1) // where segments start
	for i := range len(key) {
		if key[i] == ' ' {
			bounds = append(bounds, i+1)
		}
	}
	n := len(bounds)
	bounds = append(bounds, len(key)+1)
	seen := make([]string, 0, 9)
	for length := 2; length < n; length++ {
		for i := 0; i+length <= n; i++ {
			part := key[bounds[i] : bounds[i+length]-1]
			if !slices.Contains(seen, part) { // 大大大 holds 大大 once
				seen = append(seen, part)
				f(part)
			}
		}
	}
}
