package query

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"angler/crawl/hostauth"
	"angler/crawl/inbox"
	"angler/crawl/revisit"
	"angler/crawl/run"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	"angler/topic"
)

// ListHealth checks the aggregation pages. It is safe for concurrent use.
type ListHealth struct {
	Config
	turn   *semaphore.Weighted // taken during a check; guards logins
	logins map[uint64]seen     // of pages without entries, by page id
}

// seen is the result of the login check for one body.
type seen struct {
	of  store.Key
	yes bool
}

// NewListHealth returns a ListHealth.
func NewListHealth(c Config) *ListHealth {
	return &ListHealth{Config: c, turn: semaphore.NewWeighted(1), logins: map[uint64]seen{}}
}

// Limits for alarms.
const (
	minNotices  = 3       // minimum of dated notices before a list has a rhythm
	minDays     = 14      // minimum days without an entry
	pauseFactor = 2       // multiple of the longest pause so far
	maxBody     = 1 << 20 // maximum bytes of a page checked for a login
	dayLong     = 24 * time.Hour
)

// yield holds the notices found through a list.
type yield struct {
	notices int
	framed  int     // of notices: their entries are in a frame of the list
	days    []int64 // days of the notices' dates since 1970
	newest  *inbox.NoticeHead
}

// Alarms checks all lists and returns alarms, worst first: unreadable lists before those that may be quiet. Muted
// lists are included and marked.
func (h *ListHealth) Alarms(ctx context.Context) ([]view.ListAlarm, error) {
	if err := h.turn.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer h.turn.Release(1)
	heads, err := h.Inbox.Heads(ctx)
	if err != nil {
		return nil, err
	}
	yields := yieldsOf(heads)
	state := h.Decisions.State()
	list := h.Decisions.Lists()
	ids := slices.Collect(maps.Keys(list))
	for id := range yields {
		if !list[id] && state.Labels[id] != topic.No {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	failed := map[uint64]store.Failure{}
	if err := h.Store.EachURL(ids, func(u *store.URL) {
		if u.State == store.Exception || u.Fails > 0 {
			failed[u.ID] = cmp.Or(u.Failure, store.Failure{Kind: store.FailedUnknown})
		}
	}); err != nil {
		return nil, err
	}
	missing, err := run.AllMissing(h.Store)
	if err != nil {
		return nil, err
	}
	if err := h.dropRecipeLists(missing); err != nil {
		return nil, err
	}
	for id, seen := range missing {
		if seen = run.MissingBeyondLists(h.Store, seen, func(id uint64) bool {
			return list[id] ||
				yields[id] != nil
		}); len(seen) == 0 {
			delete(missing, id)
		} else {
			missing[id] = seen
		}
	}
	var out []view.ListAlarm
	var doubt []*store.Page
	now := h.Now()
	seen := map[uint64]bool{}
	err = h.Store.EachPage(ids, func(row *store.Page) {
		seen[row.ID] = true
		y := yields[row.ID]
		a := view.ListAlarm{ID: row.ID, URL: row.URL, Title: cmp.Or(row.Title, row.Head), Host: urls.HostOf(row.URL),
			Entries: row.Records, Seen: row.Fetched}
		if y != nil {
			a.Notices = y.notices
		}
		why, fails := failed[row.ID]
		switch {
		case fails:
			a.Kind, a.Why = view.ListFails, why.Error()
			if hostauth.IsBlocked(why) {
				a.Kind = view.ListLogin
			}
		case y != nil && row.Location != "":
			a.Kind, a.Why = view.ListMoved, row.Location
			if hostauth.IsLoginAddress(row.Location) {
				a.Kind = view.ListLogin
			}
		case y != nil && y.emptied(row):
			a.Kind = view.ListEmpty
			doubt = append(doubt, row)
		case list[row.ID] && y.stopped(row, now, &a):
			a.Kind = view.ListStale
		case list[row.ID] && missing[row.ID] != nil:
			a.Kind = view.ListUnfollowed
		case list[row.ID] && revisit.Unfinished(row):
			a.Kind = view.ListPager
		default:
			return
		}
		a.Unfollowed = missing[row.ID]
		out = append(out, a)
	})
	if err != nil {
		return nil, err
	}
	for _, id := range ids { // lists whose very first visit failed
		if why, fails := failed[id]; fails && !seen[id] && list[id] {
			if u, err := h.Store.URL(id); err == nil && u != nil {
				out = append(out, view.ListAlarm{ID: id, URL: u.URL, Title: u.Anchor, Host: urls.HostOf(u.URL),
					Kind: view.ListFails, Why: why.Error()})
			}
		}
	}
	if err := h.checkLogins(ctx, out, doubt); err != nil {
		return nil, err
	}
	hidden, err := h.hidden(ctx, missing, ids)
	if err != nil {
		return nil, err
	}
	out = append(out, hidden...)
	for i := range out {
		out[i].Muted = state.Remarks[out[i].ID].Mutes() == out[i].Mark()
	}
	slices.SortStableFunc(out, func(a, b view.ListAlarm) int {
		return cmp.Or(cmp.Compare(rank[a.Kind], rank[b.Kind]), cmp.Compare(b.Notices, a.Notices),
			strings.Compare(a.URL, b.URL))
	})
	return out, nil
}

var rank = map[string]int{view.ListLogin: 0, view.ListMoved: 1, view.ListEmpty: 2, view.ListFails: 3,
	view.ListStale: 4, view.ListPager: 5, view.ListUnfollowed: 6}

// yieldsOf groups the notices by their lists.
func yieldsOf(heads []*inbox.NoticeHead) map[uint64]*yield {
	out := map[uint64]*yield{}
	count := func(id uint64, n *inbox.NoticeHead) *yield {
		y := out[id]
		if y == nil {
			y = new(yield)
			out[id] = y
		}
		y.notices++
		if n.Date.IsZero() {
			return y
		}
		y.days = append(y.days, n.Date.Time.Unix()/int64(dayLong/time.Second))
		if y.newest == nil || n.Date.Time.After(y.newest.Date.Time) {
			y.newest = n
		}
		return y
	}
	for _, n := range heads {
		y := count(n.SourceID, n)
		if n.FrameID != 0 {
			y.framed++
			count(n.FrameID, n)
		}
	}
	return out
}

// emptied reports whether a list with notices has lost its entries: none are left, or few without dates, like a
// menu, although its notices had dates.
func (y *yield) emptied(row *store.Page) bool {
	menu := row.Records < minNotices && row.Dated == 0 && len(y.days) >= minNotices
	return (row.Records == 0 || menu) && y.framed < y.notices
}

// stopped reports whether a list's dates stopped by its own rhythm. Its newest entry must be older than two weeks
// and than twice the longest pause so far. A list that was that old when found is an archive. Events after the last
// visit are unknown.
func (y *yield) stopped(row *store.Page, now time.Time, a *view.ListAlarm) bool {
	if y == nil || len(y.days) < minNotices {
		return false
	}
	slices.Sort(y.days)
	longest := int64(0)
	for i := 1; i < len(y.days); i++ {
		longest = max(longest, y.days[i]-y.days[i-1])
	}
	until := row.Fetched
	if until.After(now) { // the clock was ahead
		until = now
	}
	newest := y.newest.Date.Time
	bound := time.Duration(max(minDays, pauseFactor*longest)) * dayLong
	if until.Sub(newest) <= bound || y.newest.At.Sub(newest) > bound {
		return false
	}
	a.Newest, a.Days, a.Usual = newest, int(until.Sub(newest)/dayLong), int(longest)
	return true
}

// Notices returns the number of notices found through the list at an address, including its frames.
func (h *ListHealth) Notices(ctx context.Context, address string) (n int, err error) {
	list, known := h.Store.Lookup(address)
	if !known {
		return 0, nil
	}
	heads, err := h.Inbox.Heads(ctx)
	for _, x := range heads {
		if x.SourceID == list || x.FrameID == list {
			n++
		}
	}
	return n, err
}

// checkLogins marks the pages without entries that are login pages. The caller holds the turn.
func (h *ListHealth) checkLogins(ctx context.Context, out []view.ListAlarm, doubt []*store.Page) error {
	for _, row := range doubt {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		l, known := h.logins[row.ID]
		if !known || l.of != row.Hash {
			body, err := h.Store.Body(row.ID, maxBody)
			if err != nil {
				continue // too long or damaged: stays a page without entries
			}
			l = seen{row.Hash, hostauth.HasPassword(body)}
			h.logins[row.ID] = l
		}
		if i := slices.IndexFunc(out, func(a view.ListAlarm) bool { return a.ID == row.ID }); i >= 0 && l.yes {
			out[i].Kind = view.ListLogin
		}
	}
	return nil
}
