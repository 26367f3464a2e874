package crawl

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"angler/crawl/view"
	"angler/store"
	"angler/topic"
)

// SetLabel judges one page; NoLabel takes the judgement back.
func (e *Engine) SetLabel(id uint64, l topic.Label) error {
	u, err := e.ws.URL(id)
	if err != nil {
		return err
	}
	if u == nil {
		return fmt.Errorf("url %d is unknown", id)
	}
	_, err = e.act(func() (*store.Event, error) {
		c, err := e.labelChange(id, topic.LabelRow{Label: l})
		if err != nil {
			return nil, err
		}
		return e.ws.Decisions.Do(e.by, fmt.Sprintf("label %s %s", firstOf(string(l), "none"), u.URL), c)
	})
	return err
}

// ParseLabels reads labels of the form URL=yes; none takes a label back.
func ParseLabels(args []string) ([]topic.LabelRow, error) {
	var rows []topic.LabelRow
	for _, a := range args {
		i := strings.LastIndexByte(a, '=')
		if i < 0 {
			return nil, fmt.Errorf("%q is no label; write URL=yes, =no, =unsure or =none", a)
		}
		row := topic.LabelRow{URL: a[:i]}
		switch l := topic.Label(strings.ToLower(a[i+1:])); l {
		case topic.Yes, topic.No, topic.Unsure:
			row.Label = l
		case "none":
		default:
			return nil, fmt.Errorf("label %q of %s is none of yes, no, unsure, none", a[i+1:], a[:i])
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// labelChange makes the change of one label; who and when default to now.
func (e *Engine) labelChange(id uint64, row topic.LabelRow) (store.Change, error) {
	key := strconv.FormatUint(id, 10)
	if row.Label == topic.NoLabel {
		return store.Set(store.FirstTopic, kindLabel, key, nil)
	}
	v := labelValue{Label: row.Label, By: firstOf(row.By, e.by), At: row.At}
	if v.At.IsZero() {
		v.At = e.now()
	}
	return store.Set(store.FirstTopic, kindLabel, key, v)
}

// LabelURLs judges several pages in one step, which one undo takes back. URLs
// that are not stored pages are returned; the others are labelled all the same.
func (e *Engine) LabelURLs(rows []topic.LabelRow, what string) (done int, unknown []string, err error) {
	var changes []store.Change
	for _, row := range rows {
		id, ok := uint64(0), false
		if canonical, err := e.resolver.Canonical(row.URL); err == nil {
			id, ok = e.ws.Lookup(canonical)
		}
		if p, err := e.ws.Page(id); !ok || err != nil || p == nil {
			unknown = append(unknown, row.URL)
			continue
		}
		c, err := e.labelChange(id, row)
		if err != nil {
			return 0, nil, err
		}
		changes = append(changes, c)
	}
	if len(changes) == 0 {
		return 0, unknown, nil
	}
	_, err = e.act(func() (*store.Event, error) { return e.ws.Decisions.Do(e.by, what, changes...) })
	return len(changes), unknown, err
}

// ImportLabels reads labels as CSV or JSON lines. Bad lines and unknown URLs
// are reported, one line each, and the rest is taken in one step.
func (e *Engine) ImportLabels(r io.Reader) (done int, problems []string, err error) {
	rows, bad, err := topic.ReadLabels(r)
	if err != nil {
		return 0, nil, err
	}
	for _, p := range bad {
		problems = append(problems, p.String())
	}
	done, unknown, err := e.LabelURLs(rows, fmt.Sprintf("%d labels imported", len(rows)))
	for _, u := range unknown {
		problems = append(problems, "not a stored page: "+u)
	}
	return done, problems, err
}

// LabelRows lists the labels with who and when, oldest first.
func (e *Engine) LabelRows() ([]topic.LabelRow, error) {
	values, err := e.ws.Decisions.Values(store.FirstTopic, kindLabel)
	if err != nil {
		return nil, err
	}
	rows := make([]topic.LabelRow, 0, len(values))
	for k, v := range values {
		var l labelValue
		id, err := strconv.ParseUint(k, 10, 64)
		if err = firstErr(err, json.Unmarshal(v, &l)); err != nil {
			return nil, fmt.Errorf("stored label of %s: %w", k, err)
		}
		u, err := e.ws.URL(id)
		if err != nil || u == nil {
			return nil, firstErr(err, fmt.Errorf("label of unknown url %d; run: angler check", id))
		}
		rows = append(rows, topic.LabelRow{URL: u.URL, Label: l.Label, By: l.By, At: l.At})
	}
	slices.SortFunc(rows, func(a, b topic.LabelRow) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.URL, b.URL))
	})
	return rows, nil
}

