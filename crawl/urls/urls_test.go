package urls

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestClassOf(t *testing.T) {
	for url, want := range map[string]Class{
		"http://a.test/":                                Page,
		"http://a.zip":                                  Page,
		"http://a.test/x.htm":                           Page,
		"info/1023/1260.htm":                            Page,
		"http://a.test/x.PDF":                           Document,
		"../files/招标文件.docx?v=2#top":                    Document,
		"http://a.test/x.tar.gz":                        Archive,
		"http://a.test/a.gif":                           Animation,
		"http://a.test/a.jpeg":                          Image,
		"http://a.test/setup.exe":                       Software,
		"http://a.test/v.mp4":                           Media,
		"http://a.test/s.css":                           Style,
		"http://a.test/down.jsp?file=a.xlsx&id=3":       Document,
		"http://a.test/x.doc;jsessionid=1":              Document,
		"http://a.test/go.php?url=http://b.test/x.html": Page,
		"http://a.test/system/_content/download.jsp?urltype=news.DownloadAttachUrl&owner=1&wbfileid=2": Document,
	} {
		if got := ClassOf(url); got != want {
			t.Errorf("ClassOf(%q) = %s, want %s", url, got, want)
		}
	}
}

func TestCanonical(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"host and scheme in lower case", "HTTP://WWW.Example.EDU.cn/Info", "http://www.example.edu.cn/Info"},
		{"default port", "http://a.test:80/x", "http://a.test/x"},
		{"other port stays", "http://a.test:8080/x", "http://a.test:8080/x"},
		{"fragment", "http://a.test/x#top", "http://a.test/x"},
		{"empty path", "http://a.test", "http://a.test/"},
		{"empty query", "http://a.test/x?", "http://a.test/x"},
		{"dot segments", "http://a.test/a/./b/../c.htm", "http://a.test/a/c.htm"},
		{"escape of a plain letter", "http://a.test/%61.htm", "http://a.test/a.htm"},
		{"escapes in upper case", "http://a.test/%e6%8b%9b", "http://a.test/%E6%8B%9B"},
		{"Chinese path", "http://a.test/招标", "http://a.test/%E6%8B%9B%E6%A0%87"},
		{"Chinese host", "http://招标.test/", "http://xn--otu08i.test/"},
		{"tracking parameters", "http://a.test/x?utm_source=q&id=3&spm=1.2", "http://a.test/x?id=3"},
		{"session in the path", "http://a.test/x.jsp;jsessionid=0A1B?id=3", "http://a.test/x.jsp?id=3"},
		{"session as parameter", "http://a.test/x.php?PHPSESSID=12&id=3", "http://a.test/x.php?id=3"},
		{"order of parameters kept", "http://a.test/x?b=2&a=1", "http://a.test/x?b=2&a=1"},
		{"ampersand escaped twice", "http://a.test/x?id=3&amp;p=2", "http://a.test/x?id=3&p=2"},
		{"ampersand escaped many times", "http://a.test/x?amp;amp;p=2&%61mp;amp%3Bq", "http://a.test/x?p=2&amp%3Bq"},
		{"ampersand escaped by number", "http://a.test/x?id=3&#038;p=2&#x26;q#top", "http://a.test/x?id=3&p=2&q"},
		{"tracking parameter behind one", "http://a.test/x?id=3&amp;utm_source=q", "http://a.test/x?id=3"},
		{"a value that ends so", "http://a.test/x?q=lamp;&id=3", "http://a.test/x?q=lamp;&id=3"},
		{"parameter that says the same again", "http://a.test/x?p=2&id=3&p=2&%70=2", "http://a.test/x?p=2&id=3"},
		{"parameter that says something else", "http://a.test/x?p=2&p=3&p=2", "http://a.test/x?p=2&p=3&p=2"},
		{"repeated slashes", "http://a.test//info///1.htm", "http://a.test/info/1.htm"},
		{"URL inside a path", "http://a.test/go/http://b.test/", "http://a.test/go/http://b.test/"},
		{"user name", "http://u:p@a.test/x", "http://a.test/x"},
		{"trailing dot of the host", "http://a.test./x", "http://a.test/x"},
		{"IP number behind a trailing dot", "http:0000..", "http://0.0.0.0/"},
		{"spaces around", " \n http://a.test/x\t", "http://a.test/x"},
		{"ideographic space around", "\u3000http://a.test/x\u00a0", "http://a.test/x"},
		{"backslashes", `http:\\a.test\x`, "http://a.test/x"},
		{"IPv4 in hexadecimal", "http://0x7f.1/", "http://127.0.0.1/"},
		{"IPv6", "http://[::1]:8080/x", "http://[::1]:8080/x"},
		{"stray percent sign", "http://a.test/100%", "http://a.test/100%25"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Canonical(c.in)
			if err != nil || got != c.want {
				t.Fatalf("Canonical(%q) = %q, %v; want %q", c.in, got, err, c.want)
			}
			if again, err := Canonical(got); err != nil || again != got {
				t.Fatalf("no fixed point: %q becomes %q, %v", got, again, err)
			}
		})
	}
}

