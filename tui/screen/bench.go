package screen

import (
	"context"
	"time"

	"angler/crawl"
	"angler/crawl/view"
	"angler/dict/terms"
	"angler/store"
	"angler/topic"
)

// Bench is the engine as the workbench needs it; *crawl.Engine is one. Every
// method is safe for concurrent use. Snapshot and Scores return at once;
// all others are called from Cmds only, because they may wait for a commit.
type Bench interface {
	// Subscribe returns a channel that holds the newest snapshot only (older
	// ones are dropped, so a slow viewer never holds the engine up) and a
	// function that ends the subscription.
	Subscribe() (<-chan *view.Snapshot, func())
	Snapshot() *view.Snapshot

	StartDiscovery() error
	// StartScout is a discovery that ends by itself after some pages a seed.
	StartScout() error
	StartHarvest() error
	Pause()
	Resume()
	Step() // fetches one page while paused
	Stop()

	SetStrategy(name string) error
	Strategies() []string
	SetWorkers(n int) error
	// SetDelay is for every host, SetDepth for discoveries, SetBudget for the
	// run under way (0 = no bound).
	SetDelay(d time.Duration) error
	SetDepth(n int) error
	SetBudget(pages int) error
	// SteerCount counts the waiting URLs that match a regular expression and
	// shows some; Steer takes crawl.SteerDrop, SteerBoost, SteerBury, or "" for
	// no rule any more. One undo takes a rule back.
	SteerCount(pattern string) (n int, examples []string, err error)
	Steer(pattern, action string) error
	SteerRules() []crawl.SteerRule
	// Lab compares link orders on the stored crawl; a Job shows its progress.
	Lab(ctx context.Context, plan crawl.LabPlan) (*crawl.LabResult, error)
	// AddSeeds returns how many of the URLs were new.
	AddSeeds(urls []string) (int, error)

	// Candidates returns the scouted pages, most list-like first.
	Candidates(ctx context.Context) ([]view.CandidateRow, error)
	Pages(ctx context.Context, ids []uint64) ([]view.CandidateRow, error)
	Preview(ctx context.Context, id uint64) (*view.Preview, error)
	// Source returns a page's HTML, decoded.
	Source(ctx context.Context, id uint64) (string, error)
	// PagesLike lists the pages of a host, or whose address has a shape; see
	// crawl.URLPattern.
	PagesLike(ctx context.Context, pattern string) ([]view.CandidateRow, error)

	// ToggleSample reports whether the page is a sample now.
	ToggleSample(id uint64) (bool, error)
	// AddSample makes a URL, which is fetched, or a file a sample; fileURL is
	// where a file came from.
	AddSample(ctx context.Context, urlOrFile, fileURL string) (view.SampleRow, error)
	// ToggleAnti and AddAnti do the same with anti-samples: pages that look like
	// the samples and are not wanted. No page is both.
	ToggleAnti(id uint64) (bool, error)
	AddAnti(ctx context.Context, urlOrFile, fileURL string) (view.SampleRow, error)
	Config() topic.Config
	// ChangeConfig changes the topic's settings in one step; change returns
	// one line for the log.
	ChangeConfig(change func(*topic.Config) (what string)) error
	Features() []topic.Feature
	Scores() *topic.Scores
	SetLabel(id uint64, l topic.Label) error
	// LabelURLs labels many pages in one step, which one undo takes back.
	LabelURLs(rows []topic.LabelRow, what string) (done int, unknown []string, err error)

	// LabelQueue returns the next n pages worth a label, by turns the most
	// probable and the most uncertain one.
	LabelQueue(ctx context.Context, n int) ([]view.QueueRow, error)
	// LabelMarks places the labels on the score axis, highest first, and finds
	// the threshold with the best F1 on them; f1 is 0 while there is none.
	LabelMarks() (marks []view.LabelMark, bestTheta, f1 float64)
	// Evaluate measures every scheme, and the learner, on the labels.
	Evaluate() ([]topic.Evaluation, error)
	// SetJudge takes crawl.JudgeRule or crawl.JudgeLearner.
	SetJudge(name string) error

	// Terms looks for domain terms in all stored pages, strongest first; a Job
	// shows its progress. AcceptTerms makes words part of the dictionary.
	Terms(ctx context.Context, most int) ([]terms.Term, error)
	AcceptTerms(words []string) error
	// StopWord makes a word one that no page is judged by.
	StopWord(word string) error
	// CancelJob ends the background work under way, if there is any.
	CancelJob()

	// Notices finds notices by words of their title, text or address, newest
	// first, and counts what every list brought home; Notice is one in full.
	Notices(ctx context.Context, query string, most int) (*view.NoticeBook, error)
	Notice(ctx context.Context, id uint64) (*view.NoticeDetail, error)
	// RankNotices computes the notices' PageRank if pages came since, so that
	// Notices and Notice know every quality; changed tells that there is
	// anything new.
	RankNotices(ctx context.Context) (changed bool, err error)
	// ExportFile writes rows to a file; a Job shows its progress.
	ExportFile(ctx context.Context, plan crawl.ExportPlan, path string, replace bool) (int, error)

	// SettingRows lists the settings; CheckSetting returns at once;
	// ChangeSetting writes angler.toml and tells whether the value waits for
	// the next opening.
	SettingRows() []store.SettingRow
	CheckSetting(key, value string) error
	ChangeSetting(key, value string) (later bool, err error)

	// Undo and Redo return what was undone or done again.
	Undo() (string, error)
	Redo() (string, error)
}
