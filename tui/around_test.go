package tui

import (
	"context"
	"encoding/json"
	"sync"
	"time"

	"angler/crawl/alerts"
	"angler/crawl/archive"
	"angler/crawl/decisions"
	"angler/crawl/inbox"
	"angler/crawl/lab"
	"angler/crawl/query"
	"angler/crawl/recipe"
	"angler/crawl/seeds"
	"angler/crawl/view"
	"angler/message"
	"angler/store/records"
	"angler/topic"
	"angler/tui/screen"
)

// Before runs before a method with the method's name. An error prevents the call and is its result,
// if the method returns an error.
type Before func(ctx context.Context, method string) error

// Around adds before to parts, for tests that check calls, make them fail or delay them. It skips
// Live and methods that only look something up without waiting.
func Around(p screen.Parts, before Before) screen.Parts {
	return screen.Parts{
		Live: p.Live, Runs: aroundRuns{p.Runs, before},
		Workers: aroundWorkforce{p.Workers, before}, Survey: aroundSurvey{p.Survey, before},
		Settings: aroundSettings{p.Settings, before}, Topic: aroundTopic{p.Topic, before},
		Terms: aroundTerms{p.Terms, before}, Labels: aroundLabels{p.Labels, before},
		Pages: aroundPages{p.Pages, before}, Inbox: aroundInbox{p.Inbox, before},
		Files: aroundFiles{p.Files, before},
		Facts: around(p.Facts, before), Telling: aroundTelling{p.Telling, before},
		Seeds: aroundSeeds{p.Seeds, before}, Sources: aroundSources{p.Sources, before},
		Lab: aroundLab{p.Lab, before}, Backups: aroundBackups{p.Backups, before},
		Archives: aroundArchives{p.Archives, before},
	}
}

// then calls a method after before.
func then[T any](ctx context.Context, before Before, method string, call func() (T, error)) (v T, err error) {
	if err := before(ctx, method); err != nil {
		return v, err
	}
	return call()
}

// acting is then for methods that return only an error.
func acting(before Before, method string, call func() error) error {
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
	innerRuns     interface{ screen.Runs }
	innerSettings interface{ screen.Settings }
	innerTopic    interface{ screen.Topic }
	innerTerms    interface{ screen.Terms }
	innerLabels   interface{ screen.Labels }
	innerFacts    interface{ screen.Facts }
	innerPages    interface{ screen.Pages }
	innerInbox    interface{ screen.Inbox }
	innerBackups  interface{ screen.Backups }
	innerLab      interface{ screen.Lab }

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
	aroundBackups struct {
		innerBackups
		before Before
	}
	aroundLab struct {
		innerLab
		before Before
	}
)

func (p aroundRuns) Pause() error {
	return acting(p.before, "Pause", p.innerRuns.Pause)
}
func (p aroundRuns) Resume() error {
	return acting(p.before, "Resume", p.innerRuns.Resume)
}
func (p aroundRuns) Step() error {
	return acting(p.before, "Step", p.innerRuns.Step)
}
func (p aroundRuns) Stop() error {
	return acting(p.before, "Stop", p.innerRuns.Stop)
}
func (p aroundRuns) CancelJob() error {
	return acting(p.before, "CancelJob", p.innerRuns.CancelJob)
}

func (p aroundRuns) StartDiscovery() error {
	return acting(p.before, "StartDiscovery", p.innerRuns.StartDiscovery)
}

func (p aroundRuns) StartStored() error {
	return acting(p.before, "StartStored", p.innerRuns.StartStored)
}

func (p aroundRuns) StartProbe() error {
	return acting(p.before, "StartProbe", p.innerRuns.StartProbe)
}

func (p aroundRuns) StartHarvest() error {
	return acting(p.before, "StartHarvest", p.innerRuns.StartHarvest)
}

func (p aroundRuns) SetBudget(pages int) error {
	return acting(p.before, "SetBudget", func() error { return p.innerRuns.SetBudget(pages) })
}

