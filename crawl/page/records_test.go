package page

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"angler/crawl/article"
	"angler/crawl/listpage"
)

func TestRecords(t *testing.T) {
	item := func(format string) string { return repeated(format, 0, 5) }
	for _, c := range []struct{ name, html, title, date string }{
		{"date behind", `<ul>` + item(`<li><a href="%[1]d.htm">采购公告标题之第%[1]d号</a><span>2024-05-0%[1]d</span></li>`) + `</ul>`, "采购公告标题之第3号", "2024-05-03"},
		{"day above month, all one link", `<div>` + item(`<div class="item"><a href="%[1]d.htm"><b>1%[1]d</b><i>2024-05</i><h4>采购公告标题之第%[1]d号</h4></a></div>`) + `</div>`, "", "2024-05-13"},
		{"definitions", `<dl>` + item(`<dt><a href="%[1]d.htm">采购公告标题之第%[1]d号</a></dt><dd>2024-05-0%[1]d</dd>`) + `</dl>`, "采购公告标题之第3号", "2024-05-03"},
		{"definitions with the date above", `<dl>` + item(`<dt>2024-05-1%[1]d</dt><dd><a href="%[1]d.htm">采购公告标题之第%[1]d号</a></dd>`) + `</dl>`, "采购公告标题之第3号", "2024-05-13"},
		{"lines of one paragraph", `<div>` + item(`· <a href="%[1]d.htm">采购公告标题之第%[1]d号</a>（2024-05-0%[1]d）<br>`) + `</div>`, "采购公告标题之第3号", "2024-05-03"},
		{"deadlines in definitions", `<dl>` + item(`<dt><a href="%[1]d.htm">采购公告标题之第%[1]d号</a></dt><dd>投标截止时间：2024-05-0%[1]d</dd>`) + `</dl>`, "采购公告标题之第3号", ""},
		{"a row of short cells that a script opens", `<table>` + item(`<tr onclick="window.open('%[1]d.htm')"><td>询价公告第%[1]d号</td><td>2024-05-0%[1]d</td></tr>`) + `</table>`, "询价公告第3号", "2024-05-03"},
		{"an ellipsis behind the whole title", `<ul>` + item(`<li><a href="%[1]d.htm" title="采购公告标题之第%[1]d号">采购公告标题之第%[1]d号...</a>[05-0%[1]d]</li>`) + `</ul>`, "采购公告标题之第3号", "2025?-05-03"},
		{"truncated anchor", `<ul>` + item(`<li><a href="%[1]d.htm" title="采购公告标题之第%[1]d号全文">采购公告标题之第%[1]d...</a>[05-0%[1]d]</li>`) + `</ul>`, "采购公告标题之第3号全文", "2025?-05-03"},
		{"date that is part of the title", `<ul>` + item(`<li><a href="%[1]d.htm">2024年4月1%[1]d日学术报告会通知</a><span>2024-04-0%[1]d</span></li>`) + `</ul>`, "2024年4月13日学术报告会通知", "2024-04-03"},
		{"span of days in the title", `<ul>` + item(`<li><a href="%[1]d.htm">2024年4月1%[1]d日-19日停水通知</a></li>`) + `</ul>`, "2024年4月13日-19日停水通知", "2024-04-13"},
		{"date in front in brackets", `<ul>` + item(`<li><a href="%[1]d.htm">[2024-05-0%[1]d]采购公告标题之第%[1]d号</a></li>`) + `</ul>`, "采购公告标题之第3号", "2024-05-03"},
		{"date in front in an element", `<ul>` + item(`<li><a href="%[1]d.htm"><span>2024-05-0%[1]d</span>采购公告标题之第%[1]d号</a></li>`) + `</ul>`, "采购公告标题之第3号", "2024-05-03"},
		{"date in front before a space", `<ul>` + item(`<li><a href="%[1]d.htm">2024-05-0%[1]d 采购公告标题之第%[1]d号</a></li>`) + `</ul>`, "采购公告标题之第3号", "2024-05-03"},
		{"date inside the anchor", `<ul>` + item(`<li><a href="%[1]d.htm">采购公告标题之第%[1]d号 2024-05-0%[1]d</a></li>`) + `</ul>`, "采购公告标题之第3号", "2024-05-03"},
		{"table rows", `<table>` + item(`<tr class="r%[1]d"><td>%[1]d</td><td><a href="%[1]d.htm">采购公告标题之第%[1]d号</a></td><td>2024/5/%[1]d</td></tr>`) + `</table>`, "采购公告标题之第3号", "2024-05-03"},
		{"hidden items count", `<ul>` + item(`<li style="display:none"><a href="%[1]d.htm">采购公告标题之第%[1]d号</a>2024-05-0%[1]d</li>`) + `</ul>`, "采购公告标题之第3号", "2024-05-03"},
		{"summary with a second link", `<div>` + item(`<div class=x><p><a href="%[1]d.htm">采购公告标题之第%[1]d号</a></p><p>摘要，2024年5月%[1]d日 <a href="%[1]d.htm">【详细内容请点击这里查看全文】</a></p></div>`) + `</div>`, "采购公告标题之第3号", "2024-05-03"},
	} {
		t.Run(c.name, func(t *testing.T) {
			html := strings.ReplaceAll(c.html, "号0", "号")
			p := parse(t, `<html><div class=menu>`+strings.Repeat(`<a href="/m.htm">栏目</a>`, 8)+`</div>`+html, Options{})
			var got *listpage.Record
			for i := range p.Records {
				if p.Records[i].URL == "http://zb.jnlg.test/cg/3.htm" {
					got = &p.Records[i]
				}
			}
			if got == nil || c.title != "" && got.Title != c.title || got.Date.String() != c.date {
				t.Fatalf("%d records, %+v; want %q %s", len(p.Records), got, c.title, c.date)
			}
		})
	}
}

