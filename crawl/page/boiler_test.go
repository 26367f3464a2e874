package page

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestBoilerplate(t *testing.T) {
	host := &Boilerplate{}
	pageOf := func(i int) string {
		side := strings.Repeat(`<li><a href="/hot1.htm">热门采购公告标题之一</a>2024-05-01</li><li><a href="/hot2.htm">热门采购公告标题之二</a>2024-05-02</li><li><a href="/hot3.htm">热门采购公告标题之三</a>2024-05-03</li>`, 1)
		return fmt.Sprintf(`<html><title>公告第%d号 - 江南理工大学</title><div><ul>%s</ul></div><ul><li><a href="/n%d.htm">第%d号采购公告</a>2024-06-01</li></ul><p>每一页都有的一句话，写在页脚上面。</p><p>第%d页自己的文字。</p>`, i, side, i, i, i)
	}
	before := parse(t, pageOf(99), Options{Host: host})
	if len(before.Records) != 3 {
		t.Fatalf("before learning: %+v", before.Records)
	}
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 10 {
				host.Learn(parse(t, pageOf(w*10+i), Options{Host: host}))
			}
		})
	}
	wg.Wait()
	if host.Pages() != 40 {
		t.Fatalf("%d pages learned", host.Pages())
	}
	after := parse(t, pageOf(99), Options{Host: host, Main: MethodMass})
	if len(after.Records) != 1 || after.Records[0].URL != "http://zb.jnlg.test/n99.htm" {
		t.Errorf("records %+v", after.Records)
	}
	if !host.RepeatedText("每一页都有的一句话，写在页脚上面。") || host.RepeatedText("第7页自己的文字。") {
		t.Error("repeated lines are not told from others")
	}
	if host.titleTail() != "- 江南理工大学" && host.titleTail() != " - 江南理工大学" {
		t.Errorf("tail %q", host.titleTail())
	}
	if after.Title != "公告第99号" {
		t.Errorf("title %q (%s)", after.Title, after.TitleWhy)
	}
}

func TestBoilerplateIsBounded(t *testing.T) {
	host := &Boilerplate{}
	for i := range 300 {
		p := &Page{Head: fmt.Sprintf("页%d-%d-站", i, i)}
		for j := range 300 {
			p.Links = append(p.Links, Link{URL: fmt.Sprintf("http://a.test/%d-%d", i, j)})
		}
		p.Links = append(p.Links, Link{URL: "http://a.test/always"})
		host.Learn(p)
	}
	if len(host.targets) > learnEntries+400 {
		t.Errorf("%d targets are kept", len(host.targets))
	}
	if !host.RepeatedLink("http://a.test/always", "") {
		t.Error("the link of every page was forgotten")
	}
}
