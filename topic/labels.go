package topic

import "time"

// Label is an analyst's answer whether a page is an aggregation page of the topic.
type Label string

// The labels; NoLabel means that the page has no label.
const (
	NoLabel Label = ""
	Yes     Label = "yes"
	No      Label = "no"
	Unsure  Label = "unsure"
)

// LabelRow is one label in a file.
type LabelRow struct {
	URL   string    `json:"url"`
	Label Label     `json:"label"`
	By    string    `json:"by,omitempty"` // the person who gave it
	At    time.Time `json:"at,omitzero"`  // time; zero if unknown
}
