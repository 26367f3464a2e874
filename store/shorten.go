package store

import (
	"fmt"

	"angler/store/schema"
)

// nearer is a URL to which a shorter path was found.
type nearer struct {
	id    uint64
	depth int
}

// shorten propagates shorter depths through the stored links. Without it the set of pages within
// depth n would depend on the order of fetching. A killed and resumed crawl would then end with
// another set.
func (c *commit) shorten() error {
	for len(c.relax) > 0 {
		r := c.relax[0]
		c.relax = c.relax[1:]
		h := c.head(r.id)
		if clampDepth(r.depth) >= h.depth {
			continue
		}
		u, err := c.url(r.id)
		if err != nil {
			c.lose(r.id)
			continue
		}
		u.Depth = r.depth
		h.depth = clampDepth(r.depth)
		c.heads[r.id] = h
		if err := c.put(u); err != nil {
			return err
		}
		c.report(u, false)
		err = decodeLinks(c.links.Get(schema.IDKey(r.id)), func(target uint64, flat bool) {
			d := r.depth + 1
			if flat {
				d = r.depth
			}
			if clampDepth(d) < c.head(target).depth {
				c.relax = append(c.relax, nearer{target, d})
			}
		})
		if err != nil {
			return fmt.Errorf("links of url %d: %w", r.id, err)
		}
	}
	return nil
}
