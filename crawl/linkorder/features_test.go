package linkorder

import (
	"slices"
	"strings"
	"testing"
)

func named(url string, in *Inlink) []string {
	var names []string
	f := features{names: &names}
	f.link(url, in)
	return names
}

func TestFeatures(t *testing.T) {
	cases := []struct {
		name, url string
		in        Inlink
		want      []string
	}{
		{"notice in a list", "http://www.A.edu.cn/zbgg/2024/info-1234_5.HTM",
			Inlink{Anchor: "招标公告", Block: "div.a/div.b/ul.c/li.d/span.e", SourceURL: "http://www.a.edu.cn/zbgg/list2.htm"},
			[]string{
				"bias", "anchor 招标", "anchor 标公", "anchor 公告", "anchor length ~ 3",
				"host www.A.edu.cn", "dir pattern /zbgg", "dir pattern /zbgg/#",
				"file info-#_#.HTM", "word info", "word HTM", "segments 4",
				"block div.a/div.b/ul.c/li.d/span.e", "dir /zbgg", "dir /zbgg/2024",
				"from /zbgg in div.a/div.b/ul.c/li.d/span.e", "from list#.htm in div.a/div.b/ul.c/li.d/span.e",
			}},
		{"query", "http://a/b.php?id=17&page=2", Inlink{},
			[]string{
				"bias", "anchor length ~ 0", "host a", "dir pattern /b.php", "dir pattern /b.php?id=#",
				"file page=#", "word page", "segments 4", "block", "dir /b.php", "dir /b.php?id=17",
			}},
		{"home page without anything", "http://a/", Inlink{SourceURL: "http://a/"},
			[]string{"bias", "anchor length ~ 0", "host a", "segments 1", "block"}},
		{"fourth directory does not count", "http://a/1/2/3/4/", Inlink{},
			[]string{
				"bias", "anchor length ~ 0", "host a", "dir pattern /#", "dir pattern /#/#", "dir pattern /#/#/#",
				"file #", "segments 5", "block", "dir /1", "dir /1/2", "dir /1/2/3",
			}},
		{"list of a numbered column", "http://a/x", Inlink{Block: "ul", SourceURL: "http://a/1052/list2.htm"},
			[]string{
				"bias", "anchor length ~ 0", "host a", "file x", "word x", "segments 2",
				"block ul", "from /# in ul", "from /1052 in ul", "from list#.htm in ul",
			}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := named(c.url, &c.in); !slices.Equal(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// Equal features have equal buckets in any context; different features do not.
func TestFeaturesMeet(t *testing.T) {
	at := func(url string, in Inlink, name string) uint32 {
		t.Helper()
		var names []string
		f := features{names: &names}
		f.link(url, &in)
		i := slices.Index(names, name)
		if i < 0 {
			t.Fatalf("%s has no feature %q: %q", url, name, names)
		}
		return f.at[i]
	}
	cases := []struct {
		name  string
		urlA  string
		inA   Inlink
		featA string
		urlB  string
		inB   Inlink
		featB string
		same  bool
	}{
		{"case of a host", "http://A.cn/x", Inlink{}, "host A.cn", "https://a.cn/y", Inlink{}, "host a.cn", true},
		{"digits of a directory", "http://a/n/2024/x", Inlink{}, "dir pattern /n/#", "http://b/n/7/y", Inlink{}, "dir pattern /n/#", true},
		{"raw directory", "http://a/n/2024/x", Inlink{}, "dir /n/2024", "http://b/n/7/y", Inlink{}, "dir /n/7", false},
		{"long file names", "http://a/" + strings.Repeat("x", 30), Inlink{}, "file " + strings.Repeat("x", 30), "http://a/" + strings.Repeat("y", 25), Inlink{}, "file " + strings.Repeat("y", 25), true},
		{"full-width words", "http://a/", Inlink{Anchor: "ＭＯＲＥ"}, "anchor ＭＯＲＥ", "http://a/", Inlink{Anchor: "more"}, "anchor more", true},
		{"numbers in anchors", "http://a/", Inlink{Anchor: "第12页"}, "anchor #", "http://a/", Inlink{Anchor: "3"}, "anchor #", true},
		{"same words in other places", "http://a/more", Inlink{}, "word more", "http://a/", Inlink{Anchor: "more"}, "anchor more", false},
		{"source directory in another block", "http://a/", Inlink{SourceURL: "http://a/n/x", Block: "b"}, "from /n in b", "http://a/", Inlink{SourceURL: "http://a/n/x", Block: "c"}, "from /n in c", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a, b := at(c.urlA, c.inA, c.featA), at(c.urlB, c.inB, c.featB)
			if (a == b) != c.same {
				t.Errorf("buckets %d and %d, want the same: %v", a, b, c.same)
			}
		})
	}
}

func TestAnchorTokens(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"pairs", "招标公告", "招标 标公 公告"},
		{"single character", "更", "更"},
		{"single between words", "A 类 B", "A 类 B"},
		{"mixed", "2024年CAD招标", "# 年 CAD 招标"},
		{"digits inside a word", "b2b", "b#b"},
		{"repeated", "招标招标招标", "招标 标招"},
		{"no tokens", " —…>> ", ""},
		{"damaged", "招\xff标", "招 标"},
		{"kana and hangul", "かな한글", "かな な한 한글"},
		{"other scripts", "Тендер 12", "Тендер #"},
		{"bounded", "一二三四五六七八九十百千万亿兆", "一二 二三 三四 四五 五六 六七 七八 八九 九十 十百 百千 千万"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, n := range named("", &Inlink{Anchor: c.text}) {
				if token, ok := strings.CutPrefix(n, "anchor "); ok && !strings.HasPrefix(token, "length") {
					got = append(got, token)
				}
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("got %q, want %q", s, c.want)
			}
		})
	}
}

