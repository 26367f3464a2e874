package webtest

import (
	"strconv"
	"time"
)

// source returns the text source of a page.
func (r *renderer) source() (s speaker, blocks []block) {
	switch r.ref.kind {
	case kindDetail:
		key := r.h.itemKey(r.ref.col, r.ref.n)
		s = speaker{host: r.h, enc: r.enc, key: key, rng: random(mix(key, 'a')), date: r.pageTime()}
		return s, itemLayout(r.w.itemTopic(r.h, r.ref.col, r.ref.n), key)
	case kindStatic:
		s = speaker{host: r.h, enc: r.enc, key: r.key, rng: random(mix(r.key, 'a')), date: newest}
		return s, r.w.material.topics["static"].layouts[r.h.plan.statics[r.ref.col].layout]
	}
	return s, nil
}

// article appends the main text as HTML.
func (r *renderer) article() {
	s, blocks := r.source()
	table := false
	for i := range blocks {
		b := &blocks[i]
		if table != (b.kind == tableRow) {
			table = !table
			if table {
				r.part(partTableOpen)
			} else {
				r.part(partTableClose)
			}
		}
		switch b.kind {
		case paragraph:
			for range b.lo + s.rng.below(b.hi-b.lo+1) {
				r.text = s.say(r.text[:0], b.cells[0])
				r.part(partPara)
			}
		case tableRow:
			r.part(partRowOpen)
			for _, c := range b.cells {
				r.text = s.say(r.text[:0], c)
				r.part(partCell)
			}
			r.part(partRowClose)
		}
	}
	if table {
		r.part(partTableClose)
	}
	switch r.ref.kind {
	case kindCalendar:
		r.calendar()
	case kindGrow:
		r.text = append(r.text[:0], `<a href="a/">`...)
		r.text = append(append(r.text, forwardName[r.enc]...), "</a>"...)
		r.part(partPara)
	case kindOdd:
		r.text = append(r.text[:0], odds[r.ref.col].body...)
		r.part(partPara)
	}
}

// plain appends the same text as lines, one per paragraph or table row, with tabs between cells.
func (r *renderer) plain(dst []byte) []byte {
	s, blocks := r.source()
	for i := range blocks {
		b := &blocks[i]
		switch b.kind {
		case paragraph:
			for range b.lo + s.rng.below(b.hi-b.lo+1) {
				dst = append(s.say(dst, b.cells[0]), '\n')
			}
		case tableRow:
			for _, c := range b.cells {
				dst = append(s.say(dst, c), '\t')
			}
			dst[len(dst)-1] = '\n'
		}
	}
	if n := len(dst); n > 0 {
		dst = dst[:n-1]
	}
	return dst
}

// calendar renders a month with a link to the next one only, an endless chain for crawlers.
func (r *renderer) calendar() {
	y, m := r.ref.n/12, time.Month(r.ref.n%12+1)
	days := time.Date(y, m+1, 0, 0, 0, 0, 0, time.UTC).Day()
	r.part(partTableOpen)
	for d := 1; d <= days; {
		r.part(partRowOpen)
		for range 7 {
			r.text = r.text[:0]
			if d <= days {
				r.text = strconv.AppendInt(r.text, int64(d), 10)
			}
			r.part(partCell)
			d++
		}
		r.part(partRowClose)
	}
	r.part(partTableClose)
	r.text = append(r.text[:0], `<a href="`...)
	r.text = append(r.text, r.root...)
	r.text = r.h.appendPath(r.text, ref{kind: kindCalendar, n: r.ref.n + 1}, 0)
	r.text = append(append(append(r.text, `">`...), nextMonth[r.enc]...), "</a>"...)
	r.part(partPara)
}

var nextMonth = mustText("下个月")

// attachments renders links to the documents of an item.
func (r *renderer) attachments() {
	if r.ref.kind != kindDetail {
		return
	}
	s, blocks := r.source()
	k := 0
	for i := range blocks {
		if blocks[i].kind != attachment {
			continue
		}
		r.name = s.say(r.name[:0], blocks[i].cells[0])
		r.href = append(r.href[:0], r.root...)
		r.href = r.h.appendFile(r.href, file{col: r.ref.col, j: r.ref.n, k: k, ext: blocks[i].ext})
		r.part(partAttachment)
		k++
	}
}
