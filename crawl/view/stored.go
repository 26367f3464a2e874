package view

import (
	"time"

	"angler/store"
)

// This file holds the rows of what is stored of a crawl, for the time in which
// nothing runs.

// Branch is a host, or a section of it, with everything below. It is shared: do not
// write to it.
type Branch struct {
	Prefix  string // host/ or host/path/, without the scheme
	Name    string // the host, or the last part of the prefix
	URLs    int    // known
	Pages   int    // stored
	Waiting int
	Dead    int // gave no page: exceptions
	Lists   int // aggregation pages
	Notices int
	Spark   [SparkSpans]int // pages by the time of their last visit, in equal spans of the workspace's life
	Rule    string          // what a rule for just this branch does, see decisions; "" = nothing
	Until   time.Time       // of a delay
	Own     []string        // of a host: the names of its own settings, never what they say
	Kids    []*Branch       // sections, those of most URLs first
}

// SparkSpans is how many spans a Branch's Spark has.
const SparkSpans = 12

// NoReason is the Reason of a Failure of which nothing is known.
const NoReason = string(store.FailedUnknown)

// Failure is why some URLs gave no page.
type Failure struct {
	Reason string // without its particulars: dns, HTTP status 403 …
	N      int    // URLs that failed: exceptions, as Counts has them, and those in Waits
	Waits  int    // of N: waiting for their next try
	Hosts  int
	Muted  int // of N: below a branch that nobody wants to hear of
	Next   time.Time
	URL    string // one of them
}

// SiteOverview is everything that is known, by place and by what failed.
type SiteOverview struct {
	At       time.Time
	From, To time.Time // of the first and the last visit: what Spark spans
	Hosts    []*Branch
	Failures []Failure // of most URLs first
}

// StoredRow is one known URL.
type StoredRow struct {
	ID      uint64
	URL     string
	Title   string // or the anchor of what was not fetched
	State   string // see store.State
	Depth   int
	Score   float64
	List    bool // an aggregation page
	Notice  bool
	At      time.Time // last visit
	Next    time.Time // when it may be asked again; zero = any time
	Fails   int       // in a row
	Reason  string
	Failure string // Reason without its particulars
	Records int
}

// Pick says which known URLs are meant; empty fields choose nothing out.
type Pick struct {
	Branch string // below a host or a section
	Reason string // that failed for it, see Failure
	Failed bool   // that failed
}
