package query

import (
	"cmp"
	"context"
	"slices"
	"time"

	"angler/crawl/linkorder"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
)

// FrontierQueue is what waits, in order. It is immutable; what was fetched since is left
// out of its rows.
type FrontierQueue struct {
	At      time.Time
	Dropped int // by a rule, the scope, or the least relevance
	Beyond  int // deeper than the depth limit
	Later   int // of Len: for a retry, whose time has not come
	Places  []QueuePlace
	order   *linkorder.Priorities
}

// QueuePlace is where a URL stands.
type QueuePlace struct {
	ID       uint64
	Priority float64
	Class    int8
	Later    bool // it waits for its retry
}

// Len is how many wait.
func (q *FrontierQueue) Len() int { return len(q.Places) }

// lookEvery is after how many rows a pass looks whether anybody waits for it.
const lookEvery = 4096

// rank asks the link order for everything that waits.
func (s *Survey) rank(ctx context.Context, match func(string) bool) (*FrontierQueue, error) {
	order, err := s.Order()
	if err != nil {
		return nil, err
	}
	q := &FrontierQueue{At: s.Now(), order: order, Places: make([]QueuePlace, 0, s.Store.Counts().Waiting)}
	depth, n := s.Settings.Now().Crawl.Depth, 0
	for u, err := range s.Store.URLs() {
		if n++; err == nil && n%lookEvery == 0 {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		wait, _ := revisit.Until(u.Retry, q.At)
		if u.State != store.Waiting && (u.State != store.Exception || wait > 0) {
			continue
		}
		if match != nil && !match(u.Anchor+" "+u.URL) {
			continue
		}
		e, keep := order.Entry(u)
		switch {
		case !keep:
			q.Dropped++
		case u.Depth > depth:
			q.Beyond++
		default:
			if wait > 0 {
				q.Later++
			}
			q.Places = append(q.Places, QueuePlace{u.ID, e.Priority, e.Class, wait > 0})
		}
	}
	slices.SortFunc(q.Places, func(a, b QueuePlace) int {
		if a.Later != b.Later {
			if b.Later {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.Class, a.Class), cmp.Compare(b.Priority, a.Priority), cmp.Compare(a.ID, b.ID))
	})
	return q, ctx.Err()
}

// Rows reads n rows of a queue from a place on, why they stand there and where they
// were found.
func (s *Survey) Rows(ctx context.Context, q *FrontierQueue, from, n int) ([]view.FrontierRow, error) {
	from = max(0, min(from, len(q.Places)))
	part := q.Places[from:min(len(q.Places), from+max(0, n))]
	ids := make([]uint64, len(part))
	for i := range part {
		ids[i] = part[i].ID
	}
	rows := make([]view.FrontierRow, 0, len(part))
	var sources []uint64
	i := 0
	err := s.Store.EachURL(ids, func(u *store.URL) {
		for part[i].ID != u.ID {
			i++
		}
		if u.State == store.Complete {
			return
		}
		row := view.FrontierRow{ID: u.ID, URL: u.URL, Host: urls.HostOf(u.URL), Anchor: u.Anchor, Priority: part[i].Priority, Depth: u.Depth,
			Why: q.order.Score(u).String()}
		if how := linkorder.ClassName(part[i].Class); how != "" {
			row.Why = how + ", " + row.Why
		}
		if part[i].Later {
			row.Next, row.Why = u.Retry, cmp.Or(u.Failure.Error(), "failed")+", "+row.Why
		}
		rows, sources = append(rows, row), append(sources, u.Source)
	})
	if err != nil {
		return nil, err
	}
	for i := range rows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if sources[i] == 0 {
			continue
		}
		if u, err := s.Store.URL(sources[i]); err != nil {
			return nil, err
		} else if u != nil {
			rows[i].Source = u.URL
		}
	}
	return rows, nil
}

// QueueRow is one page worth a label.
type QueueRow struct {
	CandidateRow
	Value     float64 // the learner's probability, or the score while there is no learner
	Uncertain bool    // asked because it is close to the threshold, not because it is probable
	Decides   bool    // asked because its answer decides the threshold
}

// AskedAs says why the page is asked, in a word or two.
func (r *QueueRow) AskedAs() string {
	switch {
	case r.Decides:
		return "deciding"
	case r.Uncertain:
		return "uncertain"
	}
	return "probable"
}
