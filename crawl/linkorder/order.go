package linkorder

import (
	"math"
	"strconv"
	"strings"
)

// MaxInlinks is the maximum number of inlinks kept per URL: the first four. More change its value little and cost
// memory.
const MaxInlinks = 4

// Inlink is one link to a URL, as it was when found. Scores are topic scores; values outside 0 … 1 and NaN are
// clamped.
type Inlink struct {
	Source    uint64 // page with the link, by Target.ID
	SourceURL string // canonical URL of that page
	Anchor    string // visible text
	Block     string // path of its block on that page, see htmldoc.Block.Path: "div.list/ul.news"
	Features  BlockFeatures
	Pager     bool   // leads to another page of the same list
	Tags      uint64 // sketch of its tag path, htmldoc.Link.Tags; 0 = unknown

	AnchorScore float64 // of the anchor text
	URLScore    float64 // of the target's URL tokens
	BlockScore  float64 // mean anchor score of its block's links: Σ anchor scores ÷ links (P4 section 4)
	SourceScore float64 // of the source page, by the page judge
	Inherited   float64 // Score.Inherited of the source; 0 for a seed
}

// Target is a known URL and its inlinks. A target without inlinks is a seed or comes from a sitemap.
type Target struct {
	ID      uint64   // order of discovery in this crawl
	URL     string   // canonical
	Depth   int      // links from a seed
	Inlinks []Inlink // in the order found, at most MaxInlinks
}

// Verdict is the result of judging a fetched page.
type Verdict struct {
	Score    float64 // of the page, 0 … 1
	Relevant bool    // above θ, or labelled
	Notice   bool    // an aggregation page announced it
	Failed   bool    // the fetch brought no page; the other fields are zero
}

// Out is one link of a fetched page.
type Out struct {
	ID     uint64 // of the target
	URL    string
	New    bool   // the target was unknown before
	Inlink Inlink // this link
}

// Fetch is a fetched and judged page, the training example of strategies.
type Fetch struct {
	Target  Target
	Verdict Verdict
	Out     []Out // its followable links, in page order
}

// term is one named addend of a score, or one reason for it.
type term struct {
	Name  string
	Value float64
}

// Score is a strategy's value of one link, with its terms.
type Score struct {
	Value     float64 // the priority: finite, higher goes first
	Terms     []term  // reasons, strongest first
	Inherited float64 // inherited by links on the target (shark); store it with the target
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

// number formats v with two decimals and without a leading zero; whole numbers get no decimals.
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

// Strategy ranks links. Implementations are safe for concurrent use, except Observe and Load, which have one caller
// at a time while workers score.
//
// A crawl calls Value for every new URL and for every URL with a new inlink, and passes the value to the frontier.
// After each fetch it calls Observe once, in the order of storing, before it values the page's links. A learning
// strategy updates itself in Observe. It returns true when waiting URLs should be valued again; the crawl does that
// in the background. The order improves if the crawl values a URL once more when it leaves the frontier, and puts it
// back if another is better. Strategies do not retain their arguments.
type Strategy interface {
	Name() string
	// Score returns the value with its reasons. It allocates: call it for display, and once per fetched page for the
	// inherited score.
	Score(*Target) Score
	// Value returns Score(t).Value without reasons. It does not allocate.
	Value(*Target) float64
	Observe(*Fetch) (stale bool)
}

// persistent is a Strategy with knowledge that outlives the process. Load replaces all knowledge; damaged state, or
// state of another version, changes nothing.
type persistent interface {
	Strategy
	Save() (state []byte)
	Load(state []byte) error
}

// Rechecks reports whether a crawl should value a URL again before its fetch, because the strategy's values fall while
// URLs wait.
func Rechecks(s Strategy) bool {
	switch s.(type) {
	case persistent, *bandit:
		return true
	}
	return false
}

// Default is the strategy with the best results on the measured link graphs.
const Default = "learned"

// unit clamps a score to 0 … 1; NaN becomes 0.
func unit(v float64) float64 {
	if !(v > 0) {
		return 0
	}
	return min(v, 1)
}

// seedValue ranks seeds above all links, because a person named them. It requires values below it, which the bounds
// of Parameters ensure.
const seedValue = 10

func seed() Score { return Score{Value: seedValue, Terms: []term{{"seed", 1}}} }

// inlinks returns the inlinks of a target that count.
func (t *Target) inlinks() []Inlink { return t.Inlinks[:min(len(t.Inlinks), MaxInlinks)] }

// best returns the best value of a target's inlinks and the index of that inlink; seedValue and -1 for a seed.
func best(t *Target, value func(*Inlink) float64) (v float64, at int) {
	v, at = seedValue, -1
	for i := range t.inlinks() {
		if x := value(&t.Inlinks[i]); at < 0 || x > v {
			v, at = x, i
		}
	}
	return v, at
}

// which adds the number of the deciding inlink, from 1, if there are several.
func which(t *Target, at int, terms ...term) []term {
	if len(t.inlinks()) > 1 {
		terms = append(terms, term{"inlink", float64(at + 1)})
	}
	return terms
}

// anchor returns the score of the anchor text and its term's name. A pager's anchor ("2", 下一页) has no content, so it
// gets at least the score of its list.
func (in *Inlink) anchor() (float64, string) {
	a := unit(in.AnchorScore)
	if s := unit(in.SourceScore); in.Pager && s > a {
		return s, "pager"
	}
	return a, "anchor"
}
