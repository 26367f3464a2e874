package article

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// No method is best on every kind of page: one loses the replies of a thread, one
// the table of a product, one the short entries of a listing. But where one fails, the
// others and the page itself say so, line by line. So each line gets a probability of
// being text from its clues, and the text is the set of lines with the largest expected
// F1. In a thread the probability is a logistic regression. On other pages the meaning of a
// clue depends on the kind of page, so small decision trees add up to the probability.
//
// The weights and trees (weights.go) were fitted to pages of many kinds and languages
// whose text people marked; TestFitLines fits them anew, and measures pages that they
// were not fitted to.

// mostLines is how many lines a page may have to be voted on.
const mostLines = 10_000

// The lines around a line have a say in it, but not in a thread, where every post has
// lines of its author among those of its text.
const (
	aroundSay   = 0.3 // share of the log-odds that they have
	aroundLines = 3   // of them on either side
	aroundChars = 100 // of one count
	tableSay    = 0.6
	cardsSay    = 0.3 // share of the log-odds that the cards around a line have
	othersSay   = 0.5 // factor for what stands below a heading of other things, or of reviews
	othersNear  = 0.3 // share of the page around it and the title, from which that holds for reviews
	shopReviews = 0.3 // another factor for reviews of a shop: a heading and a class say so, and the page has prices
	introSay    = 0.5 // probability of an introduction, at least
	copyChars   = 60  // characters of a line that is not taken twice
)

// TextLine holds the clues of one line of a page and the probability that it is main text.
type TextLine struct {
	Run   int32 // index into Tree.Runs
	Chars int32
	Clues [ClueCount]float64
	Table int32   // the table of data that it stands in, 0 outside all
	Cards int32   // the repeated elements that it stands in, 0 outside all
	Intro bool    // introduces the page below its heading
	P     float64 // probability that it is text, 0 … 1
}

// Lines returns the lines of a page with their clues, none when it has too many
// or no reader found a text. Lines that the host's other pages repeat are left out, and
// announcements above the menu. So are long ones and parts that the page has before: it holds a text
// once for each width of a screen, and once for readers without scripts. In a thread all these stay.
// It costs the readers' time, some 4 ms each, and about a parse of the page.
func (x *TextExtractor) Lines(in TextInput) []TextLine {
	x.TextInput = in
	return x.lines(x.byMass())
}

func (x *TextExtractor) lines(mass TextResult) []TextLine {
	t := x.Tree
	if len(t.Runs) == 0 || len(t.Runs) > mostLines {
		return nil
	}
	texts := [voters]string{mass.Text, x.byReader(MethodReadability).Text, x.byReader(MethodTrafilatura).Text}
	if texts[1] == "" && texts[2] == "" {
		return nil
	}
	f := x.gatherFacts(texts)
	lines := make([]TextLine, 0, len(t.Runs))
	before := 0.0
	for i := range t.Runs {
		r := &t.Runs[i]
		l := TextLine{Run: int32(i), Chars: r.Chars, Table: f.table[r.Host], Clues: f.cluesOf(i, before/f.chars)}
		before += float64(r.Chars)
		if x.Host != nil && x.Host.RepeatedText(t.Text[r.From:r.To]) || f.cards != nil && (f.again[i] || f.announces(r)) {
			continue
		}
		if f.cards == nil {
			l.P = LinearProbability(&l.Clues, &lineWeights, lineBias)
		} else {
			l.Cards, l.P = f.cards.of[r.Host], TreesProbability(&l.Clues, lineTrees[:], treesBias)
			l.Intro = f.introduces(i)
		}
		lines = append(lines, l)
	}
	return lines
}

// LinearProbability is the logistic function of the weighted clues before LinearClues.
func LinearProbability(clues *[ClueCount]float64, weights *[LinearClues]float64, bias float64) float64 {
	odds := bias
	for k, w := range weights {
		odds += clues[k] * w
	}
	return logistic(odds)
}

// TreeDepth is the number of comparisons in a LineTree.
const TreeDepth = 3

// LineTree compares some clues with limits. The results, a bit each, select the change of the
// log-odds that a line is text.
type LineTree struct {
	Clues  [TreeDepth]uint8
	Limits [TreeDepth]float64
	Odds   [1 << TreeDepth]float64
}

// Of returns the change of the log-odds for the clues of a line.
func (t *LineTree) Of(clues *[ClueCount]float64) float64 {
	answers := 0
	for k, c := range t.Clues {
		if clues[c] > t.Limits[k] {
			answers |= 1 << k
		}
	}
	return t.Odds[answers]
}

// TreesProbability is the logistic function of a bias and the sum of the trees.
func TreesProbability(clues *[ClueCount]float64, trees []LineTree, bias float64) float64 {
	odds := bias
	for i := range trees {
		odds += trees[i].Of(clues)
	}
	return logistic(odds)
}

func logistic(odds float64) float64 { return 1 / (1 + math.Exp(-odds)) }

