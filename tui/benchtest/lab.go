package benchtest

import (
	"context"

	"angler/crawl/lab"
	"angler/crawl/order"
	"angler/crawl/page"
)

// Lab implements parts.Lab: a real comparison on a small graph. The front page
// links to the schools, a school to its sections and departments, those to their
// pages; what is found is the tender lists, whatever the target.
func (b *Bench) Lab(ctx context.Context, plan lab.Comparison) (*lab.Result, error) {
	if err := plan.Check(); err != nil {
		return nil, err
	}
	b.mu.Lock()
	err := b.called("Lab")
	g := b.graph()
	hold := b.HoldLab
	b.mu.Unlock()
	if err == nil && hold != nil {
		err = hold(ctx)
	}
	if err != nil {
		return nil, err
	}
	rows, err := lab.Compare(ctx, lab.Plan{Strategies: plan.Strategies, Draws: plan.Draws,
		Graph: func(context.Context, int) (*lab.Graph, error) { return g, nil },
		Make:  func(name string) (order.Strategy, error) { return order.New(name, order.Params{}) }})
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		r.Rate = 250_000 // a clock would make every picture another
	}
	pages, targets := g.Reach()
	return &lab.Result{Comparison: plan, Pages: pages, Targets: targets, Unreached: 3, Rows: rows}, nil
}

func (b *Bench) graph() *lab.Graph {
	g := &lab.Graph{Blocks: []string{"body/div"}, Seeds: []int32{0}, Pages: []lab.Page{{URL: "http://front.test/"}}, Anchors: []lab.Anchor{{}}}
	front := map[string]int32{}
	link := func(from, to int32) {
		g.Pages[from].Links = append(g.Pages[from].Links, lab.Link{To: to, Anchor: to})
	}
	add := func(url, anchor string, score float64, target bool) int32 {
		i := int32(len(g.Pages))
		g.Pages = append(g.Pages, lab.Page{URL: url, Score: score, Relevant: target, Target: target})
		g.Anchors = append(g.Anchors, lab.Anchor{Text: anchor, Score: score})
		return i
	}
	for _, s := range schools {
		front[s.host] = add("http://"+s.host+"/", s.name, .1, false)
		link(0, front[s.host])
	}
	var lists []int32
	for i := range b.pages {
		r := b.pages[i].row
		score := r.Score
		if b.model != nil {
			score, _ = b.index.Scores().Of(r.ID)
		}
		at := add(r.URL, r.Title, score, r.Type == page.List && score > .3)
		if r.Type == page.List {
			link(front[r.Host], at)
			lists = append(lists, at)
		} else if len(lists) > 0 {
			link(lists[i%len(lists)], at)
		}
	}
	return g
}
