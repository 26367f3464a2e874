package screen

import (
	"context"
	"encoding/json"
	"time"

	"angler/crawl"
	"angler/crawl/alerts"
	"angler/crawl/archive"
	"angler/crawl/decisions"
	"angler/crawl/facts"
	"angler/crawl/fields"
	"angler/crawl/inbox"
	"angler/crawl/lab"
	"angler/crawl/query"
	"angler/crawl/recipe"
	"angler/crawl/seeds"
	"angler/crawl/view"
	"angler/message"
	"angler/store"
	"angler/store/config"
	"angler/store/records"
	"angler/topic"
)

// The workbench calls the engine through these small interfaces, one for each concern. A screen
// takes those it uses, and tests replace them. The engine checks the permission of each action, see
// package auth.
//
// Every method is safe for concurrent use. Snapshot, Strategies, CheckSetting and TermSettings
// return at once. All others may wait for a commit, so only Cmds call them. The end of a context
// cancels the work.

// Live is the state that all viewers see.
type Live interface {
	// Subscribe returns a channel with only the newest snapshot and a function that ends the
	// subscription. Older snapshots are dropped, so a slow viewer never delays the engine.
	Subscribe() (<-chan *view.Snapshot, func())
	Snapshot() *view.Snapshot
}

// Runs starts, controls and steers runs.
type Runs interface {
	StartDiscovery() error
	// StartProbe starts a discovery that ends after some pages for each seed.
	StartProbe() error
	StartHarvest() error
	// StartStored starts a harvest of stored lists and pages, without requests.
	StartStored() error
	Pause() error
	Resume() error
	Step() error // fetches one page while paused
	Stop() error
	// SetBudget bounds the pages of the current run; 0: no limit.
	SetBudget(pages int) error
	// SteerCount counts the waiting URLs that match a regular expression and returns some. Steer takes
	// decisions.Drop, SteerBoost, SteerBury, or "" to remove the rule. One undo removes a rule.
	SteerCount(pattern string) (n int, examples []string, err error)
	Steer(pattern, action string) error
	SteerRules() []decisions.Rule
	// Troubles counts the failed URLs by kind of failure. Retry retries those of a kind, of a host, or
	// of run.AllFailures, and returns their number.
	Troubles() ([]view.FailureGroup, error)
	Retry(what string) (int, error)
	// CancelJob cancels the current background work, if any.
	CancelJob() error
	// StartLook starts a run that fetches one page: the best waiting one below a host or a section:
	// "host/", "host/path/".
	StartLook(branch string) error
	// SteerBranches takes decisions.Drop, Boost, Bury, Delay (until a time) or Mute, or "" to remove
	// rules. One undo takes it back for all branches.
	SteerBranches(branches []string, action string, until time.Time) error
	// RenderBranches switches rendering by a browser on or off from the next visit of the pages; it
	// changes render.pages of angler.toml.
	RenderBranches(branches []string, on bool) (back func() error, err error)
}

// Workforce controls the workers on other machines; Snapshot.Machines shows their state.
type Workforce interface {
	// OrderWorkers takes decisions.WorkerDrained, WorkerBanned, or "" to continue. One undo takes it
	// back for all workers.
	OrderWorkers(names []string, order string) error
	// StopWorkers ends their processes after their current jobs.
	StopWorkers(names []string) error
}

// Survey reads the stored crawl while nothing runs.
type Survey interface {
	// Queue returns the waiting URLs in order; match selects, nil selects all. Rows are read in parts.
	Queue(ctx context.Context, match func(text string) bool) (*query.FrontierQueue, error)
	Rows(ctx context.Context, q *query.FrontierQueue, from, n int) ([]view.FrontierRow, error)
	// Land returns hosts, their sections, and failures by reason. Stored lists at most some thousand of
	// the selected URLs and counts all.
	Land(ctx context.Context) (*query.SiteOverview, error)
	Stored(ctx context.Context, pick query.Pick) (rows []query.StoredRow, total int, err error)
	// EventsOf returns the newest events of one kind; Runs returns the newest runs, newest first.
	EventsOf(kind string) []view.Event
	Runs(most int) ([]records.Run, error)
}

