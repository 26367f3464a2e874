package uitest

import (
	"context"
	"time"

	"angler/crawl/decisions"
	"angler/crawl/lab"
	"angler/crawl/query"
	"angler/crawl/view"
	"angler/topic"
	"angler/tui/parts"
)

// Before is called with a method's name before the method is. An error keeps
// the call from going on and is its answer, as far as the method has an error
// to return.
type Before func(ctx context.Context, method string) error

// Around puts before around parts, for tests that have to see that something
// was or was not called, to make it fail or to hold it up. Live, and methods
// that only look something up without a wait, are let through.
func Around(p parts.All, before Before) parts.All {
	return parts.All{Live: p.Live, Runs: aroundRuns{p.Runs, before}, Branches: aroundBranches{p.Branches, before}, Workers: aroundWorkforce{p.Workers, before}, Survey: aroundSurvey{p.Survey, before}, Settings: aroundSettings{p.Settings, before}, Topic: aroundTopic{p.Topic, before}, Terms: aroundTerms{p.Terms, before},
		Labels: aroundLabels{p.Labels, before}, Pages: aroundPages{p.Pages, before}, Notices: aroundNotices{p.Notices, before}, Inbox: aroundInbox{p.Inbox, before}, Files: aroundFiles{p.Files, before}, Facts: around(p.Facts, before), Kin: aroundKindred(p.Kin, before), Telling: aroundTelling{p.Telling, before}, Seeds: aroundSeeds{p.Seeds, before}, Sources: aroundSources{p.Sources, before}, Lab: aroundLab{p.Lab, before}, Backups: aroundBackups{p.Backups, before}, Archives: aroundArchives{p.Archives, before}, Log: p.Log}
}

// then calls a method after before.
func then[T any](ctx context.Context, before Before, method string, call func() (T, error)) (v T, err error) {
	if err := before(ctx, method); err != nil {
		return v, err
	}
	return call()
}

// act is then for methods that return nothing but an error.
func act(before Before, method string, call func() error) error {
	if err := before(context.Background(), method); err != nil {
		return err
	}
	return call()
}

// only is then for methods that return no error.
func only[T any](before Before, method string, call func() T) (v T) {
	if before(context.Background(), method) != nil {
		return v
	}
	return call()
}

// The inner interfaces keep a part's name from hiding its method.
type (
	innerRuns     interface{ parts.Runs }
	innerSettings interface{ parts.Settings }
	innerTopic    interface{ parts.Topic }
	innerTerms    interface{ parts.Terms }
	innerLabels   interface{ parts.Labels }
	innerFacts    interface{ parts.Facts }
	innerKin      interface{ parts.Relations }
	innerPages    interface{ parts.Pages }
	innerNotices  interface{ parts.Notices }
	innerInbox    interface{ parts.Inbox }
	innerBackups  interface{ parts.Backups }
	innerLab      interface{ parts.Lab }

	aroundRuns struct {
		innerRuns
		before Before
	}
	aroundSettings struct {
		innerSettings
		before Before
	}
	aroundTopic struct {
		innerTopic
		before Before
	}
	aroundTerms struct {
		innerTerms
		before Before
	}
	aroundLabels struct {
		innerLabels
		before Before
	}
	aroundPages struct {
		innerPages
		before Before
	}
	aroundNotices struct {
		innerNotices
		before Before
	}
	aroundBackups struct {
		innerBackups
		before Before
	}
	aroundLab struct {
		innerLab
		before Before
	}
)

func (p aroundRuns) run(method string, call func()) {
	if p.before(context.Background(), method) == nil {
		call()
	}
}

func (p aroundRuns) Pause()     { p.run("Pause", func() { p.innerRuns.Pause() }) }
func (p aroundRuns) Resume()    { p.run("Resume", func() { p.innerRuns.Resume() }) }
func (p aroundRuns) Step()      { p.run("Step", func() { p.innerRuns.Step() }) }
func (p aroundRuns) Stop()      { p.run("Stop", func() { p.innerRuns.Stop() }) }
func (p aroundRuns) CancelJob() { p.run("CancelJob", func() { p.innerRuns.CancelJob() }) }

func (p aroundRuns) StartDiscovery() error {
	return act(p.before, "StartDiscovery", func() error { return p.innerRuns.StartDiscovery() })
}

func (p aroundRuns) StartStored() error {
	return act(p.before, "StartStored", func() error { return p.innerRuns.StartStored() })
}

func (p aroundRuns) StartProbe() error {
	return act(p.before, "StartProbe", func() error { return p.innerRuns.StartProbe() })
}

