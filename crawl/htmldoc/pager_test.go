package htmldoc

import "testing"

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
