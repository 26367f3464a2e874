package view

import (
	"time"

	"angler/crawl/article"
	"angler/topic"
)

// This file holds the rows of the live panes: frontier, hosts, requests, harvest and curve.

// FrontierRow is one waiting URL and the reason for its rank.
type FrontierRow struct {
	ID       uint64
	URL      string
	Host     string
	Anchor   string
	Priority float64
	Depth    int
	Next     time.Time // earliest polite fetch; zero = now
	Why      string    // terms of the link order, e.g. "anchor .80 parent .61"
	Source   string    // first page with a link to it; "" for a seed, and during a run
}

// HarvestRow is one aggregation page.
type HarvestRow struct {
	ID        uint64
	URL       string
	Host      string
	Title     string
	Score     float64
	Records   int
	Unmatched int // of Records: entries left out because their titles do not match the patterns
	Label     topic.Label
	At        time.Time // last visit
	Next      time.Time // next due visit; zero = now
	Rate      float64   // estimated changes per day; 0 = no visit found a change yet
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

// HostRow is the queue of one host.
type HostRow struct {
	Host                        string
	Waiting, Busy, Done, Failed int
	Next                        time.Time     // earliest polite fetch; zero = now
	Delay                       time.Duration // present pause between two fetches
	Important                   float64       // weight of its domain in the link order (P3); 0 = none
	Why                         string        // reason for Next, e.g. "Crawl-delay"; "" = no wait
}

// CurvePoint is one point of the harvest curve.
type CurvePoint struct{ Fetched, Found int }

// FilterCount is the number of links that one filter rejected.
type FilterCount struct {
	Reason string
	N      int
}

// FailureGroup is the number of URLs that failed for one reason: dns, timeout, HTTP status 403 …
type FailureGroup struct {
	Reason string
	N      int
	Waits  int // of N: waiting for the next attempt, if URLs are counted; see Failure
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
	Since       time.Time // start of the job, or of the stage in Name
}
