package fields

import (
	"slices"
	"strings"
	"time"

	"angler/crawl/article"
	"angler/crawl/htmldoc"
)

// This file reads corrections: the old value, and the new value.

// changeForm precedes a new value, and changeStarts are its first words. A search for these first
// avoids the expression in most notices.
var (
	changeForm = htmldoc.NewPattern(`^(?:更正|变更|调整|修改|改期|改|延期|推迟|延长|延迟|延后|推后|提前|延)` +
		`\s*(?:为|至|到|在|后(?:内容|的内容|信息)?\s*(?:为|是|:)?)|^(?:推迟|推后|延期|延长|延迟|延后|延)\s*\d{1,3}\s*(?:个?(?:工作日|小时)|[天日])\s*[，,]?\s*[即至到为]|^现(?:改|定)?(?:为|于)` +
		`|^新的?[^\n，。；\d]{0,14}(?:截止|递交|提交|开标|开启)[^\n，。；\d]{0,6}(?:为|是|:|至)`)
	changeStarts = [...]string{"更正", "变更", "调整", "修改", "改", "延", "推", "提前", "现", "新"}
)

const (
	maxChanges     = 24  // of a notice
	maxWordMatches = 200 // of one first word
)

// findChanges returns the places of changes in a text, in order.
func findChanges(s string) [][2]int {
	var out [][2]int
	for _, w := range changeStarts {
		matches := 0
		for i := range htmldoc.Occurrences(s, w) {
			if matches++; matches > maxWordMatches {
				break
			}
			if w != "新" && !strings.ContainsAny(s[i+len(w):min(len(s), i+len(w)+18)], "为至到后于在即") {
				continue // no last word of changeForm follows
			}
			if m := changeForm.FindStringIndex(s[i:min(len(s), i+60)]); m != nil {
				out = append(out, [2]int{i, i + m[1]})
			}
		}
	}
	slices.SortFunc(out, func(a, b [2]int) int { return a[0] - b[0] })
	end := 0
	out = slices.DeleteFunc(out, func(m [2]int) bool { // 现改为 and 改为
		within := m[0] < end
		end = max(end, m[1])
		return within
	})
	return out[:min(len(out), maxChanges)]
}

// dayOfYear is a day without year: 延期至6月20日9:30.
var dayOfYear = htmldoc.NewPattern(`^[^\d\n。；]{0,24}?(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]`)

// readCorrections reads the corrected times and sums. In a notice of another kind the same sentence
// must name the field.
func (r *reading) readCorrections() {
	s := r.text.s
	all := findChanges(s)
	for n, m := range all {
		end := min(len(s), m[1]+500)
		if i := oldValueMark.FindStringIndex(s[m[1]:end]); i != nil {
			end = m[1] + i[0]
		}
		if n+1 < len(all) {
			end = min(end, all[n+1][0])
		}
		begin := max(0, m[0]-300)
		if r.kind != Correction {
			end = m[1] + lineEnd(s[m[1]:end])
		}
		if n > 0 || r.kind != Correction {
			begin = max(begin, min(m[0], lastStop(s, m[0])))
		}
		t, ok := r.timeAfter(m[1], end, begin)
		if !ok || t.From-m[1] > 240 || r.kind != Correction && t.From-m[1] > 60 {
			if r.kind == Correction {
				r.readCorrectedSum(m, end, begin)
			}
			continue
		}
		p := place{f: r.text, from: t.From, to: t.To, source: FromSentence, label: s[m[0]:m[1]], sure: .95, time: t}
		about := strings.ToValidUTF8(s[begin:t.From], "")
		if r.kind == Correction || !conditional.MatchString(about) && corrects.MatchString(about) {
			r.addCorrectedTime(p, about)
		}
	}
}

var (
	// conditional matches conditional sentences.
	conditional = htmldoc.NewPattern(`(?:^|[，。；\s])(?:如|若|倘|假)|可以?[^，。；\n]{0,8}(?:更正|变更|调整|修改|更改|延)|有效期|质保|履行|工期|服务期`)
	corrects    = htmldoc.NewPattern(`截止|递交|提交|开标|开启|投标时间|响应时间|谈判|磋商`)
)

func lineEnd(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}

// timeAfter returns the first time in s[from:end]. A time without a year takes that of the previous
// time, else of the notice. For a time of day alone see clockAfter.
func (r *reading) timeAfter(from, end, begin int) (Moment, bool) {
	s := r.text.s
	if all := moments(s[from:end], 1); len(all) > 0 {
		t := all[0]
		t.From, t.To = t.From+from, t.To+from
		return t, true
	}
	m := dayOfYear.FindStringSubmatchIndex(s[from:end])
	if m == nil {
		return r.clockAfter(from, end)
	}
	year := r.notice.Published
	if all := moments(strings.ToValidUTF8(s[begin:from], ""), 8); len(all) > 0 {
		year = all[len(all)-1].Time
	} else if f, ok := r.set.fieldIndex["deadline"]; ok && len(r.found[f]) > 0 {
		norm := r.found[f][0].Norm // no date if the field is an analyst's
		year, _ = time.Parse("2006", norm[:min(len(norm), 4)])
	}
	if year.IsZero() {
		return Moment{}, false
	}
	dated := year.Format("2006年")
	all := moments(dated+s[from+m[2]:end], 1)
	if len(all) == 0 {
		return Moment{}, false
	}
	t := all[0]
	t.From, t.To = from+m[2], from+m[2]+t.To-len(dated)
	return t, true
}

