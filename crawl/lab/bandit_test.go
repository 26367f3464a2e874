package lab

import (
	"fmt"
	"testing"

	"angler/crawl/linkorder"
)

// The best order of a web of which one place of a page leads to targets is known: after one request of each place, the
// bandit takes that place alone, and its classifier leaves addresses that fail to the end.
func TestBanditOnAKnownWeb(t *testing.T) {
	const hubs, perHub, dead = 30, 10, 100
	g := &Graph{Seeds: []int32{0}, Blocks: []string{""}, Anchors: []Anchor{{}}}
	add := func(p Page) int32 {
		g.Pages = append(g.Pages, p)
		return int32(len(g.Pages) - 1)
	}
	link := func(from, to int32, tags uint64) {
		g.Pages[from].Links = append(g.Pages[from].Links, Link{To: to, Tags: tags})
	}
	const good, poor, rows, broken = 0x00000000ffffffff, 0x0f0f0f0f0f0f0f0f, 0x3333333333333333, 0x5555555555555555
	home := add(Page{URL: "http://x.test/"})
	for h := range hubs {
		link(home, add(Page{URL: fmt.Sprintf("http://x.test/about/%c/", 'a'+h%26)}), poor)
		hub := add(Page{URL: fmt.Sprintf("http://x.test/columns/%d/", h)})
		link(home, hub, good)
		for k := range perHub {
			link(hub, add(Page{URL: fmt.Sprintf("http://x.test/notices/%d-%d.htm", h, k), Target: true, Relevant: true}), rows)
		}
	}
	for i := range dead {
		link(home, add(Page{URL: fmt.Sprintf("http://x.test/files/old%d.zip", i), Failed: true}), broken)
	}
	s, err := linkorder.New("tag-path-bandit", nil)
	must(t, err)
	c := newCurve(g, mustRun(t, g, s, options{}))
	if n, best := c.pagesFor(.9), 1+hubs*9/10*(perHub+1); n > best+best/10 {
		t.Errorf("nine of ten targets came after %d requests, the best order needs %d", n, best)
	}
}

// One page, and a site whose pages go on for ever for as long as the run does, end without error.
func TestBanditOnOddWebs(t *testing.T) {
	grown := []string{}
	for i := range 500 {
		grown = append(grown, fmt.Sprintf("p%d > p%d q%d*", i, i+1, i))
	}
	for name, web := range map[string][]string{"one page": {"a"}, "one target": {"a*"}, "grows": grown} {
		g := drawn(t, web...)
		s, err := linkorder.New("tag-path-bandit", linkorder.Params{"tag-path-bandit.stop": .5})
		must(t, err)
		if got := mustRun(t, g, s, options{}); len(got) != len(g.Pages) {
			t.Errorf("%s: %d of %d pages were fetched", name, len(got), len(g.Pages))
		}
	}
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