func (p aroundRuns) StartHarvest() error {
	return act(p.before, "StartHarvest", func() error { return p.innerRuns.StartHarvest() })
}

func (p aroundRuns) SetBudget(pages int) error {
	return act(p.before, "SetBudget", func() error { return p.innerRuns.SetBudget(pages) })
}

func (p aroundRuns) SteerCount(pattern string) (n int, examples []string, err error) {
	if err := p.before(context.Background(), "SteerCount"); err != nil {
		return 0, nil, err
	}
	return p.innerRuns.SteerCount(pattern)
}

func (p aroundRuns) Steer(pattern, action string) error {
	return act(p.before, "Steer", func() error { return p.innerRuns.Steer(pattern, action) })
}

func (p aroundRuns) Troubles() ([]view.FailureGroup, error) {
	return then(context.Background(), p.before, "Troubles", func() ([]view.FailureGroup, error) { return p.innerRuns.Troubles() })
}

func (p aroundRuns) Retry(what string) (int, error) {
	return then(context.Background(), p.before, "Retry", func() (int, error) { return p.innerRuns.Retry(what) })
}

func (p aroundSettings) ChangeSetting(key, value string) (bool, error) {
	return then(context.Background(), p.before, "ChangeSetting", func() (bool, error) { return p.innerSettings.ChangeSetting(key, value) })
}

func (p aroundSettings) AddSeeds(urls []string) (int, error) {
	return then(context.Background(), p.before, "AddSeeds", func() (int, error) { return p.innerSettings.AddSeeds(urls) })
}

func (p aroundSettings) SetStrategy(name string) error {
	return act(p.before, "SetStrategy", func() error { return p.innerSettings.SetStrategy(name) })
}

func (p aroundSettings) SetWorkers(n int) error {
	return act(p.before, "SetWorkers", func() error { return p.innerSettings.SetWorkers(n) })
}

func (p aroundSettings) SetDelay(d time.Duration) error {
	return act(p.before, "SetDelay", func() error { return p.innerSettings.SetDelay(d) })
}

func (p aroundSettings) SetDepth(n int) error {
	return act(p.before, "SetDepth", func() error { return p.innerSettings.SetDepth(n) })
}

func (p aroundTopic) ChangeConfig(change func(*topic.Config) string) error {
	return act(p.before, "ChangeConfig", func() error { return p.innerTopic.ChangeConfig(change) })
}

func (p aroundTopic) Features() []topic.Feature {
	return only(p.before, "Features", func() []topic.Feature { return p.innerTopic.Features() })
}

func (p aroundTopic) Scores() *topic.Scores {
	return only(p.before, "Scores", func() *topic.Scores { return p.innerTopic.Scores() })
}

func (p aroundTopic) ToggleSample(id uint64) (bool, error) {
	return then(context.Background(), p.before, "ToggleSample", func() (bool, error) { return p.innerTopic.ToggleSample(id) })
}

func (p aroundTopic) AddSample(ctx context.Context, urlOrFile, fileURL string) (decisions.SampleRow, error) {
	return then(ctx, p.before, "AddSample", func() (decisions.SampleRow, error) { return p.innerTopic.AddSample(ctx, urlOrFile, fileURL) })
}

func (p aroundTopic) RemoveSample(url string) error {
	return act(p.before, "RemoveSample", func() error { return p.innerTopic.RemoveSample(url) })
}

func (p aroundTopic) ToggleNegative(id uint64) (bool, error) {
	return then(context.Background(), p.before, "ToggleNegative", func() (bool, error) { return p.innerTopic.ToggleNegative(id) })
}

func (p aroundTopic) AddNegative(ctx context.Context, urlOrFile, fileURL string) (decisions.SampleRow, error) {
	return then(ctx, p.before, "AddNegative", func() (decisions.SampleRow, error) { return p.innerTopic.AddNegative(ctx, urlOrFile, fileURL) })
}

func (p aroundTopic) StopWord(word string) error {
	return act(p.before, "StopWord", func() error { return p.innerTopic.StopWord(word) })
}

func (p aroundTopic) Undo() (string, error) {
	return then(context.Background(), p.before, "Undo", func() (string, error) { return p.innerTopic.Undo() })
}

func (p aroundTopic) UndoAgreed(seq uint64) (string, error) {
	return then(context.Background(), p.before, "UndoAgreed", func() (string, error) { return p.innerTopic.UndoAgreed(seq) })
}

func (p aroundTopic) Redo() (string, error) {
	return then(context.Background(), p.before, "Redo", func() (string, error) { return p.innerTopic.Redo() })
}

