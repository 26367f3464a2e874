package urls

import (
	"strings"
	"testing"
)

func TestResolveIn(t *testing.T) {
	for _, c := range []struct{ name, charset, href, want string }{
		{"gbk", "gb18030", "s.asp?q=招标", "http://a.test/d/s.asp?q=%D5%D0%B1%EA"},
		{"big5", "big5", "s.asp?q=招標", "http://a.test/d/s.asp?q=%A9%DB%BC%D0"},
		{"utf-8", "utf-8", "s.asp?q=招标", "http://a.test/d/s.asp?q=%E6%8B%9B%E6%A0%87"},
		{"paths are always UTF-8", "gb18030", "招标.htm", "http://a.test/d/%E6%8B%9B%E6%A0%87.htm"},
		{"path and query", "gb18030", "招.htm?q=标#标", "http://a.test/d/%E6%8B%9B.htm?q=%B1%EA"},
		{"a question in the fragment", "gb18030", "x#?招", "http://a.test/d/x"},
		{"escapes stay", "gb18030", "?q=%E6%8B%9B", "http://a.test/d/l.htm?q=%E6%8B%9B"},
		{"no such character", "shift_jis", "?q=们", "http://a.test/d/l.htm?q=%26%2320204%3B"},
		{"unknown charset", "x-nonsense", "?q=招", "http://a.test/d/l.htm?q=%E6%8B%9B"},
		{"utf-16 pages send UTF-8", "utf-16le", "?q=招", "http://a.test/d/l.htm?q=%E6%8B%9B"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := NewResolver(256).ResolveIn(c.charset, "http://a.test/d/l.htm", c.href); err != nil || got != c.want {
				t.Errorf("%q, %v; want %q", got, err, c.want)
			}
		})
	}
}

func FuzzEncodeQuery(f *testing.F) {
	f.Add("gb18030", "a?招标#x")
	f.Add("iso-2022-jp", "?\u65e5\u672c a\xff")
	f.Add("big5", "#?")
	f.Fuzz(func(t *testing.T, charset, href string) {
		got := EncodeQuery(charset, href)
		if again := EncodeQuery(charset, got); again != got {
			t.Fatalf("%q becomes %q becomes %q", href, got, again)
		}
		if before, _, ok := strings.Cut(href, "?"); ok && !strings.HasPrefix(got, before) {
			t.Fatalf("%q becomes %q", href, got)
		}
	})
}
