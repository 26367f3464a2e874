package page

import (
	"fmt"
	"math/rand/v2"
	"slices"
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
	before := parse(t, pageOf(99), Options{Host: host.Profile()})
	if len(before.Records) != 3 {
		t.Fatalf("before learning: %+v", before.Records)
	}
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 10 {
				host.Learn(SampledPage{Key: uint64(w*10 + i)}, parse(t, pageOf(w*10+i), Options{Host: host.Profile()}), nil)
			}
		})
	}
	wg.Wait()
	host.UpdateProfile()
	if host.Pages() != 40 {
		t.Fatalf("%d pages learned", host.Pages())
	}
	after := parse(t, pageOf(99), Options{Host: host.Profile(), Main: article.MethodMass})
	if len(after.Records) != 1 || after.Records[0].URL != "http://zb.jnlg.test/n99.htm" {
		t.Errorf("records %+v", after.Records)
	}
	profile := host.Profile()
	if !profile.RepeatedText("每一页都有的一句话，写在页脚上面。") || profile.RepeatedText("第7页自己的文字。") {
		t.Error("repeated lines are not told from others")
	}
	if profile.titleTail() != "- 江南理工大学" && profile.titleTail() != " - 江南理工大学" {
		t.Errorf("tail %q", profile.titleTail())
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
		host.Learn(SampledPage{Key: uint64(i)}, p, nil)
	}
	host.UpdateProfile()
	for i := range host.pages {
		if n := len(host.pages[i].targets); n > learnTargets {
			t.Errorf("%d targets of a page are kept", n)
		}
	}
	if host.Pages() != sampleSize {
		t.Errorf("%d pages are kept", host.Pages())
	}
	if !host.Profile().RepeatedLink("http://a.test/always", "") {
		t.Error("the link of every page was forgotten")
	}
}

// site returns n pages of a host with links that stand on different shares of the pages.
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

// answersOf returns the answers of a profile for all links and lines of the pages.
func answersOf(h *HostProfile, pages []*Page) string {
	var s strings.Builder
	fmt.Fprintln(&s, h.titleTail())
	for _, p := range pages {
		for _, l := range p.Links {
			fmt.Fprint(&s, h.RepeatedLink(l.URL, l.Anchor), " ")
		}
		for line := range strings.SplitSeq(p.Text, "\n") {
			fmt.Fprint(&s, h.RepeatedText(line), " ")
		}
	}
	return s.String()
}

// A profile must not depend on the order of the pages.
func TestBoilerplateIsAFunctionOfTheSetOfPages(t *testing.T) {
	for _, n := range []int{4, 5, 19, 21, 60, 127, 128, 129, 700} {
		pages, at := site(n)
		first := new(Boilerplate)
		for i, p := range pages {
			first.Learn(at[i], p, nil)
		}
		first.UpdateProfile()
		want := answersOf(first.Profile(), pages)
		for seed := range uint64(3) {
			b := new(Boilerplate)
			for _, i := range rand.New(rand.NewPCG(seed, 1)).Perm(n) {
				b.Learn(at[i], pages[i], nil)
				if seed == 1 {
					b.Learn(at[i], pages[(i+1)%n], nil) // as it stood before it changed
					b.Learn(at[i], pages[i], nil)
				}
			}
			b.UpdateProfile()
			if got := answersOf(b.Profile(), pages); got != want {
				t.Fatalf("%d pages in order %d: another profile", n, seed)
			}
			again := new(Boilerplate)
			if again.Relearn(at, func(id uint64) *Trace { return pages[id-1].Trace() }); answersOf(again.Profile(), pages) != want {
				t.Errorf("%d pages read again: another profile", n)
			}
			v, _ := b.MarshalBinary()
			stored := new(Boilerplate)
			if err := stored.UnmarshalBinary(v); err != nil || answersOf(stored.Profile(), pages) != want {
				t.Errorf("%d pages stored: another profile, %v", n, err)
			}
			stored.Fill(func(id uint64) *Trace { return pages[id-1].Trace() })
			if p := stored.Profile(); answersOf(p, pages) != want || p.Version() != 0 {
				t.Errorf("%d pages filled again: another profile, version %d", n, p.Version())
			}
		}
	}
}

// allQueries returns the queries of a page with all links in both sets.
func allQueries(p *Page) ProfileQueries {
	set := make(LinkSet, linkSetSize(len(p.Links)))
	for i := range p.Links {
		set.add(&p.Links[i])
	}
	return ProfileQueries{set, set}
}

// Changes must affect a page whose links had other answers in its profile. The differences between
// two profiles are exact.
func TestChangesOfProfilesAreNamed(t *testing.T) {
	const n = 400
	pages, at := site(n)
	b := new(Boilerplate)
	under := make([]*HostProfile, n)
	for i, p := range pages {
		under[i] = b.Profile()
		b.Learn(at[i], p, nil)
	}
	b.UpdateProfile()
	now := b.Profile()
	named, differing := 0, 0
	for i, p := range pages {
		changes := b.ChangesSince(under[i].Version())
		other := now.titleTail() != under[i].titleTail()
		if changes.tail != other {
			t.Fatalf("page %d: the ending changed %v, told %v", i, other, changes.tail)
		}
		told := map[uint32]bool{}
		for _, x := range changes.targets {
			if _, twice := told[x.target]; twice {
				t.Fatalf("page %d: link %d is told twice", i, x.target)
			}
			told[x.target] = x.repeated
		}
		for _, l := range p.Links {
			was, is := under[i].RepeatedLink(l.URL, l.Anchor), now.RepeatedLink(l.URL, l.Anchor)
			repeated, changed := told[hashLink(l.URL, l.Anchor)]
			if changed != (was != is) || changed && repeated != is {
				t.Fatalf("page %d: %s was repeated %v, is %v; told %v", i, l.URL, was, is, changed)
			}
			other = other || changed
		}
		changed := changes.Affects(allQueries(p))
		if changed {
			named++
		}
		if other {
			differing++
			if !changed {
				t.Errorf("page %d was read under another profile and is not named", i)
			}
		}
	}
	if differing == 0 || named > n*3/4 {
		t.Errorf("%d of %d pages were read under another profile, %d are named", differing, n, named)
	}
	b.ResetVersions()
	if c := b.ChangesSince(0); b.Profile().Version() != 0 || c.Affects(allQueries(pages[0])) {
		t.Error("after settling something has changed")
	}
}

// Learn makes a profile whenever the sample has doubled.
func TestProfilesAreMadeAtFixedPoints(t *testing.T) {
	pages, at := site(120)
	b := new(Boilerplate)
	var made []int
	for i, p := range pages {
		b.Learn(at[i], p, nil)
		if b.changed == 0 {
			made = append(made, i+1)
		}
	}
	if want := []int{5, 10, 20, 40, 80}; !slices.Equal(made, want) {
		t.Errorf("profiles were made after %v pages, want %v", made, want)
	}
	v := b.Profile().Version()
	b.Learn(at[0], pages[0], nil) // as it is
	if b.changed != 40 || b.Profile().Version() != v {
		t.Errorf("a page that came again as it was counts: %d", b.changed)
	}
}