func (p aroundRuns) SteerCount(pattern string) (n int, examples []string, err error) {
	if err := p.before(context.Background(), "SteerCount"); err != nil {
		return 0, nil, err
	}
	return p.innerRuns.SteerCount(pattern)
}

func (p aroundRuns) Steer(pattern, action string) error {
	return acting(p.before, "Steer", func() error { return p.innerRuns.Steer(pattern, action) })
}

func (p aroundRuns) Troubles() ([]view.FailureGroup, error) {
	return then(context.Background(), p.before, "Troubles", p.innerRuns.Troubles)
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
	return acting(p.before, "SetStrategy", func() error { return p.innerSettings.SetStrategy(name) })
}

func (p aroundSettings) SetWorkers(n int) error {
	return acting(p.before, "SetWorkers", func() error { return p.innerSettings.SetWorkers(n) })
}

func (p aroundSettings) SetDelay(d time.Duration) error {
	return acting(p.before, "SetDelay", func() error { return p.innerSettings.SetDelay(d) })
}

func (p aroundSettings) SetDepth(n int) error {
	return acting(p.before, "SetDepth", func() error { return p.innerSettings.SetDepth(n) })
}

func (p aroundTopic) ChangeConfig(change func(*topic.Config) message.Text) error {
	return acting(p.before, "ChangeConfig", func() error { return p.innerTopic.ChangeConfig(change) })
}

func (p aroundTopic) Features() []topic.Feature {
	return only(p.before, "Features", p.innerTopic.Features)
}

func (p aroundTopic) Scores() *topic.Scores {
	return only(p.before, "Scores", p.innerTopic.Scores)
}

func (p aroundTopic) ToggleSample(id uint64) (bool, error) {
	return then(context.Background(), p.before, "ToggleSample", func() (bool, error) { return p.innerTopic.ToggleSample(id) })
}

func (p aroundTopic) AddSample(ctx context.Context, urlOrFile, fileURL string) (decisions.SampleRow, error) {
	return then(ctx, p.before, "AddSample", func() (decisions.SampleRow, error) { return p.innerTopic.AddSample(ctx, urlOrFile, fileURL) })
}

func (p aroundTopic) RemoveSample(url string) error {
	return acting(p.before, "RemoveSample", func() error { return p.innerTopic.RemoveSample(url) })
}

func (p aroundTopic) ToggleNegative(id uint64) (bool, error) {
	return then(context.Background(), p.before, "ToggleNegative", func() (bool, error) { return p.innerTopic.ToggleNegative(id) })
}

func (p aroundTopic) AddNegative(ctx context.Context, urlOrFile, fileURL string) (decisions.SampleRow, error) {
	return then(ctx, p.before, "AddNegative", func() (decisions.SampleRow, error) { return p.innerTopic.AddNegative(ctx, urlOrFile, fileURL) })
}

func (p aroundTopic) StopWord(word string) error {
	return acting(p.before, "StopWord", func() error { return p.innerTopic.StopWord(word) })
}

func (p aroundTopic) Undo() (message.Text, error) {
	return then(context.Background(), p.before, "Undo", p.innerTopic.Undo)
}

func (p aroundTopic) Redo() (message.Text, error) {
	return then(context.Background(), p.before, "Redo", p.innerTopic.Redo)
}

func (p aroundTopic) RedoAgreed(seq uint64) (message.Text, error) {
	return then(context.Background(), p.before, "RedoAgreed", func() (message.Text, error) { return p.innerTopic.RedoAgreed(seq) })
}

func (p aroundTerms) FindTerms(ctx context.Context, most int) (*decisions.FoundTerms, error) {
	return then(ctx, p.before, "FindTerms", func() (*decisions.FoundTerms, error) { return p.innerTerms.FindTerms(ctx, most) })
}

func (p aroundTerms) AcceptTerms(words []string) error {
	return acting(p.before, "AcceptTerms", func() error { return p.innerTerms.AcceptTerms(words) })
}

func (p aroundTerms) RejectTerms(words []string) error {
	return acting(p.before, "RejectTerms", func() error { return p.innerTerms.RejectTerms(words) })
}

