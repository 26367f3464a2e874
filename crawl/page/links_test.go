package page

import (
	"fmt"
	"strings"
	"testing"

	"angler/crawl/htmldoc"
)

func TestLinks(t *testing.T) {
	p := parse(t, `<html><head><base href="http://b.test/d/"><meta http-equiv="refresh" content="3; url='r.htm'"></head><body>
		<a href="a.htm">甲</a><a name=x>无</a><map><area href="b.htm" title="乙"></map><iframe src="c.htm"></iframe>
		<a href="javascript:;">丙</a><div style="display: none"><a href="d.pdf"><img src=i.png alt="丁"></a></div></body></html>`, Options{})
	var got []string
	for _, l := range p.Links {
		got = append(got, fmt.Sprintf("%s %s %s %v", l.URL, l.Anchor, l.Class, l.Hidden))
	}
	want := []string{"http://b.test/d/r.htm  page false", "http://b.test/d/a.htm 甲 page false", "http://b.test/d/b.htm 乙 page false", "http://b.test/d/c.htm  page false",
		" 丙 page false", "http://b.test/d/d.pdf 丁 document true"}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// Links of a GBK page send their query in GBK.
func TestQueryInThePagesCharset(t *testing.T) {
	p := mustParse(t, Source{URL: "http://a.test/", ContentType: "text/html; charset=gbk", Body: []byte("<p>\xd5\xd0\xb1\xea\xb9\xab\xb8\xe6<a href='s.asp?q=\xd5\xd0\xb1\xea'>x</a>")}, Options{Now: benchNow})
	if len(p.Links) != 1 || p.Links[0].URL != "http://a.test/s.asp?q=%D5%D0%B1%EA" {
		t.Errorf("%+v", p)
	}
}

func TestBlocks(t *testing.T) {
	p := parse(t, syntheticPage(true), Options{})
	find := func(path string) (int, *htmldoc.Block) {
		for i := range p.Blocks {
			if strings.HasSuffix(p.Blocks[i].Path, path) {
				return i, &p.Blocks[i]
			}
		}
		t.Fatalf("no block %q among %+v", path, p.Blocks)
		return 0, nil
	}
	_, list := find("div.main/ul.news_list")
	if list.Links != 40 || list.Noise || list.LinkChars == 0 || list.LinkChars >= list.Chars {
		t.Errorf("the list: %+v", *list)
	}
	_, nav := find("div.nav/ul")
	if nav.Links != 20 || !nav.Noise {
		t.Errorf("the menu: %+v", *nav)
	}
	if _, foot := find("div.footer"); !foot.Noise {
		t.Errorf("the footer: %+v", *foot)
	}
	i, _ := find("div.main/ul.news_list")
	if p.Links[p.Records[0].Link].Block != int32(i) {
		t.Errorf("the first record's link stands in block %d, the list is %d", p.Links[p.Records[0].Link].Block, i)
	}
}
