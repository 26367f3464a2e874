package lab

// Oracle returns the order of a crawler that knows the whole graph: a waiting
// target is fetched at once; otherwise the waiting page from which the nearest
// unknown target is the fewest fetches away, among equals the one with
// most such targets behind its own links. What is left when every target is known
// comes last.
//
// That is greedy, not optimal: a page two steps from a hundred targets waits
// until every target one step away is fetched. No strategy measured here comes
// near it, but on a graph made for the purpose one can pass it.
//
// A step away from the known targets costs a search back from the unknown ones,
// which ends at the first waiting page: little where targets lie close, all links
// of the graph at worst.
func Oracle(g *Graph) []int32 {
	o := &oracle{g: g, known: make([]bool, len(g.Pages)), fetched: make([]bool, len(g.Pages)), seen: make([]int32, len(g.Pages))}
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
	others  []int32 // known, fetched ones not taken out yet

	from  []int32 // sources of the links to page p: from[first[p]:first[p+1]]
	first []int32

	done  bool    // no waiting page leads to an unknown target any more
	round int32   // searches so far
	seen  []int32 // by page: the last search that came by
}

// reverse turns the links around.
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

// nearest searches back from all unknown targets at once, level by level, to
// the first level that holds a waiting page.
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

// behind counts the unknown targets that a page links to.
func (o *oracle) behind(p int32) int {
	n := 0
	for _, l := range o.g.Pages[p].Links {
		if o.g.Pages[l.To].Target && !o.known[l.To] {
			n++
		}
	}
	return n
}
