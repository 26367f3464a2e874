package maintext

import "angler/crawl/page/htmltree"

// The density method of P0 2.5: the page is cut into blocks; a block's density
// is the share of its characters that stand outside links; the text is what
// lies around the best block up to the nearest link blocks (density below a
// half) on both sides. The paper takes the densest block, which on most pages
// is a copyright line. We weigh density by the characters it stands for.

// textBlock is a stretch of runs of one block.
type textBlock struct {
	from, to   int32 // runs
	chars, out int32 // characters; of those, outside links
}

func (b textBlock) density() float64 { return float64(b.out) / float64(b.chars) }

func (x *Extractor) byDensity() Result {
	t := x.Tree
	var blocks []textBlock
	last := int32(-2)
	for i := range t.Runs {
		r := &t.Runs[i]
		if d := t.Nodes[r.Host].Division; d != last || len(blocks) == 0 {
			blocks = append(blocks, textBlock{from: int32(i)})
			last = d
		}
		b := &blocks[len(blocks)-1]
		b.to = int32(i + 1)
		b.chars += r.Chars
		b.out += r.Chars - r.LinkChars
	}
	best := -1
	for i, b := range blocks {
		if best < 0 || b.density()*float64(b.out) > blocks[best].density()*float64(blocks[best].out) {
			best = i
		}
	}
	if best < 0 {
		return Result{}
	}
	lo, hi := best, best
	for lo > 0 && blocks[lo-1].density() >= 0.5 {
		lo--
	}
	for hi+1 < len(blocks) && blocks[hi+1].density() >= 0.5 {
		hi++
	}
	return span(t, blocks[lo].from, blocks[hi].to)
}

// span writes a stretch of runs.
func span(t *htmltree.Tree, from, to int32) Result {
	if from >= to {
		return Result{}
	}
	runs := make([]int32, 0, to-from)
	for i := from; i < to; i++ {
		runs = append(runs, i)
	}
	first, last := t.Runs[from].Host, t.Runs[to-1].Host
	return Result{Text: join(t, runs, -1), From: min(first, last), To: max(t.Nodes[first].End, t.Nodes[last].End)}
}
