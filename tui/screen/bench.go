package screen

import (
	"context"

	"angler/crawl"
	"angler/topic"
)

// Bench is the engine as the workbench needs it; *crawl.Engine is one. Every
// method is safe for concurrent use. Snapshot and Scores return at once;
// all others are called from Cmds only, because they may wait for a commit.
type Bench interface {
	// Subscribe returns a channel that holds the newest snapshot only (older
	// ones are dropped, so a slow viewer never holds the engine up) and a
	// function that ends the subscription.
	Subscribe() (<-chan *crawl.Snapshot, func())
	Snapshot() *crawl.Snapshot

	StartDiscovery() error
	StartHarvest() error
	Pause()
	Resume()
	Step() // fetches one page while paused
	Stop()

	SetStrategy(name string) error
	Strategies() []string
	SetWorkers(n int) error
	// AddSeeds returns how many of the URLs were new.
	AddSeeds(urls []string) (int, error)

	// Candidates returns the scouted pages, most list-like first.
	Candidates(ctx context.Context) ([]crawl.CandidateRow, error)
	Pages(ctx context.Context, ids []uint64) ([]crawl.CandidateRow, error)
	Preview(ctx context.Context, id uint64) (*crawl.Preview, error)

	// ToggleSample reports whether the page is a sample now.
	ToggleSample(id uint64) (bool, error)
	Config() topic.Config
	// ChangeConfig changes the topic's settings in one step; change returns
	// one line for the log.
	ChangeConfig(change func(*topic.Config) (what string)) error
	Features() []topic.Feature
	Scores() *topic.Scores
	SetLabel(id uint64, l topic.Label) error
	// Undo and Redo return what was undone or done again.
	Undo() (string, error)
	Redo() (string, error)
}
