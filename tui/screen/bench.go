package screen

import (
	"context"

	"angler/crawl"
	"angler/dict/terms"
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

	// LabelQueue returns the next n pages worth a label, by turns the most
	// probable and the most uncertain one.
	LabelQueue(ctx context.Context, n int) ([]crawl.QueueRow, error)
	// LabelMarks places the labels on the score axis, highest first, and finds
	// the threshold with the best F1 on them; f1 is 0 while there is none.
	LabelMarks() (marks []crawl.LabelMark, bestTheta, f1 float64)
	// Evaluate measures every scheme, and the learner, on the labels.
	Evaluate() ([]topic.Evaluation, error)
	// SetJudge takes crawl.JudgeRule or crawl.JudgeLearner.
	SetJudge(name string) error

	// Terms looks for domain terms in all stored pages, strongest first; a Job
	// shows its progress. AcceptTerms makes words part of the dictionary.
	Terms(ctx context.Context, most int) ([]terms.Term, error)
	AcceptTerms(words []string) error
	// CancelJob ends the background work under way, if there is any.
	CancelJob()

	// Undo and Redo return what was undone or done again.
	Undo() (string, error)
	Redo() (string, error)
}