func TestUnfetchable(t *testing.T) {
	r := NewResolver(1000)
	for href, want := range map[string]error{
		"":                                 errEmpty,
		"  ":                               errEmpty,
		"#top":                             errEmpty,
		"javascript:void(0)":               errScheme,
		"JavaScript:;":                     errScheme,
		"java\nscript:alert(1)":            errScheme,
		"mailto:a@b.test":                  errScheme,
		"tel:110":                          errScheme,
		"ftp://a.test/x":                   errScheme,
		"data:text/html,x":                 errScheme,
		"http://":                          errMalformed,
		"http://a b/":                      errMalformed,
		"http://[::1/":                     errMalformed,
		"//:80":                            errMalformed,
		"http://...":                       errMalformed,
		"/" + strings.Repeat("\xff", 4000): errMalformed, // three times as long when escaped
	} {
		if got, err := r.Resolve("http://a.test/", href); !errors.Is(err, want) {
			t.Errorf("Resolve(%.80q) = %.80q, %v; want %v", href, got, err, want)
		}
	}
}

func TestResolve(t *testing.T) {
	const base = "http://www.a.test/cg/gg/list.htm?page=1"
	for _, c := range []struct{ href, want string }{
		{"1260.htm", "http://www.a.test/cg/gg/1260.htm"},
		{"../info/1.htm", "http://www.a.test/cg/info/1.htm"},
		{"../../../../x", "http://www.a.test/x"},
		{"./", "http://www.a.test/cg/gg/"},
		{"..", "http://www.a.test/cg/"},
		{"/x.htm", "http://www.a.test/x.htm"},
		{"?page=2", "http://www.a.test/cg/gg/list.htm?page=2"},
		{"//b.test/x", "http://b.test/x"},
		{"HTTP://B.test/x", "http://b.test/x"},
		{"http:x.htm", "http://www.a.test/cg/gg/x.htm"},
		{"x.htm#y", "http://www.a.test/cg/gg/x.htm"},
		{"a b.htm", "http://www.a.test/cg/gg/a%20b.htm"},
		{"list.htm?a=1&utm_x=2", "http://www.a.test/cg/gg/list.htm?a=1"},
		{"http://b.test", "http://b.test/"},
		{"https://b.test?x=1", "https://b.test/?x=1"},
		{":23", "http://www.a.test/cg/gg/:23"},
	} {
		r := NewResolver(1000)
		for _, turn := range []string{"first", "remembered"} {
			got, err := r.Resolve(base, c.href)
			if got != c.want || (err == nil) != (c.want != "") {
				t.Errorf("%s: Resolve(%q) = %q, %v; want %q", turn, c.href, got, err, c.want)
			}
		}
	}
}

// One memo serves many pages: what it remembers for one directory must not
// answer for another.
func TestResolveKeepsDirectoriesApart(t *testing.T) {
	r := NewResolver(1000)
	for range 2 {
		for i := range 30 {
			base := fmt.Sprintf("http://h%d.test/d%d/x.htm", i%3, i%5)
			for href, want := range map[string]string{
				"y.htm": fmt.Sprintf("http://h%d.test/d%d/y.htm", i%3, i%5),
				"/y":    fmt.Sprintf("http://h%d.test/y", i%3),
				"?q=1":  base + "?q=1",
			} {
				if got, err := r.Resolve(base, href); err != nil || got != want {
					t.Fatalf("Resolve(%q, %q) = %q, %v; want %q", base, href, got, err, want)
				}
			}
		}
	}
}

