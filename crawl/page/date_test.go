package page

import (
	"strings"
	"testing"

	"angler/crawl/article"
)

func TestDateChain(t *testing.T) {
	for _, c := range []struct{ name, html, list, want, why string }{
		{name: "the list knows", html: `<h1>某某采购公告</h1>2024-05-06`, list: "2024-05-01", want: "2024-05-01", why: article.DateFromList},
		{name: "meta", html: `<meta name="PubDate" content="2024-05-06 10:00"><title>某某采购公告</title><h1>某某采购公告</h1>2024-05-07`, want: "2024-05-06 10:00", why: "meta"},
		{name: "JSON-LD", html: `<script type="application/ld+json">{"datePublished":"2024-05-06T10:00:00+08:00"}</script><p>x`, want: "2024-05-06 10:00", why: article.DateFromLD},
		{name: "after the title", html: `<title>某某采购公告</title><p>2024-01-01</p><h1>某某采购公告</h1><span>2024-05-06</span><p>时间：2024-05-07`, want: "2024-05-06", why: article.DateNearTitle},
		{name: "label", html: `<p>合同自2023-01-01起</p><p>发布时间： 2024-05-06</p>`, want: "2024-05-06", why: article.DateFromLabel},
		{name: "a label outranks the text", html: `<title>某某通知</title><h1>某某通知</h1><p>兹定于2024年4月9日召开会议，请各位老师准时参加。</p><p>发布日期：2024-05-06</p>`, want: "2024-05-06", why: article.DateNearTitle},
		{name: "two-digit year below the title", html: `<title>某某通知</title><h1>某某通知</h1><p>| 24-05-06 | 【大 中 小】</p><p>从2024年5月1日开始，会议室对外开放，请提前申请。</p>`, want: "2024-05-06", why: article.DateNearTitle},
		{name: "time element", html: `<p>正文</p><time datetime="2024-05-06">昨天</time>`, want: "2024-05-06", why: "<time>"},
		{name: "first on the page", html: `<p>本公告自2024年5月6日起生效</p>`, want: "2024-05-06", why: article.DateFirst},
		{name: "a deadline is passed over", html: `<title>某某采购公告</title><h1>某某采购公告</h1><p>投标截止时间：2024年5月9日9时30分</p><p>开标时间：2024-05-09</p><p>某某大学</p><p>2024年5月6日</p>`, want: "2024-05-06", why: article.DateNearTitle},
		{name: "a deadline alone", html: `<p>响应文件应于2024年5月9日9时30分（北京时间）前递交。</p>`},
		{name: "a hidden date", html: `<title>某某通知</title><h1>某某通知</h1><p style="display:none">发布时间：2020-01-01</p><p>发布时间：2024-05-06</p><p>会议室对外开放，请提前申请。</p>`, want: "2024-05-06", why: article.DateNearTitle},
		{name: "a title that is short", html: `<title>某某大学</title><h1>离心机采购公告</h1><p>时间:24-05-06 作者:张三</p><p>2024年8月30日开标。</p>`, want: "2024-05-06", why: article.DateNearTitle},
		{name: "none", html: `<p>没有</p>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			opt := Options{Now: benchNow}
			opt.ListDate, _, _, _ = article.FindDate(c.list, benchNow)
			p := mustParse(t, Source{URL: "http://a.test/x.htm", Body: []byte("<html>" + c.html)}, opt)
			if p.Date.String() != c.want || p.DateWhy != c.why {
				t.Errorf("%s (%s), want %s (%s)", p.Date, p.DateWhy, c.want, c.why)
			}
		})
	}
}

// The date of a notice without a visible date may stand in its markup.
func TestDateSearch(t *testing.T) {
	text := "<p>" + strings.Repeat("本项目采购内容为通风系统的设计与安装，投标人应具备相应能力。", 10)
	for _, c := range []struct{ name, html, want string }{
		{"in an attribute", `<title>某某采购公告</title><h1>某某采购公告</h1><abbr class="published" title="2024-05-06">上周</abbr>` + text, "2024-05-06"},
		{"a year is no date", `<title>某某采购公告</title><h1>某某采购公告</h1>` + text + `<div>Copyright © 2019 某某大学</div>`, ""},
		{"a number is no date", `<title>储存柜采购（WZ2016-J1-369)成交公告</title><body><p>` + text, ""},
		{"a deadline is none", `<title>某某采购公告</title><h1>某某采购公告</h1>` + text + `<table><tr><td>投标截止时间</td><td>2024年5月9日9时30分</td></tr></table>`, ""},
		{"none", `<title>某某采购公告</title><h1>某某采购公告</h1>` + text, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := parse(t, c.html, Options{Main: article.MethodMass})
			if p.Date.String() != c.want || c.want != "" && p.DateWhy != article.DateSearched {
				t.Errorf("%q (%s), want %q", p.Date, p.DateWhy, c.want)
			}
			if p := parse(t, c.html, Options{}); !p.Date.IsZero() {
				t.Errorf("without a main text it was searched, too: %s (%s)", p.Date, p.DateWhy)
			}
		})
	}
}
