package decisions

import (
	"time"

	"angler/crawl/urls"
	"angler/dict"
	"angler/store"
	"angler/topic"
)

// State is all that analysts have decided about one topic, with the model that
// follows from it, at one moment. It is immutable and safe for concurrent use:
// a holder may read it for any time.
type State struct {
	Rev   uint64        // changes with every action
	Topic store.TopicID // the topic decided about

	Config            topic.Config
	Samples, Negative []Sample // oldest first
	Labels            map[uint64]topic.Label
	Rules             []Rule   // over the frontier, by pattern
	Accepted, Stopped []string // words accepted as terms, and those that say nothing; sorted
	Rejected          []string // words that are not proposed as terms any more; sorted

	Remarks map[uint64]*Marks // on notices
	Views   []SavedView       // filters of notices, oldest first

	Corrected map[uint64]map[string]*Correction // values of notices, by field

	Proposed map[string]SeedVerdict // hosts that were proposed as seeds and accepted or rejected

	Recipes map[string]RecipeVerdict // what was said of recipes, by their IDs

	Workers map[string]WorkerOrder // what was said of workers at other machines, by name

	Model    *topic.Model     // nil without samples
	Odd      map[string]bool  // the addresses of samples unlike the others
	Advice   string           // what is wrong with the samples, one of AdviceOne and AdviceKinds; "" when nothing is
	Learned  *topic.Learner   // learned from labels; nil without a yes
	Learner  *topic.Learner   // Learned, where it decides instead of θ; nil = the rule decides
	Shares   urls.TokenShares // of the samples' addresses
	Patterns *Patterns        // notice patterns of the settings; nil = every record is a notice

	Fingerprint uint64 // of what verdicts depend on; the same in every process

	useLearner bool // the analyst has switched it on
}

// Sample is one sample or negative sample page in use.
type Sample struct {
	SampleRow

	ID    uint64     // 0 when the page is not part of the crawl
	doc   *topic.Doc // its words; nil while the dictionary is waited for
	words *dict.Dict // that counted doc
}

// Err says why no page can score under the topic; nil while pages can, or while
// there is no topic.
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

// Relevant is the verdict of the judge on a page just captured; score is what
// Model gave it.
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

// Empty reports that there is nothing to judge pages by.
func (s *State) Empty() bool { return len(s.Samples) == 0 && len(s.Labels) == 0 }

// Confirmed reports whether an analyst has said of a page that it is an
// aggregation page. A sample that was added before the crawl found it is known by
// its canonical URL.
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

// Chooses reports whether the title patterns choose among the entries of a list: they do
// not where an analyst has confirmed it.
func (s *State) Chooses(id uint64, url string) bool {
	return s.Patterns != nil && !s.Confirmed(id, url)
}

// sure returns the pages whose verdict an analyst has given. A label counts
// before a sample or negative sample.
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

// confirmedLabels are what the learner learns from: the labels, the samples as
// yes and the negative samples as no.
func (s *State) confirmedLabels() map[uint64]topic.Label {
	all := make(map[uint64]topic.Label, len(s.Labels)+len(s.Samples)+len(s.Negative))
	mark(all, s.Samples, topic.Yes)
	return s.withNegatives(all)
}

// MeasuredLabels are what a threshold or a scheme is measured on: the labels,
// and the negative samples as no where no label says otherwise.
func (s *State) MeasuredLabels() map[uint64]topic.Label {
	return s.withNegatives(make(map[uint64]topic.Label, len(s.Labels)+len(s.Negative)))
}

func (s *State) withNegatives(all map[uint64]topic.Label) map[uint64]topic.Label {
	mark(all, s.Negative, topic.No)
	for id, l := range s.Labels {
		all[id] = l
	}
	return all
}

func mark(all map[uint64]topic.Label, list []Sample, l topic.Label) {
	for i := range list {
		if id := list[i].ID; id != 0 {
			all[id] = l
		}
	}
}

// IDs returns the ids of samples in order, 0 for one that is not part of the
// crawl.
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

// labelValue is one label as the log keeps it.
type labelValue struct {
	Label topic.Label `json:"label"`
	By    string      `json:"by"`
	At    time.Time   `json:"at"`
}

// wordValue is an accepted, stopped or rejected word as the log keeps it.
type wordValue struct {
	By string    `json:"by"`
	At time.Time `json:"at"`
}
