package decisions

import (
	"maps"
	"time"

	"angler/crawl/urls"
	"angler/dict"
	"angler/store"
	"angler/topic"
)

// State holds all decisions about one topic and the model derived from them, at one moment. It is
// immutable and safe for concurrent use; it may be kept for any time.
type State struct {
	Rev   uint64        // changes with every action
	Topic store.TopicID // the topic

	Config            topic.Config
	Samples, Negative []Sample // oldest first
	Labels            map[uint64]topic.Label
	Rules             []Rule   // over the frontier, by pattern
	Accepted, Stopped []string // accepted terms, and stop words; sorted
	Rejected          []string // rejected terms; sorted

	Remarks map[uint64]*Marks // on notices
	Views   []SavedView       // filters of notices, oldest first

	Corrected map[uint64]map[string]*Correction // corrected values of notices, by field

	Proposed map[string]seedVerdict // verdicts on hosts proposed as seeds

	Recipes map[string]recipeVerdict // verdicts on recipes, by ID

	Workers map[string]workerOrder // orders to remote workers, by name

	Waiting map[string]Proposal // proposals of assistants, by Proposal.Key

	Model    *topic.Model     // nil without samples
	Odd      map[string]bool  // addresses of samples unlike the others
	Advice   string           // the fault of the samples, AdviceOne or AdviceKinds; "": none
	Learned  *topic.Learner   // learned from labels; nil without a yes
	Learner  *topic.Learner   // Learned, if it decides instead of θ; nil: the rule decides
	Shares   urls.TokenShares // of the samples' addresses
	Patterns *Patterns        // notice patterns of the settings; nil = every record is a notice

	Fingerprint uint64 // hash of the inputs of verdicts; the same in every process

	useLearner bool // the analyst has switched it on
}

// Sample is one sample or negative sample page in use.
type Sample struct {
	SampleRow

	ID    uint64     // 0 if the page is not part of the crawl
	doc   *topic.Doc // its words; nil while waiting for the dictionary
	words *dict.Dict // the dictionary that counted doc
}

// Err says why no page can score under the topic; nil if pages can, or if there is no topic.
func (s *State) Err() error {
	if s.Model == nil {
		return nil
	}
	return s.Model.Err()
}

// Theta is the threshold of the model; 0 without one.
func (s *State) Theta() float64 {
	if s.Model == nil {
		return 0
	}
	return s.Model.Theta()
}

// Relevant returns the judge's verdict on a page just captured; score is its score under Model.
func (s *State) Relevant(d *topic.Doc, score float64) bool {
	if s.Model == nil {
		return false
	}
	if s.Learner != nil {
		p, _ := s.Learner.Explain(d, score)
		return p >= .5
	}
	return score >= s.Model.Theta()
}

// Empty reports whether there is nothing to judge pages by.
func (s *State) Empty() bool { return len(s.Samples) == 0 && len(s.Labels) == 0 }

// Confirmed reports whether an analyst has declared a page to be an aggregation page. A sample
// added before the crawl found it is known by its canonical URL.
func (s *State) Confirmed(id uint64, url string) bool {
	if s.Labels[id] == topic.Yes {
		return true
	}
	for i := range s.Samples {
		if x := &s.Samples[i]; x.ID == id || x.ID == 0 && x.URL == url {
			return true
		}
	}
	return false
}

// Chooses reports whether the title patterns select entries of a list: not if an analyst has
// confirmed the list.
func (s *State) Chooses(id uint64, url string) bool {
	return s.Patterns != nil && !s.Confirmed(id, url)
}

// sure returns the verdicts of analysts on pages. A label wins over a sample or negative sample.
func (s *State) sure() map[uint64]bool {
	sure := make(map[uint64]bool, len(s.Labels)+len(s.Samples)+len(s.Negative))
	for _, id := range IDs(s.Negative) {
		sure[id] = false
	}
	for _, id := range IDs(s.Samples) {
		sure[id] = true
	}
	delete(sure, 0) // not part of the crawl
	for id, l := range s.Labels {
		if l == topic.Yes || l == topic.No {
			sure[id] = l == topic.Yes
		}
	}
	return sure
}

// confirmedLabels returns the training data of the learner: the labels, the samples as yes and the
// negative samples as no.
func (s *State) confirmedLabels() map[uint64]topic.Label {
	all := make(map[uint64]topic.Label, len(s.Labels)+len(s.Samples)+len(s.Negative))
	mark(all, s.Samples, topic.Yes)
	return s.withNegatives(all)
}

// MeasuredLabels returns the labels that measure a threshold or scheme, including the negative
// samples as no unless they are labelled.
func (s *State) MeasuredLabels() map[uint64]topic.Label {
	return s.withNegatives(make(map[uint64]topic.Label, len(s.Labels)+len(s.Negative)))
}

func (s *State) withNegatives(all map[uint64]topic.Label) map[uint64]topic.Label {
	mark(all, s.Negative, topic.No)
	maps.Copy(all, s.Labels)
	return all
}

func mark(all map[uint64]topic.Label, list []Sample, l topic.Label) {
	for i := range list {
		if id := list[i].ID; id != 0 {
			all[id] = l
		}
	}
}

// IDs returns the ids of samples in order, 0 for a page outside the crawl.
func IDs(list []Sample) []uint64 {
	ids := make([]uint64, len(list))
	for i := range list {
		ids[i] = list[i].ID
	}
	return ids
}

func addresses(list []Sample) []string {
	var out []string
	for i := range list {
		out = append(out, list[i].URL)
	}
	return out
}

// Marks lists the samples and then the negative samples, each oldest first.
func (s *State) Marks() []SampleRow {
	rows := make([]SampleRow, 0, len(s.Samples)+len(s.Negative))
	for _, list := range [...][]Sample{s.Samples, s.Negative} {
		for i := range list {
			row := list[i].SampleRow
			row.Odd = !row.Negative && s.Odd[row.URL]
			rows = append(rows, row)
		}
	}
	return rows
}

// Mark returns the sample or negative sample with a canonical URL.
func (s *State) Mark(canonical string) (SampleRow, bool) {
	for _, row := range s.Marks() {
		if row.URL == canonical {
			return row, true
		}
	}
	return SampleRow{}, false
}

// labelValue is a label in the log.
type labelValue struct {
	Label topic.Label `json:"label"`
	By    string      `json:"by"`
	At    time.Time   `json:"at"`
}

// wordValue is an accepted, stopped or rejected word in the log.
type wordValue struct {
	By string    `json:"by"`
	At time.Time `json:"at"`
}
