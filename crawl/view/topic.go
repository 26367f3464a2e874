package view

import (
	"time"

	"angler/topic"
)

// This file holds what the topic's screens show: samples, labels and the learner.

// SampleRow is one sample or negative sample as lists show it. It is also what
// the store keeps of one, so its names in JSON stay as they are.
type SampleRow struct {
	URL      string    `json:"url"`
	Title    string    `json:"title"`
	By       string    `json:"by"`
	At       time.Time `json:"at"`
	Negative bool      `json:"anti,omitempty"` // looks like the samples and is not wanted
	Odd      bool      `json:"odd,omitempty"`  // unlike the other samples; not stored
}

// QueueRow is one page worth a label.
type QueueRow struct {
	CandidateRow
	Value     float64 // the learner's probability, or the score while there is no learner
	Uncertain bool    // asked because it is close to the threshold, not because it is probable
}

// LearnerInfo is what viewers show of the learner beside the rule.
type LearnerInfo struct {
	Ready   bool // 10 labels of both kinds
	InUse   bool
	Yes, No int
	F1      float64 // cross-validated on the labels
}

// BestJudge is the way of judging with the best F1 on the labels, where it is better than
// the one in force. The zero value means that there is none.
type BestJudge struct {
	Learner bool    // the learner; otherwise the rule with Theta
	Theta   float64 // in the middle of the gap between two labels
	F1      float64
	Now     float64 // F1 of the rule in force
}

// TermNews is what viewers show of the terms that were proposed after a harvest.
type TermNews struct {
	Proposal int // its number, from 1; 0 = there was none
	New      int // terms that no proposal before held, neither accepted nor rejected
}

// SeedNews is what viewers show of the hosts that are proposed as seeds.
type SeedNews struct {
	Rev    uint64 // moves with every change
	Round  int    // the newest look for seeds, from 1; 0 = there was none
	Known  int    // hosts, judged ones among them
	Open   int    // that nobody has judged and that are not part of the crawl
	New    int    // of these: found since anybody has judged one
	Broken int    // questions of a search that was broken off in them
}

// RecipeNews is what viewers show of the recipes for lists.
type RecipeNews struct {
	Rev     uint64 // moves with every change
	Known   int    // that are saved, those that are off among them
	Waiting int    // proposed by what pages received in the browser, and judged by nobody
	Name    string // of one that waits
}

// LabelMark is one label on the score axis.
type LabelMark struct {
	ID    uint64
	Label topic.Label
	Score float64
}

// ScoreRow is the score of one page, stored or not.
type ScoreRow struct {
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

// LearnerVerdict is what the learner makes of a page, term by term.
type LearnerVerdict struct {
	Probability float64             `json:"probability"`
	InUse       bool                `json:"in_use"`
	Ready       bool                `json:"ready"`
	Terms       []topic.LearnerTerm `json:"terms"`
}

// TopicRow is a topic as it is: what analysts have set, and what follows.
type TopicRow struct {
	Did        string             `json:"did,omitempty"` // what was just changed
	Scheme     string             `json:"scheme"`
	Norm       string             `json:"norm"`
	Similarity string             `json:"similarity"` // of topic.Similarities
	M          int                `json:"m"`
	MinWeight  float64            `json:"min_weight"` // share of the heaviest word's weight, 0 … 1
	Gamma      float64            `json:"gamma"`
	Theta      float64            `json:"theta"` // in force; 0 = automatic, and there are no samples yet
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
