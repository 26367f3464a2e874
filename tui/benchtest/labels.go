package benchtest

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"angler/crawl/decisions"
	"angler/crawl/view"
	"angler/dict/terms"
	"angler/topic"
)

// This file is what labels teach, and the terms of the invented web.

// confirmed are the labels, the samples as yes and the negative samples as no. It
// needs mu.
func (b *Bench) confirmed() map[uint64]topic.Label {
	all := b.judged()
	for id := range b.sample {
		if b.label[id] == topic.NoLabel {
			all[id] = topic.Yes
		}
	}
	return all
}

// judged are the labels, and the negative samples as no. It needs mu.
func (b *Bench) judged() map[uint64]topic.Label {
	all := map[uint64]topic.Label{}
	for id := range b.negative {
		all[id] = topic.No
	}
	maps.Copy(all, b.label)
	return all
}

// marked lists the pages with a mark in the order in which rebuild gave them to
// the model. It needs mu.
func (b *Bench) marked(marks map[uint64]bool) (ids []uint64) {
	for i := range b.pages {
		if id := b.pages[i].row.ID; marks[id] {
			ids = append(ids, id)
		}
	}
	return ids
}

// LabelQueue implements parts.Labels.
func (b *Bench) LabelQueue(_ context.Context, n int) ([]view.QueueRow, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.called("LabelQueue"); err != nil {
		return nil, err
	}
	scores := b.index.Scores()
	if b.learned != nil {
		scores = b.index.Probabilities(b.learned)
	}
	var rows []view.QueueRow
	for _, p := range scores.Queue(b.confirmed(), n) {
		rows = append(rows, view.QueueRow{CandidateRow: b.row(p.ID), Value: p.Value, Uncertain: p.Uncertain})
	}
	return rows, nil
}

// LabelMarks implements parts.Labels.
func (b *Bench) LabelMarks() (marks []view.LabelMark, bestTheta, f1 float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.Calls["LabelMarks"]++
	scores := b.index.Scores()
	for id, l := range b.label {
		if s, ok := scores.Of(id); ok {
			marks = append(marks, view.LabelMark{ID: id, Label: l, Score: s})
		}
	}
	slices.SortFunc(marks, func(x, y view.LabelMark) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.ID, y.ID))
	})
	bestTheta, f1 = scores.BestTheta(b.judged(), b.marked(b.negative))
	return marks, bestTheta, f1
}

// Evaluate implements parts.Labels.
func (b *Bench) Evaluate() ([]topic.Evaluation, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.called("Evaluate"); err != nil {
		return nil, err
	}
	if b.model == nil {
		return nil, decisions.ErrNoModel
	}
	return topic.Evaluate(b.index, b.model, b.marked(b.sample), b.marked(b.negative), b.judged()), nil
}

// SetJudge implements parts.Labels.
func (b *Bench) SetJudge(name string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.called("SetJudge"); err != nil {
		return err
	}
	b.remember("judge: " + name)
	b.uses = name == decisions.JudgeLearner
	b.publish(nil)
	return nil
}

// compounds are what the vocabulary's segmenter would cut to pieces.
var compounds = [][]string{
	{"竞争性", "磋商", "公告"}, {"采购", "项目", "招标", "公告"}, {"公开", "招标", "公告"}, {"询价", "采购", "公告"},
	{"琴房", "楼", "空调"}, {"实验室", "设备"}, {"学生", "宿舍", "家具"}, {"图书馆", "书架"}, {"食堂", "燃气", "管道"},
	{"网络", "安全", "服务"}, {"体育馆", "灯光"}, {"教学楼", "电梯", "维保"}, {"校园", "绿化", "养护"}, {"档案", "数字化"}, {"会议室", "音响"},
}

// Terms implements parts.Topic: it counts the compounds in the pages' text. The
// C-value is that of candidates that no longer one holds.
func (b *Bench) Terms(ctx context.Context, most int) ([]terms.Term, error) {
	b.mu.Lock()
	err := b.called("Terms")
	pages, hold, accepted := b.pages, b.HoldTerms, b.accepted
	ctx, b.endJob = context.WithCancel(ctx)
	b.mu.Unlock()
	if err != nil {
		return nil, err
	}
	job := func(done int) {
		b.Publish(func(s *view.Snapshot) {
			s.Job = view.Job{Name: "looking for terms", Done: done, Total: len(pages)}
		})
	}
	defer b.Publish(func(s *view.Snapshot) { s.Job = view.Job{} })
	var out []terms.Term
	for i, segments := range compounds {
		if i == len(compounds)/2 && hold != nil {
			job(len(pages) / 2)
			if err := hold(ctx); err != nil {
				return nil, err
			}
		}
		word := strings.Join(segments, "")
		t := terms.Term{Word: word, Segments: segments, POS: strings.Repeat("+n", len(segments))[1:]}
		for _, p := range pages {
			n := strings.Count(p.show.Text, word)
			if n == 0 {
				continue
			}
			t.Count += n
			t.Pages++
			if len(t.Examples) < 2 {
				for line := range strings.SplitSeq(p.show.Text, "\n") {
					if strings.Contains(line, word) {
						t.Examples = append(t.Examples, line)
						break
					}
				}
			}
		}
		t.CValue = math.Log2(float64(utf8.RuneCountInString(word))) * float64(t.Count)
		if t.Count > 1 && !accepted[word] {
			out = append(out, t)
		}
	}
	slices.SortStableFunc(out, func(x, y terms.Term) int { return cmp.Compare(y.CValue, x.CValue) })
	return out[:min(most, len(out))], ctx.Err()
}

// AcceptTerms implements parts.Topic.
func (b *Bench) AcceptTerms(words []string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if err := b.called("AcceptTerms"); err != nil {
		return err
	}
	if len(words) == 0 {
		return errors.New("no words to accept")
	}
	b.remember("words accepted: " + strings.Join(words, " "))
	accepted := map[string]bool{}
	for w := range b.accepted {
		accepted[w] = true
	}
	for _, w := range words {
		accepted[w] = true
	}
	b.accepted = accepted
	b.publish(nil)
	return nil
}

// Accepted reports whether word was taken into the dictionary.
func (b *Bench) Accepted(word string) bool { b.mu.Lock(); defer b.mu.Unlock(); return b.accepted[word] }

// CancelJob implements parts.Runs.
func (b *Bench) CancelJob() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.Calls["CancelJob"]++
	if b.endJob != nil {
		b.endJob()
	}
}
