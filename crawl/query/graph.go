package query

import (
	"fmt"
	"io"

	"angler/crawl/jobs"
	"angler/crawl/urls"
	"angler/store/export"
)

// This file writes the links of a workspace as a graph.

// graphKeys lists the attributes of nodes and edges.
var graphKeys = []export.GraphKey{
	{Name: "kind", For: "node", Type: export.String}, // page, url (known, not stored), host
	{Name: "url", For: "node", Type: export.String},
	{Name: "title", For: "node", Type: export.String},
	{Name: "host", For: "node", Type: export.String},
	{Name: "score", For: "node", Type: export.Double},
	{Name: "list", For: "node", Type: export.Boolean}, // an aggregation page
	{Name: "depth", For: "node", Type: export.Int},
	{Name: "pages", For: "node", Type: export.Int}, // of a host
	{Name: "lists", For: "node", Type: export.Int},
	{Name: "relation", For: "edge", Type: export.String}, // links, on (a page on its host), hostlinks
	{Name: "weight", For: "edge", Type: export.Int},      // links between two hosts
}

// graphHost is a host of the graph.
type graphHost struct {
	n            int
	pages, lists int
}

// graph writes nodes for stored pages and hosts. Edges are links between stored pages, the host of each page, and
// the number of links between two hosts. It keeps 4 bytes per known URL, and the pairs of hosts.
func (x *exporter) graph(w io.Writer) error {
	g, err := export.NewGraph(w, graphKeys)
	if err != nil {
		return err
	}
	hosts := map[string]*graphHost{}
	var names []string
	hostOf := make(map[uint64]int32, x.q.Store.Counts().Pages) // of stored pages
	rows := x.q.rows()
	for p, err := range x.allPages() {
		if err != nil {
			return err
		}
		row := rows.page(p)
		name := urls.HostOf(p.URL)
		h := hosts[name]
		if h == nil {
			h = &graphHost{n: len(names)}
			hosts[name], names = h, append(names, name)
		}
		h.pages++
		if row.Aggregation {
			h.lists++
		}
		hostOf[p.ID] = int32(h.n)
		x.n++
		err = g.Node(pageID(p.ID), export.GraphText("kind", "page"), export.GraphText("url", p.URL),
			export.GraphText("title", row.Title), export.GraphText("host", name),
			export.GraphNumber("score", row.Score), export.GraphFlag("list", row.Aggregation),
			export.GraphCount("depth", x.depth(p.ID)))
		if err == nil {
			err = g.Edge(pageID(p.ID), hostID(h.n), export.GraphText("relation", "on"))
		}
		if err != nil {
			return err
		}
	}
	for n, name := range names {
		h := hosts[name]
		if err := g.Node(hostID(n), export.GraphText("kind", "host"), export.GraphText("host", name),
			export.GraphCount("pages", h.pages), export.GraphCount("lists", h.lists)); err != nil {
			return err
		}
	}
	if err := x.edges(g, hostOf); err != nil {
		return err
	}
	return g.Close()
}

// edges writes the links between stored pages and between their hosts.
func (x *exporter) edges(g *export.GraphWriter, hostOf map[uint64]int32) error {
	between := map[[2]int32]int{}
	for l, err := range jobs.Until(x.ctx, x.q.Store.Links()) {
		if err != nil {
			return err
		}
		from, stored := hostOf[l.ID]
		if !stored {
			continue // stored since the first pass
		}
		for _, target := range l.Targets {
			to, stored := hostOf[target]
			if !stored {
				continue
			}
			if from != to {
				between[[2]int32{from, to}]++
			}
			if err := g.Edge(pageID(l.ID), pageID(target), export.GraphText("relation", "links")); err != nil {
				return err
			}
		}
	}
	for pair, n := range between {
		if err := g.Edge(hostID(int(pair[0])), hostID(int(pair[1])), export.GraphText("relation", "hostlinks"),
			export.GraphCount("weight", n)); err != nil {
			return err
		}
	}
	return nil
}

func pageID(id uint64) string { return fmt.Sprintf("p%d", id) }
func hostID(n int) string     { return fmt.Sprintf("h%d", n) }

// LinkRow is one link of a stored page in exports.
type LinkRow struct {
	Source string `json:"source"`
	Target string `json:"target"`
}
