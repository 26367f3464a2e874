package page

import (
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// The mass method (DESIGN 3): every run of text weighs n·(n/c)² with n of its
// c characters outside links; from <body> the method follows the child that
// holds most of the weight as long as it holds nearly all, and takes what
// stands below.

const (
	massShare      = 0.7 // of an element's mass a child must hold to be followed
	heavyShare     = 0.4 // a negative class that holds as much is believed to be the content
	denseLinks     = 0.6 // link share above which a subtree is no text
	denseChars     = 30
	shortRun       = 12  // characters
	massChild      = 0.1 // factor for negative classes and for what stands before the title
	paragraphChars = 300 // a longer element without paragraphs is a text with line breaks
	littleText     = 20  // characters of a text that only points to its attachments
	smallText      = 200 // characters of a text that must stand beside the title
	besideTable    = 20  // mass beside a data table that makes both the text
	massUnended    = 0.4 // factor for short runs without punctuation
)

// byMass extracts the main text by text mass.
func byMass(in mainInput) mainText {
	t := in.tree
	if len(t.runs) == 0 {
		return mainText{}
	}
	title := t.titleRun(in.title)
	title = t.weigh(in, title)
	top := t.descend()
	m := t.render(in, top, title)
	if in.title < 0 || utf8.RuneCountInString(m.text) >= smallText {
		return m
	}
	// a few words that do not stand beside the title are the foot of a page
	// whose own text is short, or made of links
	beside := t.besideTitle(in.title)
	switch {
	case beside.text == "" && t.foot(top):
		return mainText{}
	case beside.text != "" && (top < beside.from || top >= beside.to):
		return beside
	}
	return m
}

// foot tells whether an element belongs to the foot of the page.
func (t *tree) foot(i int32) bool {
	for ; i >= 0; i = t.nodes[i].parent {
		if t.nodes[i].traits&footing != 0 {
			return true
		}
	}
	return false
}

// titleRun returns the run that shows the title, -1 when none does.
func (t *tree) titleRun(title int32) int {
	if title < 0 {
		return -1
	}
	n := &t.nodes[title]
	for i := range t.runs {
		r := &t.runs[i]
		if r.from >= n.from && r.from < n.to || r.from <= n.from && n.from < r.to {
			return i
		}
	}
	return -1
}

// basicWeight is a run's weight before anything is known of where it stands.
func (t *tree) basicWeight(r *run) float64 {
	if r.chars < 120 && furniture(t.text[r.from:r.to]) {
		return 0
	}
	n := float64(r.chars - r.link)
	share := n / float64(r.chars)
	return n * share * share
}

// weigh fills t.weight with the mass of every element's subtree and returns
// the title's run, or -1 when the title is not to be trusted: when less than
// 40 % of the mass stands behind it.
func (t *tree) weigh(in mainInput, title int) int {
	raw := resize(&t.weight2, len(t.nodes))
	total, after := 0.0, 0.0
	for i := range t.runs {
		r := &t.runs[i]
		w := t.basicWeight(r)
		total += w
		if i > title {
			after += w
		}
		raw[r.host] += w
	}
	t.accumulate(raw)
	if title >= 0 && after < heavyShare*total {
		title = -1
	}
	mass := resize(&t.weight, len(t.nodes))
	for i := range t.runs {
		r := &t.runs[i]
		w := t.basicWeight(r)
		if w == 0 || i == title {
			continue
		}
		if r.punct == 0 && r.chars < shortRun {
			w *= massUnended
		}
		if r.chars < 120 && contact(t.text[r.from:r.to]) {
			w *= massChild
		}
		if r.negative && t.lightNegative(r.host, raw, heavyShare*total) {
			w *= massChild
		}
		if i < title {
			w *= massChild
		}
		if t.nodes[r.host].hidden && raw[r.host] < heavyShare*total {
			w *= massChild
		}
		if in.host != nil && in.host.repeatedText(t.text[r.from:r.to]) {
			continue
		}
		mass[r.host] += w
	}
	t.accumulate(mass)
	return title
}

// lightNegative tells whether an element around a run is negative by its own
// class and holds less mass than heavy, or is the foot of the page.
func (t *tree) lightNegative(i int32, mass []float64, heavy float64) bool {
	for ; i >= 0; i = t.nodes[i].parent {
		n := &t.nodes[i]
		if n.traits&footing != 0 || n.traits&negative != 0 && mass[i] < heavy {
			return true
		}
	}
	return false
}

// accumulate adds every element's value to all elements around it.
func (t *tree) accumulate(v []float64) {
	for i := len(t.nodes) - 1; i > 0; i-- {
		if p := t.nodes[i].parent; p >= 0 {
			v[p] += v[i]
		}
	}
}

// descend follows the mass from the outermost element.
func (t *tree) descend() int32 {
	mass := t.weight
	top := int32(0)
	for {
		best := int32(-1)
		for c := top + 1; c < t.nodes[top].end; c = t.nodes[c].end {
			if !t.nodes[c].text && (best < 0 || mass[c] > mass[best]) {
				best = c
			}
		}
		if best < 0 || mass[best] == 0 || mass[best] < massShare*mass[top] {
			return top
		}
		if t.tableBeside(top, best) || t.paragraph(best) {
			return top
		}
		switch n := &t.nodes[best]; {
		case n.tag == atom.Table:
			// a layout table has one cell that holds it all; a data table stays
			if best = t.heavyCell(best, massShare*mass[top]); best < 0 {
				return top
			}
		case n.tag == atom.P || n.tag == atom.Li:
			return top
		case !n.breaksText && n.tag != atom.Span && n.tag != atom.Font && n.html.Data != "article":
			return top
		}
		top = best
	}
}

// paragraph tells whether an element holds no more than one paragraph.
func (t *tree) paragraph(i int32) bool {
	n := &t.nodes[i]
	if n.chars >= paragraphChars {
		return false
	}
	runs := 0
	for k := range t.runs {
		if h := t.runs[k].host; h >= i && h < n.end {
			runs++
		}
	}
	return runs <= 1
}

// tableBeside tells whether child best of top is a data table (or little more)
// and sentences stand beside it: a notice with its table.
func (t *tree) tableBeside(top, best int32) bool {
	b := &t.nodes[best]
	if t.weight[top]-t.weight[best] < besideTable {
		return false
	}
	rows, table := 0, int32(0)
	for i := best; i < b.end; {
		n := &t.nodes[i]
		if n.tag == atom.Table && t.heavyCell(i, massShare*t.weight[i]) < 0 {
			table += n.chars
			rows++
			i = n.end
			continue
		}
		i++
	}
	return rows > 0 && table*5 >= b.chars*4
}

// heavyCell returns the outermost cell of a table that holds at least so much,
// -1 when none does.
func (t *tree) heavyCell(table int32, mass float64) int32 {
	for i := table + 1; i < t.nodes[table].end; {
		n := &t.nodes[i]
		switch {
		case t.weight[i] < mass:
			i = n.end
		case n.tag == atom.Td || n.tag == atom.Th:
			return i
		default:
			i++
		}
	}
	return -1
}

// resize returns a zeroed slice of length n that lives in the pool.
func resize(s *[]float64, n int) []float64 {
	if cap(*s) < n {
		*s = make([]float64, n, n+n/4)
	}
	*s = (*s)[:n]
	clear(*s)
	return *s
}
