package article

import (
	"iter"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"angler/crawl/htmldoc"
)

// A notice states its publication date and other dates: deadlines, openings, days of work. This file tells them apart.

// otherWords stand before a date that is not the publication date: in the same sentence, or at the end of the line
// above.
var otherWords = htmldoc.NewWordSet("截止", "截至", "截标", "开标", "开启", "唱标", "评标", "评审", "定标", "成交日期", "成交时间", "中标日期",
	"中标时间", "谈判日期", "谈判时间", "磋商时间", "磋商日期", "递交", "提交", "送达", "投标时间", "响应文件",
	"报名", "获取", "领取", "发售", "购买", "下载时间", "有效期", "答疑", "质疑", "踏勘", "异议", "签订", "签约", "履行", "履约", "工期", "开工", "竣工", "完工",
	"交货", "交付", "服务期",
	"变更为", "更正为", "调整为", "修改为", "改为", "变更后", "更正后", "调整后", "变更前", "更正前", "调整前", "延期至", "延长至", "推迟", "顺延", "原定", "媒体",
	"首次公告", "原公告", "首次发布",
	"会议时间", "会议日期", "召开时间", "举办时间", "活动时间", "讲座时间", "培训时间", "考试时间", "笔试时间", "面试时间", "报到时间",
	"deadline", "closing", "opening", "no later than", "not later than", "submitted by", "submission", "due date",
	"valid until", "extended to", "until")

// endWords stand right before the end of a period, lateWords right after a deadline.
var (
	endWords  = [...]string{"至", "到", "~", "～", "—", "–", "截止", "以前于"}
	lateWords = [...]string{"前", "之前", "以前", "截止", "止", "截标", "开标", "开启"}
)

// earlierWords stands before a publication label that refers to an earlier notice.
var earlierWords = [...]string{"首次", "原", "招标", "采购"}

// surelyEarlier is the number of the words in earlier, the first ones, that no title of a notice ends with.
const surelyEarlier = 2

// clockWords may stand between a date and a word of a deadline.
var clockWords = [...]string{"（北京时间）", "(北京时间)", "北京时间", "上午", "下午", "整", "时", "点"}

// numbered matches the beginning of a numbered heading: 四、 (一) 4.
var numbered = htmldoc.NewPattern(`^\s*(?:[（(]?[一二三四五六七八九十]{1,3}[)）、．.]|[（(]?\d{1,2}[)）、．.]\D)`)

// Numbered reports whether a line begins like a numbered heading. It is safe for concurrent use.
func Numbered(line string) bool { return numbered.MatchString(line) }

// codeLead matches the text before digits that belong to a project number: 编号：ZB-20260601.
var codeLead = htmldoc.NewPattern(`(?:编号|编码)[^\n]{0,24}$|[A-Za-z]-?$`)

// maxHeadingRunes is the maximum number of runes of a heading without a number.
const maxHeadingRunes = 8

// maxDates is the maximum number of dates read from one text.
const maxDates = 64

// Limits of the text around a date, in bytes.
const (
	reachBefore  = 72  // read before the date in its line
	maxLabelLine = 72  // of a line above the date that is its label
	signedReach  = 300 // at the end of a text, where the date below it may stand
	maxHeadLine  = 120 // of a line at the beginning that states the date
)

// firstPublication returns the first date in text[from:to] that text does not give as another date.
func firstPublication(text string, from, to int, now time.Time) (Date, bool) {
	for d, at := range eachDate(text[from:max(from, to)], now, inText, maxDates) {
		if !isOtherDate(text, from+at[0], from+at[1]) {
			return d, true
		}
	}
	return Date{}, false
}

// eachDate yields the first dates of a text, at most most, and the start and end of each in bytes.
func eachDate(text string, now time.Time, place datePlace, limit int) iter.Seq2[Date, [2]int] {
	return func(yield func(Date, [2]int) bool) {
		from := 0
		for range limit {
			d, start, end, ok := scan(text[from:], now, place)
			if !ok || !yield(d, [2]int{from + start, from + end}) {
				return
			}
			from += end
		}
	}
}

// FindRowDate is FindShortDate for the text of a row, without other dates such as deadlines. other reports that the row
// has only such dates.
func FindRowDate(s string, now time.Time) (d Date, ok, other bool) {
	for d, at := range eachDate(s, now, inRow, maxRowDates) {
		if !other && strings.TrimLeft(s[:at[0]], " [(") == "" && !strings.Contains(s[at[1]:], "止") ||
			!isOtherDate(s, at[0], at[1]) {
			return d, true, false
		}
		other = true
	}
	return Date{}, false, other
}

// maxRowDates is the maximum number of dates read from one row.
const maxRowDates = 8

// NamesPublication reports whether the heading of a column names publication dates, or other dates.
func NamesPublication(heading string) (publication, other bool) {
	heading = strings.ToLower(strings.Join(strings.Fields(heading), ""))
	if otherWords.In(heading) {
		return false, true
	}
	for _, label := range dateLabels {
		if strings.HasSuffix(heading, strings.ToLower(label)) {
			return true, false
		}
	}
	return false, false
}

// onlyOtherDates reports whether text shows the day of d, each time as a deadline or another date.
func onlyOtherDates(text string, d Date, now time.Time) bool {
	some := false
	for x, at := range eachDate(text, now, inText, maxDates) {
		if sameDay(x.Time, d.Time) {
			if !isOtherDate(text, at[0], at[1]) {
				return false
			}
			some = true
		}
	}
	return some
}

