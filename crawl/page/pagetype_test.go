package page

import (
	"strings"
	"testing"
)

func TestPageType(t *testing.T) {
	links := strings.Repeat(`<a href="/x.htm">各种栏目名称</a> `, 30)
	for _, c := range []struct {
		name, url, html string
		want            Type
	}{
		{"home", "http://a.test/index.htm", syntheticPage(true), Hub},
		{"list", "http://a.test/cggg.htm", syntheticPage(true), List},
		{"notice", "http://a.test/info/1.htm", syntheticPage(false), Detail},
		{"links only", "http://a.test/map.htm", "<html>" + links, Hub},
		{"nothing", "http://a.test/x.htm", "<html>", Other},
	} {
		if p := mustParse(t, Source{URL: c.url, Body: []byte(c.html)}, Options{Now: benchNow}); p.Type != c.want {
			t.Errorf("%s: %s, want %s", c.name, p.Type, c.want)
		}
	}
}

// An article with the latest news beside it is a detail.
func TestArticleBesideAList(t *testing.T) {
	list := `<ul>` + repeated(`<li><a href="/%d.htm">最新的一条新闻标题%[1]d</a> 2024-05-0%[1]d</li>`, 1, 5) + `</ul>`
	article := `<h1>某某大学举行开学典礼</h1><span>2024-05-07</span>` + strings.Repeat(`<p>开学典礼在体育馆隆重举行，全体师生参加了典礼，校长发表了热情洋溢的讲话。</p>`, 15)
	p := parse(t, `<title>某某大学举行开学典礼</title><div>`+article+`</div>`+list, Options{})
	if p.Type != Detail || p.Dated < 4 {
		t.Errorf("%s with %d dated records", p.Type, p.Dated)
	}
	if p := parse(t, `<title>新闻</title><h1>学校新闻</h1><p>这里是学校新闻，欢迎阅读。</p>`+list, Options{}); p.Type != List {
		t.Errorf("a list with a line of text is %s", p.Type)
	}
}
