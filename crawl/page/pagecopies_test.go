package page

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"angler/crawl/htmldoc"
)

// copiesSite returns 30 details of a host, and n copies of a list of 20 rows. copyOf makes a copy of
// the list.
func copiesSite(n int, titled bool, copyOf func(i int, list Page) *Page) (pages []*Page) {
	menu := "首页 学校概况 招标公告\n"
	links := []htmldoc.Link{{URL: "http://a.test/", Anchor: "首页"}, {URL: "http://a.test/zb", Anchor: "招标公告"}}
	head := func(s string) string {
		if titled {
			return s + "-东湖大学"
		}
		return "东湖大学"
	}
	list := Page{Head: head("招标公告"), Text: menu + "当前位置：招标公告", Links: links[:2:2]}
	for i := range 30 {
		p := &Page{Head: head(fmt.Sprintf("第%d号公告", i)), Text: menu, Links: links[:2:2]}
		for line := range 8 {
			p.Text += fmt.Sprintf("第%d号公告的第%d段\n", i, line)
		}
		pages = append(pages, p)
		if i < 20 {
			list.Text += fmt.Sprintf("\n第%d号公告 2026-11-%02d", i, i+1)
			list.Links = append(list.Links, htmldoc.Link{URL: fmt.Sprintf("http://a.test/%d", i), Anchor: fmt.Sprintf("第%d号公告", i)})
		}
	}
	list.Links = list.Links[:len(list.Links):len(list.Links)]
	for i := range n {
		pages = append(pages, copyOf(i, list))
	}
	return pages
}

// The copies of a list count as one page: its rows are not repeated, and the menu of all pages is.
func TestCopiesOfAPageCountOnce(t *testing.T) {
	kinds := map[string]func(i int, list Page) *Page{
		"the same": func(_ int, list Page) *Page { return &list },
		"the order is named": func(i int, list Page) *Page {
			list.Text += fmt.Sprintf("\n按第%d种次序，共二十条\n第%d种", i, i)
			list.Links = append(list.Links, htmldoc.Link{URL: fmt.Sprintf("http://a.test/zb?order=%d", i), Anchor: "换一种"})
			return &list
		},
		"a session in every link": func(i int, list Page) *Page {
			all := list.Links
			list.Links = nil
			for _, l := range all {
				list.Links = append(list.Links, htmldoc.Link{URL: fmt.Sprintf("%s?sid=%d", l.URL, i), Anchor: l.Anchor})
			}
			return &list
		},
	}
	for name, kind := range kinds {
		for _, titled := range []bool{true, false} {
			for _, n := range []int{7, 20, 90} {
				if n == 90 && !titled && name != "the same" {
					continue // most pages are copies, and titles do not tell pages apart
				}
				testCopies(t, fmt.Sprintf("%d copies, %s, titled %v", n, name, titled), copiesSite(n, titled, kind))
			}
		}
	}
	// Each row counts its readers, so no line of a copy is a line of another.
	for _, n := range []int{7, 20, 90} {
		testCopies(t, fmt.Sprintf("%d copies with counters", n), copiesSite(n, true, func(i int, list Page) *Page {
			list.Text = "首页 学校概况 招标公告\n当前位置：招标公告"
			for k := range 20 {
				list.Text += fmt.Sprintf("\n第%d号公告 点击 %d 次 2026-11-%02d", k, 1000*i+k, k+1)
			}
			return &list
		}))
	}
}

func testCopies(t *testing.T, name string, pages []*Page) {
	t.Helper()
	b, n := new(Boilerplate), 0
	for i, k := range rand.New(rand.NewPCG(3, 4)).Perm(len(pages)) {
		b.Learn(SampledPage{Key: uint64(i) << 40, ID: uint64(k)}, pages[k], nil)
	}
	b.UpdateProfile()
	p := b.Profile()
	for i := range 20 {
		if p.RepeatedLink(fmt.Sprintf("http://a.test/%d", i), fmt.Sprintf("第%d号公告", i)) || p.RepeatedText(fmt.Sprintf("第%d号公告 2026-11-%02d", i, i+1)) {
			n++
		}
	}
	if n > 0 {
		t.Errorf("%s: %d of 20 rows of the list count as furniture", name, n)
	}
	if !p.RepeatedLink("http://a.test/", "首页") && !p.RepeatedLink("http://a.test/?sid=1", "首页") || !p.RepeatedText("首页 学校概况 招标公告") {
		t.Errorf("%s: the menu does not count as furniture", name)
	}
}

// Short pages of one section with a common menu are no copies: the menu is repeated.
func TestPagesOfASectionAreNoCopies(t *testing.T) {
	for _, titled := range []bool{true, false} {
		b := new(Boilerplate)
		for i := range 60 {
			p := &Page{Head: "东湖大学", Text: "首页 学校概况\n"}
			if titled {
				p.Head = fmt.Sprintf("第%d号公告-东湖大学", i)
			}
			for k := range 8 {
				p.Links = append(p.Links, htmldoc.Link{URL: fmt.Sprintf("http://a.test/%d/%d", i%4, k), Anchor: "栏目"})
				p.Text += fmt.Sprintf("第%d部的第%d栏\n", i%4, k)
			}
			for line := range 6 {
				p.Text += fmt.Sprintf("第%d号公告的第%d段\n", i, line)
			}
			b.Learn(SampledPage{Key: uint64(i), ID: uint64(i)}, p, nil)
		}
		b.UpdateProfile()
		for k := range 8 {
			if p := b.Profile(); !p.RepeatedLink(fmt.Sprintf("http://a.test/2/%d", k), "栏目") || !p.RepeatedText(fmt.Sprintf("第2部的第%d栏", k)) {
				t.Errorf("titled %v: entry %d of the section's menu does not count as furniture", titled, k)
			}
		}
	}
}
