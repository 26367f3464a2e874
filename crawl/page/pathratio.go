package page

import (
	"math"

	"golang.org/x/net/html/atom"
)

// The text to tag path ratio of P2 (algorithms 1 and 2). Texts that stand at
// the same tag path ("div/div/p") share a ratio: characters of the path ÷ its
// texts, times the punctuation per text; the ratios are smoothed over
// neighbours and what lies above λ standard deviations is content. A second
// pass replaces a result with too little punctuation or too many link
// characters by the element with the best text and punctuation per text node.

const (
	pathLambda = 0.8 // λ
	pathAlpha  = 8   // α: punctuation marks a first result must exceed
	pathBeta   = 60  // β: link characters it must stay below
)

type pathStat struct{ chars, punct, texts float64 }

func byPathRatio(in mainInput) mainText {
	t := in.tree
	texts, ratios := t.pathRatios()
	if len(texts) == 0 {
		return mainText{}
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
	punct, links := int32(0), int32(0)
	first, last := int32(-1), int32(-1)
	picked := make(map[int32]bool, len(texts))
	for i, n := range texts {
		if smooth[i] < floor {
			continue
		}
		picked[n] = true
		punct += t.nodes[n].punct
		links += t.nodes[n].linkChars
		if first < 0 {
			first = n
		}
		last = n
	}
	if punct <= pathAlpha || links >= pathBeta {
		if best := t.punctuated(); best >= 0 {
			return t.inside(best)
		}
	}
	if first < 0 {
		return mainText{}
	}
	// the runs that hold a picked text
	var runs []int32
	next := int32(0)
	for i := range t.runs {
		r := &t.runs[i]
		for next < int32(len(texts)) && t.nodes[texts[next]].from < r.from {
			next++
		}
		for k := next; k < int32(len(texts)) && t.nodes[texts[k]].from < r.to; k++ {
			if picked[texts[k]] {
				runs = append(runs, int32(i))
				break
			}
		}
	}
	return mainText{text: t.join(runs, -1), from: first, to: last + 1}
}

// pathRatios returns the texts of the page and the ratio of each one's path.
func (t *tree) pathRatios() (texts []int32, ratios []float64) {
	paths := make([]uint64, len(t.nodes))
	stats := map[uint64]*pathStat{}
	for i := range t.nodes {
		n := &t.nodes[i]
		h := uint64(14695981039346656037)
		if n.parent >= 0 {
			h = paths[n.parent]
		}
		if !n.text {
			paths[i] = (h ^ uint64(n.tag)) * 1099511628211
			continue
		}
		paths[i] = h
		s := stats[h]
		if s == nil {
			s = &pathStat{}
			stats[h] = s
		}
		s.chars += float64(n.chars)
		s.punct += float64(n.punct)
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

// punctuated is the second pass: the element with most than α punctuation
// marks and fewer than β link characters that maximises characters per text ×
// punctuation per text + the count of <p> and <strong>; -1 when there is none.
func (t *tree) punctuated() int32 {
	texts := resize(&t.weight, len(t.nodes))
	marks := resize(&t.weight2, len(t.nodes))
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.text {
			texts[i] = 1
		}
		if n.tag == atom.P || n.tag == atom.Strong {
			marks[i] = 1
		}
	}
	t.accumulate(texts)
	t.accumulate(marks)
	best, top := int32(-1), -1.0
	for i := range t.nodes {
		n := &t.nodes[i]
		switch n.tag {
		case atom.Div, atom.Td, atom.Article, atom.Section, atom.Table, atom.Body, atom.Main:
		default:
			continue
		}
		if n.text || n.punct <= pathAlpha || n.linkChars >= pathBeta {
			continue
		}
		if v := float64(n.chars-n.linkChars)/texts[i]*float64(n.punct)/texts[i] + marks[i]; v > top {
			best, top = int32(i), v
		}
	}
	return best
}

// inside renders every run of an element.
func (t *tree) inside(i int32) mainText {
	n := &t.nodes[i]
	var runs []int32
	for r := range t.runs {
		if h := t.runs[r].host; h >= i && h < n.end {
			runs = append(runs, int32(r))
		}
	}
	return mainText{text: t.join(runs, i), from: i, to: n.end}
}
