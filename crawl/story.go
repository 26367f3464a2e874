package crawl

import (
	"time"

	"angler/crawl/jobs"
	"angler/crawl/revisit"
	"angler/crawl/seeds"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
)

// dueSoon is how far off a deadline may be that the first screen counts.
const dueSoon = 3 * 24 * time.Hour

// fillStory fills what the first screen tells; p.mu is held.
func (p *publisher) fillStory(s *view.Snapshot) {
	p.seeds.count(p.settings.Now())
	p.countBroken()
	s.Story = view.Story{Seeds: p.seeds.seeds, Sites: p.seeds.sites, Today: p.fresh(), Due: p.due(dueSoon), Broken: p.broken.lists, Next: p.schedule.Next()}
	for i := range s.Harvest {
		if s.Harvest[i].Next.IsZero() {
			s.Story.Unvisited++
		}
	}
	p.countUnmatched(&s.Story)
	s.Telling, s.Rendering = p.telling(), p.rendering.State()
	s.Alarms, s.Unfollowed = p.core.lists.known()
	s.Doors = p.hostAuth.Blocked()
}

// fresh counts the notices that were first seen today, at however many addresses; p.mu is
// held.
func (p *publisher) fresh() int {
	now := p.opt.Now()
	return max(0, p.today.count(now)-p.inbox.Copies(midnight(now)))
}

// due counts the notices with a deadline ahead that counts.
func (c *core) due(within time.Duration) int { return c.inbox.Due(c.facts.Due(within)) }

// besides is how many times as long as it took what belongs together is not looked at
// again for the first screen.
const besides = 49

// watchDue keeps the first screen's counts of what is due and new: values and marks change
// which notices are one. Lists find it out for themselves, but there may be none.
func (c *core) watchDue() {
	for c.ctx.Err() == nil {
		before, begun := [...]int{c.due(dueSoon), c.inbox.Copies(time.Time{})}, time.Now()
		if err := c.inbox.Bind(c.ctx); err != nil {
			c.events.Note("error", "what is due cannot be counted: %v", err)
		} else if before != [...]int{c.due(dueSoon), c.inbox.Copies(time.Time{})} {
			c.publisher.publish()
		}
		jobs.Sleep(c.ctx, besides*time.Since(begun))
		select {
		case <-c.ctx.Done():
		case <-c.bind:
		}
	}
}

// countBroken counts the broken lists where a run has ended since; p.mu is held.
func (p *publisher) countBroken() {
	last := p.runner.last.Load()
	if p.runner.current() != nil || p.broken.known && p.broken.after == last {
		return
	}
	p.broken = broken{known: true, after: last}
	ids := p.decisions.Aggregations()
	err := p.ws.EachURL(ids, func(u *store.URL) {
		if u.State == store.Exception || u.Fails > 0 {
			p.broken.lists++
		}
	})
	if err == nil {
		err = p.ws.EachPage(ids, func(row *store.Page) {
			if n := revisit.Unmatched(row); n > 0 {
				p.broken.unmatched = append(p.broken.unmatched, unmatched{row.ID, row.URL, n})
			}
		})
	}
	if err != nil {
		p.events.Note("error", "%v", err)
	}
}

// countUnmatched counts the entries that the title patterns leave out of unconfirmed lists.
// The caller holds p.mu.
func (p *publisher) countUnmatched(s *view.Story) {
	state := p.decisions.State()
	for _, l := range p.broken.unmatched {
		if state.Chooses(l.id, l.url) {
			s.Unmatched += l.n
			s.Unlike++
		}
	}
	if s.Unmatched > 0 {
		s.Patterns = seeds.KindOfPatterns(p.settings.Now().Harvest.Patterns)
	}
}

// unmatched are the entries of a list that the title patterns leave out.
type unmatched struct {
	id  uint64
	url string
	n   int
}

// broken counts the aggregation pages whose last visit failed, once after each
// run: a decision about ten thousand lists must not look through them all.
type broken struct {
	lists     int
	known     bool
	unmatched []unmatched // the lists that had some
	after     *outcome    // of the run after which they were counted; nil = the opening
}

// seedCount counts the seeds of settings, and their hosts.
type seedCount struct {
	of           *config.Settings
	seeds, sites int
}

func (c *seedCount) count(set *config.Settings) {
	if c.of == set {
		return
	}
	hosts := map[string]bool{}
	for _, s := range set.Seeds {
		hosts[urls.HostOf(s)] = true
	}
	*c = seedCount{set, len(set.Seeds), len(hosts)}
}

// today counts what was first seen on the present day of the local calendar.
type today struct {
	day string
	n   int
}

// add counts one that was first seen at a time.
func (t *today) add(at, now time.Time) {
	t.count(now)
	if view.Today(at, now) {
		t.n++
	}
}

// count returns how many there are; a new day begins with none.
func (t *today) count(now time.Time) int {
	if day := dayOf(now); day != t.day {
		*t = today{day: day}
	}
	return t.n
}

// midnight is when the day of the local calendar began.
func midnight(now time.Time) time.Time {
	y, m, d := now.Local().Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.Local)
}

func dayOf(at time.Time) string { return at.Local().Format(time.DateOnly) }
