package topic

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestShape(t *testing.T) {
	for _, c := range []struct{ name, url, want string }{
		{"directories stay, the file is masked", "http://www.x.test/info/1023/1260.htm", "www.x.test/info/1023/#.htm"},
		{"deep directories are masked", "http://x.test/a/b2/c3/d44/e.html", "x.test/a/b2/c#/d#/e.html"},
		{"pages of one list look alike", "https://X.test/24251/list12.htm", "x.test/24251/list#.htm"},
		{"parameters by name", "http://x.test/show.php?id=12&cat2=x&p", "x.test/show.php?id&cat#&p"},
		{"at most four parameters", "http://x.test/?a&b&c&d&e", "x.test/?a&b&c&d"},
		{"the fragment goes", "http://x.test/a/#b", "x.test/a/"},
		{"a bare host", "http://x.test", "x.test"},
		{"titles are too long to say anything", "http://x.test/" + strings.Repeat("招标", 20) + "/" + strings.Repeat("a-", 30) + ".html", "x.test/LONG/LONG.html"},
		{"nothing", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := URLShape(c.url); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestURLTokens(t *testing.T) {
	got := shapeTokens(URLShape("http://x.test/24251/news/list2.htm?id=1"))
	want := []string{
		"host x.test", "path /#", "name #", "path /24251", "path /#/news", "name news", "path /24251/news",
		"name list", "parameter id", "segments ///",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
	if shapeTokens("") != nil {
		t.Error("no URL has tokens")
	}
}

// TestNameTokens: the name of a list is the same token in any form of its address; a notice's
// number is not a name.
func TestNameTokens(t *testing.T) {
	for _, c := range []struct{ url, token string }{
		{"http://x.test/zbgg.htm", "name zbgg"},
		{"http://x.test/zbgg2.htm", "name zbgg"},
		{"http://x.test/zbgg/1.htm", "name zbgg"},
		{"http://y.test/cg/zbgg/list.htm", "name zbgg"},
		{"http://x.test/zbgg/", "name zbgg"},
		{"http://x.test/zbgg/1260.htm", "file #.htm"},
		{"http://x.test/zbgg/", "file "},
	} {
		t.Run(c.url, func(t *testing.T) {
			if got := shapeTokens(URLShape(c.url)); !slices.Contains(got, c.token) {
				t.Errorf("%q lacks %q", got, c.token)
			}
		})
	}
}

func TestColumn(t *testing.T) {
	for _, c := range []struct{ name, url, want string }{
		{"a file", "http://x.test/zbgg.htm", "zbgg"},
		{"its second page", "http://x.test/zbgg/2.htm", "zbgg"},
		{"the same list on another host", "https://y.test/zbgg.html?page=3", "zbgg"},
		{"a numbered section", "http://x.test/24251/list7.htm", "24251/list"},
		{"another numbered section", "http://x.test/24252/list7.htm", "24252/list"},
		{"a directory", "http://x.test/cg/zbgg/", "cg/zbgg"},
		{"the front page", "http://x.test/", ""},
		{"a bare host", "http://x.test", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := shapeColumn(URLShape(c.url)); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func FuzzShape(f *testing.F) {
	f.Add("http://www.x.test/info/1023/1260.htm?a=1&b=2#c")
	f.Add("////?&&&=%zz")
	f.Add("http://招标.test/\xff\xfe/" + strings.Repeat("/9", 500))
	f.Fuzz(func(t *testing.T, url string) {
		shape := URLShape(url)
		if len(shape) > maxShapeBytes+maxParameters*(maxSegment*utf8.UTFMax+1) {
			t.Fatalf("shape of %d bytes", len(shape))
		}
		for _, token := range shapeTokens(shape) {
			if kind, _, ok := strings.Cut(token, " "); !ok || kind == "" {
				t.Fatalf("token %q has no kind", token)
			}
		}
		if column := shapeColumn(shape); len(column) > len(shape) || strings.HasSuffix(column, "/") {
			t.Fatalf("column %q of shape %q", column, shape)
		}
		if again := URLShape(url); again != shape {
			t.Fatalf("%q, then %q", shape, again)
		}
	})
}
