package article

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"time"

	"angler/crawl/htmldoc"

	"golang.org/x/net/html/atom"
)

// render returns the text of element top without navigation, link lists and the line of source
// and date below the title. title is the run of the title, -1 without one.
func (x *TextExtractor) render(top int32, title int) TextResult {
	t := x.Tree
	var picked pickedRuns
	squeezed := htmldoc.Squeeze(nil, x.TitleText)
	repeatedTitle := int32(-1)
	seen := 0
	for i := range t.Runs {
		r := &t.Runs[i]
		if r.Host < top || r.Host >= t.Nodes[top].End || i <= title {
			continue
		}
		text := t.Text[r.From:r.To]
		seen++
		if r.Chars < 100 && htmldoc.IsFurnitureAt(t.Text, int(r.From), int(r.To)) ||
			len(picked.runs) == 0 && seen <= 4 && r.Chars < 80 && bylineOf(text, int(r.Chars)) {
			continue
		}
		if seen == 1 && len(squeezed) > 0 && bytes.Equal(htmldoc.Squeeze(nil, text), squeezed) {
			repeatedTitle = int32(i)
			continue
		}
		if !x.dropped(r, top, text) {
			picked.add(x, int32(i), text)
		}
	}
	runs := picked.text(t)
	switch {
	case repeatedTitle >= 0 && x.onlyAttachments(runs):
		runs = slices.Insert(runs, 0, repeatedTitle)
	case charsOf(t, runs) < maxPointerText:
		runs = x.attachmentTail(runs, top)
	}
	if charsOf(t, runs) == 0 {
		return x.besideTitle(x.Title)
	}
	return TextResult{Text: join(t, runs, top), From: top, To: t.Nodes[top].End}
}

// pickedRuns holds the runs of a text. listed holds the lines of a content system's list of
// attachments, which have download counters.
type pickedRuns struct{ runs, listed []int32 }

// add adds run i with its text.
func (p *pickedRuns) add(x *TextExtractor, i int32, text string) {
	if _, counted := cutCounter(text); counted && x.linksAttachment(&x.Tree.Runs[i]) {
		p.listed = append(p.listed, i)
		return
	}
	p.runs = append(p.runs, i)
}

// text returns the runs of the text in document order. It includes the list of attachments only if
// there is no other text.
func (p *pickedRuns) text(t *htmldoc.Tree) []int32 {
	if charsOf(t, p.runs) == 0 {
		p.runs = append(p.runs, p.listed...)
		slices.Sort(p.runs)
	}
	return p.runs
}

// maxBesideLinks bounds the links of an element with a notice of links. An element with more links
// also holds menus.
const maxBesideLinks = 60

// besideTitle returns the text behind the title in the smallest element with any text there. That
// is the text of a short notice, or of one with only links.
func (x *TextExtractor) besideTitle(title int32) TextResult {
	t := x.Tree
	if title < 0 {
		return TextResult{}
	}
	for top := t.Nodes[title].Parent; top > 0; top = t.Nodes[top].Parent {
		n := &t.Nodes[top]
		if n.Tag == atom.Body || n.RefEnd-n.Ref > maxBesideLinks {
			break
		}
		var picked pickedRuns
		for i := range t.Runs {
			r := &t.Runs[i]
			if r.From < t.Nodes[title].To || r.From >= n.To || r.Negative && !t.Nodes[title].Negative {
				continue
			}
			text := t.Text[r.From:r.To]
			if r.Chars < 100 && (htmldoc.IsFurnitureAt(t.Text, int(r.From), int(r.To)) || contact(text)) ||
				len(picked.runs) == 0 && r.Chars < 80 && bylineOf(text, int(r.Chars)) {
				continue
			}
			picked.add(x, int32(i), text)
		}
		runs := picked.text(t)
		if charsOf(t, runs) > 0 {
			return TextResult{Text: join(t, runs, top), From: top, To: n.End}
		}
	}
	return TextResult{}
}

