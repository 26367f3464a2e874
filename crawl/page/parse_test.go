package page

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"

	"angler/crawl/urls"
)

func parse(t testing.TB, src string, opt Options) *Page {
	t.Helper()
	if opt.Now.IsZero() {
		opt.Now = benchNow
	}
	p, err := Parse(Source{URL: "http://zb.jnlg.test/cg/cggg.htm", Body: []byte(src)}, opt)
	if err != nil {
		t.Fatal(err)
	}
	checkPage(t, p)
	return p
}

func TestListPage(t *testing.T) {
	p := parse(t, syntheticPage(true), Options{})
	if p.Type != List || len(p.Records) != 40 || p.Dated != 40 {
		t.Fatalf("%s with %d records, %d dated", p.Type, len(p.Records), p.Dated)
	}
	r := p.Records[3]
	if r.Title != "江南理工大学第3号实验室设备采购项目公开招标公告" || r.URL != "http://zb.jnlg.test/info/1023/1203.htm" || r.Date.String() != "2025-04-04" {
		t.Errorf("record %+v", r)
	}
	pagers := 0
	for _, l := range p.Links {
		if l.Pager {
			pagers++
			if l.URL != "http://zb.jnlg.test/cg/cggg/2.htm" {
				t.Errorf("pager %+v", l)
			}
		}
	}
	if pagers != 2 {
		t.Errorf("%d pager links, want 2", pagers)
	}
	if p.Beta < 1 {
		t.Errorf("β %.2f of a list", p.Beta)
	}
}

func TestNoticePage(t *testing.T) {
	for _, method := range []string{MethodAuto, MethodMass} {
		t.Run(method, func(t *testing.T) {
			p := parse(t, syntheticPage(false), Options{Main: method})
			if p.Type != Detail || p.Title != "江南理工大学化学实验室通风系统采购项目公开招标公告" || p.Date.String() != "2025-03-12" || p.DateWhy != dateNear {
				t.Errorf("%s %q %s (%s)", p.Type, p.Title, p.Date, p.DateWhy)
			}
			if !strings.HasPrefix(p.Main, "第1条 本项目采购内容") || !strings.Contains(p.Main, "\n2\t通风柜\t4 台\t17.00 万元\n") {
				t.Errorf("text %q", p.Main)
			}
			for _, noise := range []string{"浏览次数", "栏目导航", "当前位置", "版权所有", "学校栏目"} {
				if strings.Contains(p.Main, noise) {
					t.Errorf("text holds %q", noise)
				}
			}
			want := Attachment{Name: "招标文件.docx", URL: "http://zb.jnlg.test/_upload/article/files/a.docx", Class: urls.Document}
			if len(p.Attachments) != 1 || p.Attachments[0] != want {
				t.Errorf("attachments %+v", p.Attachments)
			}
		})
	}
}

func TestMethodsFindTheText(t *testing.T) {
	for _, method := range Methods() {
		p := parse(t, syntheticPage(false), Options{Main: method})
		if !strings.Contains(p.Main, "第5条 本项目采购内容为化学实验室通风系统") || p.MainMethod == "" || p.MainMethod == MethodAuto {
			t.Errorf("%s (%s): %.100q", method, p.MainMethod, p.Main)
		}
	}
	if p := parse(t, syntheticPage(false), Options{}); p.Main != "" || p.MainMethod != "" {
		t.Error("a main text that nobody asked for")
	}
}

