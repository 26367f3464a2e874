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

// The workbench asks the engine through these small interfaces, one for each concern; a
// screen takes those it uses, and tests put their own in place. The engine checks the
// permission of each action, see package auth.
//
// Every method is safe for concurrent use. Snapshot, Strategies, CheckSetting and
// TermSettings return at once. All others may wait for a commit, so only Cmds call them.
// The end of a context breaks the work off.

// Live is the state that all viewers see.
type Live interface {
	// Subscribe returns a channel that holds the newest snapshot only (older
	// ones are dropped, so a slow viewer never holds the engine up) and a
	// function that ends the subscription.
	Subscribe() (<-chan *view.Snapshot, func())
	Snapshot() *view.Snapshot
}

// Runs starts, drives and steers the runs.
type Runs interface {
	StartDiscovery() error
	// StartProbe is a discovery that ends by itself after some pages a seed.
	StartProbe() error
	StartHarvest() error
	// StartStored is a harvest that asks for nothing: of stored lists and stored pages.
	StartStored() error
	Pause() error
	Resume() error
	Step() error // fetches one page while paused
	Stop() error
	// SetBudget bounds the pages of the run under way; 0 = no bound.
	SetBudget(pages int) error
	// SteerCount counts the waiting URLs that match a regular expression and
	// shows some; Steer takes decisions.Drop, SteerBoost, SteerBury, or "" for
	// no rule any more. One undo takes a rule back.
	SteerCount(pattern string) (n int, examples []string, err error)
	Steer(pattern, action string) error
	SteerRules() []decisions.Rule
	// Troubles counts the URLs that failed by what failed them; Retry has those
	// tried again whose reason or host is named, or run.AllFailures, and returns
	// how many.
	Troubles() ([]view.FailureGroup, error)
	Retry(what string) (int, error)
	// CancelJob ends the background work under way, if there is any.
	CancelJob() error
	// StartLook begins a run that fetches one page: the best that waits below a host or a
	// section of it: "host/", "host/path/".
	StartLook(branch string) error
	// SteerBranches takes decisions.Drop, Boost, Bury, Delay (until a time) or Mute, or
	// "" for no rule any more. One undo takes it back, however many they are.
	SteerBranches(branches []string, action string, until time.Time) error
	// RenderBranches has pages read through a browser from their next visit on, or no
	// longer; it changes render.pages of angler.toml.
	RenderBranches(branches []string, on bool) (back func() error, err error)
}

// Workforce is the workers at other machines; how they are stands in Snapshot.Machines.
type Workforce interface {
	// OrderWorkers takes decisions.WorkerDrained, WorkerBanned, or "" for workers that
	// go on. One undo takes it back, however many they are.
	OrderWorkers(names []string, order string) error
	// StopWorkers has their processes end after the jobs that they have.
	StopWorkers(names []string) error
}

// Survey looks at what is stored of the crawl, for the time in which nothing runs.
type Survey interface {
	// Queue is what waits, in order; match chooses, nil lets everything pass. Rows
	// are read from it in parts.
	Queue(ctx context.Context, match func(text string) bool) (*query.FrontierQueue, error)
	Rows(ctx context.Context, q *query.FrontierQueue, from, n int) ([]view.FrontierRow, error)
	// Land is hosts and their sections, and what failed by reason; Stored lists the
	// known URLs that are meant, at most some thousands, and counts all.
	Land(ctx context.Context) (*query.SiteOverview, error)
	Stored(ctx context.Context, pick query.Pick) (rows []query.StoredRow, total int, err error)
	// EventsOf are the newest events of one kind, Runs the newest runs, newest first.
	EventsOf(kind string) []view.Event
	Runs(most int) ([]records.Run, error)
}

