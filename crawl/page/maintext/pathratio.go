package maintext

import (
	"math"

	"angler/crawl/page/htmltree"

	"golang.org/x/net/html/atom"
)

// The text to tag path ratio of P2 2.2.1 and its algorithm 2. Texts that stand at the
// same tag path ("div/div/p") share a ratio: characters per text times punctuation
// marks per text. The ratios are smoothed over neighbours, and what lies above λ
// standard deviations is content. If that has too little punctuation or too many
// link characters, a second pass takes the element with the best text and
// punctuation per text node instead.

const (
	pathLambda = 0.8 // λ
	pathAlpha  = 8   // α: punctuation marks a first result must exceed
	pathBeta   = 60  // β: link characters it must stay below
)

type pathStat struct{ chars, punct, texts float64 }

func (x *Extractor) byPathRatio() Result {
	t := x.Tree
	texts, ratios := pathRatios(t)
	if len(texts) == 0 {
		return Result{}
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
		punct += t.Nodes[n].Punct
		links += t.Nodes[n].LinkChars
		if first < 0 {
			first = n
		}
		last = n
	}
	if punct <= pathAlpha || links >= pathBeta {
		if best := x.punctuated(); best >= 0 {
			return inside(t, best)
		}
	}
	if first < 0 {
		return Result{}
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
	return Result{Text: join(t, runs, -1), From: first, To: last + 1}
}

// pathRatios returns the texts of the page and the ratio of each one's path.
func pathRatios(t *htmltree.Tree) (texts []int32, ratios []float64) {
	paths := make([]uint64, len(t.Nodes))
	stats := map[uint64]*pathStat{}
	for i := range t.Nodes {
		n := &t.Nodes[i]
		h := uint64(14695981039346656037)
		if n.Parent >= 0 {
			h = paths[n.Parent]
		}
		if !n.IsText {
			paths[i] = (h ^ uint64(n.Tag)) * 1099511628211
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

// punctuated is the second pass. Among the elements with more than α punctuation
// marks and fewer than β link characters it returns the one with the most
// characters per text × punctuation per text + number of <p> and <strong>; -1 when
// there is none.
func (x *Extractor) punctuated() int32 {
	t := x.Tree
	texts := resize(&x.mass, len(t.Nodes))
	marks := resize(&x.raw, len(t.Nodes))
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if n.IsText {
			texts[i] = 1
		}
		if n.Tag == atom.P || n.Tag == atom.Strong {
			marks[i] = 1
		}
	}
	accumulate(t, texts)
	accumulate(t, marks)
	best, top := int32(-1), -1.0
	for i := range t.Nodes {
		n := &t.Nodes[i]
		switch n.Tag {
		case atom.Div, atom.Td, atom.Article, atom.Section, atom.Table, atom.Body, atom.Main:
		default:
			continue
		}
		if n.IsText || n.Punct <= pathAlpha || n.LinkChars >= pathBeta {
			continue
		}
		if v := float64(n.Chars-n.LinkChars)/texts[i]*float64(n.Punct)/texts[i] + marks[i]; v > top {
			best, top = int32(i), v
		}
	}
	return best
}

// inside renders every run of an element.
func inside(t *htmltree.Tree, i int32) Result {
	n := &t.Nodes[i]
	var runs []int32
	for r := range t.Runs {
		if h := t.Runs[r].Host; h >= i && h < n.End {
			runs = append(runs, int32(r))
		}
	}
	return Result{Text: join(t, runs, i), From: i, To: n.End}
}