// Settings changes angler.toml and the bounds of runs.
type Settings interface {
	SettingRows() []config.Row
	CheckSetting(key, value string) error
	// ChangeSetting writes angler.toml and reports whether the value takes effect at the next opening.
	ChangeSetting(key, value string) (later bool, err error)
	// NotifyRows returns the rows of [[notify]]; the key of each is config.NotifyOf(name).
	NotifyRows() []config.Notify
	// AddSeeds returns how many of the URLs were new.
	AddSeeds(urls []string) (int, error)
	SetStrategy(name string) error
	Strategies() []string
	SetWorkers(n int) error
	SetDelay(d time.Duration) error // pause between two fetches of one host
	SetDepth(n int) error           // most links from a seed, for discoveries
}

// Topic holds the analysts' decisions about the topic, except labels.
type Topic interface {
	Config() topic.Config
	// ChangeConfig changes the topic's settings in one step; change returns one line for the log.
	ChangeConfig(change func(*topic.Config) (what message.Text)) error
	Features() []topic.Feature
	Scores() *topic.Scores
	// ToggleSample reports whether the page is a sample now. It asks by a *decisions.UndoQuestion
	// before it removes a sample that is old or another person's. RemoveSample is the answer, also for
	// negative samples.
	ToggleSample(id uint64) (bool, error)
	RemoveSample(url string) error
	// AddSample makes a sample of a URL, which it fetches, or of a file; fileURL is the address of the
	// file's page.
	AddSample(ctx context.Context, urlOrFile, fileURL string) (decisions.SampleRow, error)
	// ToggleNegative and AddNegative do the same with negative samples: pages that resemble the samples
	// but are not wanted. No page is both.
	ToggleNegative(id uint64) (bool, error)
	AddNegative(ctx context.Context, urlOrFile, fileURL string) (decisions.SampleRow, error)
	// StopWord excludes a word from judging.
	StopWord(word string) error
	// Undo and Redo return the affected action. Both ask by a *decisions.UndoQuestion if it is old or
	// another person's; UndoAgreed and RedoAgreed are the answers.
	Undo() (message.Text, error)
	UndoAgreed(seq uint64) (message.Text, error)
	Redo() (message.Text, error)
	RedoAgreed(seq uint64) (message.Text, error)
	// Decided returns at most most decisions of all people, the newest, oldest first.
	Decided(most int) ([]store.Event, error)
}

// Terms finds words that the dictionary lacks.
type Terms interface {
	// FindTerms looks for domain terms, strongest first; a job shows its progress.
	FindTerms(ctx context.Context, most int) (*decisions.FoundTerms, error)
	// ProposedTerms returns the undecided terms found after the last harvest.
	ProposedTerms() *decisions.FoundTerms
	TermSettings() config.Terms
	// AcceptTerms adds words to the dictionary; RejectTerms keeps words from being proposed again. One
	// undo takes a step back.
	AcceptTerms(words []string) error
	RejectTerms(words []string) error
}

// Labels are the analysts' verdicts on pages and their use.
type Labels interface {
	// SetLabel sets a label; NoLabel removes it. It asks by a *decisions.UndoQuestion before it
	// replaces an old label or another person's; LabelURLs is the answer.
	SetLabel(id uint64, l topic.Label) error
	// LabelURLs labels many pages in one step, which one undo takes back.
	LabelURLs(rows []topic.LabelRow, what message.Text) (done int, unknown []string, err error)
	// LabelQueue returns the next n pages worth a label, see topic.Scores.Queue.
	LabelQueue(ctx context.Context, n int) ([]query.QueueRow, error)
	// LabelsPay reports whether more labels still change something.
	LabelsPay() (decisions.LabelsPay, error)
	// LabelMarks returns the labels on the score axis, highest first, and the threshold with the best
	// F1 on them; f1 is 0 if there is none.
	LabelMarks() (marks []decisions.LabelMark, bestTheta, f1 float64)
	// Passing returns how many lists, and which, a threshold accepts.
	Passing() *decisions.Passing
	// Evaluate measures every scheme, and the learner, on the labels.
	Evaluate() ([]topic.Evaluation, error)
	// Proposals lists what assistants propose, oldest first, without waiting.
	Proposals() []decisions.Proposal
	// AcceptProposal makes the proposed decision; RefuseProposal removes the proposal. Both take its
	// Key. One undo takes an answer back.
	AcceptProposal(key string) error
	RefuseProposal(key string) error
	// SetJudge takes decisions.JudgeRule or decisions.JudgeLearner.
	SetJudge(name string) error
}

