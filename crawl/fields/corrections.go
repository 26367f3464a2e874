package fields

import (
	"strings"

	"angler/crawl/htmldoc"
)

// This file is what corrections say: what was, and what holds after them.

var changed = htmldoc.NewPattern(`(?:现)?(?:更正|变更|调整|修改|更改|延期|推迟|顺延|延长|延迟|延)\s*(?:为|至|到|后(?:内容|的内容|信息)?\s*(?:为|是|:)?)|现(?:改|定)?为`)

// readCorrections reads the times that hold after a correction.
func (r *reading) readCorrections() {
	s := r.text.s
	for n, m := range changed.FindAllStringIndex(s, 24) {
		end := min(len(s), m[1]+500)
		if i := before.FindStringIndex(s[m[1]:end]); i != nil {
			end = m[1] + i[0]
		}
		if next := changed.FindStringIndex(s[m[1]:end]); next != nil {
			end = m[1] + next[0]
		}
		all := moments(s[m[1]:end], 1)
		if len(all) == 0 || all[0].From > 240 {
			continue
		}
		begin := max(0, m[0]-300)
		if n > 0 {
			begin = max(begin, min(m[0], lastStop(s, m[0])))
		}
		to := m[1] + all[0].To
		p := place{f: r.text, from: m[1] + all[0].From, to: to, source: FromSentence, label: s[m[0]:m[1]], sure: .95}
		r.corrected(p, s[begin:m[1]+all[0].From])
	}
}

var (
	lostPast = htmldoc.NewPattern(`^(?:更正|变更|修改|调整)前(?:的?内容|信息)?$|^原(?:公告)?(?:内容|信息)$`)
	lostNow  = htmldoc.NewPattern(`^(?:更正|变更|修改|调整)后(?:的?内容|信息)?$|^现(?:公告)?(?:内容|信息)$`)
	lostEnd  = htmldoc.NewPattern(`^(?:更正|变更)日期|^其他(?:补充|事项|内容)|^[三四五六七八]\s*、`)
	lostRow  = htmldoc.NewPattern(`^\d{1,2}$`)
)

// readLostTable reads a table of what was and what is that lost its cells: each stands on
// a line of its own. Of a row of two times the second holds.
func (r *reading) readLostTable() {
	type line struct{ from, to int }
	var lines []line
	begun, past := -1, false
	about := ""
	finish := func() {
		var times []line
		for _, l := range lines {
			text := r.text.s[l.from:l.to]
			if m := moments(text, 1); len(m) > 0 && m[0].From < 60 && !aboutDeadline.MatchString(text[:m[0].From]) {
				times = append(times, l)
			} else if len(times) == 0 {
				about += text + " "
			}
		}
		if len(times) == 2 {
			_, a, b := r.text.span(times[0].from, times[0].to)
			for _, found := range r.found {
				for i := range found {
					if v := &found[i]; v.Source != FromTitle && v.From >= a && v.To <= b && v.To > v.From {
						v.Sure *= .3 // what was
					}
				}
			}
			p := place{f: r.text, from: times[1].from, to: times[1].to, source: FromTable, label: "更正后内容", sure: .96}
			r.corrected(p, about)
		}
		lines, about = nil, ""
	}
	for from, n := 0, 0; from < len(r.text.s) && n < maxLines; n++ {
		to := from + strings.IndexByte(r.text.s[from:], '\n')
		if to < from {
			to = len(r.text.s)
		}
		text := strings.TrimSpace(r.text.s[from:to])
		switch {
		case begun < 0:
			if past && lostNow.MatchString(text) {
				begun = n
			} else if text != "" {
				past = lostPast.MatchString(text)
			}
		case lostEnd.MatchString(text) || len(lines) > 60:
			finish()
			begun, past = -1, false
		case lostRow.MatchString(text):
			finish()
		case text != "":
			lines = append(lines, line{from, to})
		}
		from = to + 1
	}
	if begun >= 0 {
		finish()
	}
}

// lastStop is where the sentence or item before a place ends.
func lastStop(s string, at int) int {
	return max(strings.LastIndex(s[:at], "。"), strings.LastIndex(s[:at], "；"), strings.LastIndex(s[:at], "\n"), 0)
}

var (
	aboutDeadline = htmldoc.NewPattern(`截止|递交|提交|投标时间|响应时间|投标文件的?接收`)
	aboutOpening  = htmldoc.NewPattern(`开标|开启|谈判时间|磋商时间|开评标`)
	aboutOther    = htmldoc.NewPattern(`(?:获取|报名|领取|发售|下载|购买|公告期限|提问|质疑|澄清|保证金)[^，。；\n]{0,12}(?:时间|截止|期限)`)
)

// corrected notes a time that a correction gives, by what is said around it.
func (r *reading) corrected(p place, about string) {
	about = aboutOther.ReplaceAllString(about, "")
	if len(about) > 800 {
		about = strings.ToValidUTF8(about[len(about)-800:], "")
	}
	p.next = true
	for _, f := range []struct {
		name string
		re   *htmldoc.Pattern
	}{{"deadline", aboutDeadline}, {"opening", aboutOpening}} {
		field, ok := r.set.named[f.name]
		if !ok || !r.set.fields[field].form.preset || !f.re.MatchString(about) {
			continue
		}
		r.take(hit{field: field, rank: 1}, p)
	}
}

// readCorrected reads a row of what was and what is.
func (r *reading) readCorrected(row []Cell, columns []head, i, number int) {
	about := ""
	for k := range columns {
		if !columns[k].past && !columns[k].now {
			about += row[k].Text + " "
		}
	}
	for k := range columns {
		if !columns[k].now || k > 0 && row[k].id == row[k-1].id {
			continue
		}
		p := r.cellPlace(row[k], i, k, number)
		p.label, p.sure = columns[k].printed, .97
		r.corrected(p, about+p.text())
		r.correctedSum(p, row, columns)
	}
}

// correctedSum notes a sum that a correction gives, where the row names its field.
func (r *reading) correctedSum(p place, row []Cell, columns []head) {
	for k := range columns {
		if columns[k].past || columns[k].now {
			continue
		}
		h := r.headOf(row[k].Text, nowhere)
		if h.known && r.set.fields[h.hit.field].Type == Money {
			p.unit = h.unit
			r.take(h.hit, p)
			return
		}
	}
}
