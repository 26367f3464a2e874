// P0 … P4: see docs/papers.md.
package lab

import (
	"time"

	"angler/crawl/decisions"
	"angler/crawl/jobs"
	"angler/crawl/linkorder"
	"angler/crawl/reader"
	"angler/crawl/settings"
	"angler/store"
)

// Config is what a Lab replays a stored crawl with.
type Config struct {
	Store     *store.Workspace
	Reader    *reader.Reader
	Decisions *decisions.Decisions
	Links     *linkorder.Links // the same scorer of links as the live crawl's
	Jobs      *jobs.Jobs
	Settings  *settings.Live
	Now       func() time.Time
}

// Lab compares link orders on a stored crawl, without the network. It is safe
// for concurrent use.
type Lab struct{ Config }

// New returns a Lab.
func New(c Config) *Lab { return &Lab{c} }

// Strategy makes a strategy with the constants of the settings in force, knowing
// nothing.
func (l *Lab) Strategy(name string) (linkorder.Strategy, error) {
	return linkorder.StrategyOf(l.Settings.Now(), name)
}
