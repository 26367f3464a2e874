package page

import (
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"unicode"
	"unicode/utf8"

	"angler/crawl/article"

	"golang.org/x/text/unicode/norm"
)

// TestFitLines fits the weights of auto's vote on the lines of threads, and the trees of its vote on
// the lines of other pages. It prints them for weights.go:
//
//	ANGLER_FIT=1 go test -v -run FitLines ./crawl/page
//
// Before that it measures pages outside the fitted set: each fifth of the pages of a kind by a fit to
// the others, and each half by a fit to the other half. It asserts that the vote is better than every
// single method.
func TestFitLines(t *testing.T) {
	if os.Getenv("ANGLER_FIT") == "" {
		t.Skip("takes some minutes; set ANGLER_FIT=1")
	}
	var pages []*votedPage
	synctest.Test(t, func(t *testing.T) { pages = votedPages(t) }) // where no reader runs out of time
	for _, folds := range []int{2, 5} {
		sums, single := map[string]float64{}, map[string]*[3]float64{}
		count := map[string]float64{}
		for fold := range folds {
			fit := fitLines(pages, func(p *votedPage) bool { return p.no%folds != fold })
			for _, p := range pages {
				if p.no%folds != fold {
					continue
				}
				f := p.score(fit)
				kinds := []string{p.kind, "all"}
				if folds == 2 {
					half := fmt.Sprintf(", half %d", fold+1)
					kinds = append(kinds, p.kind+half, "all"+half)
				}
				for _, kind := range kinds {
					if single[kind] == nil {
						single[kind] = new([3]float64)
					}
					sums[kind] += f
					count[kind]++
					for k := range p.single {
						single[kind][k] += p.single[k]
					}
				}
			}
		}
		for _, k := range slices.Sorted(maps.Keys(sums)) {
			n := count[k]
			t.Logf("%d folds: %-30s %3.0f  vote %.3f  mass %.3f  readability %.3f  trafilatura %.3f", folds, k, n, sums[k]/n, single[k][0]/n, single[k][1]/n, single[k][2]/n)
		}
		for k, s := range single["all"] {
			if s > sums["all"] {
				t.Errorf("%d folds: method %d has %.3f and the vote %.3f", folds, k, s/count["all"], sums["all"]/count["all"])
			}
		}
	}
	fit := fitLines(pages, func(*votedPage) bool { return true })
	var b strings.Builder
	for i, v := range fit.weights {
		if i%8 == 0 {
			b.WriteString("\n\t")
		}
		fmt.Fprintf(&b, "%.3f, ", v)
	}
	t.Logf("bias %.3f, weights:%s", fit.bias, b.String())
	b.Reset()
	for _, x := range fit.trees {
		fmt.Fprintf(&b, "\n\t{%s, %s,\n\t\t%s},", literal("uint8", x.Clues[:]), literal("float64", x.Limits[:]), literal("float64", x.Odds[:]))
	}
	t.Logf("trees from %.3f:%s", fit.treesBias, b.String())
}

// literal formats an array as Go source, with at most three decimals.
func literal[T uint8 | float64](kind string, values []T) string {
	s := make([]string, len(values))
	for i, v := range values {
		s[i] = strconv.FormatFloat(math.Round(float64(v)*1000)/1000, 'g', -1, 64)
	}
	return fmt.Sprintf("[%d]%s{%s}", len(values), kind, strings.Join(s, ", "))
}

// lineFit holds the parameters of weights.go.
type lineFit struct {
	weights         [article.LinearClues]float64
	bias, treesBias float64
	trees           []article.LineTree
}

// votedPage is a page with its lines and the share of each in the gold text.
type votedPage struct {
	kind   string
	no     int // of its kind
	gold   string
	lines  []article.TextLine
	texts  []string // by run
	hit    []float64
	chars  float64
	single [3]float64 // F1 of the methods that vote
	thread bool
}

// votedPages parses the pages of kindRows.
func votedPages(t *testing.T) []*votedPage {
	var pages []*votedPage
	seen := map[string]int{}
	for row, body := range kindRows(t) {
		p := &votedPage{kind: row.Kind, no: seen[row.Kind], gold: strings.ToLower(row.Text)}
		seen[row.Kind]++
		a := newAnalysis(row.URL)
		opt := &Options{Now: crawled}
		read, err := a.analyse(Source{URL: row.URL, Body: body}, opt)
		must(t, err)
		in := a.textInput(read, nil)
		for k, m := range []string{article.MethodMass, article.MethodReadability, article.MethodTrafilatura} {
			r, _ := a.text.Extract(m, in)
			p.single[k] = textF1(p.gold, strings.ToLower(r.Text))
		}
		p.lines = slices.Clone(a.text.Lines(in))
		p.thread = a.posts.Kind == article.Thread
		for _, r := range a.tree.Runs {
			p.texts = append(p.texts, strings.ToLower(strings.Clone(a.tree.Text[r.From:r.To])))
		}
		taken := make([]string, len(p.lines))
		for i, l := range p.lines {
			taken[i] = p.texts[l.Run]
		}
		gold, shown := countGrams(strings.Split(p.gold, "\n")), countGrams(taken)
		for _, l := range p.lines {
			p.hit = append(p.hit, shareIn(gold, shown, p.texts[l.Run]))
			p.chars += float64(l.Chars)
		}
		a.release()
		pages = append(pages, p)
	}
	return pages
}

