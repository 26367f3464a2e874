// Package parts names what the workbench asks of an engine, in small
// interfaces, one for each concern; a screen takes those it uses. It stands
// below the screens and below package role, which guards each of them.
//
// Every method is safe for concurrent use. Snapshot, Strategies, CheckSetting and
// TermSettings return at once; all others are called from Cmds only, because
// they may wait for a commit. Where a method takes a context, its end breaks
// the work off.
package parts

import (
	"context"
	"time"

	"angler/crawl"
	"angler/crawl/decisions"
	"angler/crawl/lab"
	"angler/crawl/query"
	"angler/crawl/view"
	"angler/crawl/vocabulary"
	"angler/store"
	"angler/topic"
)

// Live is what all viewers see.
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
	Pause()
	Resume()
	Step() // fetches one page while paused
	Stop()
	// SetBudget bounds the pages of the run under way; 0 = no bound.
	SetBudget(pages int) error
	// SteerCount counts the waiting URLs that match a regular expression and
	// shows some; Steer takes decisions.Drop, SteerBoost, SteerBury, or "" for
	// no rule any more. One undo takes a rule back.
	SteerCount(pattern string) (n int, examples []string, err error)
	Steer(pattern, action string) error
	SteerRules() []decisions.Rule
	// Troubles counts the URLs that failed by what failed them; Retry has those
	// tried again whose reason or host is named, or run.AllFailed, and returns
	// how many.
	Troubles() ([]view.Trouble, error)
	Retry(what string) (int, error)
	// CancelJob ends the background work under way, if there is any.
	CancelJob()
}

// Settings are angler.toml and the bounds of every run.
type Settings interface {
	SettingRows() []store.SettingRow
	CheckSetting(key, value string) error
	// ChangeSetting writes angler.toml and tells whether the value waits for
	// the next opening.
	ChangeSetting(key, value string) (later bool, err error)
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
	ChangeConfig(change func(*topic.Config) (what string)) error
	Features() []topic.Feature
	Scores() *topic.Scores
	// ToggleSample reports whether the page is a sample now.
	ToggleSample(id uint64) (bool, error)
	// AddSample makes a URL, which is fetched, or a file a sample; fileURL is
	// where a file came from.
	AddSample(ctx context.Context, urlOrFile, fileURL string) (view.SampleRow, error)
	// ToggleNegative and AddNegative do the same with negative samples: pages
	// that look like the samples and are not wanted. No page is both.
	ToggleNegative(id uint64) (bool, error)
	AddNegative(ctx context.Context, urlOrFile, fileURL string) (view.SampleRow, error)
	// StopWord makes a word one that no page is judged by.
	StopWord(word string) error
	// Undo and Redo return what was undone or done again. Undo asks by a
	// *view.UndoQuestion before it takes back what another person did, or what is
	// old; UndoAgreed is the answer.
	Undo() (string, error)
	UndoAgreed(seq uint64) (string, error)
	Redo() (string, error)
}

// Terms are the words that the dictionary lacks.
type Terms interface {
	// FindTerms looks for domain terms, strongest first; a Job shows its progress.
	FindTerms(ctx context.Context, most int) (*vocabulary.Found, error)
	// ProposedTerms are those found after the last harvest that are still open.
	ProposedTerms() *vocabulary.Found
	TermSettings() store.TermSettings
	// AcceptTerms makes words part of the dictionary; those that RejectTerms takes
	// are not proposed again. One undo takes a step back.
	AcceptTerms(words []string) error
	RejectTerms(words []string) error
}

// Labels are the analysts' verdicts on pages and what they teach.
type Labels interface {
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
	// SetJudge takes decisions.JudgeRule or decisions.JudgeLearner.
	SetJudge(name string) error
}

// Pages are the stored pages.
type Pages interface {
	// Candidates returns the pages that may become samples, most list-like first.
	Candidates(ctx context.Context) ([]view.CandidateRow, error)
	Pages(ctx context.Context, ids []uint64) ([]view.CandidateRow, error)
	Preview(ctx context.Context, id uint64) (*view.Preview, error)
	// Source returns a page's HTML, decoded.
	Source(ctx context.Context, id uint64) (string, error)
	// PagesLike lists the pages of a host, or whose address has a shape; see
	// query.URLPattern.
	PagesLike(ctx context.Context, pattern string) ([]view.CandidateRow, error)
}

// Notices are what the harvests brought home.
type Notices interface {
	// Notices finds notices by words of their title, text or address, newest
	// first, and counts what every list brought home; Notice is one in full.
	Notices(ctx context.Context, query string, most int) (*view.NoticeBook, error)
	Notice(ctx context.Context, id uint64) (*view.NoticeDetail, error)
	// RankNotices computes the notices' PageRank if pages came since, so that
	// Notices and Notice know every quality; changed tells that there is
	// anything new.
	RankNotices(ctx context.Context) (changed bool, err error)
	// ExportFile writes rows to a file; a Job shows its progress.
	ExportFile(ctx context.Context, plan query.ExportPlan, path string, replace bool) (int, error)
}

// Log is the log of the decisions.
type Log interface {
	// Decided returns the newest decisions of all people, oldest first, at most most.
	Decided(most int) ([]store.Event, error)
}

// Lab compares link orders on the stored crawl; a Job shows its progress.
type Lab interface {
	Lab(ctx context.Context, plan lab.Comparison) (*lab.Result, error)
}

// Backups copies the workspace.
type Backups interface {
	// BackupFile writes the whole workspace into a file of this machine.
	BackupFile(ctx context.Context, path string, replace bool) error
}

// All are the parts of one engine. Nothing may assume that they are one object.
type All struct {
	Live     Live
	Runs     Runs
	Settings Settings
	Topic    Topic
	Terms    Terms
	Labels   Labels
	Pages    Pages
	Notices  Notices
	Log      Log
	Lab      Lab
	Backups  Backups
}

// Of returns the parts of an engine.
func Of(e *crawl.Engine) All {
	return All{Live: e, Runs: e.Runs, Settings: e.Settings, Topic: e.Topic, Terms: e.Terms, Labels: e.Labels, Pages: e.Pages, Notices: e.Pages, Log: e.Topic, Lab: e.Lab, Backups: e}
}
