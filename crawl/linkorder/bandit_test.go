package linkorder

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// seen lets a bandit see a link and then its page. It returns the URL's target.
func seen(b *bandit, id, source uint64, tags uint64, v Verdict) Target {
	t := Target{ID: id, URL: fmt.Sprintf("http://a.test/%d", id), Inlinks: []Inlink{{Source: source, Tags: tags}}}
	b.Observe(&Fetch{Target: t, Verdict: v})
	return t
}

// The reward of a request is the page, if it is a target, and the targets among its links.
func TestBanditRewards(t *testing.T) {
	b := newBandit(mustParams(t, nil))
	const menu, row = 1, math.MaxUint64
	seen(b, 2, 1, menu, Verdict{})               // a page of the menu
	seen(b, 3, 2, row, Verdict{Relevant: true})  // a target on it
	seen(b, 4, 2, row, Verdict{Relevant: true})  // another
	seen(b, 5, 2, row, Verdict{Failed: true})    // a failed request
	seen(b, 6, 99, row, Verdict{Relevant: true}) // of a page that no link led to
	if got := b.arms[b.tags.nearest(menu)]; got != (arm{n: 1, reward: 2}) {
		t.Errorf("the menu: %+v", got)
	}
	if got := b.arms[b.tags.nearest(row)]; got != (arm{n: 4, reward: 3}) {
		t.Errorf("the rows: %+v", got)
	}
}

// AUER: an untried action comes first, then the highest bound; the bound falls with each request.
func TestBanditBounds(t *testing.T) {
	for _, c := range []struct {
		a    arm
		t    int
		want float64
	}{
		{arm{}, 100, untried},
		{arm{n: 4, reward: 2}, 1, .5},
		{arm{n: 4, reward: 2}, 100, .5 + 2*math.Sqrt2*math.Sqrt(math.Log(100)/4)},
		{arm{n: 1, reward: 1e9}, 100, untried},
		{arm{n: 1}, 0, 0},
	} {
		if got := c.a.bound(2*math.Sqrt2, c.t); !near(got, c.want) {
			t.Errorf("%+v after %d requests: %v, want %v", c.a, c.t, got, c.want)
		}
	}
}

// Similar tag paths are one action, others are not; the number of actions is bounded, whatever a page shows.
func TestTagClusters(t *testing.T) {
	c := newTagClusters(.75)
	path := uint64(0x0123456789abcdef)
	a := c.assign(path)
	if got := c.assign(path ^ 0b10110); got != a {
		t.Errorf("a path with three other bits is of action %d, want %d", got, a)
	}
	if got := c.assign(^path); got == a {
		t.Error("the opposite path is of the same action")
	}
	for i := range uint64(100_000) {
		tags := mix(i)
		if got := c.assign(tags); got != c.nearest(tags) {
			t.Fatalf("path %d was assigned to %d and is nearest to %d", i, got, c.nearest(tags))
		}
	}
	if len(c.clusters) != maxClusters || len(c.known) != maxTagPaths {
		t.Errorf("%d actions, %d paths", len(c.clusters), len(c.known))
	}
}

// The classifier of URLs learns targets and failures from their addresses, and says nothing before.
func TestURLClasses(t *testing.T) {
	var c urlClasses
	if kind, _ := c.predict("http://a.test/info/1.htm"); kind != htmlURL {
		t.Errorf("before any URL: %v", kind)
	}
	for i := range 20 {
		c.train(fmt.Sprintf("http://a.test/info/%d.htm", i), targetURL)
		c.train(fmt.Sprintf("http://a.test/news/%d.htm", i), htmlURL)
		c.train(fmt.Sprintf("http://a.test/_upload/%d.jpg", i), failedURL)
	}
	for url, want := range map[string]urlKind{"http://a.test/info/99.htm": targetURL, "http://a.test/news/99.htm": htmlURL,
		"http://a.test/_upload/99.jpg": failedURL, "": htmlURL, "\xff\xff\xff": htmlURL} {
		kind, p := c.predict(url)
		if kind != want && len(url) > 3 {
			t.Errorf("%q: %v %v, want %v", url, kind, p, want)
		}
		if sum := p[0] + p[1] + p[2]; !near(sum, 1) {
			t.Errorf("%q: probabilities %v", url, p)
		}
	}
	long := strings.Repeat("http://a.test/", 10_000)
	for range 10_000 {
		c.train(long, targetURL)
	}
	if _, p := c.predict(long); math.IsNaN(p[targetURL]) {
		t.Errorf("%v", p)
	}
}

// An early stop needs windows and targets enough, and ends when targets come again.
func TestBanditStops(t *testing.T) {
	b := newBandit(mustParams(t, Params{"tag-path-bandit.stop": .05}))
	id := uint64(1)
	page := func(n int, v Verdict) {
		for range n {
			id++
			seen(b, id, 1, 1, v)
		}
	}
	page(1000, Verdict{})
	if b.Least() != 0 {
		t.Error("it stops without a target")
	}
	page(leastFound, Verdict{Relevant: true})
	page(90, Verdict{})
	if b.Least() != 0 {
		t.Error("it stops while targets come")
	}
	page(400, Verdict{})
	if b.Least() != targetFloor {
		t.Error("it does not stop on a flat curve")
	}
	page(100, Verdict{Relevant: true}) // the site grew
	if b.Least() != 0 {
		t.Error("it stays stopped on a site that grew")
	}
	if s := newBandit(mustParams(t, nil)); s.Least() != 0 {
		t.Error("it stops by default")
	}
}

func mustParams(t *testing.T, p Params) Params {
	t.Helper()
	full, err := p.complete()
	must(t, err)
	return full
}
