package linkorder

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// site is a small synthetic link graph: sections with paged lists of details, and a menu on every page. The details
// of some sections are the targets.
type site struct {
	urls   []string
	links  [][]edge
	target []bool
	hint   []float64 // topic score of the URL and of the anchors to it
	found  int       // targets
}

type edge struct {
	to     int
	anchor string
	block  string
	pager  bool
}

// makeSite builds hosts of 6 sections with about 20 × pages details each; two sections are targets. Anchors are weak
// evidence: targets score .1 higher on average, with noise of .5.
func makeSite(seed uint64, hosts, pages int) *site {
	r := rand.New(rand.NewPCG(seed, 1))
	g := &site{}
	page := func(url string, target bool) int {
		g.urls = append(g.urls, url)
		g.links = append(g.links, nil)
		g.target = append(g.target, target)
		hint := r.Float64() * .5
		if target {
			hint += .1
			g.found++
		}
		g.hint = append(g.hint, hint)
		return len(g.urls) - 1
	}
	names := []string{"新闻动态", "通知公告", "招标采购", "党建工作", "学术活动", "中标公示"}
	dirs := []string{"xwdt", "tzgg", "zbcg", "djgz", "xshd", "zbgs"}
	sections := r.Perm(len(names))[:2]
	portal := page("http://portal.test/", false)
	for h := range hosts {
		base := fmt.Sprintf("http://h%d.test", h)
		home := page(base+"/", false)
		g.links[portal] = append(g.links[portal], edge{to: home, anchor: fmt.Sprint("学院", h), block: "body/ul.sites/li"})
		var menu []edge
		for i := range names {
			target := slices.Contains(sections, i)
			list, prev := page(fmt.Sprintf("%s/%s/list.htm", base, dirs[i]), false), -1
			menu = append(menu, edge{to: list, anchor: names[i], block: "body/div.nav/ul/li"})
			for p := range 1 + r.IntN(2*pages) {
				if p > 0 {
					list = page(fmt.Sprintf("%s/%s/list%d.htm", base, dirs[i], p+1), false)
					g.links[prev] = append(g.links[prev], edge{to: list, anchor: "下一页", block: "body/div.pages", pager: true})
				}
				for range 10 + r.IntN(15) {
					d := page(fmt.Sprintf("%s/%s/%d/%d.htm", base, dirs[i], 2020+r.IntN(5), r.IntN(1e6)), target)
					g.links[list] = append(g.links[list], edge{to: d, anchor: fmt.Sprintf("关于第%d号事项的通知", r.IntN(99)), block: "body/div.main/ul.list/li"})
					if r.IntN(4) == 0 {
						g.links[home] = append(g.links[home], edge{to: d, anchor: "最新", block: "body/div.box/ul/li"})
					}
				}
				prev = list
			}
		}
		for i := home; i < len(g.urls); i++ {
			g.links[i] = append(slices.Clone(menu), g.links[i]...)
		}
	}
	return g
}

// replay crawls a site in a strategy's order and returns the area under its recall curve, 0 … 1. Every twentieth
// verdict is wrong.
func replay(s Strategy, g *site) (area float64) {
	type state struct {
		t              Target
		known, fetched bool
		value          float64
		order          int
	}
	pages := make([]state, len(g.urls))
	known := uint64(1) // pages with an ID
	pages[0].known, pages[0].t = true, Target{ID: 1, URL: g.urls[0]}
	pages[0].value = s.Value(&pages[0].t)
	waiting := []int{0}
	recall := 0.0
	for n := 1; len(waiting) > 0; n++ {
		// The best by the last values, valued again before its fetch.
		first := func() (at int) {
			for i, x := range waiting {
				if b := waiting[at]; pages[x].value > pages[b].value || pages[x].value == pages[b].value && pages[x].order < pages[b].order {
					at = i
				}
			}
			return at
		}
		at := first()
		for v := s.Value(&pages[waiting[at]].t); v < pages[waiting[at]].value-.02; v = s.Value(&pages[waiting[at]].t) {
			pages[waiting[at]].value = v
			at = first()
		}
		x := waiting[at]
		waiting[at] = waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		p := &pages[x]
		p.fetched = true
		if g.target[x] {
			recall++
		}
		area += recall / float64(g.found) / float64(len(g.urls))

		relevant := g.target[x] != (x%20 == 19)
		v := Verdict{Score: .2, Relevant: relevant}
		if relevant {
			v.Score = .8
		}
		inherited := s.Score(&p.t).Inherited
		f := &Fetch{Target: p.t, Verdict: v}
		for _, e := range g.links[x] {
			q := &pages[e.to]
			in := Inlink{Source: p.t.ID, SourceURL: p.t.URL, Anchor: e.anchor, Block: e.block, Pager: e.pager,
				AnchorScore: g.hint[e.to], URLScore: g.hint[e.to] / 2, BlockScore: .3, SourceScore: v.Score, Inherited: inherited}
			isNew := !q.known
			if isNew {
				known++
				q.known, q.order = true, int(known)
				q.t = Target{ID: known, URL: g.urls[e.to], Depth: p.t.Depth + 1}
				waiting = append(waiting, e.to)
			}
			if len(q.t.Inlinks) < MaxInlinks {
				q.t.Inlinks = append(q.t.Inlinks, in)
			}
			f.Out = append(f.Out, Out{ID: q.t.ID, URL: q.t.URL, New: isNew, Inlink: in})
		}
		again := func(x int) {
			if !pages[x].fetched {
				pages[x].value = s.Value(&pages[x].t)
			}
		}
		if s.Observe(f) {
			for _, x := range waiting {
				again(x)
			}
		}
		for _, e := range g.links[x] {
			again(e.to)
		}
	}
	return area
}

// The default strategy finds targets in certain sections earlier than any other order.
func TestLearnedFindsTargetsFirst(t *testing.T) {
	sum := map[string]float64{}
	const sites = 4
	for seed := range uint64(sites) {
		g := makeSite(seed, 2, 4)
		for _, name := range Names() {
			a := replay(make1(t, name), g)
			sum[name] += a / sites
			t.Logf("site %d, %d pages, %d targets: %-11s %.3f", seed, len(g.urls), g.found, name, a)
		}
	}
	for _, name := range Names() {
		if name != "learned" && sum["learned"] < sum[name]+.05 {
			t.Errorf("mean area %.3f for learned, %.3f for %s", sum["learned"], sum[name], name)
		}
	}
	if sum["learned"] < sum["bfs"]+.2 {
		t.Errorf("mean area %.3f for learned, %.3f for bfs", sum["learned"], sum["bfs"])
	}
}
