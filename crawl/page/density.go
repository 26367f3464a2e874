package page

// The density method of P0 2.5: the page is cut into blocks; a block's density
// is the share of its characters that stand outside links; the text is what
// lies around the best block up to the nearest link blocks (density below a
// half) on both sides. The paper takes the densest block, which on most pages
// is a copyright line; we weigh density by the characters it stands for.

// textBlock is a stretch of runs of one block.
type textBlock struct {
	from, to   int32 // runs
	chars, out int32 // characters; of those, outside links
}

func (b textBlock) density() float64 { return float64(b.out) / float64(b.chars) }

func byDensity(in mainInput) mainText {
	t := in.tree
	var blocks []textBlock
	last := int32(-2)
	for i := range t.runs {
		r := &t.runs[i]
		if block := t.nodes[r.host].block; block != last || len(blocks) == 0 {
			blocks = append(blocks, textBlock{from: int32(i)})
			last = block
		}
		b := &blocks[len(blocks)-1]
		b.to = int32(i + 1)
		b.chars += r.chars
		b.out += r.chars - r.link
	}
	best := -1
	for i, b := range blocks {
		if best < 0 || b.density()*float64(b.out) > blocks[best].density()*float64(blocks[best].out) {
			best = i
		}
	}
	if best < 0 {
		return mainText{}
	}
	lo, hi := best, best
	for lo > 0 && blocks[lo-1].density() >= 0.5 {
		lo--
	}
	for hi+1 < len(blocks) && blocks[hi+1].density() >= 0.5 {
		hi++
	}
	return t.span(blocks[lo].from, blocks[hi].to)
}

// span renders a stretch of runs.
func (t *tree) span(from, to int32) mainText {
	if from >= to {
		return mainText{}
	}
	runs := make([]int32, 0, to-from)
	for i := from; i < to; i++ {
		runs = append(runs, i)
	}
	first, last := t.runs[from].host, t.runs[to-1].host
	return mainText{text: t.join(runs, -1), from: min(first, last), to: max(t.nodes[first].end, t.nodes[last].end)}
}
