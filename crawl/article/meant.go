package article

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"angler/crawl/htmldoc"
)

// A notice states more dates than the one of its publication: deadlines, openings,
// days of work. This file is which dates of a text are of something else.

// otherWords stand before a date that is not the one of publication, in its sentence or
// at the end of the line above it.
var otherWords = [...]string{"截止", "截至", "截标", "开标", "开启", "唱标", "评标", "评审", "定标", "成交日期", "成交时间", "中标日期", "中标时间", "谈判日期", "谈判时间", "磋商时间", "磋商日期", "递交", "提交", "送达", "投标时间", "响应文件",
	"报名", "获取", "领取", "发售", "购买", "下载时间", "有效期", "答疑", "质疑", "踏勘", "异议", "签订", "签约", "履行", "履约", "工期", "开工", "竣工", "完工", "交货", "交付", "服务期",
	"变更为", "更正为", "调整为", "修改为", "改为", "变更后", "更正后", "调整后", "变更前", "更正前", "调整前", "延期至", "延长至", "推迟", "顺延", "原定", "媒体", "首次公告", "原公告", "首次发布",
	"会议时间", "会议日期", "召开时间", "举办时间", "活动时间", "讲座时间", "培训时间", "考试时间", "笔试时间", "面试时间", "报到时间",
	"deadline", "closing", "opening", "no later than", "not later than", "submitted by", "submission", "due date", "valid until", "extended to", "until"}

// endWords stand right before the end of a span of time, lateWords right behind a date
// by which something has to be done.
var (
	endWords  = [...]string{"至", "到", "~", "～", "—", "–", "截止", "以前于"}
	lateWords = [...]string{"前", "之前", "以前", "截止", "止", "截标", "开标", "开启"}
)

// earlier stands before a label of publication that is of the notice before this one.
var earlier = [...]string{"首次", "原", "招标", "采购"}

// asides may stand between a date and what follows it.
var asides = [...]string{"（北京时间）", "(北京时间)", "北京时间", "上午", "下午", "整", "时", "点"}

// numbered begins headings: 四、 (一) 4.
var numbered = htmldoc.NewPattern(`^\s*(?:[（(]?[一二三四五六七八九十]{1,3}[)）、．.]|[（(]?\d{1,2}[)）、．.]\D)`)

// Numbered reports whether a line begins as the heading of a section does. It is safe for
// concurrent use.
func Numbered(line string) bool { return numbered.MatchString(line) }

// codeLead stands before digits that are a part of the number of a project: 编号：ZB-20260601.
var codeLead = htmldoc.NewPattern(`(?:编号|编码)[^\n]{0,24}$|[A-Za-z]-?$`)

// fewWords is how many runes a heading without a number has at most.
const fewWords = 8

// mostDates is how many dates of a text are looked at.
const mostDates = 64

// How many bytes before a date are looked at in its own line, and how long a line above
// it may be that is its label.
const (
	reachBefore = 72
	labelLine   = 72
)

// How many bytes at the end of a bare text may hold the date under it, and how many a line
// at its beginning has at most that states its date.
const (
	signedReach = 300
	headLine    = 120
)

// own returns the first date of text[from:to] that text does not say to be of something
// else than publication.
func own(text string, from, to int, now time.Time) (Date, bool) {
	for n := 0; from < to && n < mostDates; n++ {
		d, start, end, ok := FindDate(text[from:to], now)
		if !ok {
			return Date{}, false
		}
		if !ofElse(text, from+start, from+end) {
			return d, true
		}
		from += end
	}
	return Date{}, false
}

// FindRowDate is FindShortDate for the text of a row, without the dates that it says to be of
// something else than publication. other tells that it has such dates alone.
func FindRowDate(s string, now time.Time) (d Date, ok, other bool) {
	for from, n := 0, 0; n < rowDates; n++ {
		d, start, end, ok := FindShortDate(s[from:], now)
		if !ok {
			break
		}
		if strings.TrimLeft(s[from:from+start], " [(") == "" && from == 0 && !strings.Contains(s[end:], "止") || !ofElse(s, from+start, from+end) {
			return d, true, false
		}
		from, other = from+end, true
	}
	return Date{}, false, other
}

// rowDates is how many dates of a row are looked at.
const rowDates = 8

// NamesPublication tells whether the heading of a column is that of dates of publication, and
// other whether it is that of other dates.
func NamesPublication(heading string) (publication, other bool) {
	heading = strings.ToLower(strings.Join(strings.Fields(heading), ""))
	for _, w := range otherWords {
		if strings.Contains(heading, w) {
			return false, true
		}
	}
	for _, label := range dateLabels {
		if strings.HasSuffix(heading, strings.ToLower(label)) {
			return true, false
		}
	}
	return false, false
}

// elsewhere tells whether text shows the day of d, and every place that does says that it
// is of something else.
func elsewhere(text string, d Date, now time.Time) bool {
	some := false
	for from, n := 0, 0; n < mostDates; n++ {
		x, start, end, ok := FindDate(text[from:], now)
		if !ok {
			break
		}
		if x.Time.Year() == d.Time.Year() && x.Time.YearDay() == d.Time.YearDay() {
			if !ofElse(text, from+start, from+end) {
				return false
			}
			some = true
		}
		from += end
	}
	return some
}

