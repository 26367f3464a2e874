package tui

import (
	"cmp"
	"regexp"
	"slices"
	"time"

	"angler/crawl/decisions"
	"angler/crawl/query"
	"angler/crawl/view"
	"angler/topic"
	"angler/tui/tuitest"
)

// decided holds an analyst's decisions about the invented web.
type decided struct {
	samples, negative []uint64
	labels            map[uint64]topic.Label
	learner           bool // the learner is the judge
	rules             []decisions.Rule
}

// moment is everything visible of the invented web at one moment. It is immutable and shared
// between tests.
type moment struct {
	*invented
	decided
	snap     *view.Snapshot
	config   topic.Config
	index    *topic.Index
	model    *topic.Model   // nil without samples
	learned  *topic.Learner // nil without a label
	features []topic.Feature
	scores   *topic.Scores
}

// at returns the web after decisions; change, if any, completes the snapshot.
func (w *invented) at(d decided, change func(*view.Snapshot)) *moment {
	m := &moment{invented: w, decided: d, config: topic.Default(), index: topic.NewIndex(), scores: &topic.Scores{}}
	var samples, negative []topic.Doc
	for i := range w.pages {
		p := &w.pages[i]
		m.index.Add(p.row.ID, p.doc)
		switch {
		case slices.Contains(d.samples, p.row.ID):
			samples = append(samples, p.doc)
		case slices.Contains(d.negative, p.row.ID):
			negative = append(negative, p.doc)
		}
	}
	if len(samples) > 0 {
		m.model = topic.BuildAgainst(m.config, samples, negative, w, m.index.Background())
		m.index.Apply(m.model)
		m.features, m.scores = m.model.Features(0), m.index.Scores()
	}
	if m.learned, _ = m.index.Learn(m.confirmed()); m.learned != nil { // no yes: nothing learned
		m.learned = m.learned.MeasuredOn(m.judged())
	}
	m.snap = m.snapshot()
	if change != nil {
		change(m.snap)
	}
	return m
}

// judged returns the labels, and the negative samples as no.
func (m *moment) judged() map[uint64]topic.Label {
	all := map[uint64]topic.Label{}
	for _, id := range m.negative {
		all[id] = topic.No
	}
	for id, l := range m.labels {
		all[id] = l
	}
	return all
}

// confirmed returns the judged pages, and the samples as yes.
func (m *moment) confirmed() map[uint64]topic.Label {
	all := m.judged()
	for _, id := range m.samples {
		if m.labels[id] == topic.NoLabel {
			all[id] = topic.Yes
		}
	}
	return all
}

// row returns a page as in the lists.
func (m *moment) row(id uint64) query.CandidateRow {
	i, ok := m.byID[id]
	if !ok {
		return query.CandidateRow{ID: id}
	}
	r := m.pages[i].row
	r.Sample, r.Negative, r.Label = slices.Contains(m.samples, id), slices.Contains(m.negative, id), m.labels[id]
	r.Score, _ = m.scores.Of(id)
	return r
}

// snapshot returns the moment without a run.
func (m *moment) snapshot() *view.Snapshot {
	s := &view.Snapshot{
		At: tuitest.Start, Seq: 1, Workspace: "tenders", Topic: "招标公告", State: view.Idle, Why: "no run: S starts discovery",
		Strategy: "learned", Workers: 16, Delay: time.Second, Depth: 5, DictReady: true, Scheme: string(m.config.Scheme), Norm: string(m.config.Norm),
		Theta: .3, ThetaAuto: true, ScoresRev: 1,
	}
	s.Counts.Pages, s.Counts.Complete = len(m.pages), len(m.pages)
	s.Counts.Samples, s.Counts.Negative, s.Counts.Labels = len(m.samples), len(m.negative), len(m.labels)
	if l := m.learned; l != nil {
		s.Learner = view.LearnerInfo{Ready: l.Ready(), InUse: m.learner && l.Ready(), Yes: l.Yes, No: l.No, F1: l.F1}
	}
	if m.model == nil {
		return s
	}
	verdicts := m.scores
	s.ModelRev, s.Theta = m.model.Rev, m.scores.Theta
	s.Counts.Aggregations = m.passing().Lists(m.scores.Theta)
	if s.Learner.InUse {
		verdicts = m.index.Probabilities(m.learned)
		s.Counts.Aggregations = verdicts.Above(verdicts.Theta)
	}
	for _, id := range verdicts.Between(verdicts.Theta, 2, 200) {
		r := m.row(id)
		s.Harvest = append(s.Harvest, view.HarvestRow{ID: id, URL: r.URL, Host: r.Host, Title: r.Title, Score: r.Score, Records: r.Records, Label: r.Label, At: tuitest.Start,
			Next: tuitest.Start.Add(time.Duration(id%5) * 37 * time.Minute), Rate: float64(id%4) * 1.5, Visits: int(id%9) + 1})
	}
	return s
}

// steered returns the invented frontier under rules: without dropped URLs, boosted ones first.
func steered(rules []decisions.Rule) []view.FrontierRow {
	matches := func(action string) func(view.FrontierRow) bool {
		return func(r view.FrontierRow) bool {
			return slices.ContainsFunc(rules, func(x decisions.Rule) bool {
				return x.Action == action && regexp.MustCompile(x.Pattern).MatchString(r.URL)
			})
		}
	}
	rows := slices.DeleteFunc(inventedFrontier(), matches(decisions.Drop))
	rank := func(r view.FrontierRow) int {
		if matches(decisions.Boost)(r) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(rows, func(a, b view.FrontierRow) int { return cmp.Compare(rank(a), rank(b)) })
	return rows
}