// LabelQueue returns the next n pages worth a label: by turns the most probable
// and the most uncertain one. Samples and anti-samples are confirmed already and
// are not asked.
func (e *Engine) LabelQueue(ctx context.Context, n int) ([]view.QueueRow, error) {
	e.desk.Lock()
	known := e.confirmedLabels()
	learned := e.learned
	e.desk.Unlock()
	scores := e.index.Scores()
	if learned != nil {
		scores = e.index.Judged(learned)
	}
	picks := scores.Queue(known, n)
	rows := make([]view.QueueRow, 0, len(picks))
	m := e.candidateMaker()
	for _, p := range picks {
		row, err := e.ws.Page(p.ID)
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if row != nil {
			rows = append(rows, view.QueueRow{CandidateRow: m.row(row), Value: p.Value, Uncertain: p.Uncertain})
		}
	}
	return rows, nil
}

// Evaluate measures every scheme, and the learner, on the labels.
func (e *Engine) Evaluate() ([]topic.Evaluation, error) {
	e.desk.Lock()
	samples, anti, labels := crawled(e.samples), crawled(e.anti), e.judgedLabels()
	given := len(e.labels)
	e.desk.Unlock()
	j := e.judge.Load()
	if j.model == nil {
		return nil, ErrNoModel
	}
	if err := e.TopicErr(); err != nil {
		return nil, err
	}
	if given == 0 {
		return nil, errors.New("no labels yet; give some: angler label DIR URL=yes …, or y and n on a page")
	}
	return topic.Evaluate(e.index, j.model, samples, anti, labels), nil
}

// Judges lists what SetJudge takes.
var Judges = []string{JudgeRule, JudgeLearner}

// The judges that decide what an aggregation page is.
const (
	JudgeRule    = "rule"    // score at or above θ
	JudgeLearner = "learner" // the regression learned from the labels
)

// SetJudge lets the rule or the learner decide. The learner never takes over by
// itself, and only when it is ready.
func (e *Engine) SetJudge(name string) error {
	if !slices.Contains(Judges, name) {
		return fmt.Errorf("judge %q is unknown; choose from: %s", name, strings.Join(Judges, ", "))
	}
	e.desk.Lock()
	ready := e.learned != nil && e.learned.Ready()
	e.desk.Unlock()
	if name == JudgeLearner && !ready {
		return errors.New("the learner needs 10 labels, some yes and some no; label more pages first")
	}
	_, err := e.act(func() (*store.Event, error) { return e.do(kindTopic, "judge", "judge: "+name, name) })
	return err
}

// LabelMarks places the labelled pages on the score axis and finds the
// threshold with the best F1 on them and the anti-samples, which count as no;
// f1 is 0 while there is none.
func (e *Engine) LabelMarks() (marks []view.LabelMark, bestTheta, f1 float64) {
	e.desk.Lock()
	labels, judged, anti := maps.Clone(e.labels), e.judgedLabels(), crawled(e.anti)
	e.desk.Unlock()
	scores := e.index.Scores()
	for id, l := range labels {
		if s, ok := scores.Of(id); ok {
			marks = append(marks, view.LabelMark{ID: id, Label: l, Score: s})
		}
	}
	slices.SortFunc(marks, func(a, b view.LabelMark) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	bestTheta, f1 = scores.BestTheta(judged, anti)
	return marks, bestTheta, f1
}

// relevant is the judge's verdict on a page just captured.
func (j *judge) relevant(d *topic.Doc, score float64) bool {
	if j == nil || j.model == nil {
		return false
	}
	if j.learner != nil {
		p, _ := j.learner.Explain(d, score)
		return p >= .5
	}
	return score >= j.model.Theta()
}
