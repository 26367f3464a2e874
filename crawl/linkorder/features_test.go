package linkorder

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// featureOf returns the bucket of a feature by its kind and text: "dir /zbgg", "from /zbgg in ul".
func featureOf(t *testing.T, name string) uint32 {
	t.Helper()
	kind, text, _ := strings.Cut(name, " ")
	text, block, _ := strings.Cut(text, " in ")
	h := locate("http://h" + text + "/x")
	number, _ := strconv.Atoi(text)
	switch kind {
	case "bias":
		return bucket(kindBias, 0)
	case "anchor":
		var sum uint64
		Tokens(text, func(h uint64, _, _ int) bool {
			sum = h
			return false
		})
		return bucket(kindAnchor, sum)
	case "length":
		return bucket(kindLength, uint64(number))
	case "host":
		return bucket(kindHost, locate("http://"+text).host)
	case "dir":
		return bucket(kindDir, h.raw[h.dirs-1])
	case "dirs":
		return bucket(kindMaskedDir, h.masked[h.dirs-1])
	case "file":
		return bucket(kindFile, locate("http://h/"+text).file)
	case "word":
		sum := uint64(fnvOffset)
		for i := range len(text) {
			sum = hashByte(sum, lower(text[i]))
		}
		return bucket(kindWord, sum)
	case "segments":
		return bucket(kindSegments, uint64(number))
	case "block":
		return bucket(kindBlock, hashString(text))
	case "from":
		return bucket(kindDirBlock, h.masked[h.dirs-1]^mix(hashString(block)))
	case "fromraw":
		return bucket(kindRawDirBlock, h.raw[h.dirs-1]^mix(hashString(block)))
	case "fromfile":
		return bucket(kindFileBlock, locate("http://h/"+text).file^mix(hashString(block)))
	}
	t.Fatalf("no kind of feature: %q", name)
	return 0
}

// checkFeatures compares the features of a link with their names, in order.
func checkFeatures(t *testing.T, url string, in *Inlink, want []string) {
	t.Helper()
	var f features
	f.link(url, in)
	if f.n != len(want) {
		t.Errorf("%d features, want %q", f.n, want)
	}
	for i, name := range want[:min(len(want), f.n)] {
		if f.at[i] != featureOf(t, name) {
			t.Errorf("feature %d is not %q", i, name)
		}
	}
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
				"bias", "anchor 招标", "anchor 标公", "anchor 公告", "length 2",
				"host www.A.edu.cn", "dirs /zbgg", "dirs /zbgg/1",
				"file info-1_1.HTM", "word info", "word HTM", "segments 4",
				"block div.a/div.b/ul.c/li.d/span.e", "dir /zbgg", "dir /zbgg/2024",
				"from /zbgg in div.a/div.b/ul.c/li.d/span.e", "fromfile list1.htm in div.a/div.b/ul.c/li.d/span.e",
			}},
		{"query", "http://a/b.php?id=17&page=2", Inlink{},
			[]string{
				"bias", "length 0", "host a", "dirs /b.php", "dirs /b.php?id=1",
				"file page=1", "word page", "segments 4", "block ", "dir /b.php", "dir /b.php?id=17",
			}},
		{"home page without anything", "http://a/", Inlink{SourceURL: "http://a/"},
			[]string{"bias", "length 0", "host a", "segments 1", "block"}},
		{"fourth directory does not count", "http://a/1/2/3/4/", Inlink{},
			[]string{
				"bias", "length 0", "host a", "dirs /0", "dirs /0/0", "dirs /0/0/0",
				"file 0", "segments 5", "block ", "dir /1", "dir /1/2", "dir /1/2/3",
			}},
		{"list of a numbered column", "http://a/x", Inlink{Block: "ul", SourceURL: "http://a/1052/list2.htm"},
			[]string{
				"bias", "length 0", "host a", "file x", "word x", "segments 2",
				"block ul", "from /9 in ul", "fromraw /1052 in ul", "fromfile list1.htm in ul",
			}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			checkFeatures(t, c.url, &c.in, c.want)
		})
	}
}

// Equal features have equal buckets in any context; different features do not.
func TestFeaturesMeet(t *testing.T) {
	at := func(url string, in Inlink, name string) uint32 {
		t.Helper()
		var f features
		f.link(url, &in)
		b := featureOf(t, name)
		if !slices.Contains(f.at[:f.n], b) {
			t.Fatalf("%s has no feature %q", url, name)
		}
		return b
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
		{"digits of a directory", "http://a/n/2024/x", Inlink{}, "dirs /n/1", "http://b/n/7/y", Inlink{}, "dirs /n/1", true},
		{"raw directory", "http://a/n/2024/x", Inlink{}, "dir /n/2024", "http://b/n/7/y", Inlink{}, "dir /n/7", false},
		{"long file names", "http://a/" + strings.Repeat("x", 30), Inlink{}, "file " + strings.Repeat("x", 30), "http://a/" + strings.Repeat("y", 25), Inlink{}, "file " + strings.Repeat("y", 25), true},
		{"full-width words", "http://a/", Inlink{Anchor: "ＭＯＲＥ"}, "anchor ＭＯＲＥ", "http://a/", Inlink{Anchor: "more"}, "anchor more", true},
		{"numbers in anchors", "http://a/", Inlink{Anchor: "第12页"}, "anchor 1", "http://a/", Inlink{Anchor: "3"}, "anchor 1", true},
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
		{"mixed", "2024年CAD招标", "1 年 CAD 招标"},
		{"digits inside a word", "b2b", "b1b"},
		{"repeated", "招标招标招标", "招标 标招"},
		{"no tokens", " —…>> ", ""},
		{"damaged", "招\xff标", "招 标"},
		{"kana and hangul", "かな한글", "かな な한 한글"},
		{"other scripts", "Тендер 12", "Тендер 1"},
		{"bounded", "一二三四五六七八九十百千万亿兆", "一二 二三 三四 四五 五六 六七 七八 八九 九十 十百 百千 千万"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got features
			got.anchor(c.text)
			var want []uint32
			for word := range strings.FieldsSeq(c.want) {
				want = append(want, featureOf(t, "anchor "+word))
			}
			if !slices.Equal(got.at[:got.n], want) {
				t.Errorf("got %v, want %q: %v", got.at[:got.n], c.want, want)
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
		var x features
		x.link(url, &in)
		for _, b := range x.at[:x.n] {
			if b >= buckets {
				t.Fatalf("bucket %d", b)
			}
		}
	})
}
