package run

import (
	"fmt"
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
		"nothing":                           {evidence{}, 0},
		"a topic without lists":             {evidence{pages: 5000, waiting: 300}, 0},
		"a topic without lists, to the end": {evidence{pages: 5000, ended: true}, 0},
		"a site with one page":              {evidence{pages: 1, finds: []int{0}, asked: 1, ended: true}, 1},
		"its one page may lead on":          {evidence{pages: 1, finds: []int{0}, asked: 1}, 0},
		"few pages":                         {evidence{pages: 49, waiting: 10, finds: places(40, 20)}, 0},
		"few lists in few pages":            {evidence{pages: 199, waiting: 10, finds: places(9, 20)}, 0},
		"few lists":                         {evidence{pages: 900, waiting: 30, finds: places(9, 20)}, 20. / 21},
		"notices of one shape wait": {evidence{pages: 300, waiting: 200, finds: places(10, 200),
			shapes: []shapeEvidence{{waiting: 200, asked: 250}}}, .9980},
		"lists of one shape wait": {evidence{pages: 300, waiting: 10, finds: places(10, 200),
			shapes: []shapeEvidence{{waiting: 10, asked: 15, finds: 10}}}, .6663},
		"unknown shapes wait": {evidence{pages: 300, waiting: 200, finds: places(19, 200),
			shapes: []shapeEvidence{{waiting: 100}, {waiting: 100}}}, .95},
		"half a list in a hundred pages":     {evidence{pages: 300, waiting: 200, finds: places(19, 200)}, .95},
		"the site grew while it was crawled": {evidence{pages: 300, waiting: 4000, finds: places(20, 100)}, .5},
		"each page shows the next one":       {evidence{pages: 300, waiting: 1, grown: 99, finds: places(30, 300)}, 30. / 40.495},
		"growth within what waits":           {evidence{pages: 300, waiting: 300, grown: 300, finds: places(20, 300)}, 20. / 57.5},
		"lists still come":                   {evidence{pages: 300, waiting: 300, finds: places(20, 300)}, 20. / 57.5},
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
					unasked: waiting % 3, grown: pages % 50, ended: waiting%2 == 0}
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
		if e.metHost(x.host, x.asked); e.unasked != x.want {
			t.Errorf("after %s, %v: %d hosts were never asked, not %d", x.host, x.asked, e.unasked, x.want)
		}
	}
}

// A URL that waited and was fetched counts as asked; further shapes than maxShapes share a count.
func TestShapesOfURLs(t *testing.T) {
	e := enough{hosts: map[string]bool{}, shapes: map[uint64]*shapeEvidence{}}
	for i := range 3 {
		e.met(fmt.Sprintf("http://a.test/info/1041/%d.htm", i), false)
	}
	e.changed("http://a.test/info/1041/2.htm", -1)
	e.met("http://a.test/", true)
	if got := *e.shape("http://a.test/info/7/700.htm"); got != (shapeEvidence{waiting: 2, asked: 1}) || len(e.shapes) != 2 {
		t.Errorf("%+v of %d shapes", got, len(e.shapes))
	}
	if e.unasked != 0 {
		t.Errorf("%d hosts were never asked", e.unasked)
	}
	for i := range maxShapes {
		e.met(fmt.Sprintf("http://%c%d.test/", 'a'+i%26, i), false)
	}
	if len(e.shapes) > maxShapes+1 || e.shapes[0] == nil || e.shapes[0].waiting < 2 {
		t.Errorf("%d shapes, %+v for the others", len(e.shapes), e.shapes[0])
	}
}

// The growth counts the newest pages that the backlog cannot explain, also in a run that began a short time ago.
func TestGrownPages(t *testing.T) {
	for name, c := range map[string]struct {
		past []backlog
		want int
	}{
		"no estimate yet":               {nil, 0},
		"the first estimate":            {[]backlog{{300, 1}}, 0},
		"all waited":                    {[]backlog{{0, 9}, {200, 100}, {250, 1}}, 0},
		"some waited":                   {[]backlog{{0, 9}, {200, 40}, {250, 1}}, 60},
		"the run began later":           {[]backlog{{280, 1}, {290, 1}}, 95},
		"it began where nothing waited": {[]backlog{{280, 0}}, 100},
	} {
		e := enough{past: c.past}
		if got := e.grown(300, 100); got != c.want {
			t.Errorf("%s: %d pages have grown, not %d", name, got, c.want)
		}
	}
}
