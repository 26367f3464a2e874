package decisions

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"angler/crawl/auth"
	"angler/message"
	"angler/store"
	"angler/topic"
)

// SetLabel labels one page; NoLabel removes the label. Before it removes an old label or another
// person's, it returns a *UndoQuestion; LabelURLs is the answer.
func (t *Topic) SetLabel(id uint64, label topic.Label) error {
	if err := t.May(auth.Label); err != nil {
		return err
	}
	address, err := t.d.address(id)
	if err == nil && label == topic.NoLabel {
		err = t.ours(id, address)
	}
	if err != nil {
		return err
	}
	return t.d.apply(t.Name, message.Of("label %s %s", cmp.Or(string(label), "none"), address),
		t.labelChange(id, topic.LabelRow{Label: label}))
}

// address returns the address of a known page.
func (d *Decisions) address(id uint64) (string, error) {
	u, err := d.Store.URL(id)
	if err != nil {
		return "", err
	}
	if u == nil {
		return "", fmt.Errorf("url %d is unknown", id)
	}
	return u.URL, nil
}

// ours returns a question before the removal of an old label or another person's.
func (t *Topic) ours(id uint64, address string) error {
	labels, err := t.labels()
	v, given := labels[id]
	if err != nil || !given {
		return err
	}
	return t.d.asksFirst(t.Name, v.By, v.At, message.Of("label %s %s", v.Label, address))
}

// labels returns the stored labels with person and time.
func (t *Topic) labels() (map[uint64]labelValue, error) {
	values, err := t.d.Store.Decisions.Values(t.d.Topic, kindLabel)
	labels := make(map[uint64]labelValue, len(values))
	for key, raw := range values {
		var v labelValue
		id, wrong := strconv.ParseUint(key, 10, 64)
		if wrong = cmp.Or(wrong, json.Unmarshal(raw, &v)); wrong != nil {
			return nil, fmt.Errorf("stored label of %s: %w", key, wrong)
		}
		labels[id] = v
	}
	return labels, err
}

// ParseLabels parses labels of the form URL=yes; none removes a label.
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

// labelChange returns the change of one label; who and when default to now.
func (t *Topic) labelChange(id uint64, row topic.LabelRow) store.Change {
	key := strconv.FormatUint(id, 10)
	if row.Label == topic.NoLabel {
		return t.d.set(kindLabel, key, nil)
	}
	v := labelValue{Label: row.Label, By: cmp.Or(row.By, t.Name), At: row.At}
	if v.At.IsZero() {
		v.At = t.d.Now()
	}
	return t.d.set(kindLabel, key, v)
}

// LabelURLs labels several pages in one step, which one undo takes back. It returns the URLs that
// are not stored pages, and labels the others.
func (t *Topic) LabelURLs(rows []topic.LabelRow, what message.Text) (done int, unknown []string, err error) {
	if err := t.May(auth.LabelMany); err != nil {
		return 0, nil, err
	}
	var changes []store.Change
	for _, row := range rows {
		id, ok := uint64(0), false
		if canonical, err := t.d.Reader.Resolver.Canonical(row.URL); err == nil {
			id, ok = t.d.Store.Lookup(canonical)
		}
		if p, err := t.d.Store.Page(id); !ok || err != nil || p == nil {
			unknown = append(unknown, row.URL)
			continue
		}
		changes = append(changes, t.labelChange(id, row))
	}
	return len(changes), unknown, t.d.apply(t.Name, what, changes...)
}

// ImportLabels reads labels as CSV or JSON lines and sets them in one step. It reports invalid
// lines and unknown URLs, one line each, and skips them.
func (t *Topic) ImportLabels(r io.Reader) (done int, problems []string, err error) {
	rows, bad, err := topic.ReadLabels(r)
	if err != nil {
		return 0, nil, err
	}
	for _, p := range bad {
		problems = append(problems, p.String())
	}
	done, unknown, err := t.LabelURLs(rows, message.Of("%d labels imported", len(rows)))
	for _, u := range unknown {
		problems = append(problems, "not a stored page: "+u)
	}
	return done, problems, err
}

// LabelRows lists the labels with person and time, oldest first.
func (t *Topic) LabelRows() ([]topic.LabelRow, error) {
	labels, err := t.labels()
	if err != nil {
		return nil, err
	}
	rows := make([]topic.LabelRow, 0, len(labels))
	for id, value := range labels {
		u, err := t.d.Store.URL(id)
		if err != nil || u == nil {
			return nil, cmp.Or(err, fmt.Errorf("label of unknown url %d; run: angler workspace check DIR", id))
		}
		rows = append(rows, topic.LabelRow{URL: u.URL, Label: value.Label, By: value.By, At: value.At})
	}
	slices.SortFunc(rows, func(a, b topic.LabelRow) int {
		return cmp.Or(a.At.Compare(b.At), strings.Compare(a.URL, b.URL))
	})
	return rows, nil
}