func TestResolverIsBounded(t *testing.T) {
	r := NewResolver(512)
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 5000 {
				if _, err := r.Resolve("http://a.test/", fmt.Sprintf("p%d-%d.htm", w, i)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	n := 0
	for i := range r.shards {
		n += len(r.shards[i].young) + len(r.shards[i].old)
	}
	if n > 512 {
		t.Errorf("%d answers are kept, the bound is 512", n)
	}
}

func TestScope(t *testing.T) {
	for _, c := range []struct {
		name, kind              string
		seeds, include, exclude []string
		in, out                 []string
	}{
		{name: "from www everything under the domain (P0)", seeds: []string{"http://www.x.edu.cn/"},
			in:  []string{"http://x.edu.cn/", "https://zb.x.edu.cn/a", "http://www.x.edu.cn:8080/", "http://a.b.x.edu.cn/"},
			out: []string{"http://y.edu.cn/", "http://wx.edu.cn/", "http://x.edu.cn.evil.test/"}},
		{name: "another host: itself and what is under it", kind: ScopeSite, seeds: []string{"http://zb.x.edu.cn/a/"},
			in: []string{"http://zb.x.edu.cn/b", "http://old.zb.x.edu.cn/"}, out: []string{"http://www.x.edu.cn/", "http://x.edu.cn/"}},
		{name: "host", kind: ScopeHost, seeds: []string{"http://a.test:81/x"},
			in: []string{"http://a.test:81/", "https://a.test:81/y"}, out: []string{"http://a.test/", "http://b.a.test:81/"}},
		{name: "prefix", kind: ScopePrefix, seeds: []string{"http://a.test/cg/list.htm?x=1"},
			in: []string{"http://a.test/cg/1.htm", "https://a.test/cg/"}, out: []string{"http://a.test/cgx", "http://a.test/"}},
		{name: "pattern", kind: ScopePattern, include: []string{`\.edu\.cn/`}, exclude: []string{`/en/`},
			in: []string{"http://x.edu.cn/a"}, out: []string{"http://x.edu.cn/en/a", "http://a.test/"}},
		{name: "exclusion wins, inclusion widens", seeds: []string{"http://www.a.test/"}, include: []string{`^http://b\.test/`}, exclude: []string{`/bbs/`},
			in: []string{"http://b.test/x", "http://a.test/"}, out: []string{"http://a.test/bbs/1", "http://c.test/"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := NewScope(c.kind, c.seeds, c.include, c.exclude)
			must(t, err)
			for _, u := range c.in {
				if !s.Contains(u) {
					t.Errorf("%s is out of scope", u)
				}
			}
			for _, u := range c.out {
				if s.Contains(u) {
					t.Errorf("%s is in scope", u)
				}
			}
		})
	}
	for _, bad := range []struct {
		name, kind     string
		seeds, include []string
	}{{"unknown kind", "galaxy", nil, nil}, {"bad seed", ScopeSite, []string{"ftp://x"}, nil},
		{"bad pattern", ScopePattern, nil, []string{"("}}, {"no pattern", ScopePattern, nil, nil}} {
		if _, err := NewScope(bad.kind, bad.seeds, bad.include, nil); err == nil {
			t.Errorf("%s: no error", bad.name)
		}
	}
}

func year2026() time.Time { return time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC) }

func TestFilterVerdicts(t *testing.T) {
	scope, err := NewScope("", []string{"http://www.a.test/"}, nil, nil)
	must(t, err)
	long := make([]byte, 2000)
	for i := range long {
		long[i] = 'x'
	}
	for _, c := range []struct {
		name, url string
		want      reason
	}{
		{"page", "http://a.test/info/1.htm", Accepted},
		{"elsewhere", "http://b.test/", OutOfScope},
		{"no URL", "", Empty},
		{"not http", "ftp://a.test/", NotHTTP},
		{"document", "http://a.test/x.pdf", DocumentLink},
		{"image", "http://a.test/x.png", ImageLink},
		{"style", "http://a.test/x.css", StyleLink},
		{"archive", "http://a.test/x.rar", ArchiveLink},
		{"media", "http://a.test/x.mp4", MediaLink},
		{"software", "http://a.test/x.exe", SoftwareLink},
		{"too long", "http://a.test/" + string(long), TooLong},
		{"too deep", "http://a.test/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18", TooDeep},
		{"three times is a coincidence", "http://a.test/a/b/a/b/a/b/x", Accepted},
		{"four times is a trap", "http://a.test/a/b/a/b/a/b/a/x", Trap},
		{"a name three times", "http://a.test/x?p=1&p=2&p=3", Accepted},
		{"a name four times is a trap", "http://a.test/x?p=1&p=2&p=3&id=1&p=4", Trap},
		{"an array is none", "http://a.test/x?p%5B%5D=1&p%5B%5D=2&p%5B%5D=3&p%5B%5D=4", Accepted},
		{"calendar of the far future", "http://a.test/calendar/2093/01/", Trap},
		{"calendar of this year", "http://a.test/calendar/2026/01/", Accepted},
		{"month parameter long ago", "http://a.test/x?year=1890&month=1", Trap},
		{"article with a large number", "http://a.test/info/2093.htm", Accepted},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := NewFilter(scope, year2026)
			if got := f.Check(c.url, ClassOf(c.url)); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
			if n := f.Counts()[c.want]; n.N != 1 || n.Reason != c.want {
				t.Errorf("counted %d for %s, want 1", n.N, n.Reason)
			}
		})
	}
}

