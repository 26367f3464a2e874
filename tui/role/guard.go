package role

import (
	"context"
	"errors"
	"strings"

	"angler/crawl/decisions"
	"angler/crawl/lab"
	"angler/crawl/query"
	"angler/crawl/view"
	"angler/store"
	"angler/topic"
	"angler/tui/parts"
)

// Guard returns the parts as r may use them: what r may not do fails and says
// why.
func Guard(p parts.All, r Role) parts.All {
	return parts.All{
		Live: live{p.Live}, Runs: &runs{p.Runs, r}, Branches: &branches{p.Branches, r}, Workers: &workforce{p.Workers, r}, Survey: surveys{p.Survey}, Settings: &settings{p.Settings, r}, Topic: &topics{p.Topic, r}, Terms: &vocabularies{p.Terms, r},
		Labels: &labels{p.Labels, r}, Pages: pages{p.Pages}, Log: events{p.Log}, Notices: &notices{p.Notices, r}, Inbox: &inboxes{p.Inbox, r}, Files: &documents{p.Files, r}, Facts: factsGuard{p.Facts, r}, Kin: kindred{p.Kin, r}, Telling: tellings{p.Telling, r}, Seeds: &seedings{p.Seeds, r}, Sources: &sourcings{p.Sources, r}, Lab: &laboratory{p.Lab, r}, Backups: &backups{p.Backups, r}, Archives: &archives{p.Archives, r},
	}
}

// No guard embeds what it guards: a new method must not slip through.

// live lets everyone see what all see.
type live struct{ b parts.Live }

func (g live) Subscribe() (<-chan *view.Snapshot, func()) { return g.b.Subscribe() }
func (g live) Snapshot() *view.Snapshot                   { return g.b.Snapshot() }

// events lets everyone read who decided what.
type events struct{ b parts.Log }

func (g events) Decided(most int) ([]store.Event, error) { return g.b.Decided(most) }

// pages lets everyone read what is stored.
type pages struct{ b parts.Pages }

func (g pages) Candidates(ctx context.Context) ([]query.CandidateRow, error) {
	return g.b.Candidates(ctx)
}
func (g pages) Pages(ctx context.Context, ids []uint64) ([]query.CandidateRow, error) {
	return g.b.Pages(ctx, ids)
}
func (g pages) Preview(ctx context.Context, id uint64) (*query.Preview, error) {
	return g.b.Preview(ctx, id)
}
func (g pages) Source(ctx context.Context, id uint64) (string, error) { return g.b.Source(ctx, id) }
func (g pages) PagesLike(ctx context.Context, pattern string) ([]query.CandidateRow, error) {
	return g.b.PagesLike(ctx, pattern)
}

// notices lets everyone read; a file is written on one's own machine only.
type notices struct {
	b parts.Notices
	r Role
}

func (g *notices) Notice(ctx context.Context, id uint64) (*query.NoticeDetail, error) {
	return g.b.Notice(ctx, id)
}
func (g *notices) RankNotices(ctx context.Context) (bool, error) { return g.b.RankNotices(ctx) }

func (g *notices) ExportFile(ctx context.Context, plan query.ExportPlan, path string, replace bool) (int, error) {
	return allowed(g.r, Export, func() (int, error) { return g.b.ExportFile(ctx, plan, path, replace) })
}

// backups writes files on one's own machine only, like an export.
type backups struct {
	b parts.Backups
	r Role
}

func (g *backups) BackupFile(ctx context.Context, path string, replace bool) error {
	if err := g.r.check(Export); err != nil {
		return err
	}
	return g.b.BackupFile(ctx, path, replace)
}

// labels lets everyone see what the labels say.
type labels struct {
	b parts.Labels
	r Role
}

func (g *labels) LabelQueue(ctx context.Context, n int) ([]query.QueueRow, error) {
	return g.b.LabelQueue(ctx, n)
}
func (g *labels) LabelMarks() ([]decisions.LabelMark, float64, float64) { return g.b.LabelMarks() }
func (g *labels) Passing() *decisions.Passing                           { return g.b.Passing() }
func (g *labels) Evaluate() ([]topic.Evaluation, error)                 { return g.b.Evaluate() }

func (g *labels) SetLabel(id uint64, l topic.Label) error {
	if err := g.r.check(Label); err != nil {
		return err
	}
	return g.b.SetLabel(id, l)
}

func (g *labels) LabelURLs(rows []topic.LabelRow, what string) (int, []string, error) {
	if err := g.r.check(LabelMany); err != nil {
		return 0, nil, err
	}
	return g.b.LabelURLs(rows, what)
}

func (g *labels) SetJudge(name string) error {
	if err := g.r.check(Judge); err != nil {
		return err
	}
	return g.b.SetJudge(name)
}

type laboratory struct {
	b parts.Lab
	r Role
}

// Lab reads a list of targets on one's own terminal only: over a line it would
// be a file of the server's.
func (g *laboratory) Lab(ctx context.Context, plan lab.Comparison) (*lab.Result, error) {
	if err := g.r.check(Replay); err != nil {
		return nil, err
	}
	if g.r != "" && strings.HasPrefix(strings.TrimSpace(plan.Target), "file:") {
		return nil, errors.New("over SSH targets are a rule, not a file")
	}
	return g.b.Lab(ctx, plan)
}
