package tui

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"sync"

	"angler/crawl/decisions"
	"angler/crawl/query"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/topic"
	"angler/tui/screen"
)

// canned answers the screens with one moment of the invented web. It decides and runs nothing:
// other methods belong to a nil interface and panic. It is for pictures and the drawing of given
// snapshots; keys are tested over a real engine.
type canned struct {
	elseRuns
	elseSettings
	elseTopic
	elseTerms
	elseLabels
	elsePages
	elseInbox

	mu   sync.Mutex
	now  *moment
	next *moment // result of the one action that a picture needs
	snap *view.Snapshot
	hub  view.Hub
}

// The names keep the methods of the interfaces visible.
type (
	elseRuns     interface{ screen.Runs }
	elseSettings interface{ screen.Settings }
	elseTopic    interface{ screen.Topic }
	elseTerms    interface{ screen.Terms }
	elseLabels   interface{ screen.Labels }
	elsePages    interface{ screen.Pages }
	elseInbox    interface{ screen.Inbox }
)

func can(m *moment) *canned {
	c := &canned{}
	c.show(m)
	return c
}

// parts returns c as the parts of the workbench.
func (c *canned) parts() screen.Parts {
	return screen.Parts{Live: c, Runs: c, Survey: c, Settings: c, Topic: c, Terms: c, Labels: c, Pages: c, Inbox: c, Files: c, Facts: c, Lab: c, Seeds: cannedSeeds{}, Sources: cannedSources{}}
}

// Decided implements screen.Topic.
func (c *canned) Decided(int) ([]store.Event, error) {
	return []store.Event{{Seq: 1, At: c.moment().snap.At, By: "wang", What: "θ .400 → .310"}}, nil
}

// show switches to another moment.
func (c *canned) show(m *moment) {
	c.mu.Lock()
	c.now = m
	c.mu.Unlock()
	c.publish(func(s *view.Snapshot) { *s = *m.snap })
}

// publish sends a changed snapshot to the viewers.
func (c *canned) publish(change func(*view.Snapshot)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s, seq := view.Snapshot{}, uint64(0)
	if c.snap != nil {
		s, seq = *c.snap, c.snap.Seq
	}
	change(&s)
	s.Seq = seq + 1
	c.snap = &s
	c.hub.Publish(&s)
}

func (c *canned) moment() *moment { c.mu.Lock(); defer c.mu.Unlock(); return c.now }

func (c *canned) Subscribe() (<-chan *view.Snapshot, func()) { return c.hub.Subscribe() }
func (c *canned) Snapshot() *view.Snapshot                   { return c.hub.Newest() }
func (c *canned) Strategies() []string                       { return []string{"learned", "bfs", "shark", "best-first"} }
func (c *canned) SteerRules() []decisions.Rule               { return c.moment().rules }
func (c *canned) Config() topic.Config                       { return c.moment().config.Clone() }
func (c *canned) Features() []topic.Feature                  { return c.moment().features }
func (c *canned) Scores() *topic.Scores                      { return c.moment().scores }

// ToggleNegative switches to the next moment.
func (c *canned) ToggleNegative(uint64) (bool, error) { c.show(c.next); return true, nil }

func (c *canned) SettingRows() []config.Row {
	set := config.Default()
	set.Name = "招标公告"
	for _, x := range schools {
		set.Seeds = append(set.Seeds, "http://"+x.host+"/")
	}
	rows := set.Rows()
	for i := range rows {
		if rows[i].Key == "crawl.strategy" {
			rows[i].Choices = c.Strategies()
		}
	}
	return rows
}

func (c *canned) SteerCount(pattern string) (n int, examples []string, err error) {
	re, err := regexp.Compile(pattern)
	for _, r := range c.Snapshot().Frontier {
		if err == nil && re.MatchString(r.URL) {
			if n++; len(examples) < 5 {
				examples = append(examples, r.URL)
			}
		}
	}
	return n, examples, err
}

