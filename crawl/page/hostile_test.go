//go:build unix

package page

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"
	"testing"
	"time"

	"angler/crawl/article"
	"angler/crawl/htmldoc"
)

// hostile lists pages that Parse must finish in time, and a bound that Page.Limits must name.
var hostile = []struct {
	name, limit string
	body        func() string
}{
	{"100 000 nested divs", "depth", func() string { return strings.Repeat("<div>", 100_000) + "内容在最里面" }},
	{"a million links", "links", func() string { return strings.Repeat(`<a href=x>y</a>`, 700_000) }},
	{"unclosed formatting in every paragraph", "", func() string {
		return repeated("<b id=%d>", 0, 480) + strings.Repeat("<p>x</p>", 100_000)
	}},
	{"texts around ignored tags", "", func() string { return "<body>" + strings.Repeat("a</x>", 180_000) }},
	{"texts around ignored tags, 10 MB", "", func() string { return "<body>" + strings.Repeat("a</x>", 2_000_000) }},
	{"10 MB without a tag", "text", func() string { return "<html><body>" + strings.Repeat("招标公告 ", 800_000) }},
	{"one tag with 300 000 attributes", "", func() string { return "<html " + strings.Repeat("a=b ", 300_000) + "><p>x" }},
	{"unclosed comment", "", func() string { return "<html><body>正文<!--" + strings.Repeat("-", 5_000_000) }},
	{"table text that is moved out", "", func() string { return strings.Repeat("<table>x", 300) + strings.Repeat("<td>y", 100_000) }},
	{"nested tables", "", func() string { return strings.Repeat("<table><tr><td>", 5_000) + "x" }},
	{"a list of 60 000 items", "", func() string {
		return "<ul>" + strings.Repeat("<li>2024-05-06 <a href=/x/1.htm>公告标题</a></li>", 60_000)
	}},
	{"50 000 different links", "links", func() string {
		return repeated("<li><a href=/x/%d.htm>公告标题%[1]d</a> 2024-05-06</li>", 0, 50_000)
	}},
	{"200 000 classes", "", func() string {
		return repeated("<div class=c%d><a href=y>x</a></div>", 0, 150_000)
	}},
	{"digits without end", "", func() string { return "<p>" + strings.Repeat("2024-05-", 500_000) }},
	{"select, template, svg without end", "", func() string { return strings.Repeat("<svg><template><select>", 50_000) }},
	{"plaintext", "", func() string { return "<plaintext>" + strings.Repeat("<p>x", 100_000) }},
	{"20 000 posts", "", func() string {
		return strings.Repeat("<div class=post><h3><a href=/p.htm>标题标题标题标题</a></h3><i>2024-05-06</i><p>"+strings.Repeat("正文，", 30)+"</div>", 20_000)
	}},
	{"posts in posts", "", func() string {
		return strings.Repeat("<div class=post><i>2024-05-06</i><p>"+strings.Repeat("正文，", 30)+"</p>", 400) + strings.Repeat("<div class=post>"+strings.Repeat("正文，", 30)+"</div>", 2_000)
	}},
	{"noscripts without end", "", func() string { return "<body>" + strings.Repeat("<noscript>"+strings.Repeat("正文", 200), 5_000) }},
	{"tables of data in tables", "", func() string {
		return strings.Repeat("<table>"+strings.Repeat("<tr><td>名称<td>数量", 20)+"<tr><td>", 1_000)
	}},
	{"frameset", "", func() string { return "<frameset>" + strings.Repeat("<frame src=a.htm>", 50_000) }},
}