// Queue returns the next n pages worth a label. First come pages that decide the automatic
// threshold, if it is in force (see topic.Scores.Deciding), then those of topic.Scores.Queue. It
// skips samples and negative samples. While the samples wait for the dictionary, no page has a score and the queue is
// empty.
func (t *Topic) Queue(n int) []topic.Pick {
	s := t.d.State()
	if s.Model == nil && len(s.Samples) > 0 {
		return nil
	}
	labels, scores := s.confirmedLabels(), t.d.Index.Scores()
	var picks []topic.Pick
	if s.Learner == nil {
		picks = scores.Deciding(labels, n)
	}
	if s.Learned != nil {
		scores = t.d.Index.Probabilities(s.Learned)
	}
	for i := range picks {
		picks[i].Value, _ = scores.Of(picks[i].ID)
	}
	deciding := picks
	for _, p := range scores.Queue(labels, n) {
		if len(picks) < n && !slices.ContainsFunc(deciding, func(d topic.Pick) bool { return d.ID == p.ID }) {
			picks = append(picks, p)
		}
	}
	return picks
}

// LabelsPay tells what the newest labels have changed. They are judged without their own help.
type LabelsPay struct {
	Newest int     // yes and no answers looked at; payLabels, or 0 = too few
	Agree  int     // of Newest: the judge without them said the same
	Moved  float64 // how far they moved θ; 0 if the learner is the judge
}

// Limits of labels that no longer pay.
const (
	payLabels = 10
	payAgree  = 9
	payMoved  = .01
)

// Settled reports whether more labels change little: the judge knew the newest answers, and θ stayed.
func (p LabelsPay) Settled() bool { return p.Newest > 0 && p.Agree >= payAgree && p.Moved <= payMoved }

// LabelsPay judges the newest ten yes and no answers by the older ones. It costs a pass over all scores, and with the
// learner as judge a training; a run goes on counting pages meanwhile.
func (t *Topic) LabelsPay() (LabelsPay, error) {
	s := t.d.State()
	labels, err := t.labels()
	if err != nil || s.Model == nil {
		return LabelsPay{}, err
	}
	type answer struct {
		id uint64
		at time.Time
	}
	var answers []answer
	for id, v := range labels {
		if v.Label == topic.Yes || v.Label == topic.No {
			answers = append(answers, answer{id, v.At})
		}
	}
	if len(answers) < payLabels {
		return LabelsPay{}, nil
	}
	slices.SortFunc(answers, func(a, b answer) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.id, a.id)) })
	newest, older := answers[:payLabels], s.confirmedLabels()
	before := maps.Clone(s.Labels)
	for _, a := range newest {
		delete(older, a.id)
		delete(before, a.id)
	}
	out := LabelsPay{Newest: payLabels}
	scores := t.d.Index.Scores()
	if scores.ModelRev != s.Model.Rev { // the model changes just now
		scores = t.d.Index.Try(s.Model)
	}
	theta, value := scores.ThetaWith(s.Model, before), scores.Of
	if s.Learner == nil {
		out.Moved = math.Abs(theta - s.Theta())
	} else if learner, err := t.d.Index.Learn(older); err == nil {
		now := t.d.Index.Scores()
		theta, value = .5, func(id uint64) (float64, bool) { return now.Probability(learner, id) }
	}
	for _, a := range newest {
		if v, ok := value(a.id); ok && (v >= theta) == (s.Labels[a.id] == topic.Yes) {
			out.Agree++
		}
	}
	return out, nil
}

// Evaluate measures every scheme, and the learner, on the labels.
func (t *Topic) Evaluate() ([]topic.Evaluation, error) {
	s := t.d.State()
	if s.Model == nil {
		return nil, ErrNoModel
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	if len(s.Labels) == 0 {
		return nil, errors.New("no labels yet; give some: angler labels set DIR URL=yes …, or y and n on a page")
	}
	return topic.Evaluate(t.d.Index, s.Model, IDs(s.Samples), IDs(s.Negative), s.MeasuredLabels(), s.Learned), nil
}

// judges lists the values of SetJudge.
var judges = []string{JudgeRule, JudgeLearner}

// The judges that decide what an aggregation page is.
const (
	JudgeRule    = "rule"    // score at or above θ
	JudgeLearner = "learner" // the regression learned from the labels
)

// SetJudge selects the rule or the learner. The learner must be ready, and never takes over by
// itself.
func (t *Topic) SetJudge(name string) error {
	if err := t.May(auth.Judge); err != nil {
		return err
	}
	if !slices.Contains(judges, name) {
		return fmt.Errorf("judge %q is unknown; choose from: %s", name, strings.Join(judges, ", "))
	}
	learned := t.d.State().Learned
	if name == JudgeLearner && (learned == nil || !learned.Ready()) {
		return errors.New("the learner needs 10 labels, some yes and some no; label more pages first")
	}
	return t.d.apply(t.Name, message.Of("judge: %s", name), t.d.set(kindTopic, keyJudge, name))
}

// LabelMarks returns the labelled pages on the score axis, and the threshold with the best F1 on
// them and the negative samples, which count as no. f1 is 0 if there is none.
func (t *Topic) LabelMarks() (marks []LabelMark, bestTheta, f1 float64) {
	s := t.d.State()
	scores := t.d.Index.Scores()
	for id, label := range s.Labels {
		if v, ok := scores.Of(id); ok {
			marks = append(marks, LabelMark{ID: id, Label: label, Score: v})
		}
	}
	slices.SortFunc(marks, func(a, b LabelMark) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	bestTheta, f1 = scores.BestTheta(s.MeasuredLabels(), IDs(s.Negative))
	return marks, bestTheta, f1
}
