package crawl

import "angler/crawl/view"

// This file is the scout run: a discovery that ends by itself after a few pages
// of every seed, long enough to meet the list pages an analyst picks samples
// from.

// Bounds of a scout run, in fetches.
const (
	scoutPerSeed = 30
	scoutLeast   = 100
	scoutMost    = 3000
)

// StartScout begins a discovery in the background that ends after some pages of
// every seed. Snapshot.Bound tells how many.
func (e *Engine) StartScout() error {
	n := min(max(scoutLeast, scoutPerSeed*len(e.Settings().Seeds)), scoutMost)
	return e.start(view.Discovery, RunOptions{MaxPages: n}, func(r *run) (Summary, error) { return r.discovery() })
}
