package lab

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// drawn builds a graph from lines "a* > b c": page a, marked as a target by the star, links to b and c. The first
// page is the seed. The links of a page share one block; a link's anchor is its target's name.
func drawn(t *testing.T, lines ...string) *Graph {
	t.Helper()
	g := &Graph{Blocks: []string{"body/div"}, Seeds: []int32{0}}
	index := map[string]int32{}
	page := func(name string) int32 {
		name, target := strings.CutSuffix(name, "*")
		i, ok := index[name]
		if !ok {
			i = int32(len(g.Pages))
			index[name] = i
			g.Pages = append(g.Pages, Page{URL: "http://x.test/" + name})
			g.Anchors = append(g.Anchors, Anchor{Text: name})
		}
		if target {
			g.Pages[i].Target, g.Pages[i].Relevant, g.Pages[i].Score = true, true, 1
		}
		return i
	}
	for _, line := range lines {
		from, to, _ := strings.Cut(line, ">")
		p := page(strings.TrimSpace(from))
		for _, name := range strings.Fields(to) {
			q := page(name)
			g.Pages[p].Links = append(g.Pages[p].Links, Link{To: q, Anchor: q})
		}
	}
	must(t, g.Check())
	return g
}

// names formats a run: "a b c".
func names(g *Graph, run []int32) string {
	out := make([]string, len(run))
	for i, p := range run {
		out[i] = strings.TrimPrefix(g.Pages[p].URL, "http://x.test/")
	}
	return strings.Join(out, " ")
}

// site builds a university-like web. Every page has a menu of all column fronts. Columns are paged lists of details;
// details link to their column and to a few popular pages. The lists of every fifth column are targets, with noisy
// scores.
func site(pages int, seed uint64) *Graph {
	r := rand.New(rand.NewPCG(seed, 1))
	const perList, links = 20, 45
	g := &Graph{Seeds: []int32{0}, Blocks: []string{"html/body/div.menu/ul", "html/body/div.main/ul.list", "html/body/div.pages", "html/body/div.side/ul.hot", "html/body/div.path"}}
	anchor := func(text string, score float64) int32 {
		g.Anchors = append(g.Anchors, Anchor{text, min(1, max(0, score+.3*(r.Float64()-.5)))})
		return int32(len(g.Anchors) - 1)
	}
	add := func(url string) int32 {
		g.Pages = append(g.Pages, Page{URL: "http://www.site.test/" + url, Score: .2 * r.Float64(), URLScore: .3 * r.Float64()})
		return int32(len(g.Pages) - 1)
	}
	add("")
	columns := max(5, min(links-10, pages/150))
	type column struct {
		front  int32
		lists  []int32
		target bool
	}
	cols := make([]column, columns)
	menu := make([]int32, columns)
	for c := range cols {
		cols[c].target = c%5 == 0
		dir := fmt.Sprintf("col%c%d/", 'a'+c%26, c)
		cols[c].front = add(dir)
		on := 0.0
		if cols[c].target {
			on = .5
		}
		menu[c] = anchor(fmt.Sprintf("column %d", c), on)
		cols[c].lists = append(cols[c].lists, cols[c].front)
	}
	next := anchor("next", 0)
	hot := anchor("hot", .1)
	for c := 0; len(g.Pages) < pages; c = (c + 1) % columns {
		col := &cols[c]
		dir := fmt.Sprintf("col%c%d/", 'a'+c%26, c)
		list := col.lists[len(col.lists)-1]
		on := 0.0
		if col.target {
			on = .6
		}
		for i := 0; i < perList && len(g.Pages) < pages; i++ {
			d := add(fmt.Sprintf("%s%d.htm", dir, 1000*len(col.lists)+i))
			g.Pages[list].Links = append(g.Pages[list].Links, Link{To: d, Anchor: anchor(fmt.Sprintf("notice %d of %d", i, c), on), Block: 1, BlockScore: float32(on)})
			g.Pages[d].Links = append(g.Pages[d].Links, Link{To: col.front, Anchor: menu[c], Block: 4})
		}
		if len(g.Pages) < pages {
			l := add(fmt.Sprintf("%slist%d.htm", dir, len(col.lists)+1))
			g.Pages[list].Links = append(g.Pages[list].Links, Link{To: l, Anchor: next, Block: 2, Pager: true, Flat: true})
			col.lists = append(col.lists, l)
		}
	}
	for c := range cols {
		for _, l := range cols[c].lists {
			p := &g.Pages[l]
			p.Target, p.Relevant = cols[c].target, cols[c].target
			if p.Target {
				p.Score, p.URLScore = .6+.4*r.Float64(), .5
			}
		}
	}
	popular := make([]int32, 3*links)
	for i := range popular {
		popular[i] = int32(r.IntN(len(g.Pages)))
	}
	for i := range g.Pages {
		p := &g.Pages[i]
		has := map[int32]bool{int32(i): true}
		for _, l := range p.Links {
			has[l.To] = true
		}
		for c := range cols {
			if f := cols[c].front; !has[f] {
				has[f] = true
				p.Links = append(p.Links, Link{To: f, Anchor: menu[c], BlockScore: .1})
			}
		}
		for range 4 * links {
			t := popular[r.IntN(len(popular))]
			if len(p.Links) < links && !has[t] {
				has[t] = true
				p.Links = append(p.Links, Link{To: t, Anchor: hot, Block: 3, BlockScore: .1})
			}
		}
	}
	return g
}