// oddsOf is the inverse of logistic, bounded at a probability of a thousandth on either side.
func oddsOf(p float64) float64 { return math.Log((1e-3 + p) / (1e-3 + 1 - p)) }

// Likeliest returns how many of the likeliest lines make the text with the largest
// expected F1: 2·Σ P·chars of those taken ÷ (Σ chars of those taken + Σ P·chars of
// all). It expects the lines in document order and sorts them by P, after the headings,
// the cards, the lines around each and the introduction had their say, unless the page is a thread.
func Likeliest(lines []TextLine, thread bool) int {
	if !thread {
		hearCards(lines)
		hearHeadings(lines)
		hearNeighbours(lines)
		hearIntro(lines)
	}
	joinTables(lines)
	slices.SortStableFunc(lines, func(a, b TextLine) int { return cmp.Compare(b.P, a.P) })
	all := 0.0
	for i := range lines {
		all += lines[i].P * float64(lines[i].Chars)
	}
	best, top := 0, 0.0
	right, taken := 0.0, 0.0
	for i := range lines {
		right += lines[i].P * float64(lines[i].Chars)
		taken += float64(lines[i].Chars)
		if f := 2 * right / (taken + all); f > top {
			best, top = i+1, f
		}
	}
	return best
}

// joinTables gives the lines of a table of data at least the probability of their mean,
// so that a value does not lose its label, and at least tableSay of the share of it that
// mass took: readers drop tables that a button unfolds.
func joinTables(lines []TextLine) {
	for i := 0; i < len(lines); {
		end := i + 1
		for end < len(lines) && lines[i].Table > 0 && lines[end].Table == lines[i].Table {
			end++
		}
		if lines[i].Table > 0 {
			sum, mass, chars := 0.0, 0.0, 0.0
			for _, l := range lines[i:end] {
				sum += l.P * float64(l.Chars)
				mass += l.Clues[clueMass] * float64(l.Chars)
				chars += float64(l.Chars)
			}
			for k := i; k < end; k++ {
				lines[k].P = max(lines[k].P, sum/chars, tableSay*mass/chars)
			}
		}
		i = end
	}
}

// hearCards averages the log-odds of a line with those of neighbouring cards, so that all cards
// are treated alike.
func hearCards(lines []TextLine) {
	type say struct{ sum, weight float64 }
	said := map[int32]say{}
	for i := range lines {
		if l := &lines[i]; l.Cards > 0 {
			s, w := said[l.Cards], float64(min(l.Chars, aroundChars))
			said[l.Cards] = say{s.sum + w*oddsOf(l.P), s.weight + w}
		}
	}
	for i := range lines {
		if l := &lines[i]; l.Cards > 0 {
			s := said[l.Cards]
			l.P = logistic((1-cardsSay)*oddsOf(l.P) + cardsSay*s.sum/s.weight)
		}
	}
}

// hearHeadings lowers the probability of lines below headings of related products or reviews.
func hearHeadings(lines []TextLine) {
	for i := range lines {
		c := &lines[i].Clues
		if c[clueNear] > othersNear && c[clueOthers]+c[clueReplies]+c[clueReply] > 0 ||
			c[clueOthers]*c[clueBeside] > 0 {
			lines[i].P *= othersSay
		}
		if c[clueReplies]*c[clueReply] > 0 && c[cluePrices]+c[clueProduct] > 0 {
			lines[i].P *= shopReviews
		}
	}
}

// hearIntro raises the probability of the sentences below the heading of the page.
func hearIntro(lines []TextLine) {
	for i := range lines {
		if l := &lines[i]; l.Intro {
			l.P = max(l.P, introSay)
		}
	}
}

// hearNeighbours mixes the log-odds of every line with those of the lines around it.
func hearNeighbours(lines []TextLine) {
	odds := make([]float64, len(lines))
	for i := range lines {
		odds[i] = oddsOf(lines[i].P)
	}
	for i := range lines {
		sum, weight := 0.0, 0.0
		for j := max(0, i-aroundLines); j <= min(len(lines)-1, i+aroundLines); j++ {
			if j != i {
				w := float64(min(lines[j].Chars, aroundChars))
				sum += w * odds[j]
				weight += w
			}
		}
		if weight > 0 {
			lines[i].P = logistic((1-aroundSay)*odds[i] + aroundSay*sum/weight)
		}
	}
}

// byLines puts the text together from the likeliest lines. It is empty when there
// is nothing to go by.
func (x *TextExtractor) byLines(mass TextResult) TextResult {
	lines := x.lines(mass)
	n := Likeliest(lines, x.Posts.Kind == Thread)
	if n == 0 {
		return TextResult{}
	}
	why := fmt.Sprintf("the likeliest %d of %d lines, the last by %.2f", n, len(lines), lines[n-1].P)
	runs := make([]int32, n)
	for i := range runs {
		runs[i] = lines[i].Run
	}
	slices.Sort(runs)
	return TextResult{Text: join(x.Tree, runs, -1), From: mass.From, To: mass.To, Why: why}
}