// Pages reads stored pages and notices.
type Pages interface {
	// Candidates returns the pages that may become samples, the most list-like first.
	Candidates(ctx context.Context) ([]query.CandidateRow, error)
	Pages(ctx context.Context, ids []uint64) ([]query.CandidateRow, error)
	Preview(ctx context.Context, id uint64) (*query.Preview, error)
	// Source returns a page's HTML, decoded.
	Source(ctx context.Context, id uint64) (string, error)
	// PagesLike lists the pages of a host, or those whose address has a shape; see query.URLPattern.
	PagesLike(ctx context.Context, pattern string) ([]query.CandidateRow, error)
	// Notice returns one notice in full.
	Notice(ctx context.Context, id uint64) (*query.NoticeDetail, error)
	// RankNotices computes the notices' PageRank if there are new pages, so that lists and Notice know
	// every quality; changed reports whether anything is new.
	RankNotices(ctx context.Context) (changed bool, err error)
	// ExportFile writes rows to a file; a job shows its progress.
	ExportFile(ctx context.Context, plan query.ExportPlan, path string, replace bool) (int, error)
}

// Inbox holds the notices for one reader. CheckFilter, FilterFields and Views return at once.
type Inbox interface {
	// List returns the notices that match a filter, newest first.
	List(ctx context.Context, ask inbox.Request) (*inbox.Listing, error)
	// Yields returns the notices found by every list, by the list's page.
	Yields(ctx context.Context) (map[uint64]inbox.ListYield, error)
	CheckFilter(text string) error
	FilterFields() [][4]string // name, example, usual comparison and Chinese name of each field
	// SetRead records the notices that the person has read. It is no decision and cannot be undone.
	SetRead(ids []uint64, read bool) error
	// Star, Done, Judge and Note mark notices for the whole team, each in one step that one undo takes
	// back.
	Star(ids []uint64, on bool) error
	Done(ids []uint64, on bool) error
	Judge(ids []uint64, l topic.Label) error
	Note(id uint64, text string) error
	// Views returns the saved filters; SaveView and DropView change them for the whole team.
	Views() []decisions.SavedView
	SaveView(was, name, query string) error
	DropView(name string) error
	// Place returns the stored state of the person's screens, or nil.
	Place() (json.RawMessage, error)
	SetPlace(json.RawMessage) error
	// WhyForMe tells which of the person's verdicts a notice resembles, LikelyToday how many of
	// today's notices are likely for the person; nil is no notice.
	WhyForMe(ctx context.Context, id uint64) (*inbox.WhyForMe, error)
	LikelyToday(ctx context.Context) (inbox.LikelyToday, error)
	// Kindred returns the copies and the project of a notice, its earlier versions, and whether it may
	// be no notice; nil if id is no notice.
	Kindred(ctx context.Context, id uint64) (*inbox.Relations, error)
	// Detach declares that notices are not copies of another. Cut removes them from the project of
	// their number or name, Join adds them to another's. One undo takes a step back.
	Detach(ids []uint64, on bool) error
	Cut(ids []uint64, on bool) error
	Join(ids []uint64, to uint64) error
}

// Files are the documents that notices link to; query.NoticeDetail has the state of each.
type Files interface {
	// Ask fetches the documents of notices in the background, and returns their number; a job shows the
	// progress.
	Ask(ids []uint64) (int, error)
	// TextOf returns the text of a document; an error says why there is none.
	TextOf(url string) (*records.DocumentText, error)
}

// Facts are the values of the notices' fields. Fields and CheckValue return at once.
type Facts interface {
	// Of returns the facts of a notice, nil if there are none.
	Of(id uint64) (*facts.NoticeFacts, error)
	Fields() []fields.Field
	// CheckValue parses a typed value of a field, several separated by semicolons. SetValue sets it for
	// the notice; "" means that the notice does not state it. AsRead restores the extracted value. One
	// undo takes a step back.
	CheckValue(field, text string) ([]fields.Value, error)
	SetValue(id uint64, field, text string) error
	AsRead(id uint64, field string) error
}

