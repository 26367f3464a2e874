package linkorder

import (
	"testing"
	"time"

	"angler/crawl/page"
)

func TestTextSim(t *testing.T) {
	for _, c := range []struct {
		anchor, title string
		want          float64
	}{
		{"采购公告", "设备采购公告", 1}, {"采购新闻", "设备采购公告", 1. / 3}, {"首页", "设备采购公告", 0},
		{"", "设备采购公告", 0}, {"采", "设备采购公告", 0}, {"采购", "", 0}, {"a\xff\xfe", "a\xff\xfe", 1},
	} {
		if got := textSim(c.anchor, c.title); got != c.want {
			t.Errorf("%q in %q: %v, want %v", c.anchor, c.title, got, c.want)
		}
	}
}

func TestLinkFeatures(t *testing.T) {
	const doc = `<html><head><title>通风设备采购公告</title></head><body>
<div class="top"><a href="/">首页</a><a href="/a.htm">新闻</a><a href="http://b.test/">友情</a><a href="/c.htm">公告</a></div>
<div class="body"><h1>通风设备采购公告</h1><p>现将采购文件公布如下，请各供应商到<a href="/zy.htm">资源中心</a>下载后按要求填写并于月底之前送达办公室。</p></div>
<div class="rel"><b>相关链接</b><ul><li><a href="/d.htm">通风设备采购公告的更正</a></li><li><a href="/e.htm">实验台采购公告的成交结果</a></li></ul></div>`
	p, err := page.Parse(page.Source{URL: "http://a.test/x.htm", Body: []byte(doc)}, page.Options{Now: time.Unix(1.7e9, 0)})
	must(t, err)
	got := map[string]string{}
	for i := range p.Links {
		f := LinkFeaturesOf(p, &p.Links[i])
		f.Beta, f.TextSim = 0, float64(int(f.TextSim*10))/10
		got[p.Links[i].URL] = f.String()
	}
	for url, want := range map[string]string{
		"http://a.test/":       "TextLen 2, StopWord true, StopAddress false, TextSim 0.00; SpecialWords false, in a block of noise, β of the page 0.00",
		"http://b.test/":       "TextLen 2, StopWord false, StopAddress true, TextSim 0.00; SpecialWords false, in a block of noise, β of the page 0.00",
		"http://a.test/zy.htm": "TextLen 4, StopWord false, StopAddress false, TextSim 0.00; SpecialWords false, in a block of text, β of the page 0.00",
		"http://a.test/d.htm":  "TextLen 11, StopWord false, StopAddress false, TextSim 0.70; SpecialWords true, in a block of links, β of the page 0.00",
	} {
		if got[url] != want {
			t.Errorf("%s:\ngot  %s\nwant %s", url, got[url], want)
		}
	}
}
