// Package topic judges pages. It learns from a few sample pages which words make the topic, scores
// every page against them, and helps to choose the threshold above which a page counts as an
// aggregation page.
//
// A Model is an immutable value. Any change (a word, a weight, a scheme, the threshold) makes a new
// one in microseconds and swaps it in. A page is scored by the old Model or by the new one, never
// by half a change. The Index keeps all crawled pages as postings in memory, about 600 bytes a
// page, so that a new Model rescores a million pages within a frame.
//
// Small numbers need care. With one sample, or before enough pages show which words are common on
// these sites, weights mean little. Then a neutral value is used, which the comment names. No
// score, weight or threshold is ever NaN.
//
// P0 … P4: see docs/papers.md.
package topic

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// wordNames converts words to ids and back; *dict.Lexicon is one.
type wordNames interface {
	Word(id uint32) string
	Lookup(word string) (uint32, bool)
}

// Doc is the topic's view of one page.
type Doc struct {
	Full    Vector // terms of all visible text (P0, P1, P3)
	List    Vector // terms of T(p) = <title> + titles of the page's records
	Records int    // entries of the best group of records
	Dated   int    // of them, with a date

	// Front marks a host's front page, which shows the newest entries of several lists but is not a
	// list.
	Front bool

	// Aside excludes the page from the background: it lies deeper than sites are crawled, so it is
	// scored but says nothing about common words.
	Aside bool

	// For the learner alone (Index.Learn); the schemes ignore them.
	URL  string  // canonical
	Beta float64 // β = link characters ÷ other characters (P4 3.3), ≥ 0
}

// noWord is the id of a Feature whose word is on no page yet.
const noWord = math.MaxUint32

// Model scores pages against one topic. It is immutable except for the scores that an Index reports
// to it, and safe for concurrent use.
type Model struct {
	// Rev is different for every Model of this process.
	Rev uint64

	cfg         Config
	samples     []Doc
	negative    []Doc // negative samples
	names       wordNames
	bg          *Background
	groups      [][]int                // places of the samples of two dissimilar kinds, see kinds; nil for one kind
	alike       float64                // mean cosine of samples across the kinds
	rows        []row                  // one for each word of the samples and each expert word
	kernel      kernel                 // judges pages
	anchor      kernel                 // judges anchor texts
	seen        *atomic.Pointer[sight] // of the last scores of an index; nil before
	leaveOneOut func() []float64       // scoreLeftOut, computed once; do not change the result
	floor       func() float64         // the least automatic θ; nil without negative samples
	labels      map[uint64]Label       // yes and no, see WithLabels; may be nil
}

var revisions atomic.Uint64

// Build learns a model from the samples' documents. bg may be nil if nothing was crawled. The
// samples' vectors are kept, not copied. Build never fails; without samples, or with all words off,
// every score is 0.
func Build(cfg Config, samples []Doc, names wordNames, bg *Background) *Model {
	return BuildAgainst(cfg, samples, nil, names, bg)
}

// BuildAgainst is Build with negative samples: pages that resemble the samples but are not wanted.
// They reduce the weight of their words (Rocchio, see weigh) and keep the automatic θ above
// themselves. Without any, the model equals Build's bit for bit. Their vectors are kept, too.
func BuildAgainst(cfg Config, samples, negative []Doc, names wordNames, bg *Background) *Model {
	return build(cfg, samples, negative, names, bg, nil)
}

// build is BuildAgainst; was is a model of the same samples and background, or nil.
func build(cfg Config, samples, negative []Doc, names wordNames, bg *Background, was *Model) *Model {
	m := &Model{
		Rev:      revisions.Add(1),
		cfg:      cfg.clean(),
		samples:  slices.Clone(samples),
		negative: slices.Clone(negative),
		names:    names,
		bg:       bg,
		seen:     new(atomic.Pointer[sight]),
	}
	m.leaveOneOut = sync.OnceValue(m.scoreLeftOut)
	if was != nil && was.cfg.Scheme.field() == m.cfg.Scheme.field() {
		m.groups, m.alike = was.groups, was.alike
	} else {
		m.groups, m.alike = kinds(m.samples, m.cfg.Scheme.field(), bg)
	}
	var apart bool
	m.rows, apart = weigh(m.cfg, m.samples, m.negative, m.cfg.parted(m.groups, m.alike), names, bg)
	m.kernel = newKernel(m.cfg, m.rows, apart, bg, m.cfg.Scheme.Gates(m.samples))
	m.anchor = anchorKernel(m.cfg, m.rows, bg)
	if len(m.negative) > 0 {
		m.floor = sync.OnceValue(m.clearOfNegatives)
	}
	return m
}

// WithConfig returns the model of the same samples, negative samples and background under cfg. It
// keeps what is known of the scores only if nothing but θ changed.
func (m *Model) WithConfig(cfg Config) *Model {
	n := build(cfg, m.samples, m.negative, m.names, m.bg, m)
	n.labels = m.labels
	if m.cfg.sameScores(n.cfg) {
		n.seen = m.seen
	}
	return n
}

// config returns the normalised configuration: lists sorted, numbers in range. Do not change its
// slices and map.
func (m *Model) config() Config { return m.cfg }

// Background returns the background the model was built with; it may be nil.
func (m *Model) Background() *Background { return m.bg }

// field is the text of a Doc that a scheme reads.
type field int

const (
	fullText field = iota
	listText
	numFields
)

func (d *Doc) text(f field) Vector {
	if f == listText {
		return d.List
	}
	return d.Full
}

// field returns the text the scheme reads: records reads titles, the papers'
// schemes all visible text.
func (s Scheme) field() field {
	if s == SchemeRecords {
		return listText
	}
	return fullText
}

// finite maps NaN and infinities to 0.
func finite(x float64) float64 {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0
	}
	return x
}