// Hashes are equal in every process and release, because saved states depend on them.
func TestHashesStay(t *testing.T) {
	var f features
	f.link("http://www.a.cn/zbgg/1.htm", &Inlink{Anchor: "招标 A1", Block: "ul.list>li", SourceURL: "http://www.a.cn/zbgg/"})
	sum := uint64(0)
	for _, b := range f.at[:f.n] {
		sum = mix(sum ^ uint64(b))
	}
	const want uint64 = 0xef1fe2143d7b38a9
	if sum != want {
		t.Errorf("features hash to %#x, not %#x: if that is meant, states need a new version", sum, want)
	}
}

// The cache returns the link's features, also if two links share an ID or a link changes.
func TestCache(t *testing.T) {
	c := newCache()
	ts := benchTargets(50)
	for i := range ts {
		ts[i].ID = uint64(i % 3)
	}
	for range 2 {
		for i := range ts {
			for at := range ts[i].Inlinks {
				var got, want features
				c.link(&got, &ts[i], at)
				want.link(ts[i].URL, &ts[i].Inlinks[at])
				if got.n != want.n || !slices.Equal(got.at[:got.n], want.at[:want.n]) {
					t.Fatalf("target %d, inlink %d: features differ", i, at)
				}
			}
		}
		ts[0].Inlinks[0].Anchor = "下一页"
	}
}

func FuzzFeatures(f *testing.F) {
	f.Add("http://www.a.cn/zbgg/2024/1.htm?a=b&c=d", "招标公告 ABC 12", "body/div.list/ul/li.x", "http://www.a.cn/")
	f.Add("://", "\xff", ">>>>>>>", "?&/")
	f.Fuzz(func(t *testing.T, url, anchor, block, source string) {
		in := Inlink{Anchor: anchor, Block: block, SourceURL: source}
		var plain features
		plain.link(url, &in)
		var names []string
		withNames := features{names: &names}
		withNames.link(url, &in)
		if len(names) != plain.n || !slices.Equal(plain.at[:plain.n], withNames.at[:withNames.n]) {
			t.Fatalf("%d features, %d names", plain.n, len(names))
		}
		for _, b := range plain.at[:plain.n] {
			if b >= buckets {
				t.Fatalf("bucket %d", b)
			}
		}
	})
}
