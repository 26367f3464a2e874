package linkorder

import (
	"time"

	"angler/crawl/frontier"
	"angler/store"
	"angler/store/config"
)

const (
	// rankShare is the maximum share of one core for ranking.
	rankShare = .05
	// rankCredit is allowed beside rankShare: a small site ends before its twentieth amounts to anything.
	rankCredit = 100 * time.Millisecond
	// rankAtOnce is the maximum number of URLs ranked before the links of a commit enter, which takes some
	// milliseconds. More are ranked in the background.
	rankAtOnce = 1000
	// saveEvery is the interval at which a running crawl stores the strategy's knowledge.
	saveEvery = 30 * time.Second
)

// Refresh ranks waiting URLs if the strategy has learned enough and the last ranking is long enough ago. Large
// frontiers are ranked in the background. It runs on the writer's goroutine.
func (o *Priorities) Refresh() {
	now := o.Now()
	if since := now.Sub(o.saved); since >= saveEvery || since < 0 { // the clock was set back
		o.saved = now
		if err := o.Save(); err != nil {
			o.Events.Note("warn", "link order: %v", err)
		}
	}
	if !o.stale || o.pausing(now) || !o.ranking.CompareAndSwap(false, true) {
		return
	}
	o.stale = false
	if o.judges() && o.front.Len() <= rankAtOnce {
		o.rank()
		return
	}
	o.Jobs.Go(o.rank)
}

// rank ranks waiting URLs and sets the earliest time of the next ranking.
func (o *Priorities) rank() {
	start := o.Now()
	o.Rank()
	end := o.Now()
	took := min(max(0, end.Sub(start)), time.Minute)
	spent := time.Duration(o.spent.Add(int64(took)))
	if spent > rankCredit || !o.judges() {
		o.pauseUntil.Store(int64(end.Sub(o.made)) + int64(float64(took)/rankShare))
	}
	o.ranking.Store(false)
}

// judges reports whether there is a topic: without one, no order is worth a wait.
func (o *Priorities) judges() bool { return o.Decisions.State().Model != nil }

// pausing reports whether the last ranking is too recent. A clock set back does not block ranking.
func (o *Priorities) pausing(now time.Time) bool {
	age := int64(now.Sub(o.made))
	return age >= 0 && age < o.pauseUntil.Load()
}

// Rank values every waiting URL with the present strategy and rules. It returns the number of dropped URLs.
func (o *Priorities) Rank() (dropped int) { return o.front.Rescore(o.Rescored) }

// Rescored returns the present class and priority of a waiting URL; false means dropped.
func (o *Priorities) Rescored(id uint64, old frontier.Entry) (class int8, priority float64, keep bool) {
	u, err := o.Store.URL(id)
	if err != nil || u == nil || u.State == store.Complete {
		// the fetch will report it; a known page due for a visit keeps its place
		return old.Class, old.Priority, true
	}
	if old.Queue == frontier.Errands {
		class, keep = o.Class(u.URL)
		keep = keep || u.Block == RedirectBlock && !o.Scope().Contains(u.URL) // it was admitted for a notice
		return class, old.Priority, keep
	}
	e, keep := o.Entry(u)
	return e.Class, e.Priority, keep
}

// Use activates the settings' strategy, recalls its knowledge, and ranks.
func (o *Priorities) Use(set *config.Settings) error { return o.replace(set, o.recall) }

// replace activates the settings' strategy after teach has trained it, and ranks.
func (o *Priorities) replace(set *config.Settings, teach func(Strategy) error) error {
	s, err := StrategyOf(set, set.Crawl.Strategy)
	if err != nil {
		return err
	}
	if err := teach(s); err != nil {
		return err
	}
	o.strategy.Store(&s)
	o.Rank()
	return nil
}

// Retopic makes the strategy learn again under a changed topic, in the background. Changes meanwhile cause one more
// round.
func (o *Priorities) Retopic() {
	if o.topics.Add(1) > 1 {
		return // the running round sees it
	}
	o.Jobs.Go(func() {
		for seen := int64(0); ; {
			n := o.topics.Load()
			if n == seen {
				if o.topics.CompareAndSwap(n, 0) {
					return
				}
				continue
			}
			seen = n
			if err := o.renew(); err != nil {
				o.Events.Note("warn", "link order: %v", err)
			}
		}
	})
}

// renew replaces the strategy by one trained anew.
func (o *Priorities) renew() error { return o.replace(o.Settings(), o.relearn) }