// Settings are angler.toml and the bounds of every run.
type Settings interface {
	SettingRows() []config.Row
	CheckSetting(key, value string) error
	// ChangeSetting writes angler.toml and tells whether the value waits for
	// the next opening.
	ChangeSetting(key, value string) (later bool, err error)
	// NotifyRows are the rows of [[notify]], each the setting config.NotifyOf(name).
	NotifyRows() []config.Notify
	// AddSeeds returns how many of the URLs were new.
	AddSeeds(urls []string) (int, error)
	SetStrategy(name string) error
	Strategies() []string
	SetWorkers(n int) error
	SetDelay(d time.Duration) error // between two fetches of one host
	SetDepth(n int) error           // links from a seed, for discoveries
}

// Topic is what the analysts decided about the topic, except labels.
type Topic interface {
	Config() topic.Config
	// ChangeConfig changes the topic's settings in one step; change returns
	// one line for the log.
	ChangeConfig(change func(*topic.Config) (what message.Text)) error
	Features() []topic.Feature
	Scores() *topic.Scores
	// ToggleSample reports whether the page is a sample now. It asks by a
	// *decisions.UndoQuestion before it takes out what another person made one, or what
	// is old; RemoveSample is the answer, for negative samples too.
	ToggleSample(id uint64) (bool, error)
	RemoveSample(url string) error
	// AddSample makes a URL, which is fetched, or a file a sample; fileURL is
	// where a file came from.
	AddSample(ctx context.Context, urlOrFile, fileURL string) (decisions.SampleRow, error)
	// ToggleNegative and AddNegative do the same with negative samples: pages
	// that look like the samples and are not wanted. No page is both.
	ToggleNegative(id uint64) (bool, error)
	AddNegative(ctx context.Context, urlOrFile, fileURL string) (decisions.SampleRow, error)
	// StopWord makes a word one that no page is judged by.
	StopWord(word string) error
	// Undo and Redo return what was undone or done again. Both ask by a
	// *decisions.UndoQuestion before they take back what another person did or undid, or
	// what is old; UndoAgreed and RedoAgreed are the answers.
	Undo() (message.Text, error)
	UndoAgreed(seq uint64) (message.Text, error)
	Redo() (message.Text, error)
	RedoAgreed(seq uint64) (message.Text, error)
	// Decided returns the newest decisions of all people, oldest first, at most most.
	Decided(most int) ([]store.Event, error)
}

// Terms are the words that the dictionary lacks.
type Terms interface {
	// FindTerms looks for domain terms, strongest first; a Job shows its progress.
	FindTerms(ctx context.Context, most int) (*decisions.FoundTerms, error)
	// ProposedTerms are those found after the last harvest that are still open.
	ProposedTerms() *decisions.FoundTerms
	TermSettings() config.Terms
	// AcceptTerms makes words part of the dictionary; those that RejectTerms takes
	// are not proposed again. One undo takes a step back.
	AcceptTerms(words []string) error
	RejectTerms(words []string) error
}

// Labels are the analysts' verdicts on pages and what they teach.
type Labels interface {
	// SetLabel takes the label back by NoLabel. It asks by a *decisions.UndoQuestion before
	// one goes that another person gave, or an old one; LabelURLs is the answer.
	SetLabel(id uint64, l topic.Label) error
	// LabelURLs labels many pages in one step, which one undo takes back.
	LabelURLs(rows []topic.LabelRow, what message.Text) (done int, unknown []string, err error)
	// LabelQueue returns the next n pages worth a label, see topic.Scores.Queue.
	LabelQueue(ctx context.Context, n int) ([]query.QueueRow, error)
	// LabelMarks places the labels on the score axis, highest first, and finds
	// the threshold with the best F1 on them; f1 is 0 while there is none.
	LabelMarks() (marks []decisions.LabelMark, bestTheta, f1 float64)
	// Passing tells how many lists, and which, a threshold lets in.
	Passing() *decisions.Passing
	// Evaluate measures every scheme, and the learner, on the labels.
	Evaluate() ([]topic.Evaluation, error)
	// SetJudge takes decisions.JudgeRule or decisions.JudgeLearner.
	SetJudge(name string) error
}

