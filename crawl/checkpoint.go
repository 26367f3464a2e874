package crawl

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"angler/crawl/decisions"
	"angler/crawl/revisit"
	"angler/store"
	"angler/topic"
)

// This file stores the page data that an opening collects in the checkpoint.

// visits holds the last visit of each stored page. For a repeated id the later entry counts.
type visits struct {
	ids []uint64
	at  []uint64 // milliseconds since 1970, an int64
}

const partVisits = "visits"

func (v *visits) add(p *store.Page) {
	v.ids, v.at = append(v.ids, p.ID), append(v.at, uint64(p.Fetched.UnixMilli()))
}

// recall loads the pages from the checkpoint. words is the size of the lexicon.
func (r *parts) recall(words int) (v visits, err error) {
	part := func(name string) ([]byte, error) { return store.Recall(r.ws, name) }
	b, err := part(partVisits)
	if err != nil {
		return v, err
	}
	c := topic.NewColumnReader(b)
	v = visits{topic.ReadColumn[uint64](c), topic.ReadColumn[uint64](c)}
	c.Check(len(v.ids) == len(v.at))
	if err := c.Err(); err != nil {
		return visits{}, err
	}
	if err := decisions.Restore(r.decisions, part, words); err != nil {
		return visits{}, err
	}
	return v, nil
}

// enterVisits records the capture order of pages with words.
func (r *parts) enterVisits(v visits) {
	type visit struct {
		id uint64
		at int64 // like v.at
	}
	all := make([]visit, 0, len(v.ids))
	for i, id := range v.ids {
		all = append(all, visit{id, int64(v.at[i])})
	}
	slices.SortStableFunc(all, func(a, b visit) int { return cmp.Compare(a.id, b.id) }) // nearly sorted
	believed := revisit.Believed{Now: r.opt.Now()}
	order := all[:0]
	for i, p := range all {
		if i+1 < len(all) && all[i+1].id == p.id {
			continue
		}
		p.at = believed.Time(time.UnixMilli(p.at)).UnixMilli()
		if decisions.Entered(r.decisions, p.id) {
			order = append(order, p)
		}
	}
	slices.SortFunc(order, func(a, b visit) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.id, b.id)) })
	for _, p := range order {
		r.captured.Add(p.id)
	}
	r.reportClock(believed)
}

// checkpoint stores the data that an opening would collect, unless a job that adds pages is running. A failure only
// makes the next opening slower.
func (r *parts) checkpoint() {
	if _, err := r.jobs.Begin(r.ctx, "writing a checkpoint", 0); err != nil {
		return
	}
	defer r.jobs.End()
	var v visits
	write := func(w *bufio.Writer) error {
		return errors.Join(topic.WriteColumn(w, v.ids), topic.WriteColumn(w, v.at))
	}
	parts := append(decisions.Parts(r.decisions), store.CheckpointPart{Name: partVisits, Write: write})
	if _, err := store.SaveCheckpoint(r.ws, v.add, parts...); err != nil {
		r.events.Note("warn", "no checkpoint was written, so the next opening takes longer: %v", err)
	}
}

// checkpointSoon makes a checkpoint in the background, unless a job or run is active. None that adds pages can start
// meanwhile.
func checkpointSoon(c *core) {
	if c.ctx.Err() != nil || c.ws.Counts().Pages < manyPages {
		return // Close makes one
	}
	c.jobs.Go(func() {
		decisions.Still(c.decisions, func() {
			if !c.runner.starting.TryLock() {
				return
			}
			defer c.runner.starting.Unlock()
			if c.runner.current() == nil {
				c.checkpoint()
			}
		})
	})
}

// manyPages is the number of pages whose reading takes so long that a checkpoint is kept in case the process is
// killed.
const manyPages = 10_000

// reportClock reports a wrong clock, now or at the time of stored visits.
func (r *parts) reportClock(visits revisit.Believed) {
	switch {
	case revisit.Behind(visits.Now):
		r.events.Note(
			"error", "the clock says %s, before this program was made: set it, or certificates and dates are not believed",
			visits.Now.Format(time.DateOnly))
	case visits.Lies > 0:
		r.events.Note("warn", "the clock was ahead: %d visits lie in the future and count as of now", visits.Lies)
	}
}

// verify reads the rows that the checkpoint replaced, and reports damaged ones. It pauses three times as long as it
// reads, unless a caller waits.
func verify(c *core) {
	defer close(c.verified)
	begun, hurry := time.Now(), false
	pause := func() {
		rest := time.NewTimer(3 * time.Since(begun))
		defer rest.Stop()
		if !hurry {
			select {
			case <-rest.C:
			case <-c.hurry:
				hurry = true
			case <-c.ctx.Done():
			}
		}
		begun = time.Now()
	}
	if err := store.Verify(c.ctx, c.ws, pause); err != nil && c.ctx.Err() == nil {
		c.events.Note("error", "%v", err)
	}
	c.reportDamage() // other code may have found damage since the opening
}

// Verified waits until the rows that the checkpoint replaced are verified. The workspace's Damage then includes
// damaged ones.
func Verified(ctx context.Context, e *Engine) {
	e.hurry.Ring()
	select {
	case <-e.verified:
	case <-ctx.Done():
	}
}
