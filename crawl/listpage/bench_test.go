package listpage

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkClicks reads pages as portals write them: without handlers, with those of counters and
// menus, and with rows and pagers that functions of the page open.
func BenchmarkClicks(b *testing.B) {
	many := func(n int, format string) string {
		var s strings.Builder
		for i := range n {
			fmt.Fprintf(&s, format, i+1)
		}
		return s.String()
	}
	scripts := `<script>` + many(40, "function other%[1]d(a, b) { if (a > %[1]d) { b.style.display = 'none'; } else { $('#x%[1]d').show(); } return false; }\n") +
		`function showDetail(el, kind, id) { var u = "/gg/show_"; if (kind == '0201') { u = u + "b_"; } window.open(u + id + ".html?kind=" + kind); }
function toPage(n) { document.f.pageNo.value = n; document.f.submit(); }` + many(40, "\nfunction more%[1]d(a) { return a + %[1]d; }") + `</script>`
	for _, c := range []struct{ name, body string }{
		{"none", many(30, `<li><a href="/gg/show_%d.htm">关于实验设备采购的公告</a></li>`)},
		{"counters", scripts + many(30, `<li onclick="_count('wburl', %d, 80)">关于实验设备采购的公告</li>`)},
		{"same", scripts + many(30, `<li onclick="addFavorite(this)" title="%d">收藏</li>`)},
		{"rows", scripts + `<table>` + many(20, `<tr onclick="showDetail(this,'0201','%d')"><td>关于实验设备采购的公告</td></tr>`)},
		{"pager", scripts + many(10, `<a href="javascript:toPage(%d)">2</a>`) + `<form name="f" method="post"><input name="pageNo" value="1"></form>`},
	} {
		b.Run(c.name, func(b *testing.B) {
			t := newPage(list, c.body)
			defer t.Release()
			b.ReportAllocs()
			var f PaginationFinder
			for b.Loop() {
				f.Tree, f.Charset, f.Resolver = t, "utf-8", resolver
				f.Clicks()
				f.Reset()
			}
		})
	}
}
