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

// Config holds the dependencies of a Lab.
type Config struct {
	Store     *store.Workspace
	Reader    *reader.Reader
	Decisions *decisions.Decisions
	Links     *linkorder.Links // the live crawl's link scorer
	Jobs      *jobs.Jobs
	Settings  *settings.Live
	Now       func() time.Time
}

// Lab compares link orders on a stored crawl, without the network. It is safe for concurrent use.
type Lab struct{ Config }

// New returns a Lab.
func New(c Config) *Lab { return &Lab{c} }

// Strategy returns a strategy with the constants of the present settings, without knowledge.
func (l *Lab) Strategy(name string) (linkorder.Strategy, error) {
	return linkorder.StrategyOf(l.Settings.Now(), name)
}
