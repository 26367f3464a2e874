// Package view is what people see of a crawl: the immutable Snapshot, the rows
// that lists, previews and exports consist of, the events, and the hub that
// hands the newest snapshot to any number of viewers.
//
// Everything here is plain data: a row knows neither the store nor the topic
// model it was made from. Publishing costs one pointer per viewer and never
// waits. The danger is a slice that is written after it was handed out: whoever
// makes a Snapshot gives it slices that nobody appends to or changes any more.
//
// P0 … P4: see docs/papers.md.
package view

import (
	"time"

	"angler/store/bloomfilter"
)

// The names of the two tasks.
const (
	Discovery = "discovery"
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
	Notices                                  int
	Samples, Negative, Labels                int
}

// Story is what the first screen tells of a workspace beside its counts.
type Story struct {
	Seeds, Sites int       // seeds, and the different hosts among them
	Today        int       // notices that were first seen today
	Broken       int       // aggregation pages whose last visit failed, as of the end of the last run
	Next         time.Time // when the next round of the schedule begins; zero = there is no schedule
}

// Snapshot is what a viewer shows of a live engine. It is immutable and safe
// to share; the engine publishes at most five a second.
type Snapshot struct {
	At        time.Time
	Seq       uint64
	Workspace string // folder name
	Topic     string // the topic's name from the settings
	Task      string // "discovery", "harvest" or "" when idle
	State     RunState
	Why       string // why nothing moves, in a few words; "" while fetching
	Err       string // the error that stopped the last run, one line
	Strategy  string
	Workers   int
	Busy      int
	Delay     time.Duration // between two fetches of one host, as the settings ask
	Depth     int           // links from a seed

	Counts      Counts
	Rate        float64 // pages a second over the last two seconds
	HarvestRate float64 // aggregation pages ÷ pages of this workspace, 0 … 1
	ErrorRate   float64 // exceptions ÷ fetches of this run, 0 … 1
	Fetched     int     // fetches finished in this run
	Bound       int     // fetches after which this run ends by itself; 0 = none
	Started     time.Time

	AwaySince  time.Time // the network is away since; zero = it is there
	Unfinished time.Time // the schedule's round has left something to do since; zero = it has not

	Story      Story
	Job        Job // background work; no name when there is none
	DictReady  bool
	DictErr    string
	Theta      float64
	ThetaAuto  bool
	ThetaRule  string // why θ is what it is, a topic.Rule
	Advice     string // what is wrong with the samples; "" when nothing is
	Scheme     string
	Norm       string
	Similarity string // "mean" where pages are compared with each sample, else ""
	Learner    LearnerInfo
	Terms      TermNews
	TopicErr   string // why no page can score under the topic; "" while it can, or while there is none
	ModelRev   uint64
	ScoresRev  uint64 // changes whenever a score or the set of pages changed

	Frontier []FrontierRow // the head of the frontier, best first, at most 100
	Harvest  []HarvestRow  // newest aggregation pages first, at most 200
	Notices  []NoticeRow   // newest first, at most 200
	Hosts    []HostRow     // busiest first, at most 200
	NumHosts int
	OnDisk   int          // waiting URLs that are not in memory
	InFlight []Request    // requests in flight, longest first, at most 256
	Curve    []CurvePoint // harvest curve of this run, at most 500 points
	Events   []Event      // newest last, at most 100
	Viewers  []Viewer     // who is attached, longest first
	Filtered []FilterCount
	Seen     bloomfilter.Figures // the filter that knows which URLs were seen
}
