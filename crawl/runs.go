package crawl

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/message"
	"angler/store"
	"angler/store/config"
)

// Runs starts and controls runs for the person of its Topic. It is safe for concurrent use.
type Runs struct {
	*decisions.Topic
	c *core
}

// Discover performs a discovery (P0 1, step 2): from the seeds to depth n it judges every page against the topic. It
// ends when nothing waits, at a limit, or with ctx. It includes the waiting URLs of earlier runs.
func (r *Runs) Discover(ctx context.Context, opt run.Options) (run.Summary, error) {
	if err := r.May(auth.Discovery); err != nil {
		return run.Summary{}, err
	}
	return r.c.runner.discover(ctx, r.Name, opt)
}

// Harvest visits the aggregation pages, best first, and stores the new notices that they announce (P0 2.4). If no
// aggregation page is known, a discovery runs first. Both share the limits.
func (r *Runs) Harvest(ctx context.Context, opt run.Options) (run.Summary, error) {
	if err := r.May(auth.Harvest); err != nil {
		return run.Summary{}, err
	}
	return r.c.runner.harvest(ctx, r.Name, opt)
}

// StartDiscovery starts a discovery in the background.
func (r *Runs) StartDiscovery() error {
	return r.start(auth.Discovery, view.Discovery, run.Options{})
}

// Limits of a probe without lists, in pages.
const (
	probePerSeed = 30
	minProbe     = 100
	maxProbe     = 3000
)

// StartProbe starts a look in the background. This discovery ends when it has thirty pages, and three lists of two
// sites whose titles match the patterns. It also ends after some pages of every seed. Fetches without a page do not
// count. Snapshot.Bound is the maximum number of fetches.
func (r *Runs) StartProbe() error {
	n := min(max(minProbe, probePerSeed*len(r.c.Set().Seeds)), maxProbe)
	return r.start(auth.Probe, view.Look, run.Options{MaxPages: n})
}

// StartLook starts a look in the background that fetches one page: the best waiting one below a host or section, see
// urls.Below.
func (r *Runs) StartLook(branch string) error {
	return r.start(auth.Probe, view.Look, run.Options{MaxPages: 1, Under: branch})
}

// RenderBranches turns rendering of hosts and sections ("host/", "host/section/") on or off from their next visit
// on. It changes the settings. back restores the earlier settings of these branches and their sections.
func (r *Runs) RenderBranches(branches []string, on bool) (back func() error, err error) {
	if err := r.May(auth.Render); err != nil {
		return nil, err
	}
	what := message.Of("pages are rendered: %s", strings.Join(branches, ", "))
	if !on {
		what = message.Of("pages are rendered no longer: %s", strings.Join(branches, ", "))
	}
	hand := r.c.settings.EditorOf(r.Actor)
	var was []config.RenderingOf
	err = hand.Change(what, func(s *config.Settings) {
		was = was[:0]
		for _, b := range branches {
			was = append(was, s.RenderingOf(b))
			s.SetRendered(b, on)
		}
	})
	return func() error {
		return hand.Change(message.Of("taken back: %s", what), func(s *config.Settings) {
			for _, w := range slices.Backward(was) {
				s.PutRendering(w)
			}
		})
	}, err
}

// StartHarvest starts a harvest in the background.
func (r *Runs) StartHarvest() error { return r.start(auth.Harvest, view.Harvest, run.Options{}) }

// StartStored starts a harvest in the background without fetches: it makes the notices of stored aggregation pages
// from stored pages.
func (r *Runs) StartStored() error {
	return r.start(auth.Harvest, view.Harvest, run.Options{Stored: true})
}

// start starts a run in the background.
func (r *Runs) start(do auth.Action, task string, opt run.Options) error {
	if err := r.May(do); err != nil {
		return err
	}
	if task == view.Harvest && r.c.decisions.State().Empty() {
		return run.ErrNoTopic
	}
	return r.c.runner.start(r.Name, task, opt)
}

// drive applies change to the active run, if any, and logs it if it changed the run. what is a format of the run's
// task.
func (r *Runs) drive(do auth.Action, change func(*run.Run) bool, what string) error {
	if err := r.May(do); err != nil {
		return err
	}
	if now := r.c.runner.current(); now != nil && change(now) {
		r.did(message.Of(what, now.Task()))
	}
	return nil
}

// Pause lets running fetches end and starts no others.
func (r *Runs) Pause() error { return r.drive(auth.Pause, (*run.Run).Pause, "%s paused") }

// Resume continues after Pause.
func (r *Runs) Resume() error { return r.drive(auth.Resume, (*run.Run).Resume, "%s resumed") }

// Step fetches one page of a paused run; a running one is paused.
func (r *Runs) Step() error {
	if err := r.drive(auth.Step, (*run.Run).Pause, "%s paused"); err != nil {
		return err
	}
	if now := r.c.runner.current(); now != nil {
		now.Step()
	}
	return nil
}

// Stop ends the run without waiting. It cancels running fetches, whose URLs stay in the frontier, and stores fetched
// pages.
func (r *Runs) Stop() error { return r.drive(auth.Stop, (*run.Run).Stop, "%s stopped") }

// SetBudget sets the number of fetches after which the active run ends; 0 = no limit.
func (r *Runs) SetBudget(pages int) error {
	if err := r.May(auth.Budget); err != nil {
		return err
	}
	if pages < 0 {
		return fmt.Errorf("a budget of %d pages: give 0 for none, or more", pages)
	}
	now := r.c.runner.current()
	if now == nil {
		return ErrNoRun
	}
	now.SetBudget(pages)
	r.did(message.Of("budget %d pages", pages))
	return nil
}

// Troubles counts the failed URLs by cause, most frequent first: exceptions, and URLs that wait for a retry.
func (r *Runs) Troubles() ([]view.FailureGroup, error) { return run.StoredFailures(r.c.ws) }

// Retry resets failed URLs to waiting; see run.MatchFailures for the syntax. A running discovery fetches them at
// once.
func (r *Runs) Retry(what string) (int, error) {
	if err := r.May(auth.Retry); err != nil {
		return 0, err
	}
	found, err := store.Reopen(r.c.ws, run.MatchFailures(what))
	if err != nil {
		return len(found), err
	}
	if now := r.c.runner.current(); now != nil {
		now.Reopened(found)
	}
	if named := strings.Fields(what); len(named) > 1 && strings.Contains(what, "://") {
		what = fmt.Sprintf("%d addresses", len(named))
	}
	r.did(message.Of("%d failed URLs are tried again (%s)", len(found), what))
	return len(found), nil
}

func (r *Runs) did(what message.Text) {
	r.c.events.Did(r.Name, what)
	r.c.publisher.publish()
}

// CancelJob cancels the background job, if any. Finished units are kept; the next opening does the rest.
func (r *Runs) CancelJob() error {
	if err := r.May(auth.CancelJob); err != nil {
		return err
	}
	r.c.jobs.Cancel()
	return nil
}
