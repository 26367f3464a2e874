package lab

// oracleOrder returns the order of a crawler that knows the whole graph. It fetches a waiting target at once. Otherwise
// it fetches the waiting page nearest to an unknown target, among equals the one with links to most such targets.
// After all targets are known, the rest follows.
//
// The order is greedy, not optimal: a page two steps from a hundred targets waits until all targets one step away
// are fetched. No measured strategy comes near it, but one can exceed it on a specially built graph.
//
// Each step away from known targets costs a backward search from the unknown ones to the first waiting page. That is
// cheap where targets are close, and visits all links in the worst case.
func oracleOrder(g *Graph) []int32 {
	o := &oracle{g: g, known: make([]bool, len(g.Pages)), fetched: make([]bool, len(g.Pages)),
		seen: make([]int32, len(g.Pages))}
	o.reverse()
	for _, s := range g.Seeds {
		o.meet(s)
	}
	var out []int32
	for {
		p, ok := o.next()
		if !ok {
			return out
		}
		o.fetched[p] = true
		out = append(out, p)
		for i := range g.Pages[p].Links {
			o.meet(g.Pages[p].Links[i].To)
		}
	}
}

type oracle struct {
	g       *Graph
	known   []bool
	fetched []bool

	targets []int32 // known, not fetched
	others  []int32 // known; may contain fetched pages

	from  []int32 // sources of the links to page p: from[first[p]:first[p+1]]
	first []int32

	done  bool    // no waiting page leads to an unknown target
	round int32   // searches so far
	seen  []int32 // by page: last search that visited it
}

// reverse builds the reversed links.
func (o *oracle) reverse() {
	pages := o.g.Pages
	o.first = make([]int32, len(pages)+1)
	for i := range pages {
		for _, l := range pages[i].Links {
			o.first[l.To+1]++
		}
	}
	for i := range pages {
		o.first[i+1] += o.first[i]
	}
	o.from = make([]int32, o.first[len(pages)])
	at := append([]int32(nil), o.first[:len(pages)]...)
	for i := range pages {
		for _, l := range pages[i].Links {
			o.from[at[l.To]] = int32(i)
			at[l.To]++
		}
	}
}

func (o *oracle) meet(p int32) {
	if o.known[p] {
		return
	}
	o.known[p] = true
	if o.g.Pages[p].Target {
		o.targets = append(o.targets, p)
	} else {
		o.others = append(o.others, p)
	}
}

func (o *oracle) next() (int32, bool) {
	if len(o.targets) > 0 {
		p := o.targets[0]
		o.targets = o.targets[1:]
		return p, true
	}
	if !o.done {
		if p, ok := o.nearest(); ok {
			return p, true
		}
		o.done = true
	}
	for len(o.others) > 0 {
		p := o.others[0]
		o.others = o.others[1:]
		if !o.fetched[p] {
			return p, true
		}
	}
	return 0, false
}

// nearest searches backwards from all unknown targets, level by level, to the first level with a waiting page.
func (o *oracle) nearest() (best int32, ok bool) {
	o.round++
	var level, deeper []int32
	for p := range o.g.Pages {
		if o.g.Pages[p].Target && !o.known[p] {
			o.seen[p] = o.round
			level = append(level, int32(p))
		}
	}
	most := -1
	for len(level) > 0 && !ok {
		deeper = deeper[:0]
		for _, p := range level {
			for _, source := range o.from[o.first[p]:o.first[p+1]] {
				if o.fetched[source] || o.seen[source] == o.round {
					continue
				}
				o.seen[source] = o.round
				if o.known[source] {
					if n := o.behind(source); n > most || n == most && source < best {
						best, most, ok = source, n, true
					}
				}
				deeper = append(deeper, source)
			}
		}
		level, deeper = deeper, level
	}
	return best, ok
}

// behind returns the number of unknown targets linked from a page.
func (o *oracle) behind(p int32) int {
	n := 0
	for _, l := range o.g.Pages[p].Links {
		if o.g.Pages[l.To].Target && !o.known[l.To] {
			n++
		}
	}
	return n
}
