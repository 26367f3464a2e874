package view

import (
	"angler/crawl/page"
	"angler/topic"
)

// This file holds what lists of stored pages and their previews show.

// CandidateRow is one stored page that may become a sample.
type CandidateRow struct {
	ID       uint64
	URL      string
	Host     string
	Title    string
	Type     page.Type
	Records  int
	Dated    int
	Beta     float64
	Score    float64 // under the current model; 0 without samples
	Depth    int
	Sample   bool
	Negative bool // negative sample; never both
	Label    topic.Label
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

	Unfollowed []page.MissingEntries // what it shows of a list and nothing follows
}