func TestMainText(t *testing.T) {
	sentence := "本公告对采购项目的内容、数量、预算和时间作如下说明，请各供应商仔细阅读。"
	menu := `<div class="nav">` + strings.Repeat(`<a href="/x.htm">栏目名称</a>`, 12) + `</div>`
	for _, c := range []struct{ name, body, want string }{
		{"the repeated title is dropped", `<title>采购公告一号</title><div class=c><h2>采购公告一号</h2><p>` + sentence + `</p><p>` + sentence + `</p></div>`, sentence + "\n" + sentence},
		{"but never the whole text", `<title>采购公告一号</title>` + menu + `<div class=c><h2>采购公告一号</h2></div>`, "采购公告一号"},
		{"a date below a short notice is part of it", `<title>放假通知</title>` + menu + `<h1>放假通知</h1><p>2024-04-30</p><div><p>现将劳动节放假安排通知如下，请遵照执行。</p><p>江南理工大学</p><p>2024年4月29日</p></div>`,
			"现将劳动节放假安排通知如下，请遵照执行。\n江南理工大学\n2024年4月29日"},
		{"sentences beside a data table", `<title>成交公告</title>` + menu + `<h1>成交公告</h1><div class=c><div><p>经评审，成交结果如下，特此公告。</p><p>` + sentence + `</p></div><div><table>` +
			strings.Repeat(`<tr><td>1</td><td>实验台以及配套的通风设备</td><td>江南科学仪器有限公司</td></tr>`, 12) + `</table></div></div>`,
			"经评审，成交结果如下，特此公告。\n" + sentence + strings.Repeat("\n1\t实验台以及配套的通风设备\t江南科学仪器有限公司", 12)},
		{"text in a form", menu + `<form action=x><div><p>` + sentence + `</p><p>` + sentence + `</p></div></form>`, sentence + "\n" + sentence},
		{"text in a class of ill repute", menu + `<div class="sidebar-content hot"><p>` + sentence + `</p><p>` + sentence + `</p><p>` + sentence + `</p></div>`, sentence + "\n" + sentence + "\n" + sentence},
		{"related links below", menu + `<div class=c><p>` + sentence + `</p><p>` + sentence + `</p><div class=list>` + strings.Repeat(`<p><a href=y.htm>另一个采购公告的标题</a></p>`, 6) + `</div></div>`, sentence + "\n" + sentence},
		{"attachments behind a text that only points to them", menu + `<div><div class=c><p>详见附件，谢谢</p></div><ul><li>附件【<a href="/a.docx">招标文件.docx</a>】</li></ul></div>`,
			"详见附件，谢谢\n附件【招标文件.docx】"},
		{"attachments behind a text", menu + `<div><div class=c><p>` + sentence + `</p><p>` + sentence + `</p></div><ul><li>附件【<a href="/a.docx">招标文件.docx</a>】</li></ul></div>`,
			sentence + "\n" + sentence},
		{"layout table", `<table><tr><td>` + strings.Repeat(`<a href=x.htm>栏目名</a><br>`, 8) + `</td><td><p>` + sentence + `</p><p>` + sentence + `</p></td></tr></table>`, sentence + "\n" + sentence},
		{"nothing", menu, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := parse(t, "<html><body>"+c.body, Options{Main: MethodMass})
			if p.Main != c.want {
				t.Errorf("got  %q\nwant %q", p.Main, c.want)
			}
		})
	}
}

func TestTitleChain(t *testing.T) {
	text := "<p>" + strings.Repeat("正文内容。", 30) + "</p>"
	for _, c := range []struct{ name, html, list, want, why string }{
		{name: "the list's anchor", html: `<title>江南理工大学</title><p>关于采购实验台的公告</p>`, list: "关于采购实验台的公告", want: "关于采购实验台的公告", why: whyList},
		{name: "a truncated anchor is no title", html: `<title>关于采购实验台的公告-江南理工大学</title><h1>关于采购实验台的公告</h1>`, list: "关于采购实验…", want: "关于采购实验台的公告", why: whyContained},
		{name: "an anchor the page does not show", html: `<title>关于采购实验台的公告</title><h1>关于采购实验台的公告</h1>`, list: "查看详情", want: "关于采购实验台的公告", why: whyContained},
		{name: "meta", html: `<meta name="ArticleTitle" content="关于采购实验台的公告"><title>关于采购实验台的公告_江南理工大学</title>`, want: "关于采购实验台的公告", why: whyMeta},
		{name: "a class for titles before the menu", html: `<title>采购公告：实验台-采购公告-江南理工大学</title><div class="nav"><span>采购公告</span></div><div class="arti-title">采购公告：实验台</div>`, want: "采购公告：实验台", why: whyContained},
		{name: "title cut by spans", html: `<title>关于采购实验台的公告-江南</title><h1><span>关于采购</span><span>实验台的公告</span></h1>`, want: "关于采购实验台的公告", why: whyContained},
		{name: "a heading that <title> abridges", html: `<title>关于采购实验台及配套设备…-江南理工大学</title><h2>关于采购实验台及配套设备的公告</h2>`, want: "关于采购实验台及配套设备的公告", why: whySimilar},
		{name: "og:title", html: `<meta property="og:title" content="关于采购实验台的公告_江南">`, want: "关于采购实验台的公告", why: whyOG},
		{name: "<title> without its tail", html: `<title>关于采购实验台的公告 - 江南理工大学</title>`, want: "关于采购实验台的公告", why: whyHead},
		{name: "a hyphen inside a word is no joint", html: `<title>COVID-19 vaccination schedule</title>`, want: "COVID-19 vaccination schedule", why: whyHead},
		{name: "<title> only names the site", html: `<title>江南省公共资源交易网</title><h2>实验中学校区改造工程施工</h2>`, want: "实验中学校区改造工程施工", why: whyHeading},
		{name: "both name the site", html: `<title>关于我们学院</title><h2>江南理工大学</h2>`, want: "关于我们学院", why: whyHead},
		{name: "heading without <title>", html: `<h2>采购公告</h2>`, want: "采购公告", why: whyHeading},
		{name: "none", html: ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := parse(t, "<html>"+c.html+text, Options{ListTitle: c.list})
			if p.Title != c.want || p.TitleWhy != c.why {
				t.Errorf("%q (%s), want %q (%s)", p.Title, p.TitleWhy, c.want, c.why)
			}
		})
	}
}