// A list in several parts is one list; columns with a link of their own are not.
func TestListInParts(t *testing.T) {
	part := func(k int, heading string) string {
		rows := fmt.Sprintf(`<li><a href="%[1]d-%%[1]d.htm">采购公告标题之第%[1]d%%[1]d号</a><span>2024-05-%[1]d%%[1]d</span></li>`, k)
		return `<div class="part">` + heading + `<ul class="l">` + repeated(rows, 0, 5) + `</ul></div><hr>`
	}
	for _, c := range []struct {
		name, heading string
		want          int
	}{{"cut by rules", "", 10}, {"cut by months", "<h3>2024年5月</h3>", 10}, {"columns", `<h3>公告</h3><a href="more.htm">更多</a>`, 5}} {
		t.Run(c.name, func(t *testing.T) {
			p := parse(t, `<html><div class=menu><a href="/m.htm">栏目</a></div><div class="box">`+part(1, c.heading)+part(2, c.heading)+`</div>`, Options{})
			if len(p.Records) != c.want || p.Dated != c.want {
				t.Errorf("%d records, %d dated; want %d", len(p.Records), p.Dated, c.want)
			}
		})
	}
}

func TestPagersAreNoRecords(t *testing.T) {
	p := parse(t, `<html><ul><li><a href="1.htm">采购公告标题之一</a>2024-05-06</li></ul><div>`+
		strings.Repeat(`<span><a href="list2.htm">下一页</a></span>`, 3)+`</div>`, Options{})
	if len(p.Records) != 1 || p.Type == List {
		t.Errorf("%s, %+v", p.Type, p.Records)
	}
}

// Rows of a label and an address are no list.
func TestAddressesAreNoRecords(t *testing.T) {
	p := parse(t, `<table>`+strings.Repeat(`<tr><td>2024-05-06 直播</td><td><a href="http://b.test/live/7">http://b.test/live/7</a></td></tr>`, 4)+`</table>`, Options{})
	if len(p.Records) != 0 {
		t.Errorf("%+v", p.Records)
	}
}