func TestFilterVariants(t *testing.T) {
	f := NewFilter(nil, year2026)
	f.limits.variants, f.limits.calendar = 5, 3
	page := func(i int) string { return fmt.Sprintf("http://a.test/list.jsp?sort=%d", i) }
	for i := range 9 {
		want := Accepted
		if i >= 5 {
			want = Trap
		}
		if got := f.Check(page(i), Page); got != want {
			t.Errorf("variant %d: %s, want %s", i, got, want)
		}
	}
	for i := range 9 {
		if got := f.Check(page(i), Page); (got == Accepted) != (i < 5) {
			t.Errorf("variant %d asked again: %s", i, got)
		}
	}
	if got := f.Check("http://a.test/other.jsp?sort=1", Page); got != Accepted {
		t.Errorf("another path: %s", got)
	}
	accepted := 0
	for day := range 28 {
		if f.Check(fmt.Sprintf("http://a.test/rili/2026/05/%02d.htm", day+1), Page) == Accepted {
			accepted++
		}
	}
	if accepted != 3 {
		t.Errorf("%d days of a calendar accepted, want 3", accepted)
	}
}

// After a restart the filter is told of what it admitted before: those stay
// admitted and count.
func TestFilterPrime(t *testing.T) {
	f := NewFilter(nil, year2026)
	f.limits.variants = 3
	for i := range 4 {
		f.Prime(fmt.Sprintf("http://a.test/x?id=%d", i))
	}
	for i := range 4 {
		if got := f.Check(fmt.Sprintf("http://a.test/x?id=%d", i), Page); got != Accepted {
			t.Errorf("primed variant %d: %s", i, got)
		}
	}
	if got := f.Check("http://a.test/x?id=99", Page); got != Trap {
		t.Errorf("a new variant: %s, want trap", got)
	}
}

// A change of the scope costs neither the traps that were learned nor the counts.
func TestRescopeKeepsWhatWasLearned(t *testing.T) {
	scope := func(seed string) *Scope {
		s, err := NewScope(ScopeHost, []string{seed}, nil, nil)
		must(t, err)
		return s
	}
	f := NewFilter(scope("http://a.test/"), year2026)
	f.limits.variants = 5
	page := func(i int) string { return fmt.Sprintf("http://a.test/list.jsp?sort=%d", i) }
	for i := range 9 {
		f.Check(page(i), Page)
	}
	before := f.Counts()
	if before[Accepted].N != 5 || before[Trap].N != 4 {
		t.Fatalf("counted %v", before)
	}
	f.Rescope(scope("http://b.test/"))
	if got := f.Check(page(0), Page); got != OutOfScope {
		t.Errorf("under another scope: %s", got)
	}
	if got := f.Check("http://b.test/", Page); got != Accepted {
		t.Errorf("in the new scope: %s", got)
	}
	f.Rescope(nil)
	for i := range 9 {
		if got := f.Check(page(i), Page); (got == Accepted) != (i < 5) || i >= 5 && got != Trap {
			t.Errorf("variant %d without a scope: %s", i, got)
		}
	}
	after := f.Counts()
	for r, want := range map[reason]int64{Accepted: 5 + 1 + 5, Trap: 4 + 4, OutOfScope: 1} {
		if after[r].N != want {
			t.Errorf("%d times %s, want %d", after[r].N, r, want)
		}
	}
}

// Links are checked while the scope changes.
func TestRescopeWhileChecking(t *testing.T) {
	a, err := NewScope(ScopeHost, []string{"http://a.test/"}, nil, nil)
	must(t, err)
	f := NewFilter(a, year2026)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for i := range 500 {
				if got := f.Check(fmt.Sprintf("http://b.test/x?id=%d", i%50), Page); got != Accepted && got != OutOfScope {
					t.Errorf("verdict %s", got)
				}
			}
		})
	}
	for i := range 500 {
		f.Rescope([]*Scope{nil, a}[i%2])
	}
	wg.Wait()
	if c := f.Counts(); c[Accepted].N+c[OutOfScope].N != 2000 {
		t.Errorf("counted %v", c)
	}
}

func TestFilterCountsUnfetchable(t *testing.T) {
	f := NewFilter(nil, time.Now)
	for _, href := range []string{"", "#", "javascript:;", "mailto:x", "http://"} {
		f.UnfetchableHref(href)
	}
	counts := f.Counts()
	if counts[Empty].N != 2 || counts[NotHTTP].N != 2 || counts[Malformed].N != 1 {
		t.Errorf("counted %v", counts)
	}
}

func TestTrapMemoryIsBounded(t *testing.T) {
	var tr traps
	limits := limits{variants: 200, calendar: 40}
	for i := range 300_000 {
		tr.admit(fmt.Sprintf("http://a.test/p%d?x=1", i), &limits, false)
	}
	if n := (len(tr.young) + len(tr.old)) * 9; n > 2*maxVariants+100 {
		t.Errorf("%d entries are kept", n)
	}
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