func (p aroundLabels) SetLabel(id uint64, l topic.Label) error {
	return acting(p.before, "SetLabel", func() error { return p.innerLabels.SetLabel(id, l) })
}

func (p aroundLabels) LabelURLs(rows []topic.LabelRow, what message.Text) (done int, unknown []string, err error) {
	if err := p.before(context.Background(), "LabelURLs"); err != nil {
		return 0, nil, err
	}
	return p.innerLabels.LabelURLs(rows, what)
}

func (p aroundLabels) LabelQueue(ctx context.Context, n int) ([]query.QueueRow, error) {
	return then(ctx, p.before, "LabelQueue", func() ([]query.QueueRow, error) { return p.innerLabels.LabelQueue(ctx, n) })
}

func (p aroundLabels) Evaluate() ([]topic.Evaluation, error) {
	return then(context.Background(), p.before, "Evaluate", p.innerLabels.Evaluate)
}

func (p aroundLabels) SetJudge(name string) error {
	return acting(p.before, "SetJudge", func() error { return p.innerLabels.SetJudge(name) })
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

func (p aroundPages) Notice(ctx context.Context, id uint64) (*query.NoticeDetail, error) {
	return then(ctx, p.before, "Notice", func() (*query.NoticeDetail, error) { return p.innerPages.Notice(ctx, id) })
}

func (p aroundPages) RankNotices(ctx context.Context) (bool, error) {
	return then(ctx, p.before, "RankNotices", func() (bool, error) { return p.innerPages.RankNotices(ctx) })
}

func (p aroundBackups) BackupFile(ctx context.Context, path string, replace bool) error {
	_, err := then(ctx, p.before, "BackupFile", func() (struct{}, error) {
		return struct{}{}, p.innerBackups.BackupFile(ctx, path, replace)
	})
	return err
}

func (p aroundPages) ExportFile(ctx context.Context, plan query.ExportPlan, path string, replace bool) (int, error) {
	return then(ctx, p.before, "ExportFile", func() (int, error) { return p.innerPages.ExportFile(ctx, plan, path, replace) })
}

func (p aroundLab) Compare(ctx context.Context, plan lab.Comparison) (*lab.Result, error) {
	return then(ctx, p.before, "Compare", func() (*lab.Result, error) { return p.innerLab.Compare(ctx, plan) })
}

type innerArchives interface{ screen.Archives }

type aroundArchives struct {
	innerArchives
	before Before
}

func (p aroundArchives) ImportFile(ctx context.Context, path string) (archive.Imported, error) {
	return then(ctx, p.before, "ImportFile", func() (archive.Imported, error) { return p.innerArchives.ImportFile(ctx, path) })
}

type aroundFacts struct {
	innerFacts
	before Before
}

// around accepts missing parts.
func around(p screen.Facts, before Before) screen.Facts {
	if p == nil {
		return nil
	}
	return aroundFacts{p, before}
}

func (p aroundFacts) SetValue(id uint64, field, text string) error {
	return acting(p.before, "SetValue", func() error { return p.innerFacts.SetValue(id, field, text) })
}

func (p aroundFacts) AsRead(id uint64, field string) error {
	return acting(p.before, "AsRead", func() error { return p.innerFacts.AsRead(id, field) })
}

type innerFiles interface{ screen.Files }

type aroundFiles struct {
	innerFiles
	before Before
}

func (p aroundFiles) Ask(ids []uint64) (int, error) {
	return then(context.Background(), p.before, "Ask", func() (int, error) { return p.innerFiles.Ask(ids) })
}

type aroundInbox struct {
	innerInbox
	before Before
}

func (p aroundInbox) List(ctx context.Context, ask inbox.Request) (*inbox.Listing, error) {
	return then(ctx, p.before, "List", func() (*inbox.Listing, error) { return p.innerInbox.List(ctx, ask) })
}

func (p aroundInbox) SetRead(ids []uint64, read bool) error {
	return acting(p.before, "SetRead", func() error { return p.innerInbox.SetRead(ids, read) })
}

func (p aroundInbox) Star(ids []uint64, on bool) error {
	return acting(p.before, "Star", func() error { return p.innerInbox.Star(ids, on) })
}

func (p aroundInbox) Done(ids []uint64, on bool) error {
	return acting(p.before, "Done", func() error { return p.innerInbox.Done(ids, on) })
}

func (p aroundInbox) Judge(ids []uint64, l topic.Label) error {
	return acting(p.before, "Judge", func() error { return p.innerInbox.Judge(ids, l) })
}

func (p aroundInbox) Note(id uint64, text string) error {
	return acting(p.before, "Note", func() error { return p.innerInbox.Note(id, text) })
}

func (p aroundInbox) SaveView(was, name, query string) error {
	return acting(p.before, "SaveView", func() error { return p.innerInbox.SaveView(was, name, query) })
}

func (p aroundInbox) DropView(name string) error {
	return acting(p.before, "DropView", func() error { return p.innerInbox.DropView(name) })
}

func (p aroundInbox) SetPlace(v json.RawMessage) error {
	return acting(p.before, "SetPlace", func() error { return p.innerInbox.SetPlace(v) })
}

type innerSeeds interface{ screen.Seeding }

type aroundSeeds struct {
	innerSeeds
	before Before
}

func (p aroundSeeds) StartSeeds(ask seeds.SearchQuestion) error {
	return acting(p.before, "StartSeeds", func() error { return p.innerSeeds.StartSeeds(ask) })
}

func (p aroundSeeds) LinkedSeeds(ctx context.Context) (*seeds.SearchOutcome, error) {
	return then(ctx, p.before, "LinkedSeeds", func() (*seeds.SearchOutcome, error) { return p.innerSeeds.LinkedSeeds(ctx) })
}

func (p aroundSeeds) ListSeeds(ctx context.Context, from string) (*seeds.SearchOutcome, error) {
	return then(ctx, p.before, "ListSeeds", func() (*seeds.SearchOutcome, error) { return p.innerSeeds.ListSeeds(ctx, from) })
}

func (p aroundSeeds) LookAt(ctx context.Context, address string) (*seeds.FirstLook, error) {
	return then(ctx, p.before, "LookAt", func() (*seeds.FirstLook, error) { return p.innerSeeds.LookAt(ctx, address) })
}

func (p aroundSeeds) AcceptSeeds(hosts []string) (int, error) {
	return then(context.Background(), p.before, "AcceptSeeds", func() (int, error) { return p.innerSeeds.AcceptSeeds(hosts) })
}

func (p aroundSeeds) RejectSeeds(hosts []string) (int, error) {
	return then(context.Background(), p.before, "RejectSeeds", func() (int, error) { return p.innerSeeds.RejectSeeds(hosts) })
}

type innerSources interface{ screen.Sourcing }

type aroundSources struct {
	innerSources
	before Before
}

func (p aroundSources) TryRecipe(ctx context.Context, r *recipe.Recipe, pages int) (*recipe.Preview, error) {
	return then(ctx, p.before, "TryRecipe", func() (*recipe.Preview, error) { return p.innerSources.TryRecipe(ctx, r, pages) })
}

func (p aroundSources) ProposeRecipes(ctx context.Context, page string, said func(string)) ([]recipe.Proposal, error) {
	return then(ctx, p.before, "ProposeRecipes", func() ([]recipe.Proposal, error) { return p.innerSources.ProposeRecipes(ctx, page, said) })
}

func (p aroundSources) RecipeFromCURL(ctx context.Context, text, page string, said func(string)) (recipe.Proposal, error) {
	return then(ctx, p.before, "RecipeFromCURL", func() (recipe.Proposal, error) { return p.innerSources.RecipeFromCURL(ctx, text, page, said) })
}

func (p aroundSources) SaveRecipe(r *recipe.Recipe) (string, error) {
	return then(context.Background(), p.before, "SaveRecipe", func() (string, error) { return p.innerSources.SaveRecipe(r) })
}

func (p aroundSources) SwitchRecipe(id string, on bool) error {
	return acting(p.before, "SwitchRecipe", func() error { return p.innerSources.SwitchRecipe(id, on) })
}

func (p aroundSources) RemoveRecipes(ids ...string) error {
	return acting(p.before, "RemoveRecipes", func() error { return p.innerSources.RemoveRecipes(ids...) })
}

type (
	innerWorkforce interface{ screen.Workforce }
	innerSurvey    interface{ screen.Survey }

	aroundWorkforce struct {
		innerWorkforce
		before Before
	}
	aroundSurvey struct {
		innerSurvey
		before Before
	}
)

func (p aroundRuns) SteerBranches(list []string, action string, until time.Time) error {
	return acting(p.before, "SteerBranches", func() error { return p.innerRuns.SteerBranches(list, action, until) })
}

func (p aroundWorkforce) OrderWorkers(names []string, order string) error {
	return acting(p.before, "OrderWorkers", func() error { return p.innerWorkforce.OrderWorkers(names, order) })
}
func (p aroundWorkforce) StopWorkers(names []string) error {
	return acting(p.before, "StopWorkers", func() error { return p.innerWorkforce.StopWorkers(names) })
}

func (p aroundSurvey) Queue(ctx context.Context, match func(string) bool) (*query.FrontierQueue, error) {
	return then(ctx, p.before, "Queue", func() (*query.FrontierQueue, error) { return p.innerSurvey.Queue(ctx, match) })
}

func (p aroundSurvey) Rows(ctx context.Context, q *query.FrontierQueue, from, n int) ([]view.FrontierRow, error) {
	return then(ctx, p.before, "Rows", func() ([]view.FrontierRow, error) { return p.innerSurvey.Rows(ctx, q, from, n) })
}

func (p aroundSurvey) Land(ctx context.Context) (*query.SiteOverview, error) {
	return then(ctx, p.before, "Land", func() (*query.SiteOverview, error) { return p.innerSurvey.Land(ctx) })
}

func (p aroundSurvey) Runs(most int) ([]records.Run, error) {
	return then(context.Background(), p.before, "Runs", func() ([]records.Run, error) { return p.innerSurvey.Runs(most) })
}

// aroundTelling adds before to the alerts.
type aroundTelling struct {
	inner  screen.Alerts
	before Before
}

func (p aroundTelling) TellRows() []alerts.AlertRow {
	if p.inner == nil {
		return nil
	}
	return p.inner.TellRows()
}

func (p aroundTelling) TestTelling(ctx context.Context, name string) error {
	return acting(p.before, "TestTelling", func() error { return p.inner.TestTelling(ctx, name) })
}

func (p aroundTelling) MuteList(a view.ListAlarm, on bool) error {
	return acting(p.before, "MuteList", func() error { return p.inner.MuteList(a, on) })
}

// Calls counts the calls through Around and makes methods fail. It is safe for concurrent use.
type Calls struct {
	mu    sync.Mutex
	count map[string]int
	fail  map[string]error
	hold  map[string]func(context.Context) error
}

// Count adds Calls to parts.
func Count(p screen.Parts) (*Calls, screen.Parts) {
	c := &Calls{count: map[string]int{}, fail: map[string]error{}, hold: map[string]func(context.Context) error{}}
	return c, Around(p, c.before)
}

func (c *Calls) before(ctx context.Context, method string) error {
	c.mu.Lock()
	c.count[method]++
	err, hold := c.fail[method], c.hold[method]
	c.mu.Unlock()
	if hold != nil {
		return hold(ctx)
	}
	return err
}

// Of returns how often a method was called.
func (c *Calls) Of(method string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count[method]
}

// Fail makes a method return err from now on; nil ends that.
func (c *Calls) Fail(method string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fail[method] = err
}

// Hold makes a method wait for wait, whose error it returns; nil ends that.
func (c *Calls) Hold(method string, wait func(context.Context) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hold[method] = wait
}