// clockAfter reads a time of day at the start of s[from:end]: 开标时间由9:00改为14:30. Its day is that of
// its sentence. Else it is that of the values found of the fields that the sentence names. ok is
// false if these disagree.
func (r *reading) clockAfter(from, end int) (Moment, bool) {
	s := r.text.s
	from += len(s[from:end]) - len(strings.TrimLeft(s[from:end], " "))
	begin := lastStop(s, from)
	about := otherTimeWords.ReplaceAllString(s[begin:from], "")
	day := ""
	if all := moments(s[begin:from], 8); len(all) > 0 {
		day = all[len(all)-1].Time.Format(time.DateOnly)
	} else {
		for name, words := range map[string]*htmldoc.Pattern{"deadline": deadlineWords, "opening": openingWords} {
			field, ok := r.set.fieldIndex[name]
			if !ok || !words.MatchString(about) {
				continue
			}
			for _, v := range r.found[field] {
				if d := v.Norm[:min(len(v.Norm), len(time.DateOnly))]; day == "" || day == d {
					day = d
				} else {
					return Moment{}, false
				}
			}
		}
	}
	date, err := time.ParseInLocation(time.DateOnly, day, PrintedZone)
	if err != nil {
		return Moment{}, false
	}
	at, to, ok := article.TimeOfDay(s[:end], from, date)
	return Moment{Time: at.In(PrintedZone), Clock: true, From: from, To: to}, ok
}

// sumWordsOf are the words for sums that a correction may change.
var sumWordsOf = []struct {
	field string
	re    *htmldoc.Pattern
}{
	{"ceiling", htmldoc.NewPattern(`最高(?:投标)?限价|控制价|拦标价`)},
	{"budget", htmldoc.NewPattern(`预算`)},
}

// readCorrectedSum reads the sum of a correction in a sentence: 预算金额120万元，更正为150万元.
func (r *reading) readCorrectedSum(m [2]int, end, begin int) {
	s := r.text.s
	all := amounts(s[m[1]:min(end, m[1]+80)], moneyUnit{}, 1)
	if len(all) == 0 || !all[0].Unit || all[0].From > 30 {
		return
	}
	about := s[max(begin, min(m[0], lastStop(s, m[0]))):m[0]]
	at, name := -1, ""
	for _, a := range sumWordsOf {
		if last := lastIndex(a.re, about); last > at {
			at, name = last, a.field
		}
	}
	if field, ok := r.preset(name); ok {
		p := place{f: r.text, from: m[1] + all[0].From, to: m[1] + all[0].To, source: FromSentence, label: s[m[0]:m[1]],
			sure: .95}
		r.addReplacement(field, p)
	}
}

// addReplacement adds a corrected value. It replaces the other values of its field.
func (r *reading) addReplacement(field int, p place) {
	before := len(r.found[field])
	p.ownLine = true
	r.readField(field, p)
	for i := before; i < len(r.found[field]); i++ {
		r.found[field][i].replacement = true
	}
}

// doubtReplaced is the doubt of a value that a correction in the notice replaces.
const doubtReplaced = "replaced by a correction in the notice"

// replaceEarlier doubts values that a correction in the notice replaces. Of two corrections of a
// time the later one wins. An opening time equal to the old deadline changes with it.
func (r *reading) replaceEarlier() {
	oldDeadlines := map[string]bool{} // old deadlines
	newDeadline := -1
	deadline, opening := -1, -1
	for field := range r.set.fields {
		f := &r.set.fields[field]
		switch {
		case !f.form.preset:
			continue
		case f.Name == "deadline":
			deadline = field
		case f.Name == "opening":
			opening = field
		}
		found := r.found[field]
		last := -1
		for i := range found {
			if found[i].replacement && (last < 0 || f.Type != Time || found[i].Norm >= found[last].Norm) {
				last = i
			}
		}
		if last < 0 {
			continue
		}
		for i := range found {
			if v := &found[i]; !sameValue(v.Norm, found[last].Norm) && v.Lot == found[last].Lot {
				v.Doubt = doubtReplaced
				if field == deadline {
					oldDeadlines[v.Norm], newDeadline = true, last
				}
			}
		}
	}
	if newDeadline < 0 || opening < 0 ||
		slices.ContainsFunc(r.found[opening], func(v Value) bool { return v.replacement }) {
		return
	}
	moved := false
	for i := range r.found[opening] {
		if v := &r.found[opening][i]; oldDeadlines[v.Norm] {
			v.Doubt, moved = doubtReplaced, true
		}
	}
	if moved {
		v := r.found[deadline][newDeadline]
		v.Sure *= .9
		r.addCandidate(opening, v)
	}
}

