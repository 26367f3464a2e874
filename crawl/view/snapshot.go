// Package view is what viewers of a crawl share: the immutable Snapshot with the rows it
// consists of, the events, and the hub that hands the newest snapshot to any number of
// viewers.
//
// Everything here is plain data: a row knows neither the store nor the topic model it was
// made from. Rows of lists, previews and exports stand in the packages that make them.
// Publishing costs one pointer per viewer and never waits. A Snapshot's slices are never
// changed after it was handed out.
//
// P0 … P4: see docs/papers.md.
package view

import (
	"fmt"
	"time"

	"angler/store"
	"angler/store/records"
)

// The names of the tasks. A look is a discovery that ends by itself after some pages: the
// first look at the seeds, or that at a branch.
const (
	Discovery = "discovery"
	Look      = "look"
	Harvest   = "harvest"
)

// RunState says what the engine is doing, in one word for the status line.
type RunState string

// The run states. Draining means the run was told to stop and waits for the
// pages under way to be stored.
const (
	Idle     RunState = "idle"
	Running  RunState = "running"
	Paused   RunState = "paused"
	Draining RunState = "draining"
)

// Counts are the four URL states of P1 plus what the run has brought home.
type Counts struct {
	Waiting, Processing, Exception, Complete int
	Beyond                                   int // waiting URLs deeper than the depth limit
	Pages                                    int // captures with a body that was understood
	Aggregations                             int // pages at or above θ (labels override)
	Notices                                  int // addresses that show a notice
	Copies                                   int // of Notices: further addresses of others, as far as they were compared
	Samples, Negative, Labels                int
}

// Story is what the first screen tells of a workspace beside its counts.
type Story struct {
	Seeds, Sites int       // seeds, and the different hosts among them
	Today        int       // notices that were first seen today, at however many addresses
	Due          int       // notices whose deadline lies within three days
	Broken       int       // aggregation pages whose last visit failed, as of the end of the last run
	Unvisited    int       // aggregation pages, of those that Harvest shows, that no harvest has read
	Unmatched    int       // entries of lists that are left out because their titles do not match the patterns, as of the end of the last run
	Unlike       int       // the lists that show them
	Patterns     string    // the kind of notices that the patterns choose; "" = an analyst's own
	Next         time.Time // when the next round of the schedule begins; zero = there is no schedule
}

// Snapshot is what a viewer shows of a live engine. It is immutable and safe
// to share; the engine publishes five a second while something moves.
type Snapshot struct {
	At        time.Time
	Seq       uint64
	Still     bool   // nothing has happened since the one before: only At is another
	Workspace string // folder name
	Topic     string // the topic's name from the settings
	Task      string // Discovery, Look, Harvest, or "" when idle
	State     RunState
	Why       string    // why nothing is fetched at this moment, in a few words; "" while fetching
	Patient   bool      // Why is in the nature of a polite crawl, see WhyIdle
	Until     time.Time // Patient: when the first host may be asked; zero = not known
	Pressing  bool      // Why wants a person, or is out of the ordinary: a full disk, a network that is away, a round that was left
	Moved     time.Time // when the run last got on
	Err       string    // the error that stopped the last run, one line
	Strategy  string
	Keys      map[string]any // of the workbench, that the settings change; never written to
	Workers   int
	Busy      int
	Delay     time.Duration // between two fetches of one host, as the settings ask
	Depth     int           // links from a seed

	Counts      Counts
	Run         Tally   // of the run under way, or of the last one since the opening
	Rate        float64 // Run.Rate
	HarvestRate float64 // Run.HarvestRate
	ErrorRate   float64 // Run.ErrorRate
	Fetched     int     // Run.Fetched
	Bound       int     // Run.Bound
	Started     time.Time

	AwaySince  time.Time // the network is away since; zero = it is there
	Unfinished time.Time // the schedule's round has left something to do since; zero = it has not

	Story      Story
	Alarms     []ListAlarm   // lists that stopped to tell and that are not muted, the worst first, at most 200; as of the end of the last run
	Unfollowed int           // how many lists show more than could be followed, of all that are not muted
	Doors      []BlockedHost // hosts that do not let us in, at most 50. Not to be changed
	Telling    AlertStatus
	Rendering  Rendering
	Machines   *Machines // workers at other machines; nil = none waits for any
	Job        Job       // background work; no name when there is none
	Unanswered []string  // what people have looked for in vain, most often first; a few. Not to be changed
	Proposed   SeedNews
	Recipes    RecipeNews
	DictReady  bool
	DictWords  int       // of the dictionary that loads, when that takes some time
	DictUntil  time.Time // when it will be there, as far as that can be told
	DictErr    string
	Theta      float64
	ThetaAuto  bool
	ThetaRule  string // why θ is what it is, a topic.Rule
	Advice     string // what is wrong with the samples; "" when nothing is
	Scheme     string
	Norm       string
	Similarity string // "mean" where pages are compared with each sample, else ""
	Learner    LearnerInfo
	Best       BestJudge
	Terms      TermNews
	TopicErr   string // why no page can score under the topic; "" while it can, or while there is none
	Rejected   int    // samples that score below θ
	ModelRev   uint64
	FactsRev   uint64 // moves when values of notices were read or corrected
	ScoresRev  uint64 // changes whenever a score or the set of pages changed
	Lapsed     int    // delays of branches that have ended since the opening
	Decided    uint64 // changes with every decision, those on notices among them
	Files      int    // changes with every document of a notice that came, or did not

	Frontier []FrontierRow // the head of the frontier, best first, at most 100
	Harvest  []HarvestRow  // newest aggregation pages first, at most 200
	Notices  []NoticeRow   // newest first, at most 200
	Hosts    []HostRow     // busiest first, at most 200
	NumHosts int
	OnDisk   int          // waiting URLs that are not in memory
	InFlight []Request    // requests in flight, longest first, at most 256
	Curve    []CurvePoint // harvest curve of this run, at most 500 points
	Events   []Event      // newest last, at most 100
	Kinds    []EventKind  // the same events and older ones by what they say, the newest first
	Last     *records.Run // the newest run that has ended; nil = none
	Look     *records.Run // the newest look at all seeds that has ended; nil = none
	Viewers  []Viewer     // who is attached, longest first
	Filtered []FilterCount
	Seen     store.FilterFigures // the filter that knows which URLs were seen
}

// Unjudged reports whether there are samples that no page has been compared with since
// the workspace was opened: counts of aggregation pages say nothing yet.
func (s *Snapshot) Unjudged() bool {
	return s.Counts.Samples > 0 && s.ModelRev == 0 && s.TopicErr == "" && s.DictErr == ""
}

// Lists says how many aggregation pages there are, once that is known.
func (s *Snapshot) Lists() string {
	if s.Unjudged() {
		return "scores are being read"
	}
	return fmt.Sprintf("%d aggregation pages", s.Counts.Aggregations)
}