// ofElse tells whether the date text[start:end] is one of something else than
// publication, by the words around it.
func ofElse(text string, start, end int) bool {
	before := strings.TrimRight(lastBytes(text[:start], reachBefore), " \t:：(（[【于为是")
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		before = before[i+1:]
	}
	if bare(before) && strings.HasPrefix(strings.TrimLeft(text[end:], " \n"), "地点") {
		return true // of a meeting
	}
	if before == "" {
		before = lineAbove(text[:start])
	} else if up := headingAbove(text[:start]); bare(before) && heads(up) { // and is no title
		before = up + before
	}
	for _, stop := range [...]string{"。", "；", ";", "！"} {
		if i := strings.LastIndex(before, stop); i >= 0 {
			before = before[i+len(stop):]
		}
	}
	for _, label := range dateLabels[:len(dateLabels)-bareLabels] {
		if of, ok := strings.CutSuffix(before, label); ok {
			return slices.ContainsFunc(earlier[:], func(w string) bool { return strings.HasSuffix(of, w) })
		}
	}
	for _, w := range endWords {
		if strings.HasSuffix(before, w) {
			return true
		}
	}
	before = strings.ToLower(before)
	if strings.IndexFunc(text[start:end], func(r rune) bool { return r < '0' || r > '9' }) < 0 && codeLead.MatchString(lastBytes(text[:start], reachBefore)) {
		return true
	}
	for _, w := range otherWords {
		if strings.Contains(before, w) {
			return true
		}
	}
	return late(text[end:])
}

// lineAbove is the line above the one that begins at the end of text, when it is a label:
// short, and with a colon behind it or a time's name at its end.
func lineAbove(text string) string {
	text = strings.TrimRight(text, " \t\n(（[【")
	colon := strings.TrimRight(text, " \t\n:：")
	if strings.HasSuffix(colon, "\n") || strings.Contains(text[len(colon):], "\n") { // it stands on a line of its own
		text = colon + ":"
	}
	line := text[strings.LastIndexByte(text, '\n')+1:]
	if len(line) > labelLine {
		return ""
	}
	name := strings.TrimRight(line, " :：")
	if bare(name) { // the heading above says of what
		return headingAbove(text) + name
	}
	if len(name) < len(line) {
		return name
	}
	for _, end := range [...]string{"时间", "日期", "期限", "截止", "截至", "更正后", "更正前", "变更后", "变更前", "于", "至", "地点"} {
		if strings.HasSuffix(name, end) {
			return name
		}
	}
	return ""
}

// bare tells whether a label says nothing of what its date is of.
func bare(label string) bool {
	return slices.Contains(dateLabels[len(dateLabels)-bareLabels:], label)
}

// heads tells whether a line is a heading of a text's parts: numbered, or of a few words.
func heads(line string) bool {
	return utf8.RuneCountInString(line) <= fewWords || Numbered(line)
}

// headingAbove is the end of the line above the last one of text, which is its heading.
func headingAbove(text string) string {
	last := strings.LastIndexByte(text, '\n')
	if last < 0 {
		return ""
	}
	up := strings.TrimRight(text[:last], " \t\n:：")
	return lastBytes(up[strings.LastIndexByte(up, '\n')+1:], labelLine)
}

// late tells whether what follows a date makes it one by which something has to be done.
func late(rest string) bool {
	rest = strings.TrimLeft(rest, " \n")
	for again := true; again; {
		again = false
		for _, a := range asides {
			if s, ok := strings.CutPrefix(rest, a); ok {
				rest, again = strings.TrimLeft(s, " "), true
			}
		}
	}
	for _, w := range lateWords {
		if s, ok := strings.CutPrefix(rest, w); ok && !strings.HasPrefix(s, "时间") && !strings.HasPrefix(s, "日期") {
			return true
		}
	}
	return false
}

// lastBytes is the end of s, of n bytes at most and of whole runes.
func lastBytes(s string, n int) string {
	if len(s) <= n {
		return s
	}
	i := len(s) - n
	for i < len(s) && !utf8.RuneStart(s[i]) {
		i++
	}
	return s[i:]
}

// PublicationDateOfText returns when a bare text says that it was published: behind a label of
// publication, in a line at its end that is nothing but a date, else in a short line at its
// beginning. A deadline, an opening and other dates that the text tells of are none.
func PublicationDateOfText(text string, now time.Time) (Date, bool) {
	if d, ok := labelledDate(text, dateLabels[:], now); ok {
		return d, true
	}
	text = strings.TrimRight(text, " \t\r\n")
	for end := len(text); end > max(0, len(text)-signedReach); {
		begin := strings.LastIndexByte(text[:end], '\n') + 1
		if d, ok := signed(text, begin, end, now); ok {
			return d, true
		}
		end = begin - 1
	}
	return lineDate(text, 0, len(htmldoc.Clip(text, titleReach)), now)
}

// lineDate returns the date in a short line of text[from:to] that is no sentence.
func lineDate(text string, from, to int, now time.Time) (Date, bool) {
	for from < to {
		line, _, _ := strings.Cut(text[from:to], "\n")
		if len(line) <= headLine && !strings.ContainsAny(line, "，。,") {
			if d, start, end, ok := findFull(line, now); ok && !ofElse(text, from+start, from+end) {
				return d, true
			}
			if d, ok := own(text, from, from+len(line), now); ok {
				return d, true
			}
		}
		from += len(line) + 1
	}
	return Date{}, false
}

// signed reads the line text[begin:end] as the date under a notice, which a remark in
// brackets may follow.
func signed(text string, begin, end int, now time.Time) (Date, bool) {
	d, from, to, ok := FindDate(text[begin:end], now)
	if !ok || !labelGap(text[begin:begin+from]) || ofElse(text, begin+from, begin+to) {
		return Date{}, false
	}
	rest := strings.TrimSpace(text[begin+to : end])
	bracket := strings.HasPrefix(rest, "（") && strings.HasSuffix(rest, "）") || strings.HasPrefix(rest, "(") && strings.HasSuffix(rest, ")")
	return d, bracket || labelGap(rest)
}
