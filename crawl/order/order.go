// Package order decides how promising a link is before it is fetched. A
// Strategy turns what is known of a link (its anchor text, the page and block it
// stands in, its depth) into one number; the frontier fetches higher numbers
// first. Strategies are chosen by name, can be switched while a crawl runs, and
// say by which terms they judged.
//
// Scoring costs well under a microsecond a link and never looks at text: the
// topic's scores come in as numbers from 0 to 1. The danger is drift: a strategy
// that trusts its parents too much follows one rich region and starves the
// rest, so every one keeps a term that can be looked at.
package order

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Link is all a strategy may know of a link. Scores are topic scores from 0 to
// 1; whatever lies outside (or is NaN) is moved inside. A link without a Source
// is a seed. The identities (URL, Source, Block) are there for strategies that
// learn; none reads words out of them.
type Link struct {
	URL    string // canonical
	Anchor string // visible text
	Source string // canonical URL of the page it stands on; "" for a seed
	Block  string // path of its block on that page
	Depth  int    // links from a seed
	Seq    uint64 // order of discovery, counted up over the crawl
	Pager  bool   // leads to another page of the same list

	AnchorScore    float64 // of the anchor text
	URLScore       float64 // of the URL's tokens
	BlockScore     float64 // mean anchor score of its block's links: Σ anchor scores ÷ links (P4 section 4)
	SourceScore    float64 // of the source page, by the page judge
	SourceRelevant bool    // the source is an aggregation page (above θ, or labelled so)
	Inherited      float64 // Score.Inherited of the link that led to the source; 0 for a seed's own links
}

// Verdict is what a fetched link turned out to be.
type Verdict struct {
	Score    float64 // of the page, 0 … 1
	Relevant bool    // above θ, or labelled so
}

// Term is one addend of a score, or one reason for it, as people read it.
type Term struct {
	Name  string
	Value float64
}

// Score is a strategy's judgement of one link.
type Score struct {
	Value     float64 // the priority: finite, higher goes first
	Terms     []Term  // why, most telling first
	Inherited float64 // what the links on the target inherit (fish, shark); keep it with the target
}

// String lists the terms: "anchor .80 parent .61".
func (s Score) String() string {
	var b strings.Builder
	for i, t := range s.Terms {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.Name)
		b.WriteByte(' ')
		b.WriteString(number(t.Value))
	}
	return b.String()
}

// number prints two digits without the leading zero, whole numbers without a
// fraction.
func number(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	s := strconv.FormatFloat(v, 'f', 2, 64)
	if rest, ok := strings.CutPrefix(s, "-0."); ok {
		return "-." + rest
	}
	return strings.TrimPrefix(s, "0")
}

// Strategy orders links. Implementations are safe for concurrent use: workers
// score while others observe.
//
// A crawl calls Score for every link it may push, and keeps the higher value
// when several links lead to one URL. After each fetch it calls Observe with the
// link that was followed and its verdict. A strategy that learns updates itself
// there and reports true when it has learned enough that waiting links deserve a
// new score: the crawl then scores them again (frontier.Rescore) in the
// background. Strategies without memory ignore Observe and report false.
type Strategy interface {
	Name() string
	Score(Link) Score
	Observe(Link, Verdict) (stale bool)
}

// Default is the best of the strategies here on the measured link graphs
// (DESIGN 6: area between BFS 0 and oracle 1 of .69, Shark .49).
const Default = "linear"

// strategies in the order an interface offers them.
var strategies = []struct {
	name string
	make func() Strategy
}{
	{"bfs", func() Strategy { return bfs{} }},
	{"dfs", func() Strategy { return dfs{} }},
	{"best-first", func() Strategy { return bestFirst{} }},
	{"fish", func() Strategy { return fish{} }},
	{"shark", func() Strategy { return shark{} }},
	{"block-shark", func() Strategy { return newBlockShark() }},
	{"linear", func() Strategy { return linear{} }},
}

// Names lists the strategies in the order an interface offers them.
func Names() []string {
	names := make([]string, len(strategies))
	for i, s := range strategies {
		names[i] = s.name
	}
	return names
}

// New returns a fresh strategy. An unknown name is an error that lists the known
// ones.
func New(name string) (Strategy, error) {
	for _, s := range strategies {
		if s.name == name {
			return s.make(), nil
		}
	}
	return nil, fmt.Errorf("no link order is called %q: use one of %s", name, strings.Join(Names(), ", "))
}

// stateless gives a strategy without memory its Observe.
type stateless struct{}

// Observe ignores the verdict.
func (stateless) Observe(Link, Verdict) bool { return false }

// unit moves a score into 0 … 1; NaN is 0.
func unit(v float64) float64 {
	if !(v > 0) {
		return 0
	}
	return min(v, 1)
}

// seedValue ranks seeds before every link of the strategies whose values stay
// within 0 … 1: somebody asked for them.
const seedValue = 2

func seed() Score { return Score{Value: seedValue, Terms: []Term{{"seed", 1}}} }

// anchor is the score of the anchor text and its term's name. The anchor of a
// pager ("2", 下一页) says nothing; the next page of a list is what the list is.
func (l *Link) anchor() (float64, string) {
	a := unit(l.AnchorScore)
	if s := unit(l.SourceScore); l.Pager && s > a {
		return s, "pager"
	}
	return a, "anchor"
}
