package page

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"angler/crawl/article"
	"angler/crawl/htmldoc"
	"angler/crawl/urls"
)

func mustParse(t testing.TB, src Source, opt Options) *Page {
	t.Helper()
	p, err := Parse(src, opt)
	must(t, err)
	return p
}

func parse(t testing.TB, src string, opt Options) *Page {
	t.Helper()
	if opt.Now.IsZero() {
		opt.Now = benchNow
	}
	p := mustParse(t, Source{URL: "http://zb.jnlg.test/cg/cggg.htm", Body: []byte(src)}, opt)
	checkPage(t, p)
	return p
}

// repeated formats the numbers from to to-1, one after the other.
func repeated(format string, from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
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
	for _, method := range []string{article.MethodAuto, article.MethodMass} {
		t.Run(method, func(t *testing.T) {
			p := parse(t, syntheticPage(false), Options{Main: method})
			if p.Type != Detail || p.Title != "江南理工大学化学实验室通风系统采购项目公开招标公告" || p.Date.String() != "2025-03-12" || p.DateWhy != article.DateNearTitle {
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
			want := article.Attachment{Name: "招标文件.docx", URL: "http://zb.jnlg.test/_upload/article/files/a.docx", Class: urls.Document}
			if len(p.Attachments) != 1 || p.Attachments[0] != want {
				t.Errorf("attachments %+v", p.Attachments)
			}
		})
	}
}

// Pages share pooled scratch space. Data of one page must not appear in another, and concurrent
// parses must not interfere.
func TestParseIsConcurrent(t *testing.T) {
	want := [2]*Page{parse(t, syntheticPage(true), Options{Main: article.MethodMass}), parse(t, syntheticPage(false), Options{Main: article.MethodMass})}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 40 {
				k := i % 2
				p := parse(t, syntheticPage(k == 0), Options{Main: article.MethodMass})
				if p.Title != want[k].Title || p.Main != want[k].Main || p.Text != want[k].Text || len(p.Records) != len(want[k].Records) || len(p.Blocks) != len(want[k].Blocks) {
					t.Errorf("page %d differs from itself", k)
				}
			}
		})
	}
	wg.Wait()
}

// An anchor or a title must not keep the page in memory: a frontier holds millions of them.
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

// checkPage checks the invariants of a page.
func checkPage(t testing.TB, p *Page) {
	t.Helper()
	for _, s := range []string{p.Head, p.Title, p.Text, p.Main} {
		if !utf8.ValidString(s) {
			t.Fatalf("%q is no valid UTF-8", s)
		}
	}
	for i, b := range p.Blocks {
		if b.Parent >= int32(i) || b.Parent < -1 || b.LinkChars > b.Chars || b.Chars < 0 {
			t.Fatalf("block %d: %+v", i, b)
		}
	}
	for i, l := range p.Links {
		if l.Block < -1 || int(l.Block) >= len(p.Blocks) || utf8.RuneCountInString(l.Anchor) > htmldoc.MaxAnchor || len(l.Href) > htmldoc.MaxHref || !utf8.ValidString(l.Anchor) {
			t.Fatalf("link %d: %+v", i, l)
		}
	}
	dated := 0
	for i, r := range p.Records {
		if r.URL == "" || r.Title == "" || int(r.Link) >= len(p.Links) || r.Link >= 0 && p.Links[r.Link].URL != r.URL {
			t.Fatalf("record %d: %+v", i, r)
		}
		if !r.Date.IsZero() && r.Link >= 0 {
			dated++
		}
	}
	if dated != p.Dated {
		t.Fatalf("%d records are dated, Dated is %d", dated, p.Dated)
	}
	if p.Beta < 0 || p.Date.Time.After(benchNow.Add(article.DateHorizon)) {
		t.Fatalf("beta %v, date %v", p.Beta, p.Date)
	}
}
