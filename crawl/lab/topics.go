package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"angler/topic"
	"angler/topic/labelfile"
)

// Topic is one of several topics that are compared on the same stored crawl (P4 5.2,
// figure 3): its pages, as a label file names them.
type Topic struct {
	Name  string // the file's, without folder and ending
	pages *TargetRule
}

// TopicSamples is how many pages of a topic a draw takes as samples by default.
const TopicSamples = 3

// ReadTopic reads a topic from labels (labelfile.Read): the pages labelled yes are those
// of the topic, all others are not. Lines that are no labels are skipped and returned.
func ReadTopic(path string, in io.Reader) (*Topic, []labelfile.Problem, error) {
	rows, problems, err := labelfile.Read(in)
	if err != nil {
		return nil, problems, fmt.Errorf("topic %s: %w", path, err)
	}
	t := &Topic{Name: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), pages: &TargetRule{kind: "file"}}
	for _, r := range rows {
		if r.Label == topic.Yes {
			t.pages.list = append(t.pages.list, r.URL)
		}
	}
	if len(t.pages.list) == 0 {
		return nil, problems, fmt.Errorf("topic %s: no page is labelled yes; write lines like http://www.a.cn/list.htm,yes", path)
	}
	return t, problems, nil
}

// Topics says what Lab.Topics compares.
type Topics struct {
	Topics     []*Topic
	Strategies []string
	Draws      int
	Replay     ReplayOptions // Targets is set for each topic; Samples, if 0, is TopicSamples
	Report     func(topic string, p Progress)
}

// TopicResult is what the comparison found for one topic.
type TopicResult struct {
	Topic  string
	Replay *Replay // its Pages, Targets, Unreached and Unknown count this topic's
	Rows   []*Summary
}

// Topics replays the stored crawl once for each topic, reading it once: every draw learns
// the topic from samples of its pages, and the curves say how far each strategy drifts from
// it. Errors name the topic.
func (l *Lab) Topics(ctx context.Context, plan Topics) ([]*TopicResult, error) {
	opt := plan.Replay
	if opt.Samples <= 0 {
		opt.Samples = TopicSamples
	}
	all, known, err := l.open(ctx, opt)
	if err != nil {
		return nil, err
	}
	for _, t := range plan.Topics { // before the pages are read again
		if _, err := all.topicOf(t); err != nil {
			return nil, err
		}
	}
	if err := all.connect(ctx, known); err != nil {
		return nil, err
	}
	out := make([]*TopicResult, 0, len(plan.Topics))
	for _, t := range plan.Topics {
		replay, err := all.topicOf(t)
		if err != nil {
			return nil, err
		}
		replay.reach()
		report := func(p Progress) {
			if plan.Report != nil {
				plan.Report(t.Name, p)
			}
		}
		rows, err := Compare(ctx, Plan{Strategies: plan.Strategies, Draws: plan.Draws, Graph: replay.Graph, Make: l.Strategy, Report: report})
		if errors.Is(err, ErrNoTargets) {
			err = errors.New("no link leads from the seeds to one of its pages")
		}
		if err != nil {
			return nil, fmt.Errorf("topic %s: %w", t.Name, err)
		}
		out = append(out, &TopicResult{Topic: t.Name, Replay: replay, Rows: rows})
	}
	return out, nil
}

// topicOf is the same stored crawl with the pages of a topic as targets. Their marks stand on
// the pages, which all share: the newest counts.
func (r *Replay) topicOf(t *Topic) (*Replay, error) {
	next := &Replay{Lab: r.Lab, opt: r.opt, web: r.web, pages: r.pages, seeds: r.seeds}
	if err := next.choose(t.pages); err != nil {
		return nil, fmt.Errorf("topic %s: %w", t.Name, err)
	}
	return next, nil
}

// DriftAt is the topic drift rate of a strategy after a share of the pages (P4's figure 3
// shows it after the same five hours for all): mean and range over the draws.
func (s *Summary) DriftAt(share float64) Spread {
	return s.Spread(func(c Curve) float64 { return c.Drift(int(share * float64(s.Pages))) })
}

// TopicRow is a Row of one topic, as exports write it.
type TopicRow struct {
	Topic   string            `json:"topic"`
	DriftAt map[string]Spread `json:"drift_at"` // after this share of the pages
	Row
}

// TopicRows makes the export rows.
func (t *TopicResult) TopicRows() []TopicRow {
	out := make([]TopicRow, len(t.Rows))
	for i, s := range t.Rows {
		out[i] = TopicRow{Topic: t.Topic, DriftAt: map[string]Spread{}, Row: s.Row()}
		for _, m := range RecallMarks {
			out[i].DriftAt[mark(m)] = s.DriftAt(m)
		}
	}
	return out
}