func (p aroundTopic) RedoAgreed(seq uint64) (string, error) {
	return then(context.Background(), p.before, "RedoAgreed", func() (string, error) { return p.innerTopic.RedoAgreed(seq) })
}

func (p aroundTerms) FindTerms(ctx context.Context, most int) (*decisions.FoundTerms, error) {
	return then(ctx, p.before, "FindTerms", func() (*decisions.FoundTerms, error) { return p.innerTerms.FindTerms(ctx, most) })
}

func (p aroundTerms) ProposedTerms() *decisions.FoundTerms {
	return only(p.before, "ProposedTerms", func() *decisions.FoundTerms { return p.innerTerms.ProposedTerms() })
}

func (p aroundTerms) AcceptTerms(words []string) error {
	return act(p.before, "AcceptTerms", func() error { return p.innerTerms.AcceptTerms(words) })
}

func (p aroundTerms) RejectTerms(words []string) error {
	return act(p.before, "RejectTerms", func() error { return p.innerTerms.RejectTerms(words) })
}

func (p aroundLabels) SetLabel(id uint64, l topic.Label) error {
	return act(p.before, "SetLabel", func() error { return p.innerLabels.SetLabel(id, l) })
}

func (p aroundLabels) LabelURLs(rows []topic.LabelRow, what string) (done int, unknown []string, err error) {
	if err := p.before(context.Background(), "LabelURLs"); err != nil {
		return 0, nil, err
	}
	return p.innerLabels.LabelURLs(rows, what)
}

func (p aroundLabels) LabelQueue(ctx context.Context, n int) ([]query.QueueRow, error) {
	return then(ctx, p.before, "LabelQueue", func() ([]query.QueueRow, error) { return p.innerLabels.LabelQueue(ctx, n) })
}

func (p aroundLabels) Evaluate() ([]topic.Evaluation, error) {
	return then(context.Background(), p.before, "Evaluate", func() ([]topic.Evaluation, error) { return p.innerLabels.Evaluate() })
}

func (p aroundLabels) SetJudge(name string) error {
	return act(p.before, "SetJudge", func() error { return p.innerLabels.SetJudge(name) })
}

func (p aroundPages) Candidates(ctx context.Context) ([]query.CandidateRow, error) {
	return then(ctx, p.before, "Candidates", func() ([]query.CandidateRow, error) { return p.innerPages.Candidates(ctx) })
}

func (p aroundPages) Pages(ctx context.Context, ids []uint64) ([]query.CandidateRow, error) {
	return then(ctx, p.before, "Pages", func() ([]query.CandidateRow, error) { return p.innerPages.Pages(ctx, ids) })
}

func (p aroundPages) Preview(ctx context.Context, id uint64) (*query.Preview, error) {
	return then(ctx, p.before, "Preview", func() (*query.Preview, error) { return p.innerPages.Preview(ctx, id) })
}

func (p aroundPages) Source(ctx context.Context, id uint64) (string, error) {
	return then(ctx, p.before, "Source", func() (string, error) { return p.innerPages.Source(ctx, id) })
}

func (p aroundPages) PagesLike(ctx context.Context, pattern string) ([]query.CandidateRow, error) {
	return then(ctx, p.before, "PagesLike", func() ([]query.CandidateRow, error) { return p.innerPages.PagesLike(ctx, pattern) })
}

func (p aroundNotices) Notice(ctx context.Context, id uint64) (*query.NoticeDetail, error) {
	return then(ctx, p.before, "Notice", func() (*query.NoticeDetail, error) { return p.innerNotices.Notice(ctx, id) })
}

func (p aroundNotices) RankNotices(ctx context.Context) (bool, error) {
	return then(ctx, p.before, "RankNotices", func() (bool, error) { return p.innerNotices.RankNotices(ctx) })
}

func (p aroundBackups) BackupFile(ctx context.Context, path string, replace bool) error {
	_, err := then(ctx, p.before, "BackupFile", func() (struct{}, error) {
		return struct{}{}, p.innerBackups.BackupFile(ctx, path, replace)
	})
	return err
}

func (p aroundNotices) ExportFile(ctx context.Context, plan query.ExportPlan, path string, replace bool) (int, error) {
	return then(ctx, p.before, "ExportFile", func() (int, error) { return p.innerNotices.ExportFile(ctx, plan, path, replace) })
}

func (p aroundLab) Lab(ctx context.Context, plan lab.Comparison) (*lab.Result, error) {
	return then(ctx, p.before, "Lab", func() (*lab.Result, error) { return p.innerLab.Lab(ctx, plan) })
}
