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

// Runs starts and steers what fetches, on behalf of the person for whom its Topic acts.
// It is safe for concurrent use.
type Runs struct {
	*decisions.Topic
	c *core
}

// Discover runs a discovery (P0 1, step 2): from the seeds to depth n, every
// page judged against the topic, until nothing waits, a bound is reached or ctx
// ends. What an earlier run left waiting is taken up again.
func (r *Runs) Discover(ctx context.Context, opt run.Options) (run.Summary, error) {
	if err := r.May(auth.Discovery); err != nil {
		return run.Summary{}, err
	}
	return r.c.runner.discover(ctx, r.Name, opt)
}

// Harvest visits the aggregation pages, best first, and brings home the notices
// they announce that are not known yet (P0 2.4). When no aggregation page is
// known, a discovery runs first; both together keep within the bounds.
func (r *Runs) Harvest(ctx context.Context, opt run.Options) (run.Summary, error) {
	if err := r.May(auth.Harvest); err != nil {
		return run.Summary{}, err
	}
	return r.c.runner.harvest(ctx, r.Name, opt)
}

// StartDiscovery begins a discovery in the background.
func (r *Runs) StartDiscovery() error {
	return r.start(auth.Discovery, view.Discovery, run.Options{})
}

// Bounds of a probe that finds no lists, in pages.
const (
	probePerSeed = 30
	probeLeast   = 100
	probeMost    = 3000
)

// StartProbe begins a look in the background: a discovery that ends by itself once it has
// thirty pages and three lists of two sites whose titles match the patterns, or after some pages of
// every seed. Fetches without a page do not count. Snapshot.Bound is the number of fetches
// after which it ends at the latest.
func (r *Runs) StartProbe() error {
	n := min(max(probeLeast, probePerSeed*len(r.c.Set().Seeds)), probeMost)
	return r.start(auth.Probe, view.Look, run.Options{MaxPages: n})
}

// StartLook begins a look in the background that fetches one page: the best that
// waits below a host or a section of it, see urls.Below.
func (r *Runs) StartLook(branch string) error {
	return r.start(auth.Probe, view.Look, run.Options{MaxPages: 1, Under: branch})
}

// RenderBranches has the pages of hosts and sections ("host/", "host/section/") read
// through a browser from their next visit on, or no longer; it changes the settings. back
// makes them say again of these branches, and of all sections of them, what they said.
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

// StartHarvest begins a harvest in the background.
func (r *Runs) StartHarvest() error { return r.start(auth.Harvest, view.Harvest, run.Options{}) }

// StartStored begins a harvest in the background that asks for nothing: it makes the
// notices that stored aggregation pages announce of stored pages.
func (r *Runs) StartStored() error {
	return r.start(auth.Harvest, view.Harvest, run.Options{Stored: true})
}

// start begins a run in the background.
func (r *Runs) start(do auth.Action, task string, opt run.Options) error {
	if err := r.May(do); err != nil {
		return err
	}
	if task == view.Harvest && r.c.decisions.State().Empty() {
		return run.ErrNoTopic
	}
	return r.c.runner.start(r.Name, task, opt)
}

// drive does something to the run under way, if there is one, and logs it where it
// changed the run: what is a format of the run's task.
func (r *Runs) drive(do auth.Action, change func(*run.Run) bool, what string) error {
	if err := r.May(do); err != nil {
		return err
	}
	if now := r.c.runner.current(); now != nil && change(now) {
		r.did(message.Of(what, now.Task()))
	}
	return nil
}

// Pause lets the fetches under way end and starts no other.
func (r *Runs) Pause() error { return r.drive(auth.Pause, (*run.Run).Pause, "%s paused") }

// Resume goes on after Pause.
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

// Stop ends the run: fetches under way are broken off and go on waiting, what was
// fetched is stored. It does not wait.
func (r *Runs) Stop() error { return r.drive(auth.Stop, (*run.Run).Stop, "%s stopped") }

// SetBudget changes after how many fetches the run under way ends; 0 = never.
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

// Troubles counts the URLs that failed by what failed them, the most frequent
// first: exceptions, and those that wait for their next try.
func (r *Runs) Troubles() ([]view.FailureGroup, error) { return run.StoredFailures(r.c.ws) }

// Retry makes failed URLs wait as if they had never failed; see run.MatchFailures for
// what names them. A running discovery takes them up at once.
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

// CancelJob ends the background work under way, if there is any. What it has
// done is kept; the rest is done when the workspace is opened again.
func (r *Runs) CancelJob() error {
	if err := r.May(auth.CancelJob); err != nil {
		return err
	}
	r.c.jobs.Cancel()
	return nil
}
