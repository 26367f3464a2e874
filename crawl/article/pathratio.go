package article

import (
	"math"

	"angler/crawl/htmldoc"
)

// The text to tag path ratio of P2 2.2.1 and its algorithm 2. Texts at the same tag path
// ("div/div/p") have one ratio: characters per text times punctuation marks per text. The ratios
// are smoothed over neighbours. Texts above λ standard deviations are content. A second pass
// checks the result (secondpass.go).

// pathLambda is λ.
const pathLambda = 0.8

// pathStat sums the texts at one tag path.
type pathStat struct{ chars, punct, texts float64 }

// byPathRatio is the first pass. punct and links are the numbers of punctuation marks and link
// characters of the text.
func (x *TextExtractor) byPathRatio() (r TextResult, punct, links int) {
	t := x.Tree
	texts, ratios := pathRatios(t)
	if len(texts) == 0 {
		return TextResult{}, 0, 0
	}
	smooth := make([]float64, len(ratios))
	kernel := [3]float64{math.Exp(-0.5), 1, math.Exp(-0.5)}
	sum := kernel[0] + kernel[1] + kernel[2]
	mean := 0.0
	for i := range ratios {
		for d := -1; d <= 1; d++ {
			if j := i + d; j >= 0 && j < len(ratios) {
				smooth[i] += ratios[j] * kernel[d+1] / sum
			}
		}
		mean += smooth[i]
	}
	mean /= float64(len(smooth))
	variance := 0.0
	for _, v := range smooth {
		variance += (v - mean) * (v - mean)
	}
	floor := pathLambda * math.Sqrt(variance/float64(len(smooth)))
	first, last := int32(-1), int32(-1)
	picked := make(map[int32]bool, len(texts))
	for i, n := range texts {
		if smooth[i] < floor {
			continue
		}
		picked[n] = true
		punct += int(t.Nodes[n].Punct)
		links += int(t.Nodes[n].LinkChars)
		if first < 0 {
			first = n
		}
		last = n
	}
	if first < 0 {
		return TextResult{}, 0, 0
	}
	// the runs that hold a picked text
	var runs []int32
	next := int32(0)
	for i := range t.Runs {
		r := &t.Runs[i]
		for next < int32(len(texts)) && t.Nodes[texts[next]].From < r.From {
			next++
		}
		for k := next; k < int32(len(texts)) && t.Nodes[texts[k]].From < r.To; k++ {
			if picked[texts[k]] {
				runs = append(runs, int32(i))
				break
			}
		}
	}
	return TextResult{Text: join(t, runs, -1), From: first, To: last + 1}, punct, links
}

// pathRatios returns the text nodes of the page and the ratio of the path of each.
func pathRatios(t *htmldoc.Tree) (texts []int32, ratios []float64) {
	paths := make([]uint64, len(t.Nodes))
	stats := map[uint64]*pathStat{}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		h := uint64(hashSeed)
		if n.Parent >= 0 {
			h = paths[n.Parent]
		}
		if !n.IsText {
			paths[i] = hashElement(h, n, false)
			continue
		}
		paths[i] = h
		s := stats[h]
		if s == nil {
			s = &pathStat{}
			stats[h] = s
		}
		s.chars += float64(n.Chars)
		s.punct += float64(n.Punct)
		s.texts++
		texts = append(texts, int32(i))
	}
	ratios = make([]float64, len(texts))
	for i, n := range texts {
		s := stats[paths[n]]
		ratios[i] = s.chars / s.texts * s.punct / s.texts
	}
	return texts, ratios
}
