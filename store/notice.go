package store

import "time"

// Notice is what a harvest brings home from one record of an aggregation page.
type Notice struct {
	ID          uint64       `json:"id"`
	URL         string       `json:"url"`
	Title       string       `json:"title"`
	Date        time.Time    `json:"date,omitzero"`
	Precision   uint8        `json:"precision"` // page.Precision of Date
	Text        string       `json:"text"`
	Method      string       `json:"method"` // how the text was found
	Source      string       `json:"source"` // the aggregation page
	SourceID    uint64       `json:"source_id"`
	Attachments []Attachment `json:"attachments"`
	Score       float64      `json:"score"` // of the aggregation page when harvested
	FirstSeen   time.Time    `json:"first_seen"`
}

// Attachment is a document that a notice links to; it is listed, not fetched.
type Attachment struct {
	Name  string `json:"name"`
	URL   string `json:"url"`
	Class string `json:"class"`
}

// RelistState names what a repair leaves behind for State when notices were lost:
// the next harvest visits every list with all of its pages.
const RelistState = "relist"
