package role

import (
	"context"
	"errors"
	"strings"
	"time"

	"angler/crawl"
	"angler/crawl/view"
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

func (g *guard) Subscribe() (<-chan *view.Snapshot, func()) { return g.b.Subscribe() }
func (g *guard) Snapshot() *view.Snapshot                   { return g.b.Snapshot() }
func (g *guard) Strategies() []string                       { return g.b.Strategies() }
func (g *guard) Candidates(ctx context.Context) ([]view.CandidateRow, error) {
	return g.b.Candidates(ctx)
}
func (g *guard) Pages(ctx context.Context, ids []uint64) ([]view.CandidateRow, error) {
	return g.b.Pages(ctx, ids)
}
func (g *guard) Preview(ctx context.Context, id uint64) (*view.Preview, error) {
	return g.b.Preview(ctx, id)
}
func (g *guard) Source(ctx context.Context, id uint64) (string, error) { return g.b.Source(ctx, id) }
func (g *guard) PagesLike(ctx context.Context, pattern string) ([]view.CandidateRow, error) {
	return g.b.PagesLike(ctx, pattern)
}
func (g *guard) Notices(ctx context.Context, query string, most int) (*view.NoticeBook, error) {
	return g.b.Notices(ctx, query, most)
}
func (g *guard) Notice(ctx context.Context, id uint64) (*view.NoticeDetail, error) {
	return g.b.Notice(ctx, id)
}
func (g *guard) RankNotices(ctx context.Context) (bool, error)    { return g.b.RankNotices(ctx) }
func (g *guard) SteerCount(pattern string) (int, []string, error) { return g.b.SteerCount(pattern) }
func (g *guard) SteerRules() []crawl.SteerRule                    { return g.b.SteerRules() }

func (g *guard) Config() topic.Config      { return g.b.Config() }
func (g *guard) Features() []topic.Feature { return g.b.Features() }
func (g *guard) Scores() *topic.Scores     { return g.b.Scores() }
func (g *guard) LabelQueue(ctx context.Context, n int) ([]view.QueueRow, error) {
	return g.b.LabelQueue(ctx, n)
}
func (g *guard) LabelMarks() ([]view.LabelMark, float64, float64) { return g.b.LabelMarks() }
func (g *guard) Evaluate() ([]topic.Evaluation, error)            { return g.b.Evaluate() }

// The topic, for everyone.

func (g *guard) ToggleSample(id uint64) (bool, error) {
	if err := g.r.check(Analyst); err != nil {
		return false, err
	}
	return g.b.ToggleSample(id)
}

func (g *guard) ToggleAnti(id uint64) (bool, error) {
	if err := g.r.check(Analyst); err != nil {
		return false, err
	}
	return g.b.ToggleAnti(id)
}

func (g *guard) AddSample(ctx context.Context, urlOrFile, fileURL string) (view.SampleRow, error) {
	if err := g.sample(urlOrFile); err != nil {
		return view.SampleRow{}, err
	}
	return g.b.AddSample(ctx, urlOrFile, fileURL)
}

func (g *guard) AddAnti(ctx context.Context, urlOrFile, fileURL string) (view.SampleRow, error) {
	if err := g.sample(urlOrFile); err != nil {
		return view.SampleRow{}, err
	}
	return g.b.AddAnti(ctx, urlOrFile, fileURL)
}

// sample lets samples come from files only on one's own terminal: over a line
// they would be the server's.
func (g *guard) sample(urlOrFile string) error {
	if err := g.r.check(Analyst); err != nil {
		return err
	}
	if g.r != "" && !isWeb(urlOrFile) {
		return errors.New("over SSH a sample is a URL that begins with http:// or https://")
	}
	return nil
}

func (g *guard) LabelURLs(rows []topic.LabelRow, what string) (int, []string, error) {
	if err := g.r.check(Analyst); err != nil {
		return 0, nil, err
	}
	return g.b.LabelURLs(rows, what)
}

func (g *guard) StopWord(word string) error {
	if err := g.r.check(Analyst); err != nil {
		return err
	}
	return g.b.StopWord(word)
}

// ExportFile writes on the machine of the engine, so over a line it is refused.
func (g *guard) ExportFile(ctx context.Context, plan crawl.ExportPlan, path string, replace bool) (int, error) {
	if why := g.r.Denied("export"); why != "" {
		return 0, errors.New(why)
	}
	return g.b.ExportFile(ctx, plan, path, replace)
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

func (g *guard) StartScout() error {
	if err := g.r.check(Analyst); err != nil {
		return err
	}
	return g.b.StartScout()
}

func (g *guard) StartHarvest() error {
	if err := g.r.check(Analyst); err != nil {
		return err
	}
	return g.b.StartHarvest()
}

func (g *guard) Steer(pattern, action string) error {
	if err := g.r.check(Analyst); err != nil {
		return err
	}
	return g.b.Steer(pattern, action)
}

// Lab changes nothing but keeps all processors busy; a list of targets is read
// on one's own terminal only: over a line it would be a file of the server's.
func (g *guard) Lab(ctx context.Context, plan crawl.LabPlan) (*crawl.LabResult, error) {
	if err := g.r.check(Analyst); err != nil {
		return nil, err
	}
	if g.r != "" && strings.HasPrefix(strings.TrimSpace(plan.Target), "file:") {
		return nil, errors.New("over SSH targets are a rule, not a file")
	}
	return g.b.Lab(ctx, plan)
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

func (g *guard) SetDelay(d time.Duration) error {
	if err := g.r.check(Admin); err != nil {
		return err
	}
	return g.b.SetDelay(d)
}

func (g *guard) SetDepth(n int) error {
	if err := g.r.check(Admin); err != nil {
		return err
	}
	return g.b.SetDepth(n)
}

func (g *guard) SetBudget(pages int) error {
	if err := g.r.check(Admin); err != nil {
		return err
	}
	return g.b.SetBudget(pages)
}
