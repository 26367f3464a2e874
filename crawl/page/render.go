package page

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html/atom"
)

// render writes the runs inside top without navigation, link lists and the
// line of source and date below the title.
func (t *tree) render(in mainInput, top int32, title int) mainText {
	var runs, listed []int32
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
		if _, counted := cutCounter(text); counted && t.linksAttachment(r) {
			listed = append(listed, int32(i))
			continue
		}
		runs = append(runs, int32(i))
	}
	// the system's own list of attachments, with its counters, is no part of
	// the text unless it is all there is
	if t.charsOf(runs) == 0 {
		runs = append(runs, listed...)
		slices.Sort(runs)
	}
	switch {
	case repeatedTitle >= 0 && t.onlyAttachments(runs):
		runs = slices.Insert(runs, 0, repeatedTitle)
	case t.charsOf(runs) < littleText:
		runs = t.attachmentTail(runs, top)
	}
	if t.charsOf(runs) == 0 {
		return t.besideTitle(in.title)
	}
	return mainText{text: t.join(runs, top), from: top, to: t.nodes[top].end}
}

// besideLinks bounds the links of an element that holds a notice made of
// links; what has more holds the page's menus, too.
const besideLinks = 60

// besideTitle is the text of a short notice, or of one made of nothing but
// links: what stands behind the title in the smallest element that holds
// anything behind it.
func (t *tree) besideTitle(title int32) mainText {
	if title < 0 {
		return mainText{}
	}
	for top := t.nodes[title].parent; top > 0; top = t.nodes[top].parent {
		n := &t.nodes[top]
		if n.tag == atom.Body || n.linkEnd-n.link > besideLinks {
			break
		}
		var runs, listed []int32
		for i := range t.runs {
			r := &t.runs[i]
			if r.from < t.nodes[title].to || r.from >= n.to || r.negative && !t.nodes[title].negative {
				continue
			}
			text := t.text[r.from:r.to]
			if r.chars < 100 && (furniture(text) || contact(text)) || len(runs) == 0 && r.chars < 80 && bylineOf(text, int(r.chars)) {
				continue
			}
			if _, counted := cutCounter(text); counted && t.linksAttachment(r) {
				listed = append(listed, int32(i))
				continue
			}
			runs = append(runs, int32(i))
		}
		if t.charsOf(runs) == 0 {
			runs = append(runs, listed...)
			slices.Sort(runs)
		}
		if t.charsOf(runs) > 0 {
			return mainText{text: t.join(runs, top), from: top, to: n.end}
		}
	}
	return mainText{}
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

// onlyAttachments tells whether all runs name attachments; so does no run.
func (t *tree) onlyAttachments(runs []int32) bool {
	for _, i := range runs {
		if r := &t.runs[i]; !t.namesAttachment(r, t.text[r.from:r.to]) {
			return false
		}
	}
	return true
}

// charsOf counts the characters of runs.
func (t *tree) charsOf(runs []int32) int32 {
	n := int32(0)
	for _, r := range runs {
		n += t.runs[r].chars
	}
	return n
}
