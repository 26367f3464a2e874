package article

import "angler/crawl/htmldoc"

// The density method of P0 2.5 cuts the page into blocks. A block's density is the share of its
// characters outside links; below a half it is a link block. The text is the best block and the
// blocks around it. On either side it ends at two consecutive link blocks, or at the page's end.
// A single link block, such as a line of attachments, is part of the text. The paper takes the
// densest block, which on most pages is a copyright line. We multiply density by the characters
// outside links.

// minTextDensity is the density below which a block is a link block.
const minTextDensity = 0.5

// textBlock sums the consecutive runs of one block.
type textBlock struct {
	from, to   int32 // runs
	chars, out int32 // all characters, and those outside links
}

func (b textBlock) density() float64 { return float64(b.out) / float64(b.chars) }

// byDensity extracts the main text by the density method.
func (x *TextExtractor) byDensity() TextResult {
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
		return TextResult{}
	}
	lo, hi := textEdge(blocks, best, -1), textEdge(blocks, best, 1)
	return renderRuns(t, blocks[lo].from, blocks[hi].to)
}

// textEdge returns the last text block before two consecutive link blocks or the page's end. It
// starts at block from. step is 1 or −1.
func textEdge(blocks []textBlock, from int, step int) int {
	last := from
	for i := from + step; i >= 0 && i < len(blocks) && (i-last)*step <= 2; i += step {
		if blocks[i].density() >= minTextDensity {
			last = i
		}
	}
	return last
}

// renderRuns returns the text of the runs from:to.
func renderRuns(t *htmldoc.Tree, from, to int32) TextResult {
	if from >= to {
		return TextResult{}
	}
	runs := make([]int32, 0, to-from)
	for i := from; i < to; i++ {
		runs = append(runs, i)
	}
	first, last := t.Runs[from].Host, t.Runs[to-1].Host
	return TextResult{Text: join(t, runs, -1), From: min(first, last), To: max(t.Nodes[first].End, t.Nodes[last].End)}
}
