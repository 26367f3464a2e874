package urls

import (
	"strings"
	"testing"
	"time"
)

// FuzzResolve holds three promises for any href on any base: no panic, the
// canonical form is a fixed point, and the fast path answers what the whole
// standard answers.
func FuzzResolve(f *testing.F) {
	for _, href := range []string{"a.htm", "../x/./y.htm?a=1&b=2#z", "//b.test/x", "?p=2", "http://B.test:80//a//b", "javascript:;",
		"/%e6%8b%9b", "http://0x7f.1/", "http:x", `\\b.test\x`, "a;jsessionid=1/b", "http://xn--a/", "...", "a/..", "/..", "x?&utm_a=1&", "http://a.b-c.test?x", "/a?b/../c", "?a=1&amp;b=2&amp;a=1", "?a&#38;b&a&a", "?a=1&b&a=1"} {
		f.Add("http://www.a.test/d/e/list.htm?x=1", href)
	}
	f.Add("https://a.test/", "x")
	f.Add("https://a.test/", "a;jsessionid=1;jsessionid=2")
	f.Add("https://a.test/", "/(S(ab;jsessionid=(;c))/x")
	f.Fuzz(func(t *testing.T, base, href string) {
		base, err := Canonical(base)
		if err != nil {
			return
		}
		if again, err := Canonical(base); err != nil || again != base {
			t.Fatalf("no fixed point: %.200q becomes %.200q, %v", base, again, err)
		}
		got, err := NewResolver(256).Resolve(base, href)
		if err != nil {
			return
		}
		if again, err := Canonical(got); err != nil || again != got {
			t.Fatalf("%.200q on %.200q: %.200q becomes %.200q, %v", href, base, got, again, err)
		}
		if !strings.HasPrefix(got, "http://") && !strings.HasPrefix(got, "https://") {
			t.Fatalf("%.200q on %.200q gives %.200q", href, base, got)
		}
		slow, err := slow(base, trim(href))
		if err != nil || slow != got {
			t.Fatalf("%.200q on %.200q: fast %.200q, whole standard %.200q, %v", href, base, got, slow, err)
		}
		ClassOf(got)
		NewFilter(nil, time.Now).Check(got, Page)
	})
}

func BenchmarkResolve(b *testing.B) {
	hrefs := []string{"../info/1023/1260.htm", "/cggg.htm", "http://www.a.test/x/list.htm", "?page=3", "招标公告.htm"}
	const base = "http://zb.a.test/cg/gg/list.htm"
	b.Run("remembered", func(b *testing.B) {
		r := NewResolver(1 << 12)
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if _, err := r.Resolve(base, hrefs[i%len(hrefs)]); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("fast", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, ok := fast(base, hrefs[0]); !ok {
				b.Fatal("not plain")
			}
		}
	})
	b.Run("whole standard", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := slow(base, hrefs[0]); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkFilter(b *testing.B) {
	scope, err := NewScope("", []string{"http://www.a.test/"}, nil, nil)
	must(b, err)
	f := NewFilter(scope, time.Now)
	b.ReportAllocs()
	for b.Loop() {
		if f.Check("http://zb.a.test/info/1023/1260.htm", Page) != Accepted {
			b.Fatal("refused")
		}
	}
}
