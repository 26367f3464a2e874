package tui

import (
	"context"
	"encoding/json"
	"reflect"
	"runtime"
	"strings"
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

// around adds before to parts, for tests that check calls, make them fail or delay them. It has the
// other methods of the parts as they are: those of Live and those that only look something up.
type around struct {
	elseRuns
	elseSettings
	elseTopic
	elseTerms
	elseLabels
	elsePages
	elseInbox
	elseWorkforce
	elseSurvey
	elseFiles
	elseFacts
	elseAlerts
	elseSeeds
	elseSources
	elseLab
	elseBackups
	elseArchives

	of     screen.Parts
	before Before
}

type (
	elseWorkforce interface{ screen.Workforce }
	elseSurvey    interface{ screen.Survey }
	elseFiles     interface{ screen.Files }
	elseFacts     interface{ screen.Facts }
	elseAlerts    interface{ screen.Alerts }
	elseSeeds     interface{ screen.Seeding }
	elseSources   interface{ screen.Sourcing }
	elseLab       interface{ screen.Lab }
	elseBackups   interface{ screen.Backups }
	elseArchives  interface{ screen.Archives }
)

// Around adds before to parts.
func Around(p screen.Parts, before Before) screen.Parts {
	a := around{p.Runs, p.Settings, p.Topic, p.Terms, p.Labels, p.Pages, p.Inbox, p.Workers, p.Survey, p.Files, p.Facts,
		p.Telling, p.Seeds, p.Sources, p.Lab, p.Backups, p.Archives, p, before}
	out := screen.Parts{Live: p.Live, Runs: a, Workers: a, Survey: a, Settings: a, Topic: a, Terms: a, Labels: a, Pages: a,
		Inbox: a, Files: a, Facts: a, Telling: a, Seeds: a, Sources: a, Lab: a, Backups: a, Archives: a}
	if p.Facts == nil {
		out.Facts = nil
	}
	return out
}

// guard returns a method of an interface, which runs before first. The receiver is its first argument.
func guard[F any](p around, method F) F {
	f := reflect.ValueOf(method)
	name := runtime.FuncForPC(f.Pointer()).Name()
	name = name[strings.LastIndexByte(name, '.')+1:]
	call := func(args []reflect.Value) (results []reflect.Value) {
		ctx := context.Background()
		if len(args) > 1 {
			if given, ok := args[1].Interface().(context.Context); ok {
				ctx = given
			}
		}
		err := p.before(ctx, name)
		switch {
		case err == nil && f.Type().IsVariadic():
			return f.CallSlice(args)
		case err == nil:
			return f.Call(args)
		}
		for of := range f.Type().Outs() {
			results = append(results, reflect.Zero(of))
			if of == reflect.TypeFor[error]() {
				results[len(results)-1] = reflect.ValueOf(err)
			}
		}
		return results
	}
	return reflect.MakeFunc(f.Type(), call).Interface().(F)
}

func (p around) TellRows() []alerts.AlertRow {
	if p.of.Telling == nil {
		return nil
	}
	return p.of.Telling.TellRows()
}

func (p around) Pause() error {
	return guard(p, screen.Runs.Pause)(p.of.Runs)
}

func (p around) Resume() error {
	return guard(p, screen.Runs.Resume)(p.of.Runs)
}

func (p around) Step() error {
	return guard(p, screen.Runs.Step)(p.of.Runs)
}

func (p around) Stop() error {
	return guard(p, screen.Runs.Stop)(p.of.Runs)
}

func (p around) CancelJob() error {
	return guard(p, screen.Runs.CancelJob)(p.of.Runs)
}

func (p around) StartDiscovery() error {
	return guard(p, screen.Runs.StartDiscovery)(p.of.Runs)
}

func (p around) StartStored() error {
	return guard(p, screen.Runs.StartStored)(p.of.Runs)
}

func (p around) StartProbe() error {
	return guard(p, screen.Runs.StartProbe)(p.of.Runs)
}

func (p around) StartHarvest() error {
	return guard(p, screen.Runs.StartHarvest)(p.of.Runs)
}

func (p around) SetBudget(pages int) error {
	return guard(p, screen.Runs.SetBudget)(p.of.Runs, pages)
}

func (p around) SteerCount(pattern string) (n int, examples []string, err error) {
	return guard(p, screen.Runs.SteerCount)(p.of.Runs, pattern)
}

func (p around) Steer(pattern, action string) error {
	return guard(p, screen.Runs.Steer)(p.of.Runs, pattern, action)
}

func (p around) Troubles() ([]view.FailureGroup, error) {
	return guard(p, screen.Runs.Troubles)(p.of.Runs)
}

func (p around) Retry(what string) (int, error) {
	return guard(p, screen.Runs.Retry)(p.of.Runs, what)
}

func (p around) SteerBranches(list []string, action string, until time.Time) error {
	return guard(p, screen.Runs.SteerBranches)(p.of.Runs, list, action, until)
}

func (p around) ChangeSetting(key, value string) (bool, error) {
	return guard(p, screen.Settings.ChangeSetting)(p.of.Settings, key, value)
}

func (p around) AddSeeds(urls []string) (int, error) {
	return guard(p, screen.Settings.AddSeeds)(p.of.Settings, urls)
}

func (p around) SetStrategy(name string) error {
	return guard(p, screen.Settings.SetStrategy)(p.of.Settings, name)
}

func (p around) SetWorkers(n int) error {
	return guard(p, screen.Settings.SetWorkers)(p.of.Settings, n)
}

func (p around) SetDelay(d time.Duration) error {
	return guard(p, screen.Settings.SetDelay)(p.of.Settings, d)
}

func (p around) SetDepth(n int) error {
	return guard(p, screen.Settings.SetDepth)(p.of.Settings, n)
}

func (p around) ChangeConfig(change func(*topic.Config) message.Text) error {
	return guard(p, screen.Topic.ChangeConfig)(p.of.Topic, change)
}

func (p around) Features() []topic.Feature {
	return guard(p, screen.Topic.Features)(p.of.Topic)
}

func (p around) Scores() *topic.Scores {
	return guard(p, screen.Topic.Scores)(p.of.Topic)
}

func (p around) ToggleSample(id uint64) (bool, error) {
	return guard(p, screen.Topic.ToggleSample)(p.of.Topic, id)
}

func (p around) AddSample(ctx context.Context, urlOrFile, fileURL string) (decisions.SampleRow, error) {
	return guard(p, screen.Topic.AddSample)(p.of.Topic, ctx, urlOrFile, fileURL)
}

func (p around) RemoveSample(url string) error {
	return guard(p, screen.Topic.RemoveSample)(p.of.Topic, url)
}

func (p around) ToggleNegative(id uint64) (bool, error) {
	return guard(p, screen.Topic.ToggleNegative)(p.of.Topic, id)
}

func (p around) AddNegative(ctx context.Context, urlOrFile, fileURL string) (decisions.SampleRow, error) {
	return guard(p, screen.Topic.AddNegative)(p.of.Topic, ctx, urlOrFile, fileURL)
}

func (p around) StopWord(word string) error {
	return guard(p, screen.Topic.StopWord)(p.of.Topic, word)
}

func (p around) Undo() (message.Text, error) {
	return guard(p, screen.Topic.Undo)(p.of.Topic)
}

func (p around) Redo() (message.Text, error) {
	return guard(p, screen.Topic.Redo)(p.of.Topic)
}

func (p around) RedoAgreed(seq uint64) (message.Text, error) {
	return guard(p, screen.Topic.RedoAgreed)(p.of.Topic, seq)
}

func (p around) FindTerms(ctx context.Context, most int) (*decisions.FoundTerms, error) {
	return guard(p, screen.Terms.FindTerms)(p.of.Terms, ctx, most)
}

func (p around) AcceptTerms(words []string) error {
	return guard(p, screen.Terms.AcceptTerms)(p.of.Terms, words)
}

func (p around) RejectTerms(words []string) error {
	return guard(p, screen.Terms.RejectTerms)(p.of.Terms, words)
}

func (p around) SetLabel(id uint64, l topic.Label) error {
	return guard(p, screen.Labels.SetLabel)(p.of.Labels, id, l)
}

func (p around) LabelURLs(rows []topic.LabelRow, what message.Text) (done int, unknown []string, err error) {
	return guard(p, screen.Labels.LabelURLs)(p.of.Labels, rows, what)
}

func (p around) LabelQueue(ctx context.Context, n int) ([]query.QueueRow, error) {
	return guard(p, screen.Labels.LabelQueue)(p.of.Labels, ctx, n)
}

func (p around) Evaluate() ([]topic.Evaluation, error) {
	return guard(p, screen.Labels.Evaluate)(p.of.Labels)
}

func (p around) SetJudge(name string) error {
	return guard(p, screen.Labels.SetJudge)(p.of.Labels, name)
}

func (p around) Candidates(ctx context.Context) ([]query.CandidateRow, error) {
	return guard(p, screen.Pages.Candidates)(p.of.Pages, ctx)
}

func (p around) Pages(ctx context.Context, ids []uint64) ([]query.CandidateRow, error) {
	return guard(p, screen.Pages.Pages)(p.of.Pages, ctx, ids)
}

func (p around) Preview(ctx context.Context, id uint64) (*query.Preview, error) {
	return guard(p, screen.Pages.Preview)(p.of.Pages, ctx, id)
}

func (p around) Source(ctx context.Context, id uint64) (string, error) {
	return guard(p, screen.Pages.Source)(p.of.Pages, ctx, id)
}

func (p around) PagesLike(ctx context.Context, pattern string) ([]query.CandidateRow, error) {
	return guard(p, screen.Pages.PagesLike)(p.of.Pages, ctx, pattern)
}

func (p around) Notice(ctx context.Context, id uint64) (*query.NoticeDetail, error) {
	return guard(p, screen.Pages.Notice)(p.of.Pages, ctx, id)
}

func (p around) RankNotices(ctx context.Context) (bool, error) {
	return guard(p, screen.Pages.RankNotices)(p.of.Pages, ctx)
}

func (p around) ExportFile(ctx context.Context, plan query.ExportPlan, path string, replace bool) (int, error) {
	return guard(p, screen.Pages.ExportFile)(p.of.Pages, ctx, plan, path, replace)
}

func (p around) BackupFile(ctx context.Context, path string, replace bool) error {
	return guard(p, screen.Backups.BackupFile)(p.of.Backups, ctx, path, replace)
}

func (p around) Compare(ctx context.Context, plan lab.Comparison) (*lab.Result, error) {
	return guard(p, screen.Lab.Compare)(p.of.Lab, ctx, plan)
}

func (p around) ImportFile(ctx context.Context, path string) (archive.Imported, error) {
	return guard(p, screen.Archives.ImportFile)(p.of.Archives, ctx, path)
}

func (p around) SetValue(id uint64, field, text string) error {
	return guard(p, screen.Facts.SetValue)(p.of.Facts, id, field, text)
}

func (p around) AsRead(id uint64, field string) error {
	return guard(p, screen.Facts.AsRead)(p.of.Facts, id, field)
}

func (p around) Ask(ids []uint64) (int, error) {
	return guard(p, screen.Files.Ask)(p.of.Files, ids)
}

func (p around) List(ctx context.Context, ask inbox.Request) (*inbox.Listing, error) {
	return guard(p, screen.Inbox.List)(p.of.Inbox, ctx, ask)
}

func (p around) SetRead(ids []uint64, read bool) error {
	return guard(p, screen.Inbox.SetRead)(p.of.Inbox, ids, read)
}

func (p around) Star(ids []uint64, on bool) error {
	return guard(p, screen.Inbox.Star)(p.of.Inbox, ids, on)
}

func (p around) Done(ids []uint64, on bool) error {
	return guard(p, screen.Inbox.Done)(p.of.Inbox, ids, on)
}

func (p around) Judge(ids []uint64, l topic.Label) error {
	return guard(p, screen.Inbox.Judge)(p.of.Inbox, ids, l)
}

func (p around) Note(id uint64, text string) error {
	return guard(p, screen.Inbox.Note)(p.of.Inbox, id, text)
}

func (p around) SaveView(was, name, query string) error {
	return guard(p, screen.Inbox.SaveView)(p.of.Inbox, was, name, query)
}

func (p around) DropView(name string) error {
	return guard(p, screen.Inbox.DropView)(p.of.Inbox, name)
}

func (p around) SetPlace(v json.RawMessage) error {
	return guard(p, screen.Inbox.SetPlace)(p.of.Inbox, v)
}

func (p around) StartSeeds(ask seeds.SearchQuestion) error {
	return guard(p, screen.Seeding.StartSeeds)(p.of.Seeds, ask)
}

func (p around) LinkedSeeds(ctx context.Context) (*seeds.SearchOutcome, error) {
	return guard(p, screen.Seeding.LinkedSeeds)(p.of.Seeds, ctx)
}

func (p around) ListSeeds(ctx context.Context, from string) (*seeds.SearchOutcome, error) {
	return guard(p, screen.Seeding.ListSeeds)(p.of.Seeds, ctx, from)
}

func (p around) LookAt(ctx context.Context, address string) (*seeds.FirstLook, error) {
	return guard(p, screen.Seeding.LookAt)(p.of.Seeds, ctx, address)
}

func (p around) AcceptSeeds(hosts []string) (int, error) {
	return guard(p, screen.Seeding.AcceptSeeds)(p.of.Seeds, hosts)
}

func (p around) RejectSeeds(hosts []string) (int, error) {
	return guard(p, screen.Seeding.RejectSeeds)(p.of.Seeds, hosts)
}

func (p around) TryRecipe(ctx context.Context, r *recipe.Recipe, pages int) (*recipe.Preview, error) {
	return guard(p, screen.Sourcing.TryRecipe)(p.of.Sources, ctx, r, pages)
}

func (p around) ProposeRecipes(ctx context.Context, page string, said func(string)) ([]recipe.Proposal, error) {
	return guard(p, screen.Sourcing.ProposeRecipes)(p.of.Sources, ctx, page, said)
}

func (p around) RecipeFromCURL(ctx context.Context, text, page string, said func(string)) (recipe.Proposal, error) {
	return guard(p, screen.Sourcing.RecipeFromCURL)(p.of.Sources, ctx, text, page, said)
}

func (p around) SaveRecipe(r *recipe.Recipe) (string, error) {
	return guard(p, screen.Sourcing.SaveRecipe)(p.of.Sources, r)
}

func (p around) SwitchRecipe(id string, on bool) error {
	return guard(p, screen.Sourcing.SwitchRecipe)(p.of.Sources, id, on)
}

func (p around) RemoveRecipes(ids ...string) error {
	return guard(p, screen.Sourcing.RemoveRecipes)(p.of.Sources, ids...)
}

func (p around) OrderWorkers(names []string, order string) error {
	return guard(p, screen.Workforce.OrderWorkers)(p.of.Workers, names, order)
}

func (p around) StopWorkers(names []string) error {
	return guard(p, screen.Workforce.StopWorkers)(p.of.Workers, names)
}

func (p around) Queue(ctx context.Context, match func(string) bool) (*query.FrontierQueue, error) {
	return guard(p, screen.Survey.Queue)(p.of.Survey, ctx, match)
}

func (p around) Rows(ctx context.Context, q *query.FrontierQueue, from, n int) ([]view.FrontierRow, error) {
	return guard(p, screen.Survey.Rows)(p.of.Survey, ctx, q, from, n)
}

func (p around) Land(ctx context.Context) (*query.SiteOverview, error) {
	return guard(p, screen.Survey.Land)(p.of.Survey, ctx)
}

func (p around) Runs(most int) ([]records.Run, error) {
	return guard(p, screen.Survey.Runs)(p.of.Survey, most)
}

func (p around) TestTelling(ctx context.Context, name string) error {
	return guard(p, screen.Alerts.TestTelling)(p.of.Telling, ctx, name)
}

func (p around) MuteList(a view.ListAlarm, on bool) error {
	return guard(p, screen.Alerts.MuteList)(p.of.Telling, a, on)
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
