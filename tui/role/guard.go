package role

import (
	"context"

	"angler/crawl"
	"angler/dict/terms"
	"angler/topic"
	"angler/tui/screen"
)

// Guard returns the bench as r may use it: what r may not do fails and says
// why.
func Guard(b screen.Bench, r Role) screen.Bench { return &guard{b, r} }

// guard does not embed the bench: a new method must not slip through.
type guard struct {
	b screen.Bench
	r Role
}

// What changes only one's own screen, or nothing.

func (g *guard) Subscribe() (<-chan *crawl.Snapshot, func()) { return g.b.Subscribe() }
func (g *guard) Snapshot() *crawl.Snapshot                   { return g.b.Snapshot() }
func (g *guard) Strategies() []string                        { return g.b.Strategies() }
func (g *guard) Candidates(ctx context.Context) ([]crawl.CandidateRow, error) {
	return g.b.Candidates(ctx)
}
func (g *guard) Pages(ctx context.Context, ids []uint64) ([]crawl.CandidateRow, error) {
	return g.b.Pages(ctx, ids)
}
func (g *guard) Preview(ctx context.Context, id uint64) (*crawl.Preview, error) {
	return g.b.Preview(ctx, id)
}
func (g *guard) Config() topic.Config      { return g.b.Config() }
func (g *guard) Features() []topic.Feature { return g.b.Features() }
func (g *guard) Scores() *topic.Scores     { return g.b.Scores() }
func (g *guard) LabelQueue(ctx context.Context, n int) ([]crawl.QueueRow, error) {
	return g.b.LabelQueue(ctx, n)
}
func (g *guard) LabelMarks() ([]crawl.LabelMark, float64, float64) { return g.b.LabelMarks() }
func (g *guard) Evaluate() ([]topic.Evaluation, error)             { return g.b.Evaluate() }

// The topic, for everyone.

func (g *guard) ToggleSample(id uint64) (bool, error) {
	if err := g.r.check(Analyst); err != nil {
		return false, err
	}
	return g.b.ToggleSample(id)
}

func (g *guard) ChangeConfig(change func(*topic.Config) string) error {
	if err := g.r.check(Analyst); err != nil {
		return err
	}
	return g.b.ChangeConfig(change)
}

func (g *guard) SetLabel(id uint64, l topic.Label) error {
	if err := g.r.check(Analyst); err != nil {
		return err
	}
	return g.b.SetLabel(id, l)
}

func (g *guard) SetJudge(name string) error {
	if err := g.r.check(Analyst); err != nil {
		return err
	}
	return g.b.SetJudge(name)
}

// Terms changes nothing but keeps all processors busy.
func (g *guard) Terms(ctx context.Context, most int) ([]terms.Term, error) {
	if err := g.r.check(Analyst); err != nil {
		return nil, err
	}
	return g.b.Terms(ctx, most)
}

func (g *guard) AcceptTerms(words []string) error {
	if err := g.r.check(Analyst); err != nil {
		return err
	}
	return g.b.AcceptTerms(words)
}

func (g *guard) CancelJob() { g.may(Analyst, g.b.CancelJob) }

func (g *guard) Undo() (string, error) {
	if err := g.r.check(Analyst); err != nil {
		return "", err
	}
	return g.b.Undo()
}

func (g *guard) Redo() (string, error) {
	if err := g.r.check(Analyst); err != nil {
		return "", err
	}
	return g.b.Redo()
}

// The runs.

func (g *guard) StartDiscovery() error {
	if err := g.r.check(Analyst); err != nil {
		return err
	}
	return g.b.StartDiscovery()
}

func (g *guard) StartHarvest() error {
	if err := g.r.check(Analyst); err != nil {
		return err
	}
	return g.b.StartHarvest()
}

func (g *guard) Pause()  { g.may(Analyst, g.b.Pause) }
func (g *guard) Resume() { g.may(Analyst, g.b.Resume) }
func (g *guard) Step()   { g.may(Analyst, g.b.Step) }
func (g *guard) Stop()   { g.may(Analyst, g.b.Stop) }

// may does what has no error to return; the interface says why it is off.
func (g *guard) may(needed Role, do func()) {
	if g.r.check(needed) == nil {
		do()
	}
}

// The load on the network.

func (g *guard) SetStrategy(name string) error {
	if err := g.r.check(Admin); err != nil {
		return err
	}
	return g.b.SetStrategy(name)
}

func (g *guard) SetWorkers(n int) error {
	if err := g.r.check(Admin); err != nil {
		return err
	}
	return g.b.SetWorkers(n)
}

func (g *guard) AddSeeds(urls []string) (int, error) {
	if err := g.r.check(Admin); err != nil {
		return 0, err
	}
	return g.b.AddSeeds(urls)
}
