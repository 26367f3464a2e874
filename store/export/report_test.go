package export

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

var (
	at            = time.Date(2026, 11, 22, 8, 30, 0, 0, time.UTC)
	reportColumns = []Column{{Name: "title"}, {Name: "url", Kind: Link}, {Name: "date", Kind: Time}, {Name: "site"},
		{Name: "budget", Kind: Money}, {Name: "deadline", Kind: Time}, {Name: "new", Kind: Flag}, {Name: "n", Kind: Number}}
)

func reportRowOf(title, url string, day int, site string, budget float64) []Value {
	return []Value{TextOf(title), LinkOf(url), DateOf(at.AddDate(0, 0, day).Format(time.DateOnly)), TextOf(site), MoneyOf(budget),
		DateOf(at.AddDate(0, 0, day+3).Format("2006-01-02T15:04")), FlagOf(true), {}}
}

func reportWritten(t testing.TB, lang string, rows ...[]Value) string {
	t.Helper()
	var b bytes.Buffer
	w := newReport(&b, reportHead{Title: "tenders <of> \"today\"", Lang: lang, At: at}, reportColumns)
	for _, r := range rows {
		must(t, w.Row(r))
	}
	must(t, w.Close())
	return b.String()
}

// elements counts the elements of a page by name and by name[attribute=value].
func elements(t testing.TB, page string) map[string]int {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(page))
	must(t, err)
	n := map[string]int{}
	for node := range doc.Descendants() {
		if node.Type == html.ElementNode {
			n[node.Data]++
			for _, a := range node.Attr {
				n[node.Data+"["+a.Key+"]"]++
				n[node.Data+"["+a.Key+"="+a.Val+"]"]++
			}
		}
	}
	return n
}

func TestReport(t *testing.T) {
	page := reportWritten(t, "en", reportRowOf("一", "http://a.test/1", 0, "ntu", 902460.5), reportRowOf("二", "http://a.test/2", -1, "ntu", 2e8), reportRowOf("三", "http://b.test/3", -5, "hainu", 1))
	n := elements(t, page)
	for what, want := range map[string]int{"table": 1, "th": 8, "th[scope=col]": 8, "tbody": 1, "tr": 4, "svg": 4, "svg[role=img]": 4, "svg[aria-label]": 4, "script": 1, "h1": 1,
		"html[lang=en]": 1, "label[for=q]": 1, "a[href=http://a.test/1]": 1, "main": 1, "figcaption": 4} {
		if n[what] != want {
			t.Errorf("%d × %s, want %d", n[what], what, want)
		}
	}
	for _, want := range []string{"902,460.50", "200,000,000", "prefers-color-scheme:dark", "<title>ntu: 2</title>", "<title>2026-11-22: 1</title>", "Due in the next 14 days: 2", "<title>≥ 1亿: 1</title>", "<title>2026-11-17: 1</title>"} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is missing", want)
		}
	}
	lots := reportRowOf("四", "http://a.test/4", 0, "ntu", 1)
	lots[4], lots[0] = JSONOf([]any{2122200, 321200.5}, 2), JSONOf([]string{"甲公司", "<b>乙"}, 2)
	if page := reportWritten(t, "en", lots); !strings.Contains(page, "<td>2,122,200; 321,200.50</td>") || !strings.Contains(page, "<td>甲公司; &lt;b&gt;乙</td>") {
		t.Errorf("several values are shown as JSON: %s", page)
	}
	if zh := reportWritten(t, "zh", reportRowOf("一", "http://a.test/1", 0, "ntu", 1)); elements(t, zh)["html[lang=zh-CN]"] != 1 || !strings.Contains(zh, "按日期") || !strings.Contains(zh, "未来 14 天内截止：1 条") {
		t.Error("the Chinese report is not Chinese")
	}
	if empty := reportWritten(t, "en"); !strings.Contains(empty, "Nothing to list.") || elements(t, empty)["table"] != 0 {
		t.Error("a report of nothing has a table")
	}
}

// TestNothingIsRequested searches for anything that a browser would load.
func TestNothingIsRequested(t *testing.T) {
	page := reportWritten(t, "en", reportRowOf("一", "http://a.test/1", 0, "ntu", 1))
	n := elements(t, page)
	for _, what := range []string{"img", "link", "iframe", "object", "script[src]", "svg[href]", "style[src]", "form"} {
		if n[what] > 0 {
			t.Errorf("the page has %s", what)
		}
	}
	if strings.Contains(style, "url(") || strings.Contains(style, "@import") {
		t.Error("the style loads something")
	}
}

