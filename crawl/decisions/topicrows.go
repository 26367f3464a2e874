package decisions

import (
	"time"

	"angler/topic"
)

// SampleRow is one sample or negative sample in lists. The store keeps it in the same form, so its
// names in JSON must stay.
type SampleRow struct {
	URL      string    `json:"url"`
	Title    string    `json:"title"`
	By       string    `json:"by"`
	At       time.Time `json:"at"`
	Negative bool      `json:"anti,omitempty"` // a negative sample
	Odd      bool      `json:"odd,omitempty"`  // unlike the other samples; not stored
}

// LabelMark is one label on the score axis.
type LabelMark struct {
	ID    uint64
	Label topic.Label
	Score float64
}

// scoreRow is the score of one page, stored or not.
type scoreRow struct {
	URL     string            `json:"url"`
	Title   string            `json:"title"`
	Score   float64           `json:"score"`
	Theta   float64           `json:"theta"`
	Above   bool              `json:"above"`
	Gate    bool              `json:"gate"` // at least 3 dated records and at least half dated
	Records int               `json:"records"`
	Dated   int               `json:"dated"`
	Explain topic.Explanation `json:"-"`
}

// TopicRow is the current topic: its settings, and their results.
type TopicRow struct {
	Did        string             `json:"did,omitempty"` // the change just made
	Scheme     string             `json:"scheme"`
	Norm       string             `json:"norm"`
	Similarity string             `json:"similarity"` // of topic.Similarities
	M          int                `json:"m"`
	MinWeight  float64            `json:"min_weight"` // share of the heaviest word's weight, 0 … 1
	Gamma      float64            `json:"gamma"`
	Theta      float64            `json:"theta"` // in force; 0: automatic, but there are no samples yet
	ThetaAuto  bool               `json:"theta_auto"`
	ThetaWhy   string             `json:"theta_why"`
	Judge      string             `json:"judge"`
	Samples    int                `json:"samples"`
	Negative   int                `json:"negative_samples"`
	Labels     int                `json:"labels"`
	Features   int                `json:"features"` // words that score
	Expert     []string           `json:"expert"`
	Off        []string           `json:"off"`
	Weights    map[string]float64 `json:"weights"`
	Stop       []string           `json:"stop"`
	Problem    string             `json:"problem,omitempty"` // why no page can score
}
