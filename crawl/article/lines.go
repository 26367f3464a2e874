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
// being text, by logistic regression over its clues, and the text is the set of lines
// with the largest expected F1.
//
// The weights (weights.go) were fitted to pages of many kinds and languages whose text
// people marked; TestFitLines fits them anew, and measures pages that they were not
// fitted to.

// mostLines is how many lines a page may have to be voted on.
const mostLines = 10_000

// The lines around a line have a say in it, but not in a thread, where every post has
// lines of its author among those of its text.
const (
	aroundSay   = 0.3 // share of the log-odds that they have
	aroundLines = 3   // of them on either side
	aroundChars = 100 // of one count
	tableSay    = 0.6
)

// TextLine is what is known of one line of a page.
type TextLine struct {
	Run   int32 // index into Tree.Runs
	Chars int32
	Clues [ClueCount]float64
	Table int32   // the table of data that it stands in, 0 outside all
	P     float64 // probability that it is text, 0 … 1
}

// Lines returns the lines of a page with their clues, none when it has too many
// or no reader found a text. Lines that the host's other pages repeat are left out.
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
		if x.Host != nil && x.Host.RepeatedText(t.Text[r.From:r.To]) {
			continue
		}
		l.P = probability(&l.Clues, &lineWeights, lineBias)
		lines = append(lines, l)
	}
	return lines
}

// probability is the logistic function of the weighted clues.
func probability(clues, weights *[ClueCount]float64, bias float64) float64 {
	odds := bias
	for k, c := range clues {
		odds += c * weights[k]
	}
	return 1 / (1 + math.Exp(-odds))
}

// Likeliest returns how many of the likeliest lines make the text with the largest
// expected F1: 2·Σ P·chars of those taken ÷ (Σ chars of those taken + Σ P·chars of
// all). It expects the lines in document order and sorts them by P, after the lines
// around each had their say, unless the page is a thread.
func Likeliest(lines []TextLine, thread bool) int {
	if !thread {
		hearNeighbours(lines)
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

// hearNeighbours mixes the log-odds of every line with those of the lines around it.
func hearNeighbours(lines []TextLine) {
	odds := make([]float64, len(lines))
	for i := range lines {
		odds[i] = math.Log((1e-3 + lines[i].P) / (1e-3 + 1 - lines[i].P))
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
			lines[i].P = 1 / (1 + math.Exp(-(1-aroundSay)*odds[i]-aroundSay*sum/weight))
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
