package page

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"angler/crawl/urls"

	"golang.org/x/net/html/atom"
)

// The mass method (DESIGN 3): every run of text weighs n·(n/c)² with n of its
// c characters outside links; from <body> the method follows the child that
// holds most of the weight as long as it holds nearly all, and takes what
// stands below.

const (
	massShare   = 0.7 // of an element's mass a child must hold to be followed
	heavyShare  = 0.4 // a negative class that holds as much is believed to be the content
	denseLinks  = 0.6 // link share above which a subtree is no text
	denseChars  = 30
	shortRun    = 12  // characters
	massChild   = 0.1 // factor for negative classes and for what stands before the title
	besideTable = 20  // mass beside a data table that makes both the text
	massUnended = 0.4 // factor for short runs without punctuation
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
	return t.render(in, top, title)
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
// class and holds less mass than heavy.
func (t *tree) lightNegative(i int32, mass []float64, heavy float64) bool {
	for ; i >= 0; i = t.nodes[i].parent {
		if t.nodes[i].traits&negative != 0 && mass[i] < heavy {
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
		if t.tableBeside(top, best) {
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

// render writes the runs inside top without navigation, link lists and the
// line of source and date below the title.
func (t *tree) render(in mainInput, top int32, title int) mainText {
	var runs []int32
	squeezed := squeeze(nil, in.titleText)
	repeatedTitle := int32(-1)
	seen := 0
	for i := range t.runs {
		r := &t.runs[i]
		if r.host < top || r.host >= t.nodes[top].end || i <= title {
			continue
		}
		text := t.text[r.from:r.to]
		seen++
		if r.chars < 100 && furniture(text) {
			continue
		}
		if len(runs) == 0 && seen <= 4 && r.chars < 80 && bylineOf(text, int(r.chars)) {
			continue
		}
		if seen == 1 && len(squeezed) > 0 && bytes.Equal(squeeze(nil, text), squeezed) {
			repeatedTitle = int32(i)
			continue
		}
		if t.dropped(r, top, text) {
			continue
		}
		runs = append(runs, int32(i))
	}
	runs = t.attachmentTail(runs, top)
	if len(runs) == 0 && repeatedTitle >= 0 {
		runs = append(runs, repeatedTitle)
	}
	if len(runs) == 0 {
		return mainText{}
	}
	return mainText{text: t.join(runs, top), from: top, to: t.nodes[top].end}
}

// bylineOf tells whether a line below a title says when and where a text was
// published: a date and little else, or labels and no sentence.
func bylineOf(text string, chars int) bool {
	if _, _, _, ok := FindDate(text, time.Time{}); !ok {
		return false
	}
	return chars <= 20 || metaLine(text) && !strings.Contains(text, "。")
}

// attachmentTail adds the list of attached documents that content systems put
// right behind the text, outside its element.
func (t *tree) attachmentTail(runs []int32, top int32) []int32 {
	end := t.nodes[top].end
	i, _ := slices.BinarySearchFunc(t.runs, end, func(r run, end int32) int { return cmp.Compare(r.from, t.fromOf(end)) })
	other := 0
	var tail []int32
	for ; i < len(t.runs) && other < 2 && len(tail) < 50; i++ {
		r := &t.runs[i]
		if r.host < end {
			continue
		}
		text := strings.TrimLeft(t.text[r.from:r.to], " \n[【")
		if r.chars < 200 && !r.negative && (strings.HasPrefix(text, "附件") || t.linksAttachment(r)) {
			tail = append(tail, int32(i))
		} else {
			other++
		}
	}
	return append(runs, tail...)
}

// fromOf returns where the text of nodes[i] starts; i may be len(nodes).
func (t *tree) fromOf(i int32) int32 {
	if int(i) < len(t.nodes) {
		return t.nodes[i].from
	}
	return int32(len(t.text))
}

// dropped tells whether a run stands in a link list, in a negative region or
// in a hidden one that is small.
func (t *tree) dropped(r *run, top int32, text string) bool {
	small := heavyShare * float64(t.nodes[top].chars)
	for i := r.host; i > top; i = t.nodes[i].parent {
		n := &t.nodes[i]
		if n.chars >= denseChars && float64(n.linkChars) > denseLinks*float64(n.chars) && n.tag != atom.P && n.tag != atom.Td &&
			!t.namesAttachment(r, text) {
			return true
		}
		if (n.traits&negative != 0 || n.hidden && !t.nodes[top].hidden) && float64(n.chars) < small {
			return true
		}
	}
	return false
}

// namesAttachment tells whether a run is the name of an attached document.
func (t *tree) namesAttachment(r *run, text string) bool {
	if strings.Contains(text, "附件") || strings.Contains(text, "下载") {
		return true
	}
	return t.linksAttachment(r)
}

// linksAttachment tells whether a document is linked from around a run.
func (t *tree) linksAttachment(r *run) bool {
	n := &t.nodes[r.host]
	for i := n.link; i < n.linkEnd && i < n.link+8; i++ {
		if attached(&t.links[i]) {
			return true
		}
	}
	return false
}

// attached tells whether a link leads to a document that belongs to a text.
func attached(l *Link) bool {
	switch l.Class {
	case urls.Document, urls.Archive:
		return true
	case urls.Image, urls.Media, urls.Software, urls.Animation:
		return strings.Contains(l.Anchor, "附件") || strings.HasSuffix(strings.ToLower(l.Anchor), lastExt(l.URL))
	}
	return l.Class == urls.Page && urls.ClassOf(l.Anchor) == urls.Document && strings.IndexByte(l.Anchor, '.') > 0
}

// lastExt returns the ending of a URL with its dot, or a string no anchor ends
// in.
func lastExt(u string) string {
	if i := strings.LastIndexByte(u, '.'); i >= 0 && len(u)-i <= 6 {
		return strings.ToLower(u[i:])
	}
	return "\x00"
}

func lastSegment(u string) string {
	u, _, _ = strings.Cut(u, "?")
	return u[strings.LastIndexByte(u, '/')+1:]
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
