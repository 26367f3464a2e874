package schedule

import (
	"slices"
	"time"

	"angler/crawl/view"
)

// A round that ends because hosts rest, or because URLs wait for their next try,
// is unfinished. It goes on when the first of them is ready, but not before
// goOnFirst, which doubles with every try in a row that brings nothing home, up to
// goOnMost or the schedule's own interval: a host that never answers again must not
// keep the schedule busy.
const (
	goOnFirst = 2 * time.Minute
	goOnMost  = 4 * time.Hour
)

// Unfinished is what a round has left to do.
type Unfinished struct {
	Since   time.Time // it was left first
	At      time.Time // it goes on
	Waiting int       // URLs
	idle    int       // tries in a row that brought nothing home
	names   []string
	lists   []uint64
}

// goOn plans when a round goes on that has left something, at the latest with the
// next round; nil when it has not. Viewers, log and metrics are told.
func (s *Schedule) goOn(end roundEnd, next time.Time, every time.Duration) *Unfinished {
	was := s.open.Load()
	if end.later == 0 || end.stopped {
		if was != nil {
			s.open.Store(nil)
			s.Events.Show()
		}
		return nil
	}
	now := s.Now()
	u := &Unfinished{Since: now, Waiting: end.later, names: end.names, lists: end.lists}
	if was != nil {
		if u.Since = was.Since; end.gained == 0 {
			u.idle = was.idle + 1
		}
	}
	least := min(goOnFirst<<min(u.idle, 10), goOnMost, every)
	wait := least
	if !end.next.IsZero() {
		wait = max(least, min(end.next.Sub(now), goOnMost, every))
	}
	if u.At = now.Add(wait); u.At.After(next) {
		u.At = next
	}
	s.open.Store(u)
	s.Events.Note("info", "%s is unfinished, %d addresses wait; the schedule goes on at %s", end.names[0], u.Waiting, u.At.Format(time.TimeOnly))
	s.Events.Show()
	return u
}

// besides adds what a harvest between has left to what goes on already.
func (s *Schedule) besides(u *Unfinished, between roundEnd) *Unfinished {
	more := *u // viewers may hold the old one
	more.lists = both(u.lists, between.lists)
	s.open.Store(&more)
	return &more
}

// both are the lists that are in one or the other.
func both(a, b []uint64) []uint64 {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// left are the lists some of whose notices wait; a nil *Unfinished has none.
func (u *Unfinished) left() []uint64 {
	if u == nil {
		return nil
	}
	return u.lists
}

// tasks are what goes on: a discovery with the harvest that follows it, or the
// harvest alone.
func (u *Unfinished) tasks(r Runner) []task {
	harvest := task{name: view.Harvest, run: r.Harvest, lists: u.lists}
	if slices.Contains(u.names, view.Discovery) {
		return []task{{name: view.Discovery, run: r.Discover}, harvest}
	}
	return []task{harvest}
}