func TestHostilePages(t *testing.T) {
	// Ten seconds of processor time, which no busy machine needs for what takes half a
	// second, and every quadratic reader exceeds; with full set, one second. More where an
	// ordinary page takes more, too. Under the race detector the sizes are checked, the
	// time is not.
	most := 10 * time.Second
	if full {
		most = time.Second
	}
	ordinary := cpuTime(func() {
		for range 10 {
			parse(t, syntheticPage(true), Options{})
		}
	}) / 10
	bound := time.Duration(float64(most) * max(1, float64(ordinary)/float64(250*time.Microsecond)))
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			body := []byte(c.body())
			var p *Page
			took := time.Hour
			for try := 0; try == 0 || try < 5 && took > bound && !instrumented; try++ {
				took = min(took, cpuTime(func() {
					var err error
					if p, err = Parse(Source{URL: "http://a.test/", ContentType: "text/html", Body: body}, Options{Main: article.MethodAuto, Now: benchNow}); err != nil {
						t.Fatal(err)
					}
				}))
			}
			t.Logf("%d bytes: %v, %d links, %d blocks, %d bytes of text, limits %q", len(body), took, len(p.Links), len(p.Blocks), len(p.Text), p.Limits)
			if took > bound && !instrumented {
				t.Errorf("took %v, must be %v", took, bound)
			}
			if len(p.Links) > htmldoc.MaxRefs || len(p.Text) > htmldoc.MaxText+4 || len(p.Blocks) > htmldoc.MaxDivisions {
				t.Errorf("%d links, %d bytes of text, %d blocks", len(p.Links), len(p.Text), len(p.Blocks))
			}
			if c.limit != "" && !strings.Contains(strings.Join(p.Limits, ","), c.limit) {
				t.Errorf("limits %q, want one of %q", p.Limits, c.limit)
			}
		})
	}
}

// cpuTime returns the processor time of the process while f runs.
func cpuTime(f func()) time.Duration {
	now := func() time.Duration {
		var r syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
			panic(err)
		}
		return time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	start := now()
	f()
	return now() - start
}

func TestDeepPageKeepsItsText(t *testing.T) {
	p := mustParse(t, Source{URL: "http://a.test/", Body: []byte("<html><title>深</title>" + strings.Repeat("<div>", 3000) + `最深处的正文<a href="x.htm">链接</a>`)}, Options{Now: benchNow})
	if !strings.Contains(p.Text, "最深处的正文") || len(p.Links) != 1 || p.Links[0].URL != "http://a.test/x.htm" || p.Head != "深" {
		t.Errorf("text %q, links %v, head %q", p.Text, p.Links, p.Head)
	}
}

// TestGzipBomb parses 2 MB that inflate to some 2 GB.
func TestGzipBomb(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	chunk := bytes.Repeat([]byte("<p>招标"), 10_000)
	for range 200 {
		if _, err := w.Write(chunk); err != nil {
			t.Fatal(err)
		}
	}
	must(t, w.Close())
	bomb := bytes.Repeat(packed.Bytes(), 2<<20/packed.Len()) // members of one stream
	p := mustParse(t, Source{URL: "http://a.test/", Body: bomb}, Options{Now: benchNow})
	if len(p.Limits) == 0 || !strings.Contains(p.Limits[0], "bytes") {
		t.Errorf("limits %q", p.Limits)
	}
}

func TestStoredCompressedBody(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	fmt.Fprint(w, "<html><title>压缩的页面</title><body>"+strings.Repeat("正文。", 5000))
	w.Close()
	for name, body := range map[string][]byte{"whole": packed.Bytes(), "cut off": packed.Bytes()[:packed.Len()-10]} {
		p, err := Parse(Source{URL: "http://a.test/", Body: body}, Options{Now: benchNow})
		if err != nil || p.Head != "压缩的页面" {
			t.Errorf("%s: %v, %+v", name, err, p)
		}
	}
}

