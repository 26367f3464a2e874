package page

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"angler/crawl/article"

	"golang.org/x/text/unicode/norm"
)

// TestFitLines fits the weights of the clues by which auto votes on lines, and prints
// them for weights.go:
//
//	ANGLER_FIT=1 go test -v -run FitLines ./crawl/page
//
// Before that it measures pages that the weights are not fitted to: each fifth of the
// pages of a kind by weights from the others, and each half by weights from the other.
// It asserts that the vote is better than every single method.
func TestFitLines(t *testing.T) {
	if os.Getenv("ANGLER_FIT") == "" {
		t.Skip("takes some minutes; set ANGLER_FIT=1")
	}
	pages := votedPages(t)
	for _, folds := range []int{2, 5} {
		sums, single := map[string]float64{}, map[string]*[3]float64{}
		count := map[string]float64{}
		for fold := range folds {
			w, bias := fitLines(pages, func(p *votedPage) bool { return p.no%folds != fold })
			for _, p := range pages {
				if p.no%folds != fold {
					continue
				}
				f := p.score(w, bias)
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
		kinds := make([]string, 0, len(sums))
		for k := range sums {
			kinds = append(kinds, k)
		}
		slices.Sort(kinds)
		for _, k := range kinds {
			n := count[k]
			t.Logf("%d folds: %-30s %3.0f  vote %.3f  mass %.3f  readability %.3f  trafilatura %.3f", folds, k, n, sums[k]/n, single[k][0]/n, single[k][1]/n, single[k][2]/n)
		}
		for k, s := range single["all"] {
			if s > sums["all"] {
				t.Errorf("%d folds: method %d has %.3f and the vote %.3f", folds, k, s/count["all"], sums["all"]/count["all"])
			}
		}
	}
	w, bias := fitLines(pages, func(*votedPage) bool { return true })
	var b strings.Builder
	for i, v := range w {
		if i%8 == 0 {
			b.WriteString("\n\t")
		}
		fmt.Fprintf(&b, "%.3f, ", v)
	}
	t.Logf("bias %.3f, weights:%s", bias, b.String())
}

// votedPage is a page with its lines and how much of each is in the gold text.
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

// votedPages reads the pages of many kinds.
func votedPages(t *testing.T) []*votedPage {
	var pages []*votedPage
	seen := map[string]int{}
	for row, body := range kindRows(t) {
		p := &votedPage{kind: row.Kind, no: seen[row.Kind], gold: strings.ToLower(row.Text)}
		seen[row.Kind]++
		a := newAnalysis(row.URL)
		opt := &Options{Now: crawled}
		read, err := a.understand(Source{URL: row.URL, Body: body}, opt)
		if err != nil {
			t.Fatal(err)
		}
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
		gold, shown := countGrams(strings.Split(p.gold, "\n")), countGrams(p.texts)
		for _, l := range p.lines {
			p.hit = append(p.hit, shareIn(gold, shown, p.texts[l.Run]))
			p.chars += float64(l.Chars)
		}
		a.release()
		pages = append(pages, p)
	}
	return pages
}

// score is the F1 of the text that the vote makes with such weights.
func (p *votedPage) score(w [article.ClueCount]float64, bias float64) float64 {
	lines := slices.Clone(p.lines)
	for i := range lines {
		lines[i].P = odds(&lines[i].Clues, &w, bias)
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

func odds(x, w *[article.ClueCount]float64, bias float64) float64 {
	for k, v := range x {
		bias += v * w[k]
	}
	return 1 / (1 + math.Exp(-bias))
}

// fitLines is logistic regression on the lines of some pages, with an L2 penalty on
// the weights of the clues in units of their deviation. A page weighs as much as any
// other, a line as many characters as it has.
func fitLines(pages []*votedPage, use func(*votedPage) bool) (w [article.ClueCount]float64, bias float64) {
	const (
		steps   = 400
		penalty = 2e-2
		rate    = 0.05
	)
	type sample struct {
		x    [article.ClueCount]float64
		y, w float64
	}
	var samples []sample
	var mean, dev, m, v [article.ClueCount + 1]float64
	total := 0.0
	for _, p := range pages {
		if !use(p) {
			continue
		}
		scale := 1 / (max(float64(len([]rune(p.gold))), p.chars/4) + 1)
		for i, l := range p.lines {
			if p.hit[i] < 0 {
				continue
			}
			s := sample{x: l.Clues, y: min(1, max(0, (p.hit[i]-.4)/.4)), w: float64(l.Chars) * scale}
			total += s.w
			for k, x := range s.x {
				mean[k] += s.w * x
				dev[k] += s.w * x * x
			}
			samples = append(samples, s)
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
		var g [article.ClueCount + 1]float64
		for i := range samples {
			s := &samples[i]
			e := s.w * (odds(&s.x, &w, bias) - s.y) / total
			for k, x := range s.x {
				g[k] += e * x
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

// gramSize is longer than that of overlap, so that no word of a menu counts as gold.
const gramSize = 8

// gramsOf returns the grams of letters and digits of a text; a shorter line is one.
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

// countGrams counts the grams of lines and of what they make together.
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

// shareIn returns the share of a line's grams that the gold text has, −1 when it has
// none. Of a gram that the page shows more often than the gold text has it, each counts
// in part.
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
