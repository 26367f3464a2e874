package query

import (
	"cmp"
	"context"
	"slices"
	"time"

	"angler/crawl/jobs"
	"angler/crawl/urls"
	"angler/store"
)

// Stored returns the known URLs that match pick, in order of discovery, at most 5,000. total counts all.
func (s *Survey) Stored(ctx context.Context, pick Pick) (rows []StoredRow, total int, err error) {
	var fetched []uint64
	for u, err := range jobs.Until(ctx, s.Store.URLs()) {
		if err != nil {
			return nil, 0, err
		}
		if !urls.Below(u.URL, pick.Branch) || (pick.Failed || pick.Reason != "") && !u.Troubled() ||
			pick.Reason != "" &&
				string(cmp.Or(u.Failure.Kind, store.FailedUnknown)) != pick.Reason {
			continue
		}
		if total++; len(rows) == maxRows {
			continue
		}
		rows = append(rows, StoredRow{ID: u.ID, URL: u.URL, Title: u.Anchor, State: u.State.String(), Depth: u.Depth,
			Next: u.Retry, Fails: u.Fails, Reason: u.Failure.Error(), Failure: string(u.Failure.Kind)})
		if u.State == store.Complete || u.Fails > 0 {
			fetched = append(fetched, u.ID)
		}
	}
	find := func(id uint64) (int, bool) {
		return slices.BinarySearchFunc(rows, id, func(r StoredRow, id uint64) int { return cmp.Compare(r.ID, id) })
	}
	scores := s.Decisions.Scores()
	lists := s.Decisions.Lists()
	err = s.Store.EachPage(fetched, func(p *store.Page) {
		i, _ := find(p.ID)
		r := &rows[i]
		r.Title, r.At, r.Records = cmp.Or(p.Head, p.Title, r.Title), p.Fetched, p.Records
		r.Score, _ = scores.Of(p.ID)
		r.List = lists[p.ID]
	})
	if err != nil {
		return nil, 0, err
	}
	notices, err := s.Store.NoticeIDs()
	if err != nil {
		return nil, 0, err
	}
	for _, id := range notices {
		if i, ok := find(id); ok {
			rows[i].Notice = true
		}
	}
	return rows, total, ctx.Err()
}

// StoredRow is one known URL.
type StoredRow struct {
	ID      uint64
	URL     string
	Title   string // or the anchor text, before the fetch
	State   string // see store.State
	Depth   int
	Score   float64
	List    bool // an aggregation page
	Notice  bool
	At      time.Time // last visit
	Next    time.Time // earliest next fetch; zero = any time
	Fails   int       // failures in a row
	Reason  string
	Failure string // the kind of cause
	Records int
}

// Pick selects known URLs; empty fields select all.
type Pick struct {
	Branch string // below a host or section
	Reason string // failed for this cause, see Failure
	Failed bool   // failed URLs only
}
