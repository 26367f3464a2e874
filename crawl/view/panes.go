package view

import (
	"time"

	"angler/crawl/article"
	"angler/topic"
)

// This file holds the rows of the live panes: frontier, hosts, requests, harvest
// and curve.

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
	Source   string    // the page it was found on first; "" for a seed, and while a run goes on
}

// HarvestRow is one aggregation page.
type HarvestRow struct {
	ID        uint64
	URL       string
	Host      string
	Title     string
	Score     float64
	Records   int
	Unmatched int // of them, those that are left out because their titles do not match the patterns
	Label     topic.Label
	At        time.Time // last visit
	Next      time.Time // when it is due again; zero = now
	Rate      float64   // estimated changes a day; 0 while no visit has found one
	Visits    int
}

// NoticeRow is one harvested notice.
type NoticeRow struct {
	ID    uint64
	URL   string
	Host  string
	Title string
	Date  article.Date
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
	Important                   float64       // weight of its domain in the link order (P3); 0 = none
	Why                         string        // why Next is what it is, e.g. "Crawl-delay"; "" = it is not waited for
}

// CurvePoint is one point of the harvest curve.
type CurvePoint struct{ Fetched, Found int }

// FilterCount says how many links one filter has turned away.
type FilterCount struct {
	Reason string
	N      int
}

// FailureGroup is what failed some URLs: dns, timeout, HTTP status 403 …
type FailureGroup struct {
	Reason string
	N      int
	Waits  int // of N: waiting for their next try, where URLs are counted; see Failure
}

// Request is one request in flight.
type Request struct {
	ID    uint64
	URL   string
	Host  string
	Since time.Time
}

// Job is background work that a viewer can watch and cancel.
type Job struct {
	Name        string
	Done, Total int
	Since       time.Time // when it, or the stage of it that Name tells, began
}
