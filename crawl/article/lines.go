package article

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// No method is best on every kind of page. One loses the replies of a thread, one the table of a
// product, one the short entries of a listing. So each line gets a probability of being text from
// its clues. The text is the set of lines with the largest expected F1. In a thread the
// probability is a logistic regression. On other pages the effect of a clue depends on the kind of
// page, so the probability is a sum of small decision trees.
//
// The weights and trees (weights.go) were fitted to pages of many kinds and languages with marked
// texts. TestFitLines fits them again, and measures pages outside the fitted set.

// maxLines is the maximum number of lines of a page with a vote.
const maxLines = 10_000

// Parameters of the changes to the probability of a line outside threads. A thread has no averages
// over neighbours, because its posts mix lines about the author with those of the text.
const (
	neighbourShare   = 0.3 // share of the neighbours in the log-odds of a line
	neighbourLines   = 3   // neighbours on either side
	neighbourChars   = 100 // characters of a neighbour that count, at most
	tableShare       = 0.6 // factor of mass's share of a data table for the least probability of its lines
	cardsShare       = 0.3 // share of the cards around a line in its log-odds
	othersFactor     = 0.5 // factor for lines below a heading of other things, or of reviews
	minOthersNear    = 0.3 // clueNear of lines to which othersFactor applies, at least
	shopReviewFactor = 0.3 // further factor for reviews of a shop, by heading, class and prices
	minIntro         = 0.5 // probability of an introduction, at least
	minCopyChars     = 60  // characters of a line that is omitted if repeated, at least
)

// TextLine holds the clues of one line of a page and the probability that it is main text.
type TextLine struct {
	Run   int32 // index into Tree.Runs
	Chars int32
	Clues [ClueCount]float64
	Table int32   // data table around it, 0 outside all
	Cards int32   // group of repeated elements around it, 0 outside all
	Intro bool    // is a sentence below the heading of the page
	P     float64 // probability that it is text, 0 … 1
}

// Lines returns the lines of a page with their clues. It returns nil for more than maxLines lines,
// and if no library found a text. It omits lines that the host repeats. Outside threads it also
// omits announcements above the menu, and repeated long lines and parts: a page may hold a text for
// several screen widths. It costs two libraries, some 4 ms each, and about a parse of the page.
func (x *TextExtractor) Lines(in TextInput) []TextLine {
	x.TextInput = in
	return x.lines(x.byMass())
}

