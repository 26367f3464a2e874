package htmldoc

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"angler/crawl/urls"
)

func find(s string) []resource {
	return FindResources(s, "http://a.test/x/", "utf-8", urls.NewResolver(16))
}

func TestFind(t *testing.T) {
	long := strings.Repeat("长", 150)
	got := find(`<html><head><title>no</title><script>var a="<a href=no.pdf>"</script></head><body>` + long + `<p>附件：<a href="../f/1.PDF?x=1"><span>招标</span>文件</a>请下载</p>` +
		`<a href="list.htm">列表</a><img src="/logo.png" alt="校徽"><a href="a.swf" title="动画"><img src="t.gif"></a>` +
		`<a href="setup.exe">软件</a><a href="b.mp4">录像</a><a href="c.zip">打包</a><a href="../f/1.PDF?x=1">again</a><a href="javascript:x()">no</a><link href="s.css">` + long + `</body>`)
	want := []struct {
		url, class, anchor string
	}{{"http://a.test/f/1.PDF?x=1", "document", "招标文件"}, {"http://a.test/logo.png", "image", "校徽"}, {"http://a.test/x/a.swf", "animation", "动画"},
		{"http://a.test/x/t.gif", "animation", ""}, {"http://a.test/x/setup.exe", "software", "软件"}, {"http://a.test/x/b.mp4", "media", "录像"}, {"http://a.test/x/c.zip", "archive", "打包"}}
	if len(got) != len(want) {
		t.Fatalf("found %d: %+v", len(got), got)
	}
	for i, w := range want {
		if g := got[i]; g.URL != w.url || g.Class.String() != w.class || g.Anchor != w.anchor {
			t.Errorf("%d: %s %s %q, want %v", i, g.URL, g.Class, g.Anchor, w)
		}
	}
	if g := got[0]; utf8.RuneCountInString(g.Before) != resourceContext-1 || !strings.HasSuffix(g.Before, "长 附件：") || !strings.HasPrefix(g.After, "请下载 列表") || utf8.RuneCountInString(g.After) > resourceContext {
		t.Errorf("context %q … %q", g.Before, g.After)
	}
}

func TestMost(t *testing.T) {
	var b strings.Builder
	for i := range 2 * maxResources {
		fmt.Fprintf(&b, "<a href=%d.pdf>x</a>", i)
	}
	if got := find(b.String()); len(got) != maxResources {
		t.Errorf("found %d", len(got))
	}
}

func FuzzFind(f *testing.F) {
	f.Add(`<a href="1.pdf">招标`)
	f.Add(`<script><a href="1.pdf"></script></a></a><object data=x.swf>`)
	f.Fuzz(func(t *testing.T, s string) {
		for _, r := range find(s) {
			if !strings.HasPrefix(r.URL, "http") || utf8.RuneCountInString(r.Before) > resourceContext || utf8.RuneCountInString(r.After) > resourceContext {
				t.Errorf("%+v", r)
			}
		}
	})
}
