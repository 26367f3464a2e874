package crawl

import (
	"context"
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
func (e *Engine) Export(ctx context.Context, what string, w io.Writer) (int, error) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	x := exporter{e: e, ctx: ctx, put: enc.Encode}
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
	ctx context.Context
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
	if _, err := x.e.RankNotices(x.ctx); err != nil {
		return err
	}
	quality := x.e.qualities()
	for n, err := range x.e.ws.Notices() {
		if err != nil {
			return err
		}
		row := noticeJSON(n)
		if q := quality(n.ID); q != nil {
			v := round(q.Value)
			row.Quality = &v
		}
		if err := x.row(row); err != nil {
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
	for p, err := range x.e.ws.Pages() {
		if err != nil {
			return err
		}
		ids, err := x.e.ws.OutLinks(p.ID)
		if err != nil {
			return err
		}
		var failed error
		err = x.e.ws.EachURL(ids, func(u *store.URL) {
			if failed == nil {
				failed = x.row(LinkRow{Source: p.URL, Target: u.URL})
			}
		})
		if err != nil || failed != nil {
			return firstErr(err, failed)
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