func (c *canned) LabelQueue(_ context.Context, n int) (rows []query.QueueRow, err error) {
	m := c.moment()
	scores := m.scores
	if m.learned != nil {
		scores = m.index.Probabilities(m.learned)
	}
	for _, p := range scores.Queue(m.confirmed(), n) {
		rows = append(rows, query.QueueRow{CandidateRow: m.row(p.ID), Value: p.Value, Uncertain: p.Uncertain, Decides: p.Decides})
	}
	return rows, nil
}

func (c *canned) LabelsPay() (decisions.LabelsPay, error) { return decisions.LabelsPay{}, nil }

// Proposals are as many as the snapshot says, each a label of a page.
func (c *canned) Proposals() (out []decisions.Proposal) {
	for _, p := range c.moment().pages[:c.Snapshot().Assistants] {
		out = append(out, decisions.Proposal{Kind: decisions.ProposeLabel, Page: p.row.ID, URL: p.row.URL, Label: topic.Yes,
			Reason: "列出招标公告", By: decisions.AgentName("小助手"), At: c.Snapshot().At})
	}
	return out
}

func (c *canned) LabelMarks() (marks []decisions.LabelMark, bestTheta, f1 float64) {
	m := c.moment()
	ids, _ := m.scores.Sorted()
	for _, id := range ids {
		if l := m.labels[id]; l != topic.NoLabel {
			score, _ := m.scores.Of(id)
			marks = append(marks, decisions.LabelMark{ID: id, Label: l, Score: score})
		}
	}
	bestTheta, f1 = m.scores.BestTheta(m.judged(), m.negative)
	return marks, bestTheta, f1
}

func (c *canned) Passing() *decisions.Passing { return c.moment().passing() }

func (m *moment) passing() *decisions.Passing {
	sure := map[uint64]bool{}
	for id, l := range m.confirmed() {
		if l == topic.Yes || l == topic.No {
			sure[id] = l == topic.Yes
		}
	}
	return decisions.PassingOf(m.scores, sure)
}

func (c *canned) Evaluate() ([]topic.Evaluation, error) {
	m := c.moment()
	return topic.Evaluate(m.index, m.model, m.samples, m.negative, m.judged(), m.learned), nil
}

func (c *canned) Candidates(context.Context) ([]query.CandidateRow, error) {
	m := c.moment()
	out := make([]query.CandidateRow, len(m.pages))
	for i := range m.pages {
		out[i] = m.row(m.pages[i].row.ID)
	}
	slices.SortStableFunc(out, func(x, y query.CandidateRow) int { return y.Dated - x.Dated })
	return out, nil
}

func (c *canned) Pages(_ context.Context, ids []uint64) ([]query.CandidateRow, error) {
	m := c.moment()
	out := make([]query.CandidateRow, len(ids))
	for i, id := range ids {
		out[i] = m.row(id)
	}
	return out, nil
}

func (c *canned) PagesLike(_ context.Context, pattern string) (out []query.CandidateRow, err error) {
	m := c.moment()
	match, err := query.URLPattern(pattern)
	for i := range m.pages {
		if r := m.pages[i].row; err == nil && match(r.URL) {
			out = append(out, m.row(r.ID))
		}
	}
	return out, err
}

var errGone = errors.New("no such page in this workspace")

func (c *canned) Preview(_ context.Context, id uint64) (*query.Preview, error) {
	m := c.moment()
	i, ok := m.byID[id]
	if !ok {
		return nil, errGone
	}
	p := m.pages[i].show
	if m.model != nil {
		p.HasModel, p.Explain = true, m.model.Explain(&m.pages[i].doc)
	}
	return &p, nil
}

func (c *canned) Source(_ context.Context, id uint64) (string, error) {
	m := c.moment()
	i, ok := m.byID[id]
	if !ok {
		return "", errGone
	}
	return m.pages[i].source(), nil
}
