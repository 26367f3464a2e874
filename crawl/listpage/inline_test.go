package listpage

import (
	"strings"
	"testing"
	"time"
)

var now = time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)

func findRows(markup string) []DataRow {
	t := newPage("http://h.test/gg/list.htm", markup)
	defer t.Release()
	return FindDataRows(t, now)
}

// FindDataRows finds rows by the form of their fields. An id becomes an address only if the page
// has a template or function for that.
func TestFindDataRows(t *testing.T) {
	rows := func(format string) string {
		var out []string
		for _, x := range []string{"一", "二", "三", "四"} {
			n := map[string]string{"一": "1", "二": "2", "三": "3", "四": "4"}[x]
			out = append(out, strings.NewReplacer("§T", "关于第"+x+"批实验设备采购的公告", "§N", n).Replace(format))
		}
		return "[" + strings.Join(out, ",\n") + "]"
	}
	for _, c := range []struct{ name, markup, href, day string }{
		{"JSON with addresses", `<script>var data = ` + rows(`{"title":"§T","linkurl":"/gg/show/§N.html","infodate":"2026-11-0§N 08:00:00","cat":"zb"}`) + `;</script>`, "/gg/show/1.html", "2026-11-01"},
		{"a literal of JavaScript", `<script>list = ` + rows(`{id: §N, name: '§T', url: 'show_§N.htm', t: 177916320000§N,}`) + `</script>`, "show_1.htm", "2026-05-19"},
		{"a template", `<script>var d=` + rows(`{"infoId":90071992547409930§N,"infoTitle":"<em>§T</em>","publishTime":"2026-11-0§N"}`) + `; for(var i in d){ html += '<li><a href="/show/' + d[i].infoId + '.html">' + d[i].infoTitle + '</a></li>' }</script>`, "/show/900719925474099301.html", "2026-11-01"},
		{"a template literal", `<script>const d=` + rows(`{"id":"§N","title":"§T","date":"2026/11/0§N"}`) + "; d.map(r => `<a href=\"detail?id=${r.id}\">${r.title}</a>`)</script>", "detail?id=1", "2026-11-01"},
		{"a function", `<script>function view(id){ location.href = root + id + ".htm" } var root = "/v/"; var d=` + rows(`{"id":"§N","title":"§T","date":"2026-11-0§N"}`) + `; s = '<a href="#" onclick="view(\'' + r.id + '\')">'</script>`, "/v/1.htm", "2026-11-01"},
		{"in an element of JSON", `<script type="application/json">{"props":{"list":` + rows(`{"title":"§T","url":"https://h.test/§N","time":"2026年11月0§N日"}`) + `}}</script>`, "https://h.test/1", "2026-11-01"},
		{"ids that nothing makes addresses of", `<script>var d=` + rows(`{"id":"§N","title":"§T","date":"2026-11-0§N"}`) + `;</script>`, "", ""},
		{"a menu", `<script>var m=[{"name":"首页","url":"/"},{"name":"新闻","url":"/news"},{"name":"公告","url":"/gg"}]</script>`, "", ""},
		{"cut off", `<script>var d=[{"title":"关于设备采购的公告","url":"/1.html"},{"title":"关于`, "", ""},
	} {
		got := findRows(c.markup)
		if c.href == "" {
			if len(got) > 0 {
				t.Errorf("%s: %+v", c.name, got)
			}
			continue
		}
		if len(got) != 4 || got[0].Href != c.href || got[0].Date.Time.Format(time.DateOnly) != c.day || got[0].Title != "关于第一批实验设备采购的公告" {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// Deep, long and unclosed arrays are read in bounded time and space.
func TestFindIsBounded(t *testing.T) {
	for _, s := range []string{strings.Repeat(`[{"a":`, 20000), "[" + strings.Repeat(`{"title":"一二三四五六七","url":"/a/b"},`, 50000), strings.Repeat("[ {", 50000), `[{"a":"` + strings.Repeat(`\`, 100000)} {
		if rows := findRows("<script>" + s + "</script>"); len(rows) > maxObjects {
			t.Errorf("%.20s: %d rows", s, len(rows))
		}
	}
}

func FuzzInlineData(f *testing.F) {
	f.Add(`[{"title":"关于设备采购的公告","url":"/1.html"},{"title":"关于设备采购的公告二","url":"/2.html"},{a:'x',},{}]`)
	f.Add(`[{id:1}]; s='<a href="' + r.id + '">'`)
	f.Fuzz(func(t *testing.T, s string) {
		rows, end := parseObjects(newScanner("["+s, len(s)+1, maxBytes), 0)
		if end > len(s)+1 || len(rows) > maxObjects {
			t.Errorf("%d rows, %d of %d bytes", len(rows), end, len(s))
		}
		for _, r := range findRows("<script>" + s + "</script>") {
			if r.Title == "" || r.Href == "" {
				t.Errorf("%+v", r)
			}
		}
	})
}