func TestRecords(t *testing.T) {
	item := func(format string) string {
		var b strings.Builder
		for i := range 5 {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for _, c := range []struct{ name, html, title, date string }{
		{"date behind", `<ul>` + item(`<li><a href="%[1]d.htm">采购公告标题之第%[1]d号</a><span>2024-05-0%[1]d</span></li>`) + `</ul>`, "采购公告标题之第3号", "2024-05-03"},
		{"day above month, all one link", `<div>` + item(`<div class="item"><a href="%[1]d.htm"><b>1%[1]d</b><i>2024-05</i><h4>采购公告标题之第%[1]d号</h4></a></div>`) + `</div>`, "", "2024-05-13"},
		{"truncated anchor", `<ul>` + item(`<li><a href="%[1]d.htm" title="采购公告标题之第%[1]d号全文">采购公告标题之第%[1]d...</a>[05-0%[1]d]</li>`) + `</ul>`, "采购公告标题之第3号全文", "2025-05-03"},
		{"date inside the anchor", `<ul>` + item(`<li><a href="%[1]d.htm">采购公告标题之第%[1]d号 2024-05-0%[1]d</a></li>`) + `</ul>`, "采购公告标题之第3号", "2024-05-03"},
		{"table rows", `<table>` + item(`<tr class="r%[1]d"><td>%[1]d</td><td><a href="%[1]d.htm">采购公告标题之第%[1]d号</a></td><td>2024/5/%[1]d</td></tr>`) + `</table>`, "采购公告标题之第3号", "2024-05-03"},
		{"hidden items count", `<ul>` + item(`<li style="display:none"><a href="%[1]d.htm">采购公告标题之第%[1]d号</a>2024-05-0%[1]d</li>`) + `</ul>`, "采购公告标题之第3号", "2024-05-03"},
		{"summary with a second link", `<div>` + item(`<div class=x><p><a href="%[1]d.htm">采购公告标题之第%[1]d号</a></p><p>摘要，2024年5月%[1]d日 <a href="%[1]d.htm">【详细内容请点击这里查看全文】</a></p></div>`) + `</div>`, "采购公告标题之第3号", "2024-05-03"},
	} {
		t.Run(c.name, func(t *testing.T) {
			html := strings.ReplaceAll(c.html, "号0", "号")
			p := parse(t, `<html><div class=menu>`+strings.Repeat(`<a href="/m.htm">栏目</a>`, 8)+`</div>`+html, Options{})
			var got *Record
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

// A list cut in parts is one list; columns with a link of their own are not.
func TestListInParts(t *testing.T) {
	part := func(k int, heading string) string {
		var b strings.Builder
		b.WriteString(`<div class="part">` + heading + `<ul class="l">`)
		for i := range 5 {
			fmt.Fprintf(&b, `<li><a href="%[1]d-%[2]d.htm">采购公告标题之第%[1]d%[2]d号</a><span>2024-05-%[1]d%[2]d</span></li>`, k, i)
		}
		b.WriteString(`</ul></div><hr>`)
		return b.String()
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

func TestPager(t *testing.T) {
	for _, c := range []struct {
		anchor, link, page string
		want               bool
	}{
		{"下一页", "http://a.test/x2.htm", "http://a.test/x.htm", true},
		{"Next", "http://a.test/?p=2", "http://a.test/", true},
		{"2", "http://a.test/list2.htm", "http://a.test/list.htm", true},
		{"2", "http://a.test/cggg/2.htm", "http://a.test/cggg.htm", true},
		{"[3]", "http://a.test/index_3.html", "http://a.test/index.html", true},
		{"3", "http://a.test/list.jsp?page=3", "http://a.test/list.jsp", true},
		{"7", "http://a.test/cggg/7.htm", "http://a.test/cggg/8.htm", true},
		{"2", "http://a.test/info/1023/1260.htm", "http://a.test/list.htm", false},
		{"首页", "http://a.test/", "http://a.test/info/1.htm", false},
		{"首页", "http://a.test/cggg.htm", "http://a.test/cggg/2.htm", true},
		{"2024", "http://a.test/y/2024.htm", "http://a.test/z/x.htm", false},
		{"采购公告", "http://a.test/x2.htm", "http://a.test/x.htm", false},
	} {
		if got := pager(c.anchor, c.link, c.page); got != c.want {
			t.Errorf("pager(%q, %q on %q) = %v", c.anchor, c.link, c.page, got)
		}
	}
}

func TestLinks(t *testing.T) {
	p := parse(t, `<html><head><base href="http://b.test/d/"><meta http-equiv="refresh" content="3; url='r.htm'"></head><body>
		<a href="a.htm">甲</a><a name=x>无</a><map><area href="b.htm" title="乙"></map><iframe src="c.htm"></iframe>
		<a href="javascript:;">丙</a><div style="display: none"><a href="d.pdf"><img src=i.png alt="丁"></a></div></body></html>`, Options{})
	var got []string
	for _, l := range p.Links {
		got = append(got, fmt.Sprintf("%s %s %s %v", l.URL, l.Anchor, l.Class, l.Hidden))
	}
	want := []string{"http://b.test/d/r.htm  page false", "http://b.test/d/a.htm 甲 page false", "http://b.test/d/b.htm 乙 page false", "http://b.test/d/c.htm  page false",
		" 丙 page false", "http://b.test/d/d.pdf 丁 document true"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestBlocks(t *testing.T) {
	p := parse(t, syntheticPage(true), Options{})
	find := func(path string) (int, *Block) {
		for i := range p.Blocks {
			if strings.HasSuffix(p.Blocks[i].Path, path) {
				return i, &p.Blocks[i]
			}
		}
		t.Fatalf("no block %q among %+v", path, p.Blocks)
		return 0, nil
	}
	_, list := find("div.main/ul.news_list")
	if list.Links != 40 || list.Noise || list.LinkChars == 0 || list.LinkChars >= list.Chars {
		t.Errorf("the list: %+v", *list)
	}
	_, nav := find("div.nav/ul")
	if nav.Links != 20 || !nav.Noise {
		t.Errorf("the menu: %+v", *nav)
	}
	if _, foot := find("div.footer"); !foot.Noise {
		t.Errorf("the footer: %+v", *foot)
	}
	i, _ := find("div.main/ul.news_list")
	if p.Links[p.Records[0].Link].Block != int32(i) {
		t.Errorf("the first record's link stands in block %d, the list is %d", p.Links[p.Records[0].Link].Block, i)
	}
}

func TestBoilerplate(t *testing.T) {
	host := &Boilerplate{}
	pageOf := func(i int) string {
		side := strings.Repeat(`<li><a href="/hot1.htm">热门采购公告标题之一</a>2024-05-01</li><li><a href="/hot2.htm">热门采购公告标题之二</a>2024-05-02</li><li><a href="/hot3.htm">热门采购公告标题之三</a>2024-05-03</li>`, 1)
		return fmt.Sprintf(`<html><title>公告第%d号 - 江南理工大学</title><div><ul>%s</ul></div><ul><li><a href="/n%d.htm">第%d号采购公告</a>2024-06-01</li></ul><p>每一页都有的一句话，写在页脚上面。</p><p>第%d页自己的文字。</p>`, i, side, i, i, i)
	}
	before := parse(t, pageOf(99), Options{Host: host})
	if len(before.Records) != 3 {
		t.Fatalf("before learning: %+v", before.Records)
	}
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 10 {
				host.Learn(parse(t, pageOf(w*10+i), Options{Host: host}))
			}
		})
	}
	wg.Wait()
	if host.Pages() != 40 {
		t.Fatalf("%d pages learned", host.Pages())
	}
	after := parse(t, pageOf(99), Options{Host: host, Main: MethodMass})
	if len(after.Records) != 1 || after.Records[0].URL != "http://zb.jnlg.test/n99.htm" {
		t.Errorf("records %+v", after.Records)
	}
	if !host.repeatedText("每一页都有的一句话，写在页脚上面。") || host.repeatedText("第7页自己的文字。") {
		t.Error("repeated lines are not told from others")
	}
	if host.titleTail() != "- 江南理工大学" && host.titleTail() != " - 江南理工大学" {
		t.Errorf("tail %q", host.titleTail())
	}
	if after.Title != "公告第99号" {
		t.Errorf("title %q (%s)", after.Title, after.TitleWhy)
	}
}

func TestBoilerplateIsBounded(t *testing.T) {
	host := &Boilerplate{}
	for i := range 300 {
		p := &Page{Head: fmt.Sprintf("页%d-%d-站", i, i)}
		for j := range 300 {
			p.Links = append(p.Links, Link{URL: fmt.Sprintf("http://a.test/%d-%d", i, j)})
		}
		p.Links = append(p.Links, Link{URL: "http://a.test/always"})
		host.Learn(p)
	}
	if len(host.targets) > learnEntries+400 {
		t.Errorf("%d targets are kept", len(host.targets))
	}
	if !host.repeatedLink("http://a.test/always", "") {
		t.Error("the link of every page was forgotten")
	}
}

func TestPageType(t *testing.T) {
	links := strings.Repeat(`<a href="/x.htm">各种栏目名称</a> `, 30)
	for _, c := range []struct {
		name, url, html string
		want            Type
	}{
		{"home", "http://a.test/index.htm", syntheticPage(true), Hub},
		{"list", "http://a.test/cggg.htm", syntheticPage(true), List},
		{"notice", "http://a.test/info/1.htm", syntheticPage(false), Detail},
		{"links only", "http://a.test/map.htm", "<html>" + links, Hub},
		{"nothing", "http://a.test/x.htm", "<html>", Other},
	} {
		p, err := Parse(Source{URL: c.url, Body: []byte(c.html)}, Options{Now: benchNow})
		if err != nil || p.Type != c.want {
			t.Errorf("%s: %s, %v; want %s", c.name, p.Type, err, c.want)
		}
	}
}

// Pages share pooled scratch space; what one leaves there must not show in
// another, nor may two workers meet.
func TestParseIsConcurrent(t *testing.T) {
	want := [2]*Page{parse(t, syntheticPage(true), Options{Main: MethodMass}), parse(t, syntheticPage(false), Options{Main: MethodMass})}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 40 {
				k := i % 2
				p := parse(t, syntheticPage(k == 0), Options{Main: MethodMass})
				if p.Title != want[k].Title || p.Main != want[k].Main || p.Text != want[k].Text || len(p.Records) != len(want[k].Records) || len(p.Blocks) != len(want[k].Blocks) {
					t.Errorf("page %d differs from itself", k)
				}
			}
		})
	}
	wg.Wait()
}

// Keeping an anchor or a title must not keep the page: a frontier holds
// millions of them.
func TestAnchorsDoNotKeepThePage(t *testing.T) {
	var kept []string
	size := func() int64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := size()
	for i := range 20 {
		body := fmt.Sprintf(`<title>某某采购公告%d</title><h1>某某采购公告%d</h1><ul><li><a href="%d.htm">某某设备采购公告%d</a> 2024-05-06</li></ul><p>%s`,
			i, i, i, i, strings.Repeat("正文内容。", 60_000))
		p := parse(t, body, Options{})
		if len(p.Records) != 1 || p.Title == "" || len(p.Text) < 500_000 {
			t.Fatalf("%d records, title %q, %d bytes of text", len(p.Records), p.Title, len(p.Text))
		}
		kept = append(kept, p.Links[0].Anchor, p.Records[0].Title, p.Title)
	}
	if grown := size() - before; grown > 8<<20 {
		t.Errorf("%d short strings keep %d KB of memory", len(kept), grown>>10)
	}
	runtime.KeepAlive(kept)
}
