package listpage_test

import (
	"strings"
	"testing"
	"time"

	"angler/crawl/article"
	"angler/crawl/page"
)

var readAt = time.Date(2025, 3, 12, 12, 0, 0, 0, article.Shanghai)

// read returns the records of a page as "title date" lines.
func readLines(t *testing.T, html string) string {
	t.Helper()
	p, err := page.Parse(page.Source{URL: "http://a.test/zb/list.htm", Body: []byte("<html><body>" + html)}, page.Options{Now: readAt})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, r := range p.Records {
		b.WriteString(r.Title + " " + r.Date.String() + "\n")
	}
	return b.String()
}

func listRow(n, date string) string {
	return `<li><a href="/info/` + n + `.htm">东湖大学第` + n + `号设备采购公告</a><span>` + date + `</span></li>`
}

func recordLines(pairs ...string) string {
	var b strings.Builder
	for i := 0; i < len(pairs); i += 2 {
		b.WriteString("东湖大学第" + pairs[i] + "号设备采购公告 " + pairs[i+1] + "\n")
	}
	return b.String()
}

func TestRowsOfLists(t *testing.T) {
	cell := func(n, date string) string {
		return `<td>·<a href="/info/` + n + `.htm">东湖大学第` + n + `号设备采购公告</a></td><td>` + date + `</td>`
	}
	for _, c := range []struct{ name, html, want string }{
		{"a pinned row", `<ul>` + listRow("1", "置顶") + listRow("2", "2025-03-02") + listRow("3", "2025-03-01") + listRow("4", "2025-02-27") + `</ul>`,
			recordLines("1", "", "2", "2025-03-02", "3", "2025-03-01", "4", "2025-02-27")},
		{"a link to more in the list", `<ul>` + listRow("2", "2025-03-02") + listRow("3", "2025-03-01") + listRow("4", "2025-02-27") + `<li><a href="/more.htm">更多</a></li></ul>`,
			recordLines("2", "2025-03-02", "3", "2025-03-01", "4", "2025-02-27")},
		{"dates by distance", `<ul>` + listRow("1", "刚刚") + listRow("2", "2小时前") + listRow("3", "前天") + listRow("4", "1个月前") + listRow("5", "2 days ago") + `</ul>`,
			recordLines("1", "2025-03-12 12:00", "2", "2025-03-12", "3", "2025-03-10", "4", "2025-02", "5", "2025-03-10")},
		{"months alone", `<ul>` + listRow("1", "2025-03") + listRow("2", "2025年2月") + listRow("3", "2024-12") + `</ul>`,
			recordLines("1", "2025-03", "2", "2025-02", "3", "2024-12")},
		{"Chinese numerals", `<ul>` + listRow("1", "二〇二五年三月二日") + listRow("2", "二○二五年二月廿八日") + listRow("3", "二〇二四年十二月卅一日") + `</ul>`,
			recordLines("1", "2025-03-02", "2", "2025-02-28", "3", "2024-12-31")},
		{"full-width digits", `<ul>` + listRow("1", "２０２５－０３－０２") + listRow("2", "２０２５－０３－０１") + listRow("3", "２０２４－１２－３１") + `</ul>`,
			recordLines("1", "2025-03-02", "2", "2025-03-01", "3", "2024-12-31")},
		{"years of headings", `<h3>2024年</h3><ul>` + listRow("1", "03-02") + listRow("2", "02-27") + `</ul><h3>二〇二二年</h3><ul>` + listRow("3", "12-25") + listRow("4", "11-20") + `</ul>`,
			recordLines("1", "2024-03-02", "2", "2024-02-27", "3", "2022-12-25", "4", "2022-11-20")},
		{"years in rows", `<table><tr><td colspan=2>2024年度</td></tr><tr>` + cell("1", "03-02") + `</tr><tr>` + cell("2", "02-27") + `</tr><tr><td colspan=2>2023年度</td></tr><tr>` + cell("3", "12-25") + `</tr></table>`,
			recordLines("1", "2024-03-02", "2", "2024-02-27", "3", "2023-12-25")},
		{"tabs of years", `<span>2025</span><span>2024</span><ul>` + listRow("1", "03-02") + listRow("2", "02-27") + listRow("3", "02-20") + `</ul>`,
			recordLines("1", "2025?-03-02", "2", "2025?-02-27", "3", "2025?-02-20")},
		{"turn of the year", `<ul>` + listRow("1", "01-03") + listRow("2", "12-28") + listRow("3", "12-20") + listRow("4", "03-11") + listRow("5", "02-27") + `</ul>`,
			recordLines("1", "2025?-01-03", "2", "2024?-12-28", "3", "2024?-12-20", "4", "2024?-03-11", "5", "2024?-02-27")},
		{"a pinned row of last month", `<ul>` + listRow("1", "01-03") + listRow("2", "03-11") + listRow("3", "03-10") + listRow("4", "03-08") + `</ul>`,
			recordLines("1", "2025?-01-03", "2", "2025?-03-11", "3", "2025?-03-10", "4", "2025?-03-08")},
		{"two columns in cells", `<table><tr>` + cell("1", "2025-03-02") + cell("3", "2025-02-02") + `</tr><tr>` + cell("2", "2025-03-01") + cell("4", "2025-02-01") + `</tr><tr>` + cell("5", "2025-01-01") + `<td></td><td></td></tr></table>`,
			recordLines("1", "2025-03-02", "3", "2025-02-02", "2", "2025-03-01", "4", "2025-02-01", "5", "2025-01-01")},
		{"two columns with the date in front", `<table><tr><td>2025-03-02</td><td><a href="/1.htm">东湖大学第1号设备采购公告</a></td><td>2025-02-02</td><td><a href="/2.htm">东湖大学第2号设备采购公告</a></td></tr>` +
			`<tr><td>2025-03-01</td><td><a href="/3.htm">东湖大学第3号设备采购公告</a></td><td>2025-02-01</td><td><a href="/4.htm">东湖大学第4号设备采购公告</a></td></tr></table>`,
			recordLines("1", "2025-03-02", "2", "2025-02-02", "3", "2025-03-01", "4", "2025-02-01")},
		{"columns of other dates", `<table><tr><th>项目</th><th>开标时间</th><th>发布时间</th></tr><tr>` + cell("1", "2025-03-10 09:30") + `<td>2025-03-02</td></tr><tr>` + cell("2", "2025-03-09 09:30") + `<td>2025-03-01</td></tr><tr>` + cell("3", "2025-03-08 09:30") + `<td>2025-02-27</td></tr></table>`,
			recordLines("1", "2025-03-02", "2", "2025-03-01", "3", "2025-02-27")},
		{"a column of other dates alone", `<table><tr><th>项目</th><th>开标时间</th></tr><tr>` + cell("1", "2025-03-10 09:30") + `</tr><tr>` + cell("2", "2025-03-09 09:30") + `</tr><tr>` + cell("3", "2025-03-08 09:30") + `</tr></table>`,
			recordLines("1", "", "2", "", "3", "")},
		{"other dates in front", `<ul>` + listRow("1", "报名截止：2025-03-10 发布时间：2025-03-02") + listRow("2", "报名截止：2025-03-10 发布时间：2025-03-01") + listRow("3", "报名截止：2025-03-10 发布时间：2025-02-27") + `</ul>`,
			recordLines("1", "2025-03-02", "2", "2025-03-01", "3", "2025-02-27")},
		{"whole rows by distance", `<div><a href="/info/1.htm"><p>东湖大学第1号设备采购公告</p><span>3小时前</span></a></div><div><a href="/info/2.htm"><p>东湖大学第2号设备采购公告</p><span>昨天</span></a></div><div><a href="/info/3.htm"><p>东湖大学第3号设备采购公告</p><span>3天前</span></a></div>`,
			recordLines("1", "2025-03-12", "2", "2025-03-11", "3", "2025-03-09")},
		{"the day first, as one row shows", `<ul>` + listRow("1", "11/03/2025") + listRow("2", "05/03/2025") + listRow("3", "28/02/2025") + listRow("4", "03/02/2025 10:30") + `</ul>`,
			recordLines("1", "2025-03-11", "2", "2025-03-05", "3", "2025-02-28", "4", "2025-02-03 10:30")},
		{"the day first, as the month would be ahead", `<ul>` + listRow("1", "11-03-2025") + listRow("2", "05-03-2025") + listRow("3", "05-02-2025") + `</ul>`,
			recordLines("1", "2025-03-11", "2", "2025-03-05", "3", "2025-02-05")},
		{"the month first, as one row shows", `<ul>` + listRow("1", "03/11/2025") + listRow("2", "03/05/2025") + listRow("3", "02/28/2025") + `</ul>`,
			recordLines("1", "2025-03-11", "2", "2025-03-05", "3", "2025-02-28")},
		{"both orders", `<ul>` + listRow("1", "03/02/2025") + listRow("2", "02/28/2025") + listRow("3", "28/01/2025") + `</ul>`,
			recordLines("1", "2025-03-02", "2", "2025-02-28", "3", "2025-01-28")},
		{"the day first behind a deadline", `<ul>` + listRow("1", "报名截止：10-12-2025 发布时间：2025-03-02") + listRow("2", "报名截止：30-11-2025 发布时间：2025-03-01") + listRow("3", "报名截止：10-10-2025 发布时间：2025-02-27") + `</ul>`,
			recordLines("1", "2025-03-02", "2", "2025-03-01", "3", "2025-02-27")},
		{"a date that spans rows", `<table><tr><td rowspan=2>2025-03-02</td>` + cell("1", "招标") + `</tr><tr>` + cell("2", "招标") + `</tr><tr><td rowspan="1">2025-03-01</td>` + cell("3", "招标") + `</tr><tr><td></td>` + cell("4", "招标") + `</tr></table>`,
			recordLines("1", "2025-03-02", "2", "2025-03-02", "3", "2025-03-01", "4", "")},
		{"tips in lines", `<ul><li><a href="/1.htm" title="标题：东湖大学第1号设备采购公告&#10;发布时间：2025-03-02">东湖大学第1号…</a></li><li><a href="/2.htm" title="东湖大学第2号设备采购公告&#10;浏览次数：3&#10;发布时间：2025-03-01">东湖大学第2号设备采购公告</a></li><li><a href="/3.htm" title="标题：东湖大学第3号设备采购公告&#10;报名截止：2025-02-20&#10;发布时间：2025-02-18">东湖大学第3号…</a></li></ul>`,
			recordLines("1", "2025-03-02", "2", "2025-03-01", "3", "2025-02-18")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := readLines(t, c.html); got != c.want {
				t.Errorf("got\n%swant\n%s", got, c.want)
			}
		})
	}
}

