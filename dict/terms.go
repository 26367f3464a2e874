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

// This file finds domain terms that a general dictionary splits. It counts runs of two to five
// segments whose parts of speech form a noun compound, and ranks them by C-value (P2 2.3; Frantzi
// 1999): a run counts less if it occurs mostly inside longer ones. An analyst reviews the list and
// accepts terms into the user dictionary; from then on 世界石油大会 is one word.
//
// It costs one segmentation of every new line, and about 150 bytes a candidate, bounded. A line
// counts once, however many pages show it; otherwise a menu on every page would give the first term
// of the site.
//
// P0 … P4: see docs/papers.md.

// TermOptions restricts terms. The zero value is P2's method.
type TermOptions struct {
	// Patterns lists the allowed sequences of parts of speech, "n+vn+n": two to five ICTCLAS tags; a
	// trailing * matches any ending ("n*" is n, ns, nz …). nil means DefaultPatterns.
	Patterns []string
	// MinCount is the minimum of occurrences of a term; 0 means 2. A run of nine characters exceeds 3.0
	// with a single occurrence, which means nothing.
	MinCount int
	// Own reports whether a word was accepted as a term; it may be nil. The dictionary knows no part of
	// speech for such words. They count as nz, proper nouns, so that a longer term may contain them.
	Own func(word string) bool
	// Examples is the number of quotations kept with a term; 0 means 2, a negative number none.
	Examples int
	// Limit bounds the candidates in memory; 0 means 200 000, about 30 MB. At the limit the rarest are
	// dropped, see Collector.Forgotten.
	Limit int
}

// defaultThreshold is the best C-value of P2 2.3.3.
const defaultThreshold = 3.0

// The defaults of TermOptions.
const (
	defaultMinCount = 2
	defaultExamples = 2
	defaultLimit    = 200_000
)

// Term is a found term.
type Term struct {
	Word     string   `json:"word"`     // folded, as in the dictionary
	Segments []string `json:"segments"` // the words into which the dictionary cuts it
	POS      string   `json:"pos"`      // of the segments: "n+n+n"
	CValue   float64  `json:"c_value"`
	Count    int      `json:"count"`  // occurrences on distinct lines
	Pages    int      `json:"pages"`  // pages that contain it
	Inside   int      `json:"inside"` // longer candidates that contain it, P(Tₐ)
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
	floor    int // counts below may be incomplete
}

type candidate struct {
	pos      string
	count    int
	pages    int
	page     int // the last page that contained it
	examples []string
}

// New returns a Collector that cuts with d. The error names an invalid pattern.
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
	return &Collector{d: d, o: o, patterns: p, found: map[string]*candidate{}, lines: recent{seed: maphash.MakeSeed()}},
		nil
}

// Add counts the text of one page, lines separated by '\n'. It waits for the
// dictionary.
func (c *Collector) Add(text string) {
	c.pages++
	for line := range strings.SplitSeq(text, "\n") {
		if len(line) < 2*utf8.UTFMax-2 || !c.lines.add(line) { // at most one Han character
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

// Forgotten returns the count up to which candidates were dropped at Limit; remaining counts may be
// too low by as much. 0 means that none was dropped.
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
					break // white space or a line end between them
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

// noise reports whether no term contains t (P2 2.3.3, step 2): single-character verbs, symbols, and
// our stop words.
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
	// Most candidates occur once; an example is kept from the second occurrence on.
	if k.count > 1 && len(k.examples) < c.o.Examples {
		k.examples = append(k.examples, around(line, start, end))
	}
}

// contextRunes is how much of the line an example shows on each side.
const contextRunes = 12

// around returns a copy of line[start:end] with its context.
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

// forget drops the rarest candidates until a quarter of the space is free (the lossy counting of
// Manku and Motwani 2002, without its error per entry).
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

// Terms returns at most most terms whose C-value exceeds threshold, highest first (all if most ≤
// 0). A threshold of 0 or less means defaultThreshold. Add may be called afterwards.
//
//	C-value(a) = log₂|a| · f(a)                       if no candidate holds a
//	C-value(a) = log₂|a| · (f(a) − Σ f(b) ÷ P(Tₐ))    otherwise       (P2 2.3.1)
//
// |a| is the length of a in characters, f its occurrences, Tₐ the longer candidates b, of MinCount
// occurrences like a itself, that contain a's segments in a row, and P(Tₐ) their number.
func (c *Collector) Terms(most int, threshold float64) []Term {
	if !(threshold > 0) { // NaN too
		threshold = defaultThreshold
	}
	type nest struct{ sum, n int }
	nests := make(map[string]nest, len(c.found))
	for key, k := range c.found {
		if k.count < c.o.MinCount {
			continue // chance neighbours, which would dilute the mean
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
		// The same word may be cut in two ways.
		return cmp.Or(strings.Compare(a.Word, b.Word), slices.Compare(a.Segments, b.Segments))
	})
	if most > 0 {
		out = out[:min(most, len(out))]
	}
	return out
}

// eachPart calls f once for every shorter run of at least two of key's segments.
func eachPart(key string, f func(part string)) {
	bounds := make([]int, 1, maxSegments+1) // starts of the segments
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
			if !slices.Contains(seen, part) { // 大大大 contains 大大 once
				seen = append(seen, part)
				f(part)
			}
		}
	}
}
