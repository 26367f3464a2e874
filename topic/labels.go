package topic

import "time"

// Label is what an analyst says of one page: whether it is an aggregation page
// of the topic.
type Label string

// The labels; NoLabel means that the page has no label.
const (
	NoLabel Label = ""
	Yes     Label = "yes"
	No      Label = "no"
	Unsure  Label = "unsure"
)

// LabelRow is one label as files carry it.
type LabelRow struct {
	URL   string    `json:"url"`
	Label Label     `json:"label"`
	By    string    `json:"by,omitempty"` // who gave it
	At    time.Time `json:"at,omitzero"`  // when; zero if unknown
}