// A menu is no list.
func TestMenusAreNoRecords(t *testing.T) {
	for name, menu := range map[string]string{
		"leads home":      `<li><a href="/">首页</a></li>` + `<li><a href="/a.htm">学校概况与历史沿革</a></li><li><a href="/b.htm">机构设置与工作职责</a></li>`,
		"leads to itself": `<li><a href="/cg/cggg.htm">采购公告与采购信息</a></li><li><a href="/b.htm">机构设置与工作职责</a></li>`,
	} {
		p := parse(t, `<ul>`+menu+`</ul><div><p><a href="1.htm">实验室设备采购公告</a></p></div>`, Options{})
		if len(p.Records) != 1 || p.Records[0].Title != "实验室设备采购公告" {
			t.Errorf("%s: %+v", name, p.Records)
		}
	}
}

// Items with relative dates are records.
func TestRelativeDatesOfRecords(t *testing.T) {
	var b strings.Builder
	b.WriteString("<ul>")
	for _, when := range []string{"5分钟前", "3小时前", "昨天", "昨天 09:10"} {
		b.WriteString(`<li><a href="/` + when + `.htm">关于某某设备采购项目的公告（` + when + `）</a><span>` + when + `</span></li>`)
	}
	now := time.Date(2025, 3, 12, 12, 0, 0, 0, article.Shanghai)
	p := parse(t, b.String(), Options{Now: now})
	var got []string
	for _, r := range p.Records {
		got = append(got, r.Date.String())
	}
	if s := strings.Join(got, ", "); p.Type != List || s != "2025-03-12 11:55, 2025-03-12, 2025-03-11, 2025-03-11 09:10" {
		t.Errorf("%s with %s", p.Type, s)
	}
}

// A record without a year takes it from its URL, and a notice from its page. A guessed year is
// marked.
func TestYears(t *testing.T) {
	now := time.Date(2025, 3, 12, 12, 0, 0, 0, article.Shanghai)
	for url, want := range map[string]string{
		"/2022/0512/c1a9.htm":      "2022-05-12",
		"/202205/t20220513_1.html": "2022-05-12",
		"/202205/1.html":           "2022-05-12",
		"/2022-05/1.html":          "2022-05-12",
		"/2022/5/1.html":           "2022-05-12",
		"/2022/06/1.html":          "2022-05-12", // read a few weeks later
		"/2022/11/1.html":          "2024?-05-12",
		"/2025/05/1.html":          "2024?-05-12", // still to come
		"/info/1002/2022.htm":      "2024?-05-12",
	} {
		html := `<ul><li><a href="` + url + `">关于某某设备采购项目的公告</a><span>05-12</span></li></ul>`
		p := parse(t, html, Options{Now: now})
		if len(p.Records) != 1 || p.Records[0].Date.String() != want {
			t.Errorf("%s: %+v, want %s", url, p.Records, want)
		}
	}
	guess := article.Date{Time: time.Date(2024, 12, 30, 0, 0, 0, 0, article.Shanghai), Precision: article.DayGuessed}
	for html, want := range map[string]string{
		`<h1>关于某某设备采购项目的公告</h1><p>发布时间：2021-12-30</p>`: "2021-12-30",
		`<h1>关于某某设备采购项目的公告</h1><p>发布时间：2022-01-02</p>`: "2021-12-30",
		`<h1>关于某某设备采购项目的公告</h1><p>发布时间：2021-07-02</p>`: "2024?-12-30",
		`<h1>关于某某设备采购项目的公告</h1>`:                       "2024?-12-30",
	} {
		if p := parse(t, html, Options{Now: now, ListDate: guess}); p.Date.String() != want || p.DateWhy != article.DateFromList {
			t.Errorf("%s: %s by %s, want %s", html, p.Date, p.DateWhy, want)
		}
	}
}
