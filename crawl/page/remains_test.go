package page

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"angler/crawl/fields"
	"angler/crawl/webtest/realpages"
)

// A stripped body has the title and the tables of the page with merged cells, and is smaller.
func TestRemainsHoldTheTables(t *testing.T) {
	pages := map[string]string{
		"merged": `<title> 中标 公告 </title><p>正文</p><table><tr><th rowspan=2>包号<th colspan="2">供应商 &amp; 金额<tr><td>甲公司<br>（联合体）<td>12.5万元<tr><td colspan=99>合计<td></table>`,
		"nested": `<table><tr><td><table><tr><td>采购人<td>东湖大学</table><td>外层</table>`,
		"links":  `<table><tr><td><a href=/a>招标公告一</a><td><a href=/b>招标公告二</a></table><table><tr><td>预算<td>100万元</table>`,
		"hidden": `<table style="display:none"><tr><td>看不见的<td>值</table><table><tr><td>数量<td>3 台</table>`,
		"above": `<title>某桥中标公告</title><p>三、中标信息</p><p>单位：<b>万元</b></p><p>包二：</p><table><caption>结果</caption><tr><td>中标供应商<td>中标金额` +
			`<tr><td>丁丁建设有限公司<td>24.6</table><p>包三：<p>（单位：元）<table><tr><td>中标供应商<td>戊戊建设有限公司<tr><td>中标金额<td>81500</table>`,
		"none": `<title>公告</title><p>没有表格。`,
		"bare": `<table><tr></table><table><tr><td>&lt;b&gt;"x"&lt;/b&gt;<td>` + strings.Repeat("长", 600) + `</table>`,
	}
	if dir, ok := realpages.Find(t, "fields", "html"); ok {
		files, err := filepath.Glob(filepath.Join(dir, "*.html"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%d files, %v", len(files), err)
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			must(t, err)
			pages[filepath.Base(f)] = string(b)
		}
	}
	set, err := fields.Preset(fields.Tenders)
	must(t, err)
	for name, body := range pages {
		src := Source{URL: "http://a.test/1.htm", ContentType: "text/html; charset=utf-8", Body: []byte(body)}
		left, err := StrippedBody(src)
		must(t, err)
		want := mustParse(t, src, Options{Tables: true})
		if left == nil {
			if len(want.Tables) > 0 {
				t.Errorf("%s: of %d tables nothing is left", name, len(want.Tables))
			}
			continue
		}
		got := mustParse(t, Source{URL: src.URL, ContentType: "text/html; charset=utf-8", Body: left}, Options{Tables: true})
		if !reflect.DeepEqual(texts(got.Tables), texts(want.Tables)) || got.Head != want.Head {
			t.Errorf("%s: %q %q\nwant %q %q\nof %s", name, got.Head, texts(got.Tables), want.Head, texts(want.Tables), left)
		}
		read := func(p *Page) *fields.Result {
			return set.Extract(fields.Notice{Title: want.Title, Head: p.Head, Text: want.Text, Tables: p.Tables})
		}
		if a, b := read(got), read(want); !reflect.DeepEqual(a, b) {
			t.Errorf("%s: the fields are %+v, want %+v", name, a, b)
		}
		if lots := read(want).Of("amount"); name == "above" && (len(lots) != 2 || lots[0].Lot != "三" || lots[0].Norm != "81500" || lots[1].Norm != "246000") {
			t.Errorf("lots and units above tables: %+v", lots)
		}
		if len(body) > 4096 && len(left) > len(body)/2 {
			t.Errorf("%s: %d of %d bytes are left", name, len(left), len(body))
		}
	}
}

func texts(tables []fields.Table) (out [][][]string) {
	for _, t := range tables {
		var rows [][]string
		for _, r := range t.Rows {
			var cells []string
			for _, c := range r {
				cells = append(cells, c.Text)
			}
			rows = append(rows, cells)
		}
		out = append(out, rows)
	}
	return out
}

func FuzzRemains(f *testing.F) {
	f.Add([]byte(`<title>x</title><table><tr><td rowspan=2>a<td>b<tr><td>c</table>`))
	f.Add([]byte(`<table><td>a<table><td>b</table>c</table>`))
	f.Fuzz(func(t *testing.T, b []byte) {
		src := Source{URL: "http://a.test/1.htm", ContentType: "text/html", Body: b}
		left, err := StrippedBody(src)
		if err != nil || left == nil {
			return
		}
		want := mustParse(t, src, Options{Tables: true})
		got, err := Parse(Source{URL: src.URL, ContentType: "text/html; charset=utf-8", Body: left}, Options{Tables: true})
		if err != nil {
			t.Fatalf("what is left cannot be read: %v", err)
		}
		if len(got.Tables) > len(want.Tables) {
			t.Errorf("%d tables are left of %d: %s", len(got.Tables), len(want.Tables), left)
		}
	})
}