func TestHostileTextsStayTexts(t *testing.T) {
	for _, s := range []string{"<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "javascript:alert(1)", "</details><iframe>", "\u202etxt.exe", "a\x00b\x1b[31m", "<!--", "]]>", "</title>", "' onmouseover='x"} {
		page := reportWritten(t, "en", reportRowOf(s, s, 0, s, 1), reportRowOf(strings.Repeat(s, 40), "javascript://x/%0aalert(1)", 0, s, 1))
		n := elements(t, page)
		if n["script"] != 1 || n["img"]+n["iframe"] != 0 || n["a"] != 1 || n["td[onmouseover]"]+n["svg[onmouseover]"] != 0 || n["tr"] != 3 {
			t.Errorf("%q changes the page: %v", s, n)
		}
		if strings.ContainsAny(page, "\x00\x1b\u202e") {
			t.Errorf("%q leaves what is not shown", s)
		}
	}
}

// The chart of dates covers all rows, by months or years if there are too many days, with years on
// its axis; rows outside are counted.
func TestTheChartOfDatesCoversAllRows(t *testing.T) {
	for _, c := range []struct {
		days []int // days before the report
		want string
	}{
		{[]int{0, 59}, "By day, 2026-09-24 … 2026-11-22."},
		{[]int{0, 60}, "By month, 2026-09 … 2026-11."},
		{[]int{0, 400, 900, 900}, "By month, 2024-06 … 2026-11."},
		{[]int{0, 400, 5000}, "By year, 2013 … 2026."},
		{[]int{0, 400, 5000, -40}, "By year, 2013 … 2026: 3 of 4 rows."}, // a misread date
	} {
		var rows [][]Value
		for _, d := range c.days {
			rows = append(rows, reportRowOf("一", "http://a.test/1", -d, "ntu", 1))
		}
		if page := reportWritten(t, "en", rows...); !strings.Contains(page, `aria-label="`+c.want) {
			t.Errorf("%v: %q is missing: %s", c.days, c.want, page[strings.Index(page, "<figcaption>"):][:300])
		}
	}
	axis := reportWritten(t, "en", reportRowOf("一", "http://a.test/1", -400, "ntu", 1), reportRowOf("一", "http://a.test/1", 0, "ntu", 1))
	if !strings.Contains(axis, ">2025-10</text>") || strings.Contains(reportWritten(t, "en"), "<figure>") {
		t.Error("the axis has no years, or a report of nothing has charts")
	}
}

func TestManyRowsAreCountedAndNotAllListed(t *testing.T) {
	rows := make([][]Value, listed+5)
	for i := range rows {
		rows[i] = reportRowOf("一", "http://a.test/1", -(i % 90), fmt.Sprintf("site%d", i%30), 1)
	}
	page := reportWritten(t, "en", rows...)
	if n := elements(t, page)["tr"]; n != listed+1 {
		t.Errorf("%d rows are listed", n)
	}
	for _, want := range []string{"The first 10000 of 10005 rows", "18 others", fmt.Sprintf("&lt; 10万: %d", listed+5)} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is missing", want)
		}
	}
}

// TestChartsAreXML decodes each picture.
func TestChartsAreXML(t *testing.T) {
	page := reportWritten(t, "zh", reportRowOf("一", "http://a.test/1", 0, "a & <b> \"c\"", 1))
	for rest := page; ; {
		_, after, found := strings.Cut(rest, "<svg")
		if !found {
			break
		}
		svg, after, _ := strings.Cut(after, "</svg>")
		d := xml.NewDecoder(strings.NewReader("<svg" + svg + "</svg>"))
		var err error
		for err == nil {
			_, err = d.Token()
		}
		if !errors.Is(err, io.EOF) {
			t.Errorf("%v in %s", err, svg)
		}
		rest = after
	}
}

func FuzzRow(f *testing.F) {
	f.Add("招标", "http://a.test/", "2026-11-22", 1.5)
	f.Fuzz(func(t *testing.T, title, link, date string, x float64) {
		page := reportWritten(t, "zh", []Value{TextOf(title), LinkOf(link), DateOf(date), TextOf(title), MoneyOf(x), DateOf(date), FlagOf(false), NumberOf(x)})
		if n := elements(t, page); n["script"] != 1 || n["tr"] != 2 || n["table"] != 1 {
			t.Errorf("%q %q %q changes the page", title, link, date)
		}
	})
}