// score returns the F1 of the text of the vote with the given weights and trees.
func (p *votedPage) score(fit lineFit) float64 {
	lines := slices.Clone(p.lines)
	for i := range lines {
		if c := &lines[i].Clues; p.thread {
			lines[i].P = article.LinearProbability(c, &fit.weights, fit.bias)
		} else {
			lines[i].P = article.TreesProbability(c, fit.trees, fit.treesBias)
		}
	}
	runs := []int32{}
	for _, l := range lines[:article.Likeliest(lines, p.thread)] {
		runs = append(runs, l.Run)
	}
	slices.Sort(runs)
	var b strings.Builder
	for _, r := range runs {
		b.WriteString(p.texts[r])
	}
	return textF1(p.gold, b.String())
}

// lineSample is a line of the fitted set.
type lineSample struct {
	x    [article.ClueCount]float64
	y, w float64 // share of the line that is text, and weight
}

// shopWeight is the weight of a page of a product or a collection. Pages of other kinds weigh 1.
const shopWeight = 1.6

// lineSamples returns the lines of the pages that use selects, and the sum of their weights. All pages
// of a kind have about the same weight. A line weighs in proportion to its characters.
func lineSamples(pages []*votedPage, use func(*votedPage) bool) (samples []lineSample, total float64) {
	for _, p := range pages {
		if !use(p) {
			continue
		}
		scale := 1 / (max(float64(len([]rune(p.gold))), p.chars/4) + 1)
		if p.kind == "product" || p.kind == "collection" {
			scale *= shopWeight
		}
		for i, l := range p.lines {
			if p.hit[i] < 0 {
				continue
			}
			s := lineSample{x: l.Clues, y: min(1, max(0, (p.hit[i]-.4)/.4)), w: float64(l.Chars) * scale}
			total += s.w
			samples = append(samples, s)
		}
	}
	return samples, total
}

// fitLines fits weights to the lines of the selected pages, and trees to those outside threads.
func fitLines(pages []*votedPage, use func(*votedPage) bool) (fit lineFit) {
	fit.weights, fit.bias = fitWeights(lineSamples(pages, use))
	fit.trees, fit.treesBias = fitTrees(lineSamples(pages, func(p *votedPage) bool { return !p.thread && use(p) }))
	return fit
}

// fitWeights is a logistic regression on standardized clues with an L2 penalty.
func fitWeights(samples []lineSample, total float64) (w [article.LinearClues]float64, bias float64) {
	const (
		steps   = 400
		penalty = 2e-2
		rate    = 0.05
	)
	var mean, dev, m, v [article.LinearClues + 1]float64
	for i := range samples {
		s := &samples[i]
		for k := range w {
			mean[k] += s.w * s.x[k]
			dev[k] += s.w * s.x[k] * s.x[k]
		}
	}
	for k := range w {
		mean[k] /= total
		dev[k] = math.Sqrt(max(1e-6, dev[k]/total-mean[k]*mean[k]))
	}
	for i := range samples {
		for k := range w {
			samples[i].x[k] = (samples[i].x[k] - mean[k]) / dev[k]
		}
	}
	for step := 1; step <= steps; step++ { // Adam
		var g [article.LinearClues + 1]float64
		for i := range samples {
			s := &samples[i]
			e := s.w * (article.LinearProbability(&s.x, &w, bias) - s.y) / total
			for k := range w {
				g[k] += e * s.x[k]
			}
			g[len(w)] += e
		}
		for k := range g {
			if k < len(w) {
				g[k] += penalty * w[k]
			}
			m[k] = .9*m[k] + .1*g[k]
			v[k] = .99*v[k] + .01*g[k]*g[k]
			d := rate * m[k] / (1 - math.Pow(.9, float64(step))) / (math.Sqrt(v[k]/(1-math.Pow(.99, float64(step)))) + 1e-8)
			if k < len(w) {
				w[k] -= d
			} else {
				bias -= d
			}
		}
	}
	for k := range w {
		w[k] /= dev[k]
		bias -= w[k] * mean[k]
	}
	return w, bias
}

// treeBins is the number of ranges of the values of a clue.
const treeBins = 32

