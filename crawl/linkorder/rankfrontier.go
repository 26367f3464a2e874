package linkorder

import (
	"time"

	"angler/crawl/frontier"
	"angler/store"
	"angler/store/config"
)

const (
	// rankShare is how much of one core ranking may take.
	rankShare = .05
	// rankCredit may be spent beside that: a small site is through before a twentieth
	// of its time is worth anything.
	rankCredit = 100 * time.Millisecond
	// rankAtOnce URLs are ranked before the links of a commit enter, which takes some
	// milliseconds; more are ranked in the background.
	rankAtOnce = 1000
	// saveEvery is how often a running crawl stores what its strategy knows.
	saveEvery = 30 * time.Second
)

// Refresh ranks what waits, in the background when it is much, if the strategy has learned
// enough and the last ranking was long enough ago. It runs on the writer's
// goroutine.
func (o *Priorities) Refresh() {
	now := o.Now()
	if since := now.Sub(o.saved); since >= saveEvery || since < 0 { // set back
		o.saved = now
		if err := o.Save(); err != nil {
			o.Events.Note("warn", "link order: %v", err)
		}
	}
	if !o.stale || o.resting(now) || !o.ranking.CompareAndSwap(false, true) {
		return
	}
	o.stale = false
	if o.judges() && o.front.Len() <= rankAtOnce {
		o.rank()
		return
	}
	o.Jobs.Go(o.rank)
}

// rank ranks what waits and sets when it may be ranked again.
func (o *Priorities) rank() {
	start := o.Now()
	o.Rank()
	end := o.Now()
	took := min(max(0, end.Sub(start)), time.Minute)
	spent := time.Duration(o.spent.Add(int64(took)))
	if spent > rankCredit || !o.judges() {
		o.rest.Store(int64(end.Sub(o.made)) + int64(float64(took)/rankShare))
	}
	o.ranking.Store(false)
}

// judges reports whether there is a topic: without one no order is worth a wait.
func (o *Priorities) judges() bool { return o.Decisions.State().Model != nil }

// resting reports whether the last ranking was too short ago. A clock that is set
// back while the process runs does not keep the frontier from being ranked.
func (o *Priorities) resting(now time.Time) bool {
	age := int64(now.Sub(o.made))
	return age >= 0 && age < o.rest.Load()
}

// Rank scores every waiting URL anew under the strategy and the rules in force.
// It returns how many were dropped.
func (o *Priorities) Rank() (dropped int) { return o.front.Rescore(o.Rescored) }

// Rescored is a waiting URL's class and priority as things stand; false when it
// was dropped.
func (o *Priorities) Rescored(id uint64, old frontier.Entry) (class int8, priority float64, keep bool) {
	u, err := o.Store.URL(id)
	if err != nil || u == nil || u.State == store.Complete {
		return old.Class, old.Priority, true // the fetch will say so; a known page to be visited again keeps its place
	}
	if old.Queue == frontier.Errands {
		class, keep = o.Class(u.URL)
		keep = keep || u.Block == RedirectBlock && !o.Scope().Contains(u.URL) // it was let in for a notice
		return class, old.Priority, keep
	}
	e, keep := o.Entry(u)
	return e.Class, e.Priority, keep
}

// Use puts another strategy of the settings in force: it recalls what it knows
// and ranks.
func (o *Priorities) Use(set *config.Settings) error { return o.replace(set, o.recall) }

// replace puts a new strategy of the settings in force after teach has taught
// it, and ranks.
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

// Retopic lets the strategy learn again what it knows under the changed topic,
// in the background. Changes that come meanwhile cause one more round.
func (o *Priorities) Retopic() {
	if o.topics.Add(1) > 1 {
		return // the round under way will see it
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

// renew replaces the strategy by one that learned everything anew.
func (o *Priorities) renew() error { return o.replace(o.Settings(), o.relearn) }
