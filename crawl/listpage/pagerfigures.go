package listpage

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"angler/crawl/htmldoc"
)

// pagerFigures holds the figures that a page states about the size of its list; -1 means not
// stated.
type pagerFigures struct {
	page, pages      int // number of this page, and number of pages
	entries, perPage int // of the list, and of one page
	inEnglish        bool
}

// Words before and after the numbers of a pager.
var (
	totalWords = []string{"共", "总", "总共", "总计", "共计", "合计", "共有", "共分", "总数", "共:", "共：", "總", "Total", "total",
		"total:", "Total:"}
	wordsBeforePage = []string{"第", "当前", "当前为", "當前", "目前"}
	wordsOfPage     = []string{"当前", "本", "第", "當前"}
	spaces          = " \n\t　 "
)

// maxPagerDigits bounds the digits of a number in a pager.
const maxPagerDigits = 8

// readPager reads the numbers of a pager in a text: 共30页, 第1/30页, 页次：1/30, 共180条 2/18, 共 1234 条,
// Page 1 of 30.
func readPager(text string) pagerFigures {
	s := pagerFigures{-1, -1, -1, -1, false}
	for i := 0; i < len(text); {
		if text[i] < 0xe6 || len(text)-i < 3 { // no word starts with such a byte
			if i++; text[i-1] >= 0xe0 {
				i += 2
			}
			continue
		}
		switch text[i : i+3] {
		case "页", "頁":
			s.readNearPage(text, i, 3)
		case "条", "條", "筆":
			s.readNearEntries(text, i, 3)
		case "记":
			if strings.HasPrefix(text[i:], "记录") {
				s.readNearEntries(text, i, 6)
			}
		}
		i += 3
	}
	if s.pages < 0 && s.entries < 0 {
		s.readEnglish(text)
	}
	if s.pages < 0 && s.entries >= 0 && s.perPage > 0 {
		s.pages = (s.entries + s.perPage - 1) / s.perPage
	}
	return s
}

// maxWordDistance bounds the bytes between a number and its word.
const maxWordDistance = 48

// readNearPage reads the numbers around the word 页 at text[at:at+width].
func (s *pagerFigures) readNearPage(text string, at, width int) {
	before := strings.TrimRight(text[max(0, at-maxWordDistance):at], spaces)
	next, _ := utf8.DecodeRuneInString(text[at+width:])
	behind := strings.ContainsRune("次码数碼數", next) // 页次：1/5
	if n, rest := lastNumber(before); n >= 0 && !behind {
		rest = strings.TrimRight(rest, spaces)
		if r, ok := cutSlashBehind(rest); ok {
			r = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(r, spaces), "页"), spaces)
			if m, _ := lastNumber(r); m >= 0 && m <= max(n, 1) {
				s.page, s.pages = m, n
			}
			return
		}
		switch {
		case htmldoc.AnyWord(rest, strings.HasSuffix, totalWords...):
			s.pages = n
		case htmldoc.AnyWord(rest, strings.HasSuffix, wordsBeforePage...) && s.page < 0:
			s.page = n
		}
		return
	}
	after := strings.TrimLeft(text[at+width:min(len(text), at+width+maxWordDistance)], "数码次:：數碼"+spaces)
	m, rest := firstNumber(after)
	switch {
	case m < 0:
	case strings.HasSuffix(before, "每"):
		s.perPage = m
	case htmldoc.AnyWord(before, strings.HasSuffix, totalWords...):
		s.pages = m
	default:
		if r, ok := cutSlashAhead(rest); ok {
			if n, _ := firstNumber(r); n >= m {
				s.page, s.pages = m, n
				return
			}
		}
		if htmldoc.AnyWord(before, strings.HasSuffix, wordsOfPage...) && s.page < 0 {
			s.page = m
		}
	}
}