// fitTrees is gradient boosting of trees with the same comparison in all nodes of a level.
func fitTrees(samples []lineSample, total float64) (trees []article.LineTree, bias float64) {
	const (
		count = 320
		rate  = 0.12
		calm  = 2.0 // is added to the weight of a leaf
		pages = 170 // the weight of all samples
	)
	limits, bins := binned(samples)
	score, slope, bend := make([]float64, len(samples)), make([]float64, len(samples)), make([]float64, len(samples))
	right := 0.0
	for i := range samples {
		samples[i].w *= pages / total
		right += samples[i].w * samples[i].y
	}
	bias = math.Log(right / (pages - right))
	for i := range score {
		score[i] = bias
	}
	leaf := make([]uint8, len(samples))
	for range count {
		for i := range samples {
			s := &samples[i]
			p := 1 / (1 + math.Exp(-score[i]))
			slope[i], bend[i] = s.w*(s.y-p), s.w*p*(1-p)
		}
		clear(leaf)
		var tree article.LineTree
		for depth := range article.TreeDepth {
			top, clue, limit := -1.0, 0, 0
			for k := range bins {
				var g, h [1 << article.TreeDepth][treeBins]float64
				for i, b := range bins[k] {
					g[leaf[i]][b] += slope[i]
					h[leaf[i]][b] += bend[i]
				}
				var gain [treeBins]float64
				for l := range 1 << depth {
					all, allBend, low, lowBend := 0.0, 0.0, 0.0, 0.0
					for b := range treeBins {
						all += g[l][b]
						allBend += h[l][b]
					}
					for b := range limits[k] {
						low += g[l][b]
						lowBend += h[l][b]
						gain[b] += low*low/(lowBend+calm) + (all-low)*(all-low)/(allBend-lowBend+calm) - all*all/(allBend+calm)
					}
				}
				for b := range limits[k] {
					if gain[b] > top {
						top, clue, limit = gain[b], k, b
					}
				}
			}
			tree.Clues[depth], tree.Limits[depth] = uint8(clue), limits[clue][limit]
			for i, b := range bins[clue] {
				if int(b) > limit {
					leaf[i] |= 1 << depth
				}
			}
		}
		var g, h [1 << article.TreeDepth]float64
		for i, l := range leaf {
			g[l] += slope[i]
			h[l] += bend[i]
		}
		for l := range g {
			tree.Odds[l] = rate * g[l] / (h[l] + calm)
		}
		for i, l := range leaf {
			score[i] += tree.Odds[l]
		}
		trees = append(trees, tree)
	}
	return trees, bias
}

// binned returns limits that divide the values of every clue into ranges of about equal numbers of
// samples, rounded as in weights.go. It also returns the range of each sample.
func binned(samples []lineSample) (limits [article.ClueCount][]float64, bins [article.ClueCount][]uint8) {
	for k := range limits {
		values := make([]float64, len(samples))
		for i := range samples {
			values[i] = samples[i].x[k]
		}
		slices.Sort(values)
		for b := 1; b < treeBins; b++ {
			limit := math.Round(values[b*(len(values)-1)/treeBins]*1000) / 1000
			if n := len(limits[k]); n == 0 || limit > limits[k][n-1] {
				limits[k] = append(limits[k], limit)
			}
		}
		bins[k] = make([]uint8, len(samples))
		for i := range samples {
			b, _ := slices.BinarySearch(limits[k], samples[i].x[k])
			bins[k][i] = uint8(b)
		}
	}
	return limits, bins
}

// gramSize is larger than that of article.OverlapOf, so that no word of a menu counts as gold.
const gramSize = 8

// gramsOf returns the grams of the letters and digits of a text. A shorter text is one gram.
func gramsOf(s string) []string {
	var runes []rune
	for _, r := range norm.NFKC.String(s) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			runes = append(runes, r)
		}
	}
	var grams []string
	for i := 0; i+gramSize <= len(runes); i++ {
		grams = append(grams, string(runes[i:i+gramSize]))
	}
	if n := len(runes); n > 0 && n < gramSize {
		grams = append(grams, string(runes))
	}
	return grams
}

// countGrams counts the grams of the joined lines, and short lines as one gram each.
func countGrams(lines []string) map[string]float64 {
	n := map[string]float64{}
	for _, g := range gramsOf(strings.Join(lines, "")) {
		n[g]++
	}
	for _, line := range lines {
		if g := gramsOf(line); len(g) == 1 && utf8.RuneCountInString(g[0]) < gramSize {
			n[g[0]]++
		}
	}
	return n
}

// shareIn returns the share of a line's grams in the gold text, −1 for a line without grams. A gram
// that the page shows more often than the gold text counts in part.
func shareIn(gold, shown map[string]float64, line string) float64 {
	hits, all := 0.0, 0.0
	for _, g := range gramsOf(line) {
		all++
		hits += min(1, gold[g]/max(1, shown[g]))
	}
	if all == 0 {
		return -1
	}
	return hits / all
}