func TestNotHTML(t *testing.T) {
	for name, body := range map[string]string{
		"pdf":    "%PDF-1.4\n%\xe2\xe3",
		"png":    "\x89PNG\r\n\x1a\n\x00\x00",
		"zip":    "PK\x03\x04\x14\x00",
		"word":   "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00\x00",
		"zeroes": "abc" + strings.Repeat("\x00", 100),
	} {
		if p, err := Parse(Source{URL: "http://a.test/x", ContentType: "text/html", Body: []byte(body)}, Options{}); !errors.Is(err, ErrNotHTML) {
			t.Errorf("%s: %v, %+v", name, err, p)
		}
	}
	for name, body := range map[string]string{
		"empty": "", "plain text": "只有一行文字", "stray control character": "<html><body>\x01正文</body></html>",
		"xml": `<?xml version="1.0" encoding="utf-8"?><rss><item><title>x</title></item></rss>`,
	} {
		if _, err := Parse(Source{URL: "http://a.test/x", Body: []byte(body)}, Options{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A page must not send commands to a terminal.
func TestTerminalCommandsAreRemoved(t *testing.T) {
	const evil = "A\x1b[31mB\x1b]0;title\x07C\u202eD\u2066E\u0007F\u009bG\u200bH"
	src := `<html><head><title>` + evil + `</title></head><body><h1>` + evil + `</h1><ul><li><a href="1.htm" title="` + evil + `">` + evil +
		`</a> 2024-05-06</li></ul><p>` + evil + `</p></body></html>`
	p := mustParse(t, Source{URL: "http://a.test/", Body: []byte(src)}, Options{Main: article.MethodAuto, Now: benchNow})
	all := []string{p.Head, p.Title, p.Text, p.Main, p.Links[0].Anchor}
	for _, r := range p.Records {
		all = append(all, r.Title)
	}
	for _, b := range p.Blocks {
		all = append(all, b.Path)
	}
	for _, s := range all {
		for _, r := range s {
			if r != '\n' && r != '\t' && htmldoc.IsUnsafe(r) {
				t.Errorf("%q holds %U", s, r)
			}
		}
		if strings.Contains(s, "[31m") || strings.Contains(s, "0;title") {
			t.Errorf("%q holds the rest of an escape sequence", s)
		}
	}
	if p.Head != "ABCDEFGH" {
		t.Errorf("head %q", p.Head)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(syntheticPage(true)[:3000]), "text/html")
	f.Add([]byte(syntheticPage(false)[5000:]), "text/html; charset=gbk")
	f.Add([]byte(thread("Glue", []string{strings.Repeat("Which glue, please? ", 8), strings.Repeat("Hide glue, warm. ", 8)})), "")
	f.Add([]byte(archive(stories[1], stories)), "")
	f.Add([]byte("<body><NoScript><p>"+strings.Repeat("Opening hours, ", 30)+"</noscript"), "")
	for _, s := range []string{"", "<", "<a href=//", "<table><a href=x><td>1/2<li>", "<base href='http://b.test/'><a href=x>y", "<title>x<meta http-equiv=refresh content='0;url=x'>",
		"<iframe src=x><frame src=y>", "<svg><title>x</title><a href=y>", "<p>2024年5月6日10:30", "\x1f\x8b\x08\x00", "\xff\xfe<\x00a\x00"} {
		f.Add([]byte(s), "")
	}
	f.Fuzz(func(t *testing.T, body []byte, contentType string) {
		if len(body) > 1<<14 {
			return
		}
		if p, e, err := Explain(Source{URL: "http://a.test/d/x.htm", ContentType: contentType, Body: body}, Options{Main: article.MethodMass, Now: benchNow}); err == nil {
			if err := e.Write(io.Discard); err != nil || len(e.Blocks) != len(p.Blocks) {
				t.Fatalf("%d rows of %d blocks, %v", len(e.Blocks), len(p.Blocks), err)
			}
		}
		for _, method := range []string{article.MethodMass, article.MethodDensity, article.MethodPathRatio} {
			p, err := Parse(Source{URL: "http://a.test/d/x.htm", ContentType: contentType, Body: body}, Options{Main: method, Now: benchNow, ListTitle: "x"})
			if err != nil {
				if !errors.Is(err, ErrNotHTML) {
					t.Fatal(err)
				}
				return
			}
			checkPage(t, p)
		}
	})
}

// FuzzReaders gives the same pages to the extractors other people wrote. They
// run in goroutines, whose coverage wavers: use -fuzzminimizetime 1x.
func FuzzReaders(f *testing.F) {
	f.Add([]byte(englishPage()))
	f.Add([]byte(syntheticPage(false)[3000:9000]))
	f.Add([]byte("<title>x<table><p>" + strings.Repeat("正文，正文。", 80)))
	f.Fuzz(func(t *testing.T, body []byte) {
		if len(body) > 1<<14 {
			return
		}
		for _, method := range []string{article.MethodAuto, article.MethodReadability, article.MethodTrafilatura} {
			p, err := Parse(Source{URL: "http://a.test/d/x.htm", Body: body}, Options{Main: method, Now: benchNow})
			if err != nil {
				return
			}
			checkPage(t, p)
		}
	})
}
