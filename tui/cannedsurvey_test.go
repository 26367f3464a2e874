package tui

import (
	"context"
	"slices"
	"strings"
	"time"

	"angler/crawl/query"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store/records"
)

// This file holds canned's store: the rows of its moment's snapshot as if they were all.

func (c *canned) Queue(_ context.Context, match func(string) bool) (*query.FrontierQueue, error) {
	q := &query.FrontierQueue{At: c.Snapshot().At}
	for _, r := range c.Snapshot().Frontier {
		if match == nil || match(r.Anchor+" "+r.URL) {
			q.Places = append(q.Places, query.QueuePlace{ID: r.ID, Priority: r.Priority})
		}
	}
	return q, nil
}

func (c *canned) Rows(_ context.Context, q *query.FrontierQueue, from, n int) (rows []view.FrontierRow, err error) {
	all := c.Snapshot().Frontier
	for _, p := range q.Places[from:min(len(q.Places), from+n)] {
		if i := slices.IndexFunc(all[min(from, len(all)):], func(r view.FrontierRow) bool { return r.ID == p.ID }); i >= 0 {
			rows = append(rows, all[from+i])
		}
	}
	return rows, nil
}

// Land returns a section for every host with pages.
func (c *canned) Land(context.Context) (*query.SiteOverview, error) {
	land := &query.SiteOverview{At: c.Snapshot().At}
	for i, h := range c.Snapshot().Hosts {
		b := &query.Branch{Prefix: h.Host + "/", Name: h.Host, URLs: h.Waiting + h.Done + h.Failed, Pages: h.Done, Waiting: h.Waiting, Dead: h.Failed}
		for _, r := range c.Snapshot().Harvest {
			if urls.HostOf(r.URL) == h.Host {
				b.Lists++
			}
		}
		for k := range b.Spark {
			b.Spark[k] = h.Done * (k*(i+3)%7 + k) / 40
		}
		if h.Done > 0 {
			b.Kids = []*query.Branch{{Prefix: h.Host + "/zbgg/", Name: "zbgg/", URLs: h.Done/2 + h.Waiting/2, Pages: h.Done / 2, Waiting: h.Waiting / 2, Lists: b.Lists, Spark: b.Spark}}
		}
		land.Hosts = append(land.Hosts, b)
	}
	if n := c.Snapshot().Counts.Exception; n > 0 {
		land.Failures = []query.Failure{{Reason: "HTTP status 404", N: n * 2 / 3, Hosts: 4, URL: "http://a.test/1.htm", Next: land.At.Add(9 * 24 * time.Hour)},
			{Reason: "dns", N: n - n*2/3, Hosts: 1, URL: "http://www.dead.test/", Next: land.At.Add(40 * time.Minute)}}
	}
	return land, nil
}

func (c *canned) Stored(_ context.Context, pick query.Pick) (rows []query.StoredRow, total int, err error) {
	m := c.moment()
	for i := range m.pages {
		if p := m.row(m.pages[i].row.ID); urls.Below(p.URL, pick.Branch) && !pick.Failed {
			rows = append(rows, query.StoredRow{ID: p.ID, URL: p.URL, Title: p.Title, State: "complete", Score: p.Score, At: c.Snapshot().At.AddDate(-1, -3, 0), Records: p.Records})
		}
	}
	return rows, len(rows), nil
}

func (c *canned) EventsOf(kind string) (list []view.Event) {
	for _, ev := range c.Snapshot().Events {
		if strings.HasPrefix(kind, ev.Kind) {
			list = append(list, ev)
		}
	}
	return list
}

func (c *canned) Runs(int) ([]records.Run, error) {
	if last := c.Snapshot().Last; last != nil {
		return []records.Run{*last}, nil
	}
	return nil, nil
}
