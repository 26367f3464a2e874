package crawl

import (
	"time"

	"angler/crawl/page"
	"angler/topic"
)

// RunState says what the engine is doing, in one word for the status line.
type RunState string

// The run states. Draining means the run was told to stop and waits for the
// pages in flight.
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
	Samples, Anti, Labels                    int
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

	Job       Job // background work; no name when there is none
	DictReady bool
	DictErr   string
	Theta     float64
	ThetaAuto bool
	Scheme    string
	Norm      string
	Learner   LearnerInfo
	TopicErr  string // why the topic can judge no page; "" while it can, or while there is none
	ModelRev  uint64
	ScoresRev uint64 // changes whenever a score or the set of pages changed

	Frontier []FrontierRow // the head of the frontier, best first, at most 100
	Harvest  []HarvestRow  // newest aggregation pages first, at most 200
	Notices  []NoticeRow   // newest first, at most 200
	Hosts    []HostRow     // busiest first, at most 200
	NumHosts int
	OnDisk   int          // waiting URLs that are not in memory
	Flights  []Flight     // requests under way, longest first, at most 256
	Curve    []CurvePoint // harvest curve of this run, at most 500 points
	Events   []Event      // newest last, at most 100
	Viewers  []Viewer     // who is attached, longest first
	Filtered []FilterCount
}

// FrontierRow is one waiting URL and why it stands where it stands.
type FrontierRow struct {
	ID       uint64
	URL      string
	Host     string
	Anchor   string
	Priority float64
	Depth    int
	Next     time.Time // earliest fetch by the host's politeness; zero = now
	Why      string    // the strategy's terms, e.g. "anchor .80 parent .61"
}

// HarvestRow is one aggregation page.
type HarvestRow struct {
	ID      uint64
	URL     string
	Host    string
	Title   string
	Score   float64
	Records int
	Label   topic.Label
	At      time.Time // last visit
	Next    time.Time // when it is due again; zero = now
	Rate    float64   // estimated changes a day; 0 while no visit has found one
	Visits  int
}

// NoticeRow is one harvested notice.
type NoticeRow struct {
	ID    uint64
	URL   string
	Host  string
	Title string
	Date  page.Date
	Label topic.Label
	At    time.Time
}

// HostRow is one host's queue.
type HostRow struct {
	Host                        string
	Waiting, Busy, Done, Failed int
	OnDisk                      int           // of Waiting
	Next                        time.Time     // when politeness allows the next fetch; zero = now
	Delay                       time.Duration // between two fetches, as things stand
	Why                         string        // why Next is what it is, e.g. "Crawl-delay"; "" = it is not waited for
}

// CurvePoint is one point of the harvest curve.
type CurvePoint struct{ Fetched, Found int }

// FilterCount says how many links one filter has turned away.
type FilterCount struct {
	Reason string
	N      int
}

// Event is one line of the event pane. By and What are set when a person did
// something; Text tells both.
type Event struct {
	Seq  uint64    `json:"seq"` // 1, 2, 3 …, in the life of this process
	At   time.Time `json:"at"`
	Kind string    `json:"kind"` // "info", "warn", "error"
	Text string    `json:"text"`
	By   string    `json:"by,omitempty"`
	What string    `json:"what,omitempty"`
}

// CandidateRow is one scouted page that may become a sample.
type CandidateRow struct {
	ID      uint64
	URL     string
	Host    string
	Title   string
	Type    page.Type
	Records int
	Dated   int
	Beta    float64
	Score   float64 // under the current model; 0 without samples
	Depth   int
	Sample  bool
	Anti    bool // anti-sample; never both
	Label   topic.Label
}

// Preview is one stored page as the analyst sees it beside a list.
type Preview struct {
	ID       uint64
	URL      string
	Title    string
	Charset  string
	Type     page.Type
	Date     page.Date
	Beta     float64
	Records  []page.Record
	Dated    int
	Text     string
	Main     string
	Method   string
	Blocks   *page.Explanation // block tree, record groups and reasons
	Explain  topic.Explanation
	Learner  *LearnerVerdict // nil until there is a label to learn from
	HasModel bool            // false until there is a sample: Explain is empty then
	Limits   []string
}
