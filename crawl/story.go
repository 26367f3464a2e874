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

// dueSoon is the time within which a deadline counts on the first screen.
const dueSoon = 3 * 24 * time.Hour

// fillStory fills the figures of the first screen. The caller holds p.mu.
func (p *publisher) fillStory(s *view.Snapshot) {
	p.seeds.count(p.settings.Now())
	p.countBroken()
	s.Story = view.Story{Seeds: p.seeds.seeds, Sites: p.seeds.sites, Today: p.newToday(), Due: p.due(dueSoon),
		Broken: p.broken.lists, Next: p.schedule.Next()}
	for i := range s.Harvest {
		if s.Harvest[i].Next.IsZero() {
			s.Story.Unvisited++
		}
	}
	p.countUnmatched(&s.Story)
	s.Telling, s.Rendering = p.alertStatus(), p.rendering.State()
	s.Alarms, s.Unfollowed = p.core.lists.known()
	s.Doors = p.hostAuth.Blocked()
}

// newToday counts the notices first seen today; duplicates count once. The caller holds p.mu.
func (p *publisher) newToday() int {
	now := p.opt.Now()
	return max(0, p.today.count(now)-p.inbox.Copies(midnight(now)))
}

// due counts the notices with a valid deadline within this time.
func (c *core) due(within time.Duration) int { return c.inbox.Due(c.facts.Due(within)) }

// bindPause is the pause between groupings for the first screen, as a multiple of their duration.
const bindPause = 49

// watchDue updates the first screen's counts of due and new notices, because values and marks change the groups of
// duplicates. Lists group notices themselves, but no list may be open.
func (c *core) watchDue() {
	for c.ctx.Err() == nil {
		before, begun := [...]int{c.due(dueSoon), c.inbox.Copies(time.Time{})}, time.Now()
		if err := c.inbox.Bind(c.ctx); err != nil {
			c.events.Note("error", "notices due soon cannot be counted: %v", err)
		} else if before != [...]int{c.due(dueSoon), c.inbox.Copies(time.Time{})} {
			c.publisher.publish()
		}
		jobs.Sleep(c.ctx, bindPause*time.Since(begun))
		select {
		case <-c.ctx.Done():
		case <-c.regroup:
		}
	}
}

// countBroken counts the broken lists once after each run. The caller holds p.mu.
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

// countUnmatched counts the entries of unconfirmed lists that the title patterns leave out. The caller holds p.mu.
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

// unmatched is a list with entries that the title patterns leave out.
type unmatched struct {
	id  uint64
	url string
	n   int
}

// broken counts the aggregation pages whose last visit failed, once per run: a decision about ten thousand lists
// must not read them all.
type broken struct {
	lists     int
	known     bool
	unmatched []unmatched // lists with such entries
	after     *outcome    // result of the run before the count; nil = the opening
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

// today counts notices first seen on the present day of the local calendar.
type today struct {
	day string
	n   int
}

// add counts one notice first seen at a time.
func (t *today) add(at, now time.Time) {
	t.count(now)
	if view.Today(at, now) {
		t.n++
	}
}

// count returns the count; a new day starts at 0.
func (t *today) count(now time.Time) int {
	if day := dayOf(now); day != t.day {
		*t = today{day: day}
	}
	return t.n
}

// midnight returns the start of the day in the local calendar.
func midnight(now time.Time) time.Time {
	y, m, d := now.Local().Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.Local)
}

func dayOf(at time.Time) string { return at.Local().Format(time.DateOnly) }
