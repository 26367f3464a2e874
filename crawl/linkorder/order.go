package linkorder

import (
	"math"
	"strconv"
	"strings"
)

// MaxInlinks is how many inlinks of one URL are kept: the first four found. More
// change its value little, and each costs memory.
const MaxInlinks = 4

// Inlink is one link to a URL, as the crawl saw it when it found it. Scores are
// topic scores from 0 to 1; whatever lies outside (or is NaN) is moved inside.
type Inlink struct {
	Source    uint64 // the page it stands on, by Target.ID
	SourceURL string // canonical URL of that page
	Anchor    string // visible text
	Block     string // path of its block on that page: tag.class>tag.class…
	Features  BlockFeatures
	Pager     bool // leads to another page of the same list

	AnchorScore    float64 // of the anchor text
	URLScore       float64 // of the target's URL tokens
	BlockScore     float64 // mean anchor score of its block's links: Σ anchor scores ÷ links (P4 section 4)
	SourceScore    float64 // of the source page, by the page judge
	SourceRelevant bool    // the source is an aggregation page (above θ, or labelled so)
	Inherited      float64 // Score.Inherited of the source; 0 for a seed
}

// Target is a known URL and its inlinks. Without any it is a
// seed, or was announced by a sitemap.
type Target struct {
	ID      uint64   // order of discovery, counted up over the crawl
	URL     string   // canonical
	Depth   int      // links from a seed
	Inlinks []Inlink // in the order found, at most MaxInlinks
}

// Verdict is what a fetched page turned out to be.
type Verdict struct {
	Score    float64 // of the page, 0 … 1
	Relevant bool    // above θ, or labelled so
	Notice   bool    // an aggregation page has announced it
}

// Out is one link of a fetched page.
type Out struct {
	ID     uint64 // of the target
	URL    string
	New    bool   // the target was unknown before
	Inlink Inlink // this link
}

// Fetch is a page that was fetched and judged: what strategies learn from.
type Fetch struct {
	Target  Target
	Verdict Verdict
	Out     []Out // its followable links, in page order
}

// Term is one addend of a score, or one reason for it, as people read it.
type Term struct {
	Name  string
	Value float64
}

// Score is the value that a strategy gives one link, with its terms.
type Score struct {
	Value     float64 // the priority: finite, higher goes first
	Terms     []Term  // why, most telling first
	Inherited float64 // what the links on the target inherit (shark); keep it with the target
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

// Strategy orders links. Implementations are safe for concurrent use, but for Observe
// and Load, which have one caller at a time: workers score meanwhile.
//
// A crawl calls Value for every URL that becomes known or to which another
// inlink was found, and hands it to the frontier. After each fetch it calls
// Observe once, in the order the pages were stored, and only then values what
// the page links to. A strategy that learns updates itself there and reports
// true when it has learned enough that waiting URLs deserve a new value: the
// crawl then values them again in the background. The order gets better when
// the crawl asks once more as it takes a URL from the frontier, and puts it
// back when another is better now. No strategy keeps what it is handed.
type Strategy interface {
	Name() string
	// Score is the value with its reasons. It costs an allocation, so call it
	// when a person reads the reasons, and once when a page is fetched for what
	// its links inherit.
	Score(*Target) Score
	// Value is Score(t).Value without the reasons; it allocates nothing.
	Value(*Target) float64
	Observe(*Fetch) (stale bool)
}

// Persistent is a Strategy whose knowledge outlives the process. Load replaces all
// it knows; when state is damaged or of another version, nothing changes.
type Persistent interface {
	Strategy
	Save() (state []byte)
	Load(state []byte) error
}

// explainer is a Strategy that can name what it learned about a target: the
// features that speak most for it (above 0) or against it, strongest first.
type explainer interface {
	Strategy
	Explain(*Target) []Term
}

// Default is the best of the strategies here on the measured link graphs.
const Default = "learned"

// unit moves a score into 0 … 1; NaN is 0.
func unit(v float64) float64 {
	if !(v > 0) {
		return 0
	}
	return min(v, 1)
}

// seedValue ranks seeds before every link, because a person asked for them. It
// holds for the strategies whose values stay below it, which the bounds of
// Parameters ensure.
const seedValue = 10

func seed() Score { return Score{Value: seedValue, Terms: []Term{{"seed", 1}}} }

// inlinks are the links to a target that count.
func (t *Target) inlinks() []Inlink { return t.Inlinks[:min(len(t.Inlinks), MaxInlinks)] }

// best values a target by the best of its links under a formula for one link,
// and says which it is. A seed has none.
func best(t *Target, value func(*Inlink) float64) (v float64, at int) {
	v, at = seedValue, -1
	for i := range t.inlinks() {
		if x := value(&t.Inlinks[i]); at < 0 || x > v {
			v, at = x, i
		}
	}
	return v, at
}

// which adds the number of the link that decided, counted from 1, where there
// was a choice.
func which(t *Target, at int, terms ...Term) []Term {
	if len(t.inlinks()) > 1 {
		terms = append(terms, Term{"inlink", float64(at + 1)})
	}
	return terms
}

// anchor is the score of the anchor text and its term's name. The anchor of a
// pager ("2", 下一页) says nothing; the next page of a list is what the list is.
func (in *Inlink) anchor() (float64, string) {
	a := unit(in.AnchorScore)
	if s := unit(in.SourceScore); in.Pager && s > a {
		return s, "pager"
	}
	return a, "anchor"
}
