package crawl

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"angler/store"
)

// Exports lists what Export can write.
var Exports = []string{"pages", "aggregations", "notices", "frontier", "links"}

// Export writes one kind of rows as JSON lines and returns how many. Scores
// are those of the current model; wait for Words first.
func (e *Engine) Export(what string, w io.Writer) (int, error) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	x := exporter{e: e, put: enc.Encode}
	var err error
	switch what {
	case "pages":
		err = x.pages(false)
	case "aggregations":
		err = x.pages(true)
	case "notices":
		err = x.notices()
	case "frontier":
		err = x.frontier()
	case "links":
		err = x.links()
	default:
		err = fmt.Errorf("cannot export %q; choose from: %s", what, strings.Join(Exports, ", "))
	}
	return x.n, err
}

type exporter struct {
	e   *Engine
	put func(any) error
	n   int
}

func (x *exporter) row(v any) error {
	x.n++
	return x.put(v)
}

func (x *exporter) pages(aggregationsOnly bool) error {
	rows := x.e.rows()
	for p, err := range x.e.ws.Pages() {
		if err != nil {
			return err
		}
		row := rows.page(p)
		if aggregationsOnly && !row.Aggregation {
			continue
		}
		if u, err := x.e.ws.URL(p.ID); err == nil && u != nil {
			row.Depth = u.Depth
		}
		if err := x.row(row); err != nil {
			return err
		}
	}
	return nil
}

func (x *exporter) notices() error {
	for n, err := range x.e.ws.Notices() {
		if err == nil {
			err = x.row(noticeJSON(n))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// frontier writes what is not complete, the best first.
func (x *exporter) frontier() error {
	links, err := x.e.linkOrder()
	if err != nil {
		return err
	}
	var out []URLRow
	for u, err := range x.e.ws.URLs() {
		if err != nil {
			return err
		}
		if u.State == store.Complete {
			continue
		}
		out = append(out, links.row(u))
	}
	slices.SortStableFunc(out, func(a, b URLRow) int {
		switch {
		case a.Priority > b.Priority:
			return -1
		case a.Priority < b.Priority:
			return 1
		}
		return 0
	})
	for _, row := range out {
		if err := x.row(row); err != nil {
			return err
		}
	}
	return nil
}

func (x *exporter) links() error {
	var targets []string
	for p, err := range x.e.ws.Pages() {
		if err != nil {
			return err
		}
		ids, err := x.e.ws.OutLinks(p.ID)
		if err != nil {
			return err
		}
		// Collected first: whoever reads slowly must not hold up the transaction,
		// and with it every commit that makes the file grow.
		targets = targets[:0]
		if err := x.e.ws.EachURL(ids, func(u *store.URL) { targets = append(targets, u.URL) }); err != nil {
			return err
		}
		for _, target := range targets {
			if err := x.row(LinkRow{Source: p.URL, Target: target}); err != nil {
				return err
			}
		}
	}
	return nil
}

func firstErr(list ...error) error {
	for _, err := range list {
		if err != nil {
			return err
		}
	}
	return nil
}
