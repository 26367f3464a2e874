package page

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"angler/crawl/article"
	"angler/crawl/htmldoc"
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
				host.Learn(SampledPage{Key: uint64(w*10 + i)}, parse(t, pageOf(w*10+i), Options{Host: host}))
			}
		})
	}
	wg.Wait()
	if host.Pages() != 40 {
		t.Fatalf("%d pages learned", host.Pages())
	}
	after := parse(t, pageOf(99), Options{Host: host, Main: article.MethodMass})
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
		p.Links = append(p.Links, htmldoc.Link{URL: "http://a.test/always"})
		for j := range 600 {
			p.Links = append(p.Links, htmldoc.Link{URL: fmt.Sprintf("http://a.test/%d-%d", i, j)})
		}
		host.Learn(SampledPage{Key: uint64(i)}, p)
	}
	if len(host.targets) > sampleSize*learnTargets || host.Pages() != sampleSize || len(host.tails) > 3*sampleSize {
		t.Errorf("%d targets of %d pages are kept", len(host.targets), host.Pages())
	}
	if !host.RepeatedLink("http://a.test/always", "") {
		t.Error("the link of every page was forgotten")
	}
}

// site is a host of n pages that repeat some things, each on another share of them.
func site(n int) (pages []*Page, at []SampledPage) {
	r := rand.New(rand.NewPCG(7, uint64(n)))
	for i := range n {
		p := &Page{Head: fmt.Sprintf("第%d页-%d栏-某校", i, i%3), Text: fmt.Sprintf("首页 概况 新闻\n第%d页的正文", i)}
		if i%5 == 0 {
			p.Head = fmt.Sprintf("第%d页", i)
		}
		for j := range 40 {
			if r.Float64() < float64(j)/60 {
				p.Links = append(p.Links, htmldoc.Link{URL: fmt.Sprintf("http://a.test/box/%d", j), Anchor: "栏目"})
			}
		}
		p.Links = append(p.Links, htmldoc.Link{URL: fmt.Sprintf("http://a.test/own/%d", i), Anchor: "自己"})
		pages, at = append(pages, p), append(at, SampledPage{Key: r.Uint64(), ID: uint64(i + 1)})
	}
	return pages, at
}

// verdictsOf is all that a host says of the pages.
func verdictsOf(b *Boilerplate, pages []*Page) string {
	var s strings.Builder
	fmt.Fprintln(&s, b.Pages(), b.titleTail())
	for _, p := range pages {
		for _, l := range p.Links {
			fmt.Fprint(&s, b.RepeatedLink(l.URL, l.Anchor), " ")
		}
		for line := range strings.SplitSeq(p.Text, "\n") {
			fmt.Fprint(&s, b.RepeatedText(line), " ")
		}
	}
	return s.String()
}

// What a host's pages repeat must not depend on the order they were read in.
func TestBoilerplateIsAFunctionOfTheSetOfPages(t *testing.T) {
	for _, n := range []int{4, 5, 19, 21, 60, 127, 128, 129, 700} {
		pages, at := site(n)
		first := new(Boilerplate)
		for i, p := range pages {
			first.Learn(at[i], p)
		}
		want := verdictsOf(first, pages)
		for seed := range uint64(3) {
			b := new(Boilerplate)
			for _, i := range rand.New(rand.NewPCG(seed, 1)).Perm(n) {
				b.Learn(at[i], pages[i])
				if seed == 1 {
					b.Learn(at[i], pages[(i+1)%n]) // as it stood before it changed
					b.Learn(at[i], pages[i])
				}
			}
			if got := verdictsOf(b, pages); got != want {
				t.Fatalf("%d pages in order %d: other verdicts", n, seed)
			}
			again := new(Boilerplate)
			if again.Relearn(at, func(id uint64) *Trace { return pages[id-1].Trace() }); verdictsOf(again, pages) != want {
				t.Errorf("%d pages read again: other verdicts", n)
			}
			v, _ := b.MarshalBinary()
			stored := new(Boilerplate)
			if err := stored.UnmarshalBinary(v); err != nil || verdictsOf(stored, pages) != want {
				t.Errorf("%d pages stored: other verdicts, %v", n, err)
			}
			if stored.Fill(func(id uint64) *Trace { return pages[id-1].Trace() }); verdictsOf(stored, pages) != want || stored.Version() != 0 {
				t.Errorf("%d pages filled again: other verdicts, %d changes", n, stored.Version())
			}
		}
	}
}

// asking is a page that has asked for all its links.
func asking(p *Page) Asked {
	set := make(LinkSet, sizeOf(len(p.Links)))
	for i := range p.Links {
		set.add(&p.Links[i])
	}
	return Asked{set, set}
}

// A page whose verdicts differ from those it was read under must be named.
func TestChangedVerdictsAreNamed(t *testing.T) {
	const n = 400
	pages, at := site(n)
	b := new(Boilerplate)
	said, versions := make([]string, n), make([]int, n)
	for i, p := range pages {
		versions[i], said[i] = b.Version(), verdictsOf(b, pages[i:i+1])
		b.Learn(at[i], p)
	}
	named, differing := 0, 0
	for i, p := range pages {
		// The first line holds the number of pages, which decides nothing alone.
		tail := func(s string) string { _, x, _ := strings.Cut(strings.SplitN(s, "\n", 2)[0], " "); return x }
		now := verdictsOf(b, pages[i:i+1])
		other := tail(now) != tail(said[i])
		for k, l := range strings.Fields(strings.SplitN(now, "\n", 2)[1])[:len(p.Links)] {
			other = other || strings.Fields(strings.SplitN(said[i], "\n", 2)[1])[k] != l
		}
		changes := b.Changes(versions[i], versions[i])
		changed := changes.Touch(asking(p))
		if changed {
			named++
		}
		if other {
			differing++
			if !changed {
				t.Errorf("page %d was read under other verdicts and is not named", i)
			}
		}
	}
	if differing == 0 || named > n/2 {
		t.Errorf("%d of %d pages were read under other verdicts, %d are named", differing, n, named)
	}
	b.Settled()
	if c := b.Changes(0, 0); b.Version() != 0 || c.Touch(asking(pages[0])) {
		t.Error("after settling something has changed")
	}
}
