package webtest

import (
	"fmt"
	"time"
)

// A plan is the shape of a host: its menu and the number of pages in each column. Hosts of one role share it.
type plan struct {
	groups  []group
	columns []column
	statics []static
	slugs   map[string]ref // first path word → group, column or static page
	perPage int
}

type group struct {
	slug    string
	name    text
	columns []int
}

type column struct {
	slug    string
	name    text
	group   int
	topic   *topic
	mix     int // percentage of tender notices
	undated bool
	items   int // at the start; Publish adds to it
	gap     time.Duration
}

type static struct {
	slug   string
	title  text
	layout int
}

// ref identifies one page of a host.
type ref struct {
	kind kind
	col  int // index of the group, column, static page or odd page
	n    int // list page from 1, or ordinal of an item, 0 the oldest
}

type kind uint8

const (
	kindNone kind = iota
	kindHome
	kindHub
	kindList
	kindDetail
	kindStatic
	kindCalendar // trap: a page for every future month; n counts months from year 0
	kindGrow     // trap: /fg/a/a/a/…; n is the number of a's
	kindOdd
	kindAdmin
)

// makePlans sizes the columns of each role for about o.Pages pages in the whole web.
func (w *Web) makePlans(o Options) error {
	c := &w.material.config
	scale := 1.0
	if o.Pages > 0 {
		fixed, scaled := 0, 0.0
		for _, h := range w.hosts {
			r := c.Role[h.spec.Role]
			fixed += 1 + len(r.Statics)
			for _, g := range r.Groups {
				if len(g.Columns) > 1 {
					fixed++ // a hub
				}
				for _, slug := range g.Columns {
					n := float64(r.Pages[slug])
					fixed++ // the last list page is half full on average
					scaled += n + n/float64(c.PerPage) - 0.5
				}
			}
		}
		scale = max(0, float64(o.Pages-fixed)) / scaled
	}
	plans := map[string]*plan{}
	for _, h := range w.hosts {
		if plans[h.spec.Role] == nil {
			p, err := w.material.newPlan(h.spec.Role, scale)
			if err != nil {
				return err
			}
			plans[h.spec.Role] = p
		}
		h.plan = plans[h.spec.Role]
	}
	return nil
}

func (m *Material) newPlan(role string, scale float64) (*plan, error) {
	c := &m.config
	r := c.Role[role]
	p := &plan{slugs: map[string]ref{}, perPage: c.PerPage}
	for gi, g := range r.Groups {
		name, err := newText(g.Name)
		if err != nil {
			return nil, err
		}
		out := group{slug: g.Slug, name: name}
		if len(g.Columns) > 1 {
			p.slugs[g.Slug] = ref{kind: kindHub, col: gi}
		}
		for _, slug := range g.Columns {
			spec := c.Column[slug]
			name, err := newText(spec.Name)
			if err != nil {
				return nil, err
			}
			items := max(1, int(float64(r.Pages[slug])*scale+0.5))
			if items > 10_000_000 {
				return nil, fmt.Errorf("column %s of %d items: use more hosts", slug, items)
			}
			p.slugs[slug] = ref{kind: kindList, col: len(p.columns), n: 1}
			out.columns = append(out.columns, len(p.columns))
			p.columns = append(p.columns, column{
				slug: slug, name: name, group: gi, topic: m.topics[spec.Topic], mix: spec.Mix,
				undated: spec.Undated, items: items, gap: span / time.Duration(items),
			})
		}
		p.groups = append(p.groups, out)
	}
	for i, slug := range r.Statics {
		n := c.Static[slug]
		p.slugs[slug] = ref{kind: kindStatic, col: i}
		title := m.topics["static"].titles.phrases[n]
		s := static{slug: slug, layout: n}
		s.title[utf8Text] = string((&speaker{enc: utf8Text}).say(nil, title))
		s.title[gbkText] = string((&speaker{enc: gbkText}).say(nil, title))
		p.statics = append(p.statics, s)
	}
	return p, nil
}

// front returns the menu target of a group: its hub, or its only list.
func (p *plan) front(gi int) ref {
	if cols := p.groups[gi].columns; len(cols) == 1 {
		return ref{kind: kindList, col: cols[0], n: 1}
	}
	return ref{kind: kindHub, col: gi}
}

// listPages returns the number of list pages for a number of items.
func (p *plan) listPages(items int) int { return max(1, (items+p.perPage-1)/p.perPage) }

// itemKey returns the seed of an item's random values.
func (h *host) itemKey(col, j int) uint64 {
	return mix(mix(h.key, uint64(col)+1), uint64(j))
}

// itemTime returns the publication time of item j of a column: evenly spread over span with jitter, never before
// item j−1. Published items follow every 6 hours.
func (h *host) itemTime(col, j int) time.Time {
	c := &h.plan.columns[col]
	if j >= c.items {
		return newest.Add(time.Duration(j-c.items+1) * 6 * time.Hour)
	}
	jitter := random(mix(h.itemKey(col, j), 'd'))
	return newest.Add(-time.Duration(c.items-1-j)*c.gap - time.Duration(jitter.next()%uint64(c.gap)))
}

// itemTopic returns the topic of item j. Mixed columns contain some tenders.
func (w *Web) itemTopic(h *host, col, j int) *topic {
	c := &h.plan.columns[col]
	if c.mix > 0 {
		r := random(mix(h.itemKey(col, j), 'm'))
		if r.below(100) < c.mix {
			return w.material.tender[r.below(len(w.material.tender))]
		}
	}
	return c.topic
}

// itemLayout chooses the layout of an item's text.
func itemLayout(t *topic, key uint64) []block {
	r := random(mix(key, 'l'))
	return t.layouts[r.below(len(t.layouts))]
}

// itemID returns the number in an item's address: rising with gaps, like those of a content system. ordinal is its
// inverse.
func (h *host) itemID(col, j int) int {
	r := random(mix(h.itemKey(col, j), 'i'))
	return h.firstID(col) + 3*j + r.below(3)
}

func (h *host) firstID(col int) int { return 1000 + int(mix(h.key, uint64(col))%900) }

// ordinal returns the index of the item with this number.
func (h *host) ordinal(col, id, items int) (int, bool) {
	j := (id - h.firstID(col)) / 3
	if id < h.firstID(col) || j >= items || h.itemID(col, j) != id {
		return 0, false
	}
	return j, true
}