// Pages are the stored pages and notices.
type Pages interface {
	// Candidates returns the pages that may become samples, most list-like first.
	Candidates(ctx context.Context) ([]query.CandidateRow, error)
	Pages(ctx context.Context, ids []uint64) ([]query.CandidateRow, error)
	Preview(ctx context.Context, id uint64) (*query.Preview, error)
	// Source returns a page's HTML, decoded.
	Source(ctx context.Context, id uint64) (string, error)
	// PagesLike lists the pages of a host, or whose address has a shape; see
	// query.URLPattern.
	PagesLike(ctx context.Context, pattern string) ([]query.CandidateRow, error)
	// Notice is one notice in full.
	Notice(ctx context.Context, id uint64) (*query.NoticeDetail, error)
	// RankNotices computes the notices' PageRank if pages came since, so that
	// lists and Notice know every quality; changed tells that there is
	// anything new.
	RankNotices(ctx context.Context) (changed bool, err error)
	// ExportFile writes rows to a file; a Job shows its progress.
	ExportFile(ctx context.Context, plan query.ExportPlan, path string, replace bool) (int, error)
}

// Inbox is the notices as one person reads them. CheckFilter, FilterFields and Views
// return at once.
type Inbox interface {
	// List makes a list of the notices that a filter lets pass, newest first.
	List(ctx context.Context, ask inbox.Request) (*inbox.Listing, error)
	// Yields are what every list has brought home, by the list's page.
	Yields(ctx context.Context) (map[uint64]inbox.ListYield, error)
	CheckFilter(text string) error
	FilterFields() [][4]string // names, an example of each, its usual comparison, and its name in Chinese
	// SetRead notes what the person has read. It is no decision and no undo takes
	// it back.
	SetRead(ids []uint64, read bool) error
	// Star, Done, Judge and Note mark notices for the whole team, each in one step
	// that one undo takes back.
	Star(ids []uint64, on bool) error
	Done(ids []uint64, on bool) error
	Judge(ids []uint64, l topic.Label) error
	Note(id uint64, text string) error
	// Views are the filters that have names; SaveView and DropView change them for
	// the whole team.
	Views() []decisions.SavedView
	SaveView(was, name, query string) error
	DropView(name string) error
	// Place is how the person left the screens; nil when nothing is known.
	Place() (json.RawMessage, error)
	SetPlace(json.RawMessage) error
	// WhyForMe tells which of the person's verdicts a notice resembles, LikelyToday how many of
	// today's notices are likely for the person; nil is no notice.
	WhyForMe(ctx context.Context, id uint64) (*inbox.WhyForMe, error)
	LikelyToday(ctx context.Context) (inbox.LikelyToday, error)
	// Kindred is which notices are the same one or of one project, what a notice said
	// before, and whether it is one at all; nil is no notice.
	Kindred(ctx context.Context, id uint64) (*inbox.Relations, error)
	// Detach says that notices are no other addresses of another, Cut that they are not
	// of the project of their number or name, Join that they are of another's. One undo
	// takes a step back.
	Detach(ids []uint64, on bool) error
	Cut(ids []uint64, on bool) error
	Join(ids []uint64, to uint64) error
}

// Files are the documents that notices link to; what has become of each stands in
// query.NoticeDetail.
type Files interface {
	// Ask has the documents of notices fetched in the background, and returns how many
	// that are; a Job shows the progress.
	Ask(ids []uint64) (int, error)
	// TextOf is the text of a document; an error says why there is none.
	TextOf(url string) (*records.DocumentText, error)
}