var (
	flatOldHead   = htmldoc.NewPattern(`^(?:更正|变更|修改|调整)前(?:的?内容|信息)?$|^原(?:公告)?(?:内容|信息)$`)
	flatNewHead   = htmldoc.NewPattern(`^(?:更正|变更|修改|调整)后(?:的?内容|信息)?$|^现(?:公告)?(?:内容|信息)$`)
	flatEnd       = htmldoc.NewPattern(`^(?:更正|变更)日期|^其他(?:补充|事项|内容)|^[三四五六七八]\s*、`)
	flatRowNumber = htmldoc.NewPattern(`^\d{1,2}$`)
)

// readFlatTable reads a table of old and new values that lost its cells: each is on its own line.
// Of two times in a row the second one is new.
func (r *reading) readFlatTable() {
	type line struct{ from, to int }
	var lines []line
	begun, past := false, false
	about := ""
	finish := func() {
		var times []line
		for _, l := range lines {
			text := r.text.s[l.from:l.to]
			if m := moments(text, 1); len(m) > 0 && m[0].From < 60 && !deadlineWords.MatchString(text[:m[0].From]) {
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
						v.Sure *= .3 // the old value
					}
				}
			}
			p := place{f: r.text, from: times[1].from, to: times[1].to, source: FromTable, label: "更正后内容", sure: .96}
			r.addCorrectedTime(p, about)
		}
		lines, about = nil, ""
	}
	n := 0
	for from, to := range linesOf(r.text.s) {
		if n++; n > maxLines {
			break
		}
		text := strings.TrimSpace(r.text.s[from:to])
		switch {
		case !begun:
			if past && flatNewHead.MatchString(text) {
				begun = true
			} else if text != "" {
				past = flatOldHead.MatchString(text)
			}
		case flatEnd.MatchString(text) || len(lines) > 60:
			finish()
			begun, past = false, false
		case flatRowNumber.MatchString(text):
			finish()
		case text != "":
			lines = append(lines, line{from, to})
		}
	}
	if begun {
		finish()
	}
}

// lastStop returns the place of the last stop before a place; 0 without one.
func lastStop(s string, at int) int { return max(strings.LastIndexAny(s[:at], "。；\n"), 0) }

var (
	deadlineWords  = htmldoc.NewPattern(`截止|递交|提交|投标时间|响应时间|投标文件的?接收`)
	openingWords   = htmldoc.NewPattern(`开标|开启|谈判时间|磋商时间|开评标`)
	otherTimeWords = htmldoc.NewPattern(`(?:获取|报名|领取|发售|下载|购买|公告期限|提问|质疑|澄清|保证金)[^，。；\n]{0,12}(?:时间|截止|期限)`)
)

// addCorrectedTime adds the time of a correction to the fields that the surrounding words name.
func (r *reading) addCorrectedTime(p place, about string) {
	about = otherTimeWords.ReplaceAllString(about, "")
	if len(about) > 800 {
		about = strings.ToValidUTF8(about[len(about)-800:], "")
	}
	for _, f := range []struct {
		name string
		re   *htmldoc.Pattern
	}{{"deadline", deadlineWords}, {"opening", openingWords}} {
		if field, ok := r.preset(f.name); ok && f.re.MatchString(about) {
			r.addReplacement(field, p)
		}
	}
}

// readCorrectionRow reads a row of old and new values.
func (r *reading) readCorrectionRow(row []Cell, columns []tableHead, i, number int) {
	about := ""
	for k := range columns {
		if !columns[k].oldValue && !columns[k].newValue {
			about += row[k].Text + " "
		}
	}
	for k := range columns {
		if !columns[k].newValue || k > 0 && row[k].id == row[k-1].id {
			continue
		}
		p := r.cellPlace(row[k], i, k, number)
		p.label, p.sure = columns[k].printed, .97
		r.addCorrectedTime(p, about+p.text())
		r.addCorrectedSum(p, row, columns)
	}
}

// addCorrectedSum adds the sum of a correction if the row names its field.
func (r *reading) addCorrectedSum(p place, row []Cell, columns []tableHead) {
	for k := range columns {
		if columns[k].oldValue || columns[k].newValue {
			continue
		}
		h := r.headOf(row[k].Text, nowhere)
		if h.known && r.set.fields[h.hit.field].Type == Money {
			p.unit = h.unit
			r.addReplacement(h.hit.field, p)
			return
		}
	}
}