// isOtherDate reports whether the words around the date text[start:end] say that it is not the publication date.
func isOtherDate(text string, start, end int) bool {
	before := strings.TrimRight(lastBytes(text[:start], reachBefore), " \t:：(（[【于为是")
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		before = before[i+1:]
	}
	if isBareLabel(before) && strings.HasPrefix(strings.TrimLeft(text[end:], " \n"), "地点") {
		return true // of a meeting
	}
	words := earlierWords[:]
	if before == "" {
		before = lineAbove(text[:start])
	} else if up := headingAbove(text[:start]); isBareLabel(before) && isHeading(up) { // and is no title
		before, words = up+before, earlierWords[:surelyEarlier] // 采购公告 may be the title of this notice
	}
	for _, stop := range [...]string{"。", "；", ";", "！"} {
		if i := strings.LastIndex(before, stop); i >= 0 {
			before = before[i+len(stop):]
		}
	}
	for _, label := range dateLabels[:len(dateLabels)-bareLabels] {
		if prefix, ok := strings.CutSuffix(before, label); ok {
			return slices.ContainsFunc(words, func(w string) bool { return strings.HasSuffix(prefix, w) })
		}
	}
	if htmldoc.AnyWord(before, strings.HasSuffix, endWords[:]...) {
		return true
	}
	before = strings.ToLower(before)
	if strings.IndexFunc(text[start:end], func(r rune) bool { return r < '0' || r > '9' }) < 0 &&
		codeLead.MatchString(lastBytes(text[:start], reachBefore)) {
		return true
	}
	return otherWords.In(before) || isDeadline(text[end:])
}

// labelEnds are the ends of labels of a date.
var labelEnds = []string{"时间", "日期", "期限", "截止", "截至", "更正后", "更正前", "变更后", "变更前", "于", "至", "地点"}

// lineAbove returns the line above the one that begins at the end of text if it is a label: it is short and ends with a
// colon or the name of a time. Otherwise it returns "".
func lineAbove(text string) string {
	text = strings.TrimRight(text, " \t\n(（[【")
	colon := strings.TrimRight(text, " \t\n:：")
	if strings.HasSuffix(colon, "\n") || strings.Contains(text[len(colon):], "\n") { // it stands on a line of its own
		text = colon + ":"
	}
	line := text[strings.LastIndexByte(text, '\n')+1:]
	if len(line) > maxLabelLine {
		return ""
	}
	name := strings.TrimRight(line, " :：")
	if isBareLabel(name) { // the heading above says what the date is
		return headingAbove(text) + name
	}
	if len(name) < len(line) || htmldoc.AnyWord(name, strings.HasSuffix, labelEnds...) {
		return name
	}
	return ""
}

// isBareLabel reports whether a label does not say what its date is: "时间" and the like.
func isBareLabel(label string) bool {
	return slices.Contains(dateLabels[len(dateLabels)-bareLabels:], label)
}

// isHeading reports whether a line is the heading of a section: it is numbered, or has few words.
func isHeading(line string) bool {
	return utf8.RuneCountInString(line) <= maxHeadingRunes || Numbered(line)
}

// headingAbove returns the end of the line above the last line of text, its heading.
func headingAbove(text string) string {
	last := strings.LastIndexByte(text, '\n')
	if last < 0 {
		return ""
	}
	up := strings.TrimRight(text[:last], " \t\n:：")
	return lastBytes(up[strings.LastIndexByte(up, '\n')+1:], maxLabelLine)
}

// isDeadline reports whether the text after a date makes it a deadline.
func isDeadline(rest string) bool {
	rest = strings.TrimLeft(rest, " \n")
	for again := true; again; {
		again = false
		for _, a := range clockWords {
			if s, ok := strings.CutPrefix(rest, a); ok {
				rest, again = strings.TrimLeft(s, " "), true
			}
		}
	}
	return slices.ContainsFunc(lateWords[:], func(w string) bool {
		s, ok := strings.CutPrefix(rest, w)
		return ok && !strings.HasPrefix(s, "时间") && !strings.HasPrefix(s, "日期")
	})
}

// lastBytes returns the end of s: at most n bytes, whole runes.
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

// PublicationDateOfText returns the publication date of a text without HTML. It stands after a publication label, in a
// line at the end that is only a date, or in a short line at the beginning. Deadlines, openings and other dates do not
// count.
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

// lineDate returns the date in the first short line of text[from:to] that has one and is no sentence.
func lineDate(text string, from, to int, now time.Time) (Date, bool) {
	for from < to {
		line, _, _ := strings.Cut(text[from:to], "\n")
		if len(line) <= maxHeadLine && !strings.ContainsAny(line, "，。,") {
			if d, start, end, ok := findFull(line, now); ok && !isOtherDate(text, from+start, from+end) {
				return d, true
			}
			if d, ok := firstPublication(text, from, from+len(line), now); ok {
				return d, true
			}
		}
		from += len(line) + 1
	}
	return Date{}, false
}

// signed reads the line text[begin:end] as the date under a notice. A remark in brackets may follow.
func signed(text string, begin, end int, now time.Time) (Date, bool) {
	d, from, to, ok := FindDate(text[begin:end], now)
	if !ok || !labelGap(text[begin:begin+from]) || isOtherDate(text, begin+from, begin+to) {
		return Date{}, false
	}
	rest := strings.TrimSpace(text[begin+to : end])
	bracket := strings.HasPrefix(rest, "（") && strings.HasSuffix(rest, "）") || strings.HasPrefix(rest, "(") &&
		strings.HasSuffix(rest, ")")
	return d, bracket || labelGap(rest)
}
