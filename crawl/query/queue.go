package query

import (
	"cmp"
	"context"
	"slices"
	"time"

	"angler/crawl/jobs"
	"angler/crawl/linkorder"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
)

// FrontierQueue is the ordered list of waiting URLs. It is immutable; Rows leaves out URLs fetched since.
type FrontierQueue struct {
	At      time.Time
	Dropped int // by a rule, the scope, or the minimum relevance
	Beyond  int // deeper than the depth limit
	Later   int // of Len: not yet due for a retry
	Places  []QueuePlace
	order   *linkorder.Priorities
}

// QueuePlace is the position of a URL.
type QueuePlace struct {
	ID       uint64
	Priority float64
	Class    int8
	Later    bool // not yet due for a retry
}

// Len returns the number of waiting URLs.
func (q *FrontierQueue) Len() int { return len(q.Places) }

// rank asks the link order for every waiting URL.
func (s *Survey) rank(ctx context.Context, match func(string) bool) (*FrontierQueue, error) {
	order, err := s.Order()
	if err != nil {
		return nil, err
	}
	q := &FrontierQueue{At: s.Now(), order: order, Places: make([]QueuePlace, 0, s.Store.Counts().Waiting)}
	depth := s.Settings.Now().Crawl.Depth
	for u, err := range jobs.Until(ctx, s.Store.URLs()) {
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

// Rows returns n rows of a queue from a position, with the reasons for their rank and their source pages.
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
		row := view.FrontierRow{ID: u.ID, URL: u.URL, Host: urls.HostOf(u.URL), Anchor: u.Anchor,
			Priority: part[i].Priority, Depth: u.Depth,
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

// QueueRow is one page to label.
type QueueRow struct {
	CandidateRow
	Value     float64 // the learner's probability, or the score without a learner
	Uncertain bool    // chosen for its distance to the threshold, not its probability
	Decides   bool    // chosen because its answer decides the threshold
}

// AskedAs returns the reason of the choice, in one word.
func (r *QueueRow) AskedAs() string {
	switch {
	case r.Decides:
		return "deciding"
	case r.Uncertain:
		return "uncertain"
	}
	return "probable"
}
