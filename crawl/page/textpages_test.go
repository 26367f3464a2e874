package page

import (
	"slices"
	"strings"
	"testing"

	"angler/crawl/htmldoc"
)

// A notice on several pages has a limit that names this page.
func TestTextPages(t *testing.T) {
	const self = "http://zb.jnlg.test/info/t1.htm"
	for name, c := range map[string]struct{ url, pager, want string }{
		"numbers":              {self, `1 <a href="t1_2.htm">2</a> <a href="t1_3.htm">3</a> <a href="t1_2.htm">下一页</a>`, "text on page 1 of 3"},
		"numbers from zero":    {self, `1 <a href="t1_1.htm">2</a> <a href="t1_2.htm">3</a>`, "text on page 1 of 3"},
		"next alone":           {self, `<a href="t1_2.htm">下一页</a>`, "text on page 1 of 2"},
		"in a query":           {self + "?id=5", `<a href="t1-2.htm?id=5">第2页</a>`, "text on page 1 of 2"},
		"the second":           {"http://zb.jnlg.test/info/t1_2.htm", `<a href="t1.htm">1</a> 2 <a href="t1_3.htm">3</a>`, "text on page 2 of 3"},
		"the next notice":      {self, `<a href="t2.htm">下一页</a>`, ""},
		"another folder":       {self, `<a href="/zb/t1_2.htm">下一页</a>`, ""},
		"a text on one page":   {self, `<a href="/zb/list.htm">返回</a>`, ""},
		"a number in its name": {"http://zb.jnlg.test/info/t2026_12.htm", `<a href="/zb/list.htm">返回</a>`, ""},
	} {
		body := `<title>课桌椅采购公告</title><h1>课桌椅采购公告</h1><div>发布时间：2026-05-08</div>` + shellBody + `<div class="pages">` + c.pager + "</div>"
		p := mustParse(t, Source{URL: c.url, Body: []byte("<html><body>" + body)}, Options{})
		got := ""
		if i := slices.IndexFunc(p.Limits, func(s string) bool { return strings.HasPrefix(s, "text on page") }); i >= 0 {
			got = p.Limits[i]
		}
		if got != c.want || p.Type != Detail {
			t.Errorf("%s: %q, want %q; it is a %s", name, got, c.want, p.Type)
		}
	}
	long := htmldoc.Link{URL: "http://zb.jnlg.test/info/t1_99.htm", Anchor: "99999", Pager: true}
	if _, of := textPages(self, []htmldoc.Link{long}); of != maxTextPages {
		t.Errorf("%d pages", of)
	}
}