// bylineOf reports whether a line is the byline of a text: a date and little else, or a date with
// labels of metaLabels and no sentence.
func bylineOf(text string, chars int) bool {
	_, _, _, dated := FindDate(text, time.Time{})
	return dated && (chars <= 20 || metaLabels.In(text) && !strings.Contains(text, "。")) && !ofNotice.MatchString(text)
}

// ofNotice matches lines of a notice that look like a byline: 开标时间：2026-07-18,
// 项目编号：ZB-20260601.
var ofNotice = htmldoc.NewPattern(`(?:编号|编码|(?:项目|工程|标段)名称|采购人|采购单位|招标人|招标单位|建设单位|项目单位|业主|代理机构|(?:预算|限价|控制价|开标|开启|截止|递交|提交|谈判|磋商|报名|响应)[^：:\n]{0,6}|(?:中标|成交|中选)(?:人|单位|供应商|金额|价))\s*[：:]`)

// attachmentTail appends the list of attachments that content systems put right behind the
// element of the text.
func (x *TextExtractor) attachmentTail(runs []int32, top int32) []int32 {
	t := x.Tree
	end, from := t.Nodes[top].End, int32(len(t.Text))
	if int(end) < len(t.Nodes) {
		from = t.Nodes[end].From
	}
	i, _ := slices.BinarySearchFunc(t.Runs, from, func(r htmldoc.TextRun, from int32) int {
		return cmp.Compare(r.From, from)
	})
	other := 0
	var tail []int32
	for ; i < len(t.Runs) && other < 2 && len(tail) < 50; i++ {
		r := &t.Runs[i]
		if r.Host < end {
			continue
		}
		text := strings.TrimLeft(t.Text[r.From:r.To], " \n[【")
		if r.Chars < 200 && !r.Negative && (strings.HasPrefix(text, "附件") || x.linksAttachment(r)) {
			tail = append(tail, int32(i))
		} else {
			other++
		}
	}
	return append(runs, tail...)
}

// dropped reports whether a run stands in a link list, in a small element with a negative class, or
// in a small hidden element without a data table.
func (x *TextExtractor) dropped(r *htmldoc.TextRun, top int32, text string) bool {
	t := x.Tree
	whole := float64(t.Nodes[top].Chars)
	for i := r.Host; i > top; i = t.Nodes[i].Parent {
		n := &t.Nodes[i]
		if n.Chars >= minLinkListChars && float64(n.LinkChars) > maxLinkShare*float64(n.Chars) && n.Tag != atom.P &&
			n.Tag != atom.Td &&
			!x.namesAttachment(r, text) && !x.namesAddresses(n) {
			return true
		}
		if n.Traits&htmldoc.Negative != 0 && float64(n.Chars) < heavyShare*whole {
			return true
		}
		if n.Hidden && !t.Nodes[top].Hidden && float64(n.Chars) < hiddenShare*whole && !hiddenTable(t, r.Host) {
			return true
		}
	}
	return false
}

// namesAttachment reports whether a run is the name of an attached document.
func (x *TextExtractor) namesAttachment(r *htmldoc.TextRun, text string) bool {
	return strings.Contains(text, "附件") || strings.Contains(text, "下载") || x.linksAttachment(r)
}

// linksAttachment reports whether a document is linked from around a run.
func (x *TextExtractor) linksAttachment(r *htmldoc.TextRun) bool {
	n := &x.Tree.Nodes[r.Host]
	return slices.ContainsFunc(x.Links[n.Ref:min(n.RefEnd, n.Ref+8)], func(l htmldoc.Link) bool { return isAttachment(&l) })
}

// onlyAttachments reports whether all runs name attachments. It is true without runs.
func (x *TextExtractor) onlyAttachments(runs []int32) bool {
	return !slices.ContainsFunc(runs, func(i int32) bool {
		r := &x.Tree.Runs[i]
		return !x.namesAttachment(r, x.Tree.Text[r.From:r.To])
	})
}

// charsOf counts the characters of runs.
func charsOf(t *htmldoc.Tree, runs []int32) int32 {
	n := int32(0)
	for _, r := range runs {
		n += t.Runs[r].Chars
	}
	return n
}