// A link that is the whole row shows date, title and summary.
func TestTitlesOfWholeRows(t *testing.T) {
	for _, c := range []struct{ name, inside string }{
		{"heading", `<div><b>03/1%d</b> <i>2024</i></div><h4>东湖大学第1%d号设备采购公告</h4><p>现就设备采购进行公开招标，欢迎参加。</p>`},
		{"class", `<p class="news_title">东湖大学第1%d号设备采购公告</p><p>现就设备采购进行公开招标，欢迎参加。</p><span>2024-03-1%d</span>`},
		{"element behind the date", `<div><b>03/1%d</b> <i>2024</i></div><div>东湖大学第1%d号设备采购公告</div><div>现就设备采购进行公开招标，欢迎参加。</div>`},
		{"cut heading, whole attribute", `" title="东湖大学第1%d号设备采购公告"><div><b>1%d</b> <i>2024-03</i></div><h4>东湖大学第1…</h4><p>现就设备采购进行公开招标。</p>`},
	} {
		html, want := "", ""
		for _, n := range []string{"3", "2", "1"} {
			inside := strings.ReplaceAll(c.inside, "%d", n)
			if !strings.HasPrefix(inside, `"`) {
				inside = `">` + inside
			}
			html += `<div class="item"><a href="/info/` + n + `.htm` + inside + `</a></div>`
			want += "东湖大学第1" + n + "号设备采购公告 2024-03-1" + n + "\n"
		}
		if got := readLines(t, html); got != want {
			t.Errorf("%s: got\n%swant\n%s", c.name, got, want)
		}
	}
}
