// Package view holds the data that viewers of a crawl share: the immutable Snapshot and its rows, the events, and
// the hub. The hub sends the newest snapshot to any number of viewers.
//
// Everything here is plain data: a row knows neither the store nor the topic model. Rows of lists, previews and
// exports are defined in the packages that make them. Publishing costs one pointer per viewer and never blocks. The
// slices of a published Snapshot never change.
//
// P0 … P4: see docs/papers.md.
package view

import (
	"fmt"
	"time"

	"angler/store"
	"angler/store/records"
)

// The names of the tasks. A look is a discovery that stops after some pages: a first look at the seeds or at a
// branch.
const (
	Discovery = "discovery"
	Look      = "look"
	Harvest   = "harvest"
)

// RunState is the state of the engine, one word for the status line.
type RunState string

// The run states. A draining run was told to stop and waits until its pages are stored.
const (
	Idle     RunState = "idle"
	Running  RunState = "running"
	Paused   RunState = "paused"
	Draining RunState = "draining"
)

// Counts holds the four URL states of P1 and the yield of all runs.
type Counts struct {
	Waiting, Processing, Exception, Complete int
	Beyond                                   int // waiting URLs deeper than the depth limit
	Pages                                    int // captures with a readable body
	Aggregations                             int // pages at or above θ (labels override)
	Notices                                  int // addresses that show a notice
	Copies                                   int // of Notices: duplicate addresses, as far as compared
	Samples, Negative, Labels                int
}

// Story holds the figures of the first screen, beside Counts.
type Story struct {
	Seeds, Sites int       // seeds, and their distinct hosts
	Today        int       // notices first seen today; duplicates count once
	Due          int       // notices whose deadline is within three days
	Broken       int       // aggregation pages whose last visit failed, at the end of the last run
	Unvisited    int       // of the lists that Harvest shows: not read by a harvest yet
	Unmatched    int       // list entries left out because of the title patterns, at the end of the last run
	Unlike       int       // lists with such entries
	Patterns     string    // notice kind of the patterns; "" = an analyst's patterns
	Next         time.Time // start of the schedule's next round; zero = no schedule
}

// Snapshot is the state of a live engine for viewers. It is immutable and safe to share. The engine publishes five
// per second during changes.
type Snapshot struct {
	At        time.Time
	Seq       uint64
	Still     bool   // only At differs from the snapshot before
	Workspace string // folder name
	Topic     string // the topic's name in the settings
	Task      string // Discovery, Look, Harvest, or "" when idle
	State     RunState
	Why       string    // why no fetch runs now, in a few words; "" while fetching
	Patient   bool      // Why is normal for a polite crawl, see WhyIdle
	Until     time.Time // Patient: when the first host may be asked; zero = unknown
	Pressing  bool      // Why needs a person or is unusual: disk full, network down, round interrupted
	Moved     time.Time // last progress of the run
	Err       string    // error that stopped the last run, one line
	Strategy  string
	Keys      map[string]any // the workbench's key settings; do not change
	Workers   int
	Busy      int
	Delay     time.Duration // configured pause between two fetches of one host
	Depth     int           // limit of links from a seed

	Counts      Counts
	Run         Tally   // the active run, else the last one since the opening
	Rate        float64 // Run.Rate
	HarvestRate float64 // Run.HarvestRate
	ErrorRate   float64 // Run.ErrorRate
	Fetched     int     // Run.Fetched
	Bound       int     // Run.Bound

	AwaySince  time.Time // network down since; zero = network up
	Unfinished time.Time // the schedule's round was interrupted at; zero = complete

	Story      Story
	Alarms     []ListAlarm   // silent lists that are not muted, worst first, at most 200; at the end of the last run
	Unfollowed int           // unmuted lists with content that could not be followed
	Doors      []BlockedHost // hosts that refuse access, at most 50; do not change
	Telling    AlertStatus
	Rendering  Rendering
	Machines   *Machines // workers on other machines; nil = not configured
	Job        Job       // background work; no name = none
	Unanswered []string  // frequent searches without a result, most frequent first; do not change
	Proposed   SeedNews
	Assistants int // proposals of assistants that wait for a person
	Recipes    RecipeNews
	Assistant  Assistant
	DictReady  bool
	DictWords  int       // expected size of a dictionary that loads slowly
	DictUntil  time.Time // estimated end of loading
	DictErr    string
	Theta      float64
	ThetaAuto  bool
	ThetaRule  string // reason for θ, a topic.Rule
	Advice     string // fault of the samples; "" = none
	Scheme     string
	Norm       string
	Similarity string // "mean" if pages are compared with each sample, else ""
	Learner    LearnerInfo
	Best       BestJudge
	Terms      TermNews
	TopicErr   string // why the topic can score no page; "" = it can, or there is no topic
	Rejected   int    // samples that score below θ
	ModelRev   uint64
	FactsRev   uint64 // changes when field values of notices were read or corrected
	ScoresRev  uint64 // changes with every score and with the set of pages
	Lapsed     int    // expired branch delays since the opening
	Decided    uint64 // changes with every decision, including those on notices
	Files      int    // changes with every fetched or failed attachment

	Frontier []FrontierRow // head of the frontier, best first, at most 100
	Harvest  []HarvestRow  // newest aggregation pages first, at most 200
	Notices  []NoticeRow   // newest first, at most 200
	Hosts    []HostRow     // busiest first, at most 200
	NumHosts int
	OnDisk   int          // waiting URLs that are not in memory
	InFlight []Request    // requests in flight, longest first, at most 256
	Curve    []CurvePoint // harvest curve of this run, at most 500 points
	Events   []Event      // newest last, at most 100
	Kinds    []EventKind  // groups of these and older events, newest first
	Last     *records.Run // newest ended run; nil = none
	Look     *records.Run // newest ended look at all seeds; nil = none
	// newest ended discovery of all seeds with an estimate of its lists; nil = none
	Estimated *records.Run
	Viewers   []Viewer // attached viewers, longest first
	Filtered  []FilterCount
	Seen      store.FilterFigures // filter of known URLs
}

// Unjudged reports whether samples exist but no page was scored since the opening. Counts of aggregation pages are
// meaningless until then.
func (s *Snapshot) Unjudged() bool {
	return s.Counts.Samples > 0 && s.ModelRev == 0 && s.TopicErr == "" && s.DictErr == ""
}

// Lists returns the number of aggregation pages as text, once it is known.
func (s *Snapshot) Lists() string {
	if s.Unjudged() {
		return "scores are being read"
	}
	return fmt.Sprintf("%d aggregation pages", s.Counts.Aggregations)
}
