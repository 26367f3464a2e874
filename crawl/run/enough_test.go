package run

import (
	"math"
	"testing"
)

// places returns n places of lists, all before the page last.
func places(n, last int) (at []int) {
	for i := range n {
		at = append(at, i*last/n)
	}
	return at
}

func TestShareOfLists(t *testing.T) {
	for name, c := range map[string]struct {
		e    evidence
		want float64
	}{
		"nothing":                            {evidence{}, 0},
		"a topic without lists":              {evidence{pages: 5000, waiting: 300}, 0},
		"a topic without lists, to the end":  {evidence{pages: 5000}, 0},
		"a site with one page":               {evidence{pages: 1, finds: []int{0}, asked: 1}, 1},
		"few pages":                          {evidence{pages: 99, waiting: 10, finds: places(40, 20)}, 0},
		"few lists":                          {evidence{pages: 900, waiting: 10, finds: places(9, 20)}, 0},
		"half a list in a hundred pages":     {evidence{pages: 300, waiting: 200, finds: places(19, 200)}, .95},
		"the site grew while it was crawled": {evidence{pages: 300, waiting: 4000, finds: places(20, 100)}, .5},
		"lists still come":                   {evidence{pages: 300, waiting: 300, finds: places(20, 300)}, 20. / 39.5},
		"a host that was never asked":        {evidence{pages: 200, finds: places(20, 100), asked: 9, yielded: 4, unasked: 10}, .8163},
	} {
		if got := c.e.share(); math.IsNaN(got) || math.Abs(got-c.want) > .0005 {
			t.Errorf("%s: %.4f, not %.4f", name, got, c.want)
		}
	}
}

// The share is finite and within 0 … 1, and falls with every URL that waits.
func TestShareIsBounded(t *testing.T) {
	for pages := 0; pages < 400; pages += 37 {
		for lists := 0; lists <= pages; lists += 9 {
			last := 1.
			for waiting := 0; waiting < 1000; waiting += 99 {
				e := evidence{pages: pages, waiting: waiting, finds: places(lists, max(1, pages)), asked: waiting % 5,
					unasked: waiting % 3}
				if got := e.share(); !(got >= 0 && got <= 1) {
					t.Fatalf("%+v: %g", e, got)
				}
				e.unasked = 0
				got := e.share()
				if got > last {
					t.Fatalf("%+v: the share rises to %g", e, got)
				}
				last = got
			}
		}
	}
}

func TestHostsAreAskedOnce(t *testing.T) {
	e := enough{hosts: map[string]bool{}}
	for _, x := range []struct {
		host  string
		asked bool
		want  int
	}{{"a", false, 1}, {"a", false, 1}, {"b", true, 1}, {"b", false, 1}, {"a", true, 0}, {"a", true, 0}, {"c", false, 1}} {
		if e.met(x.host, x.asked); e.unasked != x.want {
			t.Errorf("after %s, %v: %d hosts were never asked, not %d", x.host, x.asked, e.unasked, x.want)
		}
	}
}