// Facts are the values of the notices' fields. Fields and CheckValue return at once.
type Facts interface {
	// Of is what a notice says, nil for none.
	Of(id uint64) (*facts.NoticeFacts, error)
	Fields() []fields.Field
	// CheckValue reads what a person typed as a value of a field, several between
	// semicolons. SetValue says that it is the notice's, "" that the notice does not
	// say it; AsRead lets hold again what was read. One undo takes a step back.
	CheckValue(field, text string) ([]fields.Value, error)
	SetValue(id uint64, field, text string) error
	AsRead(id uint64, field string) error
}

// Alerts is who is told of notices, and what is wrong with lists. TellRows returns
// at once.
type Alerts interface {
	// TellRows says how every row of [[notify]] stands; TestTelling sends a test
	// message by the row of a name.
	TellRows() []alerts.AlertRow
	TestTelling(ctx context.Context, name string) error
	// MuteList mutes an alarm. One undo takes it back.
	MuteList(a view.ListAlarm, on bool) error
}

// Seeding proposes hosts as seeds and takes verdicts on them.
type Seeding interface {
	// SeedProposals are those of a state of package suggest, "" for all, those with most
	// votes first.
	SeedProposals(state string) ([]seeds.Proposal, error)
	// SeedQuestions are what StartSeeds searches for by default.
	SeedQuestions() ([]string, error)
	// StartSeeds searches the web in the background; Jobs show it, CancelJob ends it, an
	// event tells its end. LinkedSeeds counts what relevant pages link to, ListSeeds takes
	// the hosts of a list.
	StartSeeds(ask seeds.SearchQuestion) error
	LinkedSeeds(ctx context.Context) (*seeds.SearchOutcome, error)
	ListSeeds(ctx context.Context, addressOrFile string) (*seeds.SearchOutcome, error)
	// LookAt fetches a first page.
	LookAt(ctx context.Context, address string) (*seeds.FirstLook, error)
	// AcceptSeeds and RejectSeeds return how many verdicts are new. One undo takes a step
	// back, the seeds in the settings with it.
	AcceptSeeds(hosts []string) (int, error)
	RejectSeeds(hosts []string) (int, error)
}

// Sourcing is the recipes for lists that a plain GET does not show.
type Sourcing interface {
	// RecipeRows lists the saved recipes and the proposals that wait; Recipe is that of
	// an ID.
	RecipeRows() ([]recipe.RecipeRow, error)
	Recipe(id string) (*recipe.Recipe, error)
	// TryRecipe reads the first pages of a recipe; nothing is stored.
	TryRecipe(ctx context.Context, r *recipe.Recipe, pages int) (*recipe.Preview, error)
	// ProposeRecipes renders a page and returns recipes for its list, those that bring rows
	// first; RecipeFromCURL sends a request that a browser has copied. said is told from
	// another goroutine what is under way.
	ProposeRecipes(ctx context.Context, page string, said func(string)) ([]recipe.Proposal, error)
	RecipeFromCURL(ctx context.Context, text, page string, said func(string)) (recipe.Proposal, error)
	// SaveRecipe has a list read from the next run on, SwitchRecipe pauses it or has it go
	// on, RemoveRecipes takes recipes away and rejects proposals. One undo takes a step back.
	SaveRecipe(r *recipe.Recipe) (id string, err error)
	SwitchRecipe(id string, on bool) error
	RemoveRecipes(ids ...string) error
}

// Lab compares link orders on the stored crawl; a Job shows its progress.
type Lab interface {
	Compare(ctx context.Context, plan lab.Comparison) (*lab.Result, error)
}

// Backups copies the workspace.
type Backups interface {
	// BackupFile writes the whole workspace into a file of this machine.
	BackupFile(ctx context.Context, path string, replace bool) error
}

// Archives takes in what was fetched before.
type Archives interface {
	// ImportFile takes the pages of a web archive of this machine in and makes notices
	// of them; a Job shows its progress. What was read is kept when it fails.
	ImportFile(ctx context.Context, path string) (archive.Imported, error)
}

// Parts are the parts of one engine. Nothing may assume that they are one object.
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
