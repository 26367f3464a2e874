package schedule

import (
	"slices"
	"time"

	"angler/crawl/view"
)

// A round is unfinished if hosts pause or URLs wait for a retry. It continues when the first of
// them is ready, but not before minContinue. This delay doubles with every consecutive attempt
// without results, up to maxContinue or the schedule's interval, because a host may never respond
// again.
const (
	minContinue = 2 * time.Minute
	maxContinue = 4 * time.Hour
)

// Unfinished is the work that a round left.
type Unfinished struct {
	Since   time.Time // first time that work was left
	At      time.Time // time to continue
	Waiting int       // waiting URLs
	idle    int       // consecutive attempts without results
	names   []string
	lists   []uint64
}

// planContinue plans when to continue an unfinished round, at the latest with the next round. It
// returns nil if no work is left. It updates viewers, log and metrics.
func (s *Schedule) planContinue(end roundEnd, next time.Time, every time.Duration) *Unfinished {
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
	least := min(minContinue<<min(u.idle, 10), maxContinue, every)
	wait := least
	if !end.next.IsZero() {
		wait = max(least, min(end.next.Sub(now), maxContinue, every))
	}
	if u.At = now.Add(wait); u.At.After(next) {
		u.At = next
	}
	s.open.Store(u)
	s.Events.Note("info", "%s is unfinished, %d addresses wait; the schedule goes on at %s", end.names[0], u.Waiting,
		u.At.Format(time.TimeOnly))
	s.Events.Show()
	return u
}

// addLists adds the lists that a harvest between rounds left to the planned work.
func (s *Schedule) addLists(u *Unfinished, between roundEnd) *Unfinished {
	more := *u // viewers may hold the old one
	more.lists = union(u.lists, between.lists)
	s.open.Store(&more)
	return &more
}

// union returns the sorted union of two lists.
func union(a, b []uint64) []uint64 {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// left returns the lists with waiting notices; none for nil.
func (u *Unfinished) left() []uint64 {
	if u == nil {
		return nil
	}
	return u.lists
}

// tasks returns the tasks to continue: a discovery with its harvest, or only the harvest.
func (u *Unfinished) tasks(r Runner) []task {
	harvest := task{name: view.Harvest, run: r.Harvest, lists: u.lists}
	if slices.Contains(u.names, view.Discovery) {
		return []task{{name: view.Discovery, run: r.Discover}, harvest}
	}
	return []task{harvest}
}