func (x *TextExtractor) lines(mass TextResult) []TextLine {
	t := x.Tree
	if len(t.Runs) == 0 || len(t.Runs) > maxLines {
		return nil
	}
	texts := [methodCount]string{mass.Text, x.byReader(MethodReadability).Text, x.byReader(MethodTrafilatura).Text}
	if texts[1] == "" && texts[2] == "" {
		return nil
	}
	f := x.gatherFacts(texts)
	lines := make([]TextLine, 0, len(t.Runs))
	before := 0.0
	for i := range t.Runs {
		r := &t.Runs[i]
		l := TextLine{Run: int32(i), Chars: r.Chars, Table: f.table[r.Host], Clues: f.clues(i, before/f.chars)}
		before += float64(r.Chars)
		if x.Host != nil && x.Host.RepeatedText(t.Text[r.From:r.To]) || f.cards != nil && (f.repeats[i] || f.announces(r)) {
			continue
		}
		if f.cards == nil {
			l.P = LinearProbability(&l.Clues, &lineWeights, lineBias)
		} else {
			l.Cards, l.P = f.cards.groupOf[r.Host], TreesProbability(&l.Clues, lineTrees[:], treesBias)
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

// LineTree compares TreeDepth clues with limits. The results, one bit each, select the change of
// the log-odds that a line is text.
type LineTree struct {
	Clues  [TreeDepth]uint8
	Limits [TreeDepth]float64
	Odds   [1 << TreeDepth]float64
}

// Change returns the change of the log-odds for a line with these clues.
func (t *LineTree) Change(clues *[ClueCount]float64) float64 {
	answers := 0
	for k, c := range t.Clues {
		if clues[c] > t.Limits[k] {
			answers |= 1 << k
		}
	}
	return t.Odds[answers]
}

// TreesProbability is the logistic function of bias plus the changes of all trees.
func TreesProbability(clues *[ClueCount]float64, trees []LineTree, bias float64) float64 {
	odds := bias
	for i := range trees {
		odds += trees[i].Change(clues)
	}
	return logistic(odds)
}

func logistic(odds float64) float64 { return 1 / (1 + math.Exp(-odds)) }

// oddsOf is the inverse of logistic with 0.001 added on either side, so that it is finite.
func oddsOf(p float64) float64 { return math.Log((1e-3 + p) / (1e-3 + 1 - p)) }

// Likeliest sorts lines by P and returns the number of first lines with the largest expected F1:
// 2·Σ P·chars of those taken ÷ (Σ chars of those taken + Σ P·chars of all). It expects the lines
// in document order. Before it sorts, it adjusts P by tables. Unless the page is a thread, it also
// adjusts P by cards, headings, neighbours and introductions.
func Likeliest(lines []TextLine, thread bool) int {
	if !thread {
		averageCards(lines)
		lowerOthers(lines)
		averageNeighbours(lines)
		raiseIntro(lines)
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

// joinTables raises the lines of a data table to the mean of their probabilities, so that a value
// keeps its label. It also raises them to tableShare times mass's share of the table, because the
// libraries drop tables that a button unfolds.
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
				lines[k].P = max(lines[k].P, sum/chars, tableShare*mass/chars)
			}
		}
		i = end
	}
}

// averageCards mixes the log-odds of the lines in a group of cards, so that the cards get similar
// probabilities.
func averageCards(lines []TextLine) {
	type weightedSum struct{ sum, weight float64 }
	means := map[int32]weightedSum{}
	for i := range lines {
		if l := &lines[i]; l.Cards > 0 {
			s, w := means[l.Cards], float64(min(l.Chars, neighbourChars))
			means[l.Cards] = weightedSum{s.sum + w*oddsOf(l.P), s.weight + w}
		}
	}
	for i := range lines {
		if l := &lines[i]; l.Cards > 0 {
			s := means[l.Cards]
			l.P = logistic((1-cardsShare)*oddsOf(l.P) + cardsShare*s.sum/s.weight)
		}
	}
}

// lowerOthers lowers the probability of lines below headings of related products or reviews.
func lowerOthers(lines []TextLine) {
	for i := range lines {
		c := &lines[i].Clues
		if c[clueNear] > minOthersNear && c[clueOthers]+c[clueReplies]+c[clueReply] > 0 ||
			c[clueOthers]*c[clueBeside] > 0 {
			lines[i].P *= othersFactor
		}
		if c[clueReplies]*c[clueReply] > 0 && c[cluePrices]+c[clueProduct] > 0 {
			lines[i].P *= shopReviewFactor
		}
	}
}

// raiseIntro raises the probability of the sentences below the heading of the page.
func raiseIntro(lines []TextLine) {
	for i := range lines {
		if l := &lines[i]; l.Intro {
			l.P = max(l.P, minIntro)
		}
	}
}

// averageNeighbours mixes the log-odds of every line with those of its neighbours.
func averageNeighbours(lines []TextLine) {
	odds := make([]float64, len(lines))
	for i := range lines {
		odds[i] = oddsOf(lines[i].P)
	}
	for i := range lines {
		sum, weight := 0.0, 0.0
		for j := max(0, i-neighbourLines); j <= min(len(lines)-1, i+neighbourLines); j++ {
			if j != i {
				w := float64(min(lines[j].Chars, neighbourChars))
				sum += w * odds[j]
				weight += w
			}
		}
		if weight > 0 {
			lines[i].P = logistic((1-neighbourShare)*odds[i] + neighbourShare*sum/weight)
		}
	}
}

// byLines joins the likeliest lines. The result is empty if Lines returns none.
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