// readNearEntries reads the numbers around the word 条 or 记录 at text[at:at+width].
func (s *pagerFigures) readNearEntries(text string, at, width int) {
	before := strings.TrimRight(text[max(0, at-maxWordDistance):at], spaces)
	after := text[at+width : min(len(text), at+width+maxWordDistance)]
	n, rest := lastNumber(before)
	if n < 0 {
		if r, ok := strings.CutPrefix(after, "数"); ok && htmldoc.AnyWord(before, strings.HasSuffix, totalWords...) {
			if m, _ := firstNumber(strings.TrimLeft(r, ":："+spaces)); m >= 0 {
				s.entries = m
			}
		}
		return
	}
	switch rest = strings.TrimRight(rest, spaces); {
	case strings.HasSuffix(rest, "每页"):
		s.perPage = n
		return
	case !htmldoc.AnyWord(rest, strings.HasSuffix, totalWords...):
		return
	}
	s.entries = n
	if s.pages >= 0 {
		return
	}
	for _, w := range [...]string{"记录", "数据", "信息", "公告", "结果"} {
		after = strings.TrimPrefix(after, w)
	}
	m, more := firstNumber(strings.TrimLeft(after, ",，;；"+spaces))
	if r, ok := cutSlashAhead(more); ok && m >= 0 {
		if k, _ := firstNumber(r); k >= m {
			s.page, s.pages = m, k
		}
	}
}

// readEnglish reads "Page 1 of 30" and "1-20 of 1,234".
func (s *pagerFigures) readEnglish(text string) {
	const of = " of "
	for at := range htmldoc.Occurrences(text, of) {
		end := at + len(of)
		n, rest := lastNumber(text[max(0, at-maxWordDistance):at])
		m, after := firstNumber(text[end:min(len(text), end+maxWordDistance)])
		if n < 0 || m < n {
			continue
		}
		rest = strings.TrimRight(rest, spaces)
		switch {
		case strings.HasSuffix(rest, "age") || strings.HasPrefix(strings.TrimLeft(after, spaces), "page"):
			s.page, s.pages, s.inEnglish = n, m, true
			return
		case htmldoc.AnyWord(rest, strings.HasSuffix, "-", "–", "to"):
			s.entries, s.inEnglish = m, true
			return
		}
	}
}

// String returns the figures in the language of the page; "" for none.
func (s *pagerFigures) String() string {
	pages, one, entries := "共 %d 页", "第 %d/%d 页", "共 %d 条"
	if s.inEnglish {
		pages, one, entries = "%d pages", "page %d of %d", "%d entries"
	}
	var out []string
	switch {
	case s.pages > 1 && s.page > 0:
		out = append(out, fmt.Sprintf(one, s.page, s.pages))
	case s.pages > 1:
		out = append(out, fmt.Sprintf(pages, s.pages))
	}
	if s.entries > 0 {
		out = append(out, fmt.Sprintf(entries, s.entries))
	}
	return strings.Join(out, " · ")
}

// isLastPage reports whether this is the last page, or the only one.
func (s *pagerFigures) isLastPage() bool {
	return s.pages == 0 || s.pages == 1 || s.pages > 1 && s.page >= s.pages
}

// lastNumber returns the number at the end of a text and the text before it; -1 without one.
func lastNumber(s string) (n int, rest string) {
	s = strings.TrimRight(s, spaces)
	i := len(s)
	for i > 0 && (isDigit(s[i-1]) || s[i-1] == ',' && i < len(s)) {
		i--
	}
	if n = parseNumber(s[i:]); n < 0 {
		return -1, s
	}
	return n, s[:i]
}

// firstNumber returns the number at the start of a text and the text after it; -1 without one.
func firstNumber(s string) (n int, rest string) {
	s = strings.TrimLeft(s, spaces)
	i := 0
	for i < len(s) && (isDigit(s[i]) || s[i] == ',' && i > 0) {
		i++
	}
	if n = parseNumber(s[:i]); n < 0 {
		return -1, s
	}
	return n, s[i:]
}

func parseNumber(s string) int {
	if s == "" || len(s) > maxPagerDigits {
		return -1
	}
	n, err := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
	if err != nil {
		return -1
	}
	return n
}

func cutSlashBehind(s string) (rest string, ok bool) {
	if r, ok := strings.CutSuffix(s, "/"); ok {
		return r, true
	}
	return strings.CutSuffix(s, "／")
}

func cutSlashAhead(s string) (rest string, ok bool) {
	s = strings.TrimLeft(s, spaces)
	if r, ok := strings.CutPrefix(s, "/"); ok {
		return r, true
	}
	return strings.CutPrefix(s, "／")
}