// Alerts shows the alerts and the faults of lists. TellRows returns at once.
type Alerts interface {
	// TellRows returns the state of every row of [[notify]]; TestTelling sends a test message of the
	// row with a name.
	TellRows() []alerts.AlertRow
	TestTelling(ctx context.Context, name string) error
	// MuteList mutes an alarm. One undo takes it back.
	MuteList(a view.ListAlarm, on bool) error
}

// Seeding proposes hosts as seeds and takes verdicts on them.
type Seeding interface {
	// SeedProposals returns those of a state of package seeds, "" for all, those with most votes first.
	SeedProposals(state string) ([]seeds.Proposal, error)
	// SeedQuestions returns the default queries of StartSeeds.
	SeedQuestions() ([]string, error)
	// StartSeeds searches the web in the background. Jobs show it, CancelJob cancels it, an event
	// reports its end. LinkedSeeds counts the link targets of relevant pages; ListSeeds reads the hosts
	// of a list.
	StartSeeds(ask seeds.SearchQuestion) error
	LinkedSeeds(ctx context.Context) (*seeds.SearchOutcome, error)
	ListSeeds(ctx context.Context, addressOrFile string) (*seeds.SearchOutcome, error)
	// LookAt fetches a first page.
	LookAt(ctx context.Context, address string) (*seeds.FirstLook, error)
	// AcceptSeeds and RejectSeeds return the number of new verdicts. One undo takes a step back,
	// including the seeds in the settings.
	AcceptSeeds(hosts []string) (int, error)
	RejectSeeds(hosts []string) (int, error)
}

// Sourcing manages the recipes for lists that a plain GET does not show.
type Sourcing interface {
	// RecipeRows lists the saved recipes and the open proposals; Recipe returns the one with an ID.
	RecipeRows() ([]recipe.RecipeRow, error)
	Recipe(id string) (*recipe.Recipe, error)
	// TryRecipe reads the first pages of a recipe without storing them.
	TryRecipe(ctx context.Context, r *recipe.Recipe, pages int) (*recipe.Preview, error)
	// ProposeRecipes renders a page and returns recipes for its list, those with rows first.
	// RecipeFromCURL sends a request that a browser has copied. said reports progress from another
	// goroutine.
	ProposeRecipes(ctx context.Context, page string, said func(string)) ([]recipe.Proposal, error)
	RecipeFromCURL(ctx context.Context, text, page string, said func(string)) (recipe.Proposal, error)
	// SaveRecipe reads a list from the next run on, SwitchRecipe pauses or resumes it, RemoveRecipes
	// removes recipes and rejects proposals. One undo takes a step back.
	SaveRecipe(r *recipe.Recipe) (id string, err error)
	SwitchRecipe(id string, on bool) error
	RemoveRecipes(ids ...string) error
}

// Lab compares link orders on the stored crawl; a job shows its progress.
type Lab interface {
	Compare(ctx context.Context, plan lab.Comparison) (*lab.Result, error)
}

// Backups copies the workspace.
type Backups interface {
	// BackupFile writes the whole workspace into a file on this machine.
	BackupFile(ctx context.Context, path string, replace bool) error
}

// Archives imports pages that other programs have fetched.
type Archives interface {
	// ImportFile imports the pages of a web archive on this machine and makes notices of them; a job
	// shows its progress. After a failure the pages read so far are kept.
	ImportFile(ctx context.Context, path string) (archive.Imported, error)
}

// Parts are the parts of one engine. Do not assume that they are one object.
type Parts struct {
	Live     Live
	Runs     Runs
	Workers  Workforce
	Survey   Survey
	Settings Settings
	Topic    Topic
	Terms    Terms
	Labels   Labels
	Pages    Pages
	Inbox    Inbox
	Files    Files
	Facts    Facts
	Telling  Alerts
	Lab      Lab
	Backups  Backups
	Archives Archives
	Seeds    Seeding
	Sources  Sourcing
}

// PartsOf returns the parts of an engine.
func PartsOf(e *crawl.Engine) Parts {
	return Parts{
		Live: e, Runs: e.Runs, Workers: e.Machines, Survey: e.Survey, Settings: e.Settings, Topic: e.Topic,
		Terms: e.Terms, Labels: e.Labels, Pages: e.Pages, Inbox: e.Inbox, Files: e.Files, Facts: e.Facts,
		Telling: e.Lists, Lab: e.Lab, Backups: e, Archives: e.Archive, Seeds: e.Seeds, Sources: e.Recipes,
	}
}
