package tui

import (
	"context"
	"sync/atomic"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/lab"
	"angler/crawl/query"
	"angler/crawl/view"
	"angler/dict/terms"
	"angler/topic"
	"angler/tui/parts"
)

// slowly makes one method of an engine take until its context ends, or until the
// test ends for one that has no context.
type slowly struct {
	method        atomic.Pointer[string] // nil: none
	entered, left atomic.Int32
	over          chan struct{} // closed at the end of the test
}

func (s *slowly) wait(ctx context.Context, method string) error {
	if m := s.method.Load(); m == nil || *m != method {
		return nil
	}
	s.entered.Add(1)
	select {
	case <-ctx.Done():
	case <-s.over:
	}
	s.left.Add(1)
	return ctx.Err()
}

// late calls a method after the wait.
func late[T any](s *slowly, ctx context.Context, method string, call func() (T, error)) (v T, err error) {
	if err := s.wait(ctx, method); err != nil {
		return v, err
	}
	return call()
}

// The inner interfaces keep a part's name from hiding its method.
type (
	innerPages   interface{ parts.Pages }
	innerNotices interface{ parts.Notices }
	innerTopic   interface{ parts.Topic }
	innerLabels  interface{ parts.Labels }
	innerLab     interface{ parts.Lab }
	innerRuns    interface{ parts.Runs }

	slowPages struct {
		innerPages
		s *slowly
	}
	slowNotices struct {
		innerNotices
		s *slowly
	}
	slowTopic struct {
		innerTopic
		s *slowly
	}
	slowLabels struct {
		innerLabels
		s *slowly
	}
	slowLab struct {
		innerLab
		s *slowly
	}
	slowRuns struct {
		innerRuns
		s *slowly
	}
)

func (p slowPages) Candidates(ctx context.Context) ([]view.CandidateRow, error) {
	return late(p.s, ctx, "Candidates", func() ([]view.CandidateRow, error) { return p.innerPages.Candidates(ctx) })
}

func (p slowPages) Pages(ctx context.Context, ids []uint64) ([]view.CandidateRow, error) {
	return late(p.s, ctx, "Pages", func() ([]view.CandidateRow, error) { return p.innerPages.Pages(ctx, ids) })
}

func (p slowPages) Preview(ctx context.Context, id uint64) (*view.Preview, error) {
	return late(p.s, ctx, "Preview", func() (*view.Preview, error) { return p.innerPages.Preview(ctx, id) })
}

func (p slowPages) Source(ctx context.Context, id uint64) (string, error) {
	return late(p.s, ctx, "Source", func() (string, error) { return p.innerPages.Source(ctx, id) })
}

func (p slowPages) PagesLike(ctx context.Context, pattern string) ([]view.CandidateRow, error) {
	return late(p.s, ctx, "PagesLike", func() ([]view.CandidateRow, error) { return p.innerPages.PagesLike(ctx, pattern) })
}

func (p slowNotices) Notices(ctx context.Context, query string, most int) (*view.NoticeBook, error) {
	return late(p.s, ctx, "Notices", func() (*view.NoticeBook, error) { return p.innerNotices.Notices(ctx, query, most) })
}

func (p slowNotices) Notice(ctx context.Context, id uint64) (*view.NoticeDetail, error) {
	return late(p.s, ctx, "Notice", func() (*view.NoticeDetail, error) { return p.innerNotices.Notice(ctx, id) })
}

func (p slowNotices) RankNotices(ctx context.Context) (bool, error) {
	return late(p.s, ctx, "RankNotices", func() (bool, error) { return p.innerNotices.RankNotices(ctx) })
}

func (p slowNotices) ExportFile(ctx context.Context, plan query.ExportPlan, path string, replace bool) (int, error) {
	return late(p.s, ctx, "ExportFile", func() (int, error) { return p.innerNotices.ExportFile(ctx, plan, path, replace) })
}

func (p slowTopic) AddSample(ctx context.Context, urlOrFile, fileURL string) (view.SampleRow, error) {
	return late(p.s, ctx, "AddSample", func() (view.SampleRow, error) { return p.innerTopic.AddSample(ctx, urlOrFile, fileURL) })
}

func (p slowTopic) AddNegative(ctx context.Context, urlOrFile, fileURL string) (view.SampleRow, error) {
	return late(p.s, ctx, "AddNegative", func() (view.SampleRow, error) { return p.innerTopic.AddNegative(ctx, urlOrFile, fileURL) })
}

func (p slowTopic) Terms(ctx context.Context, most int) ([]terms.Term, error) {
	return late(p.s, ctx, "Terms", func() ([]terms.Term, error) { return p.innerTopic.Terms(ctx, most) })
}

func (p slowTopic) Features() []topic.Feature {
	p.s.wait(context.Background(), "Features")
	return p.innerTopic.Features()
}

func (p slowTopic) Scores() *topic.Scores {
	p.s.wait(context.Background(), "Scores")
	return p.innerTopic.Scores()
}

func (p slowLabels) LabelQueue(ctx context.Context, n int) ([]view.QueueRow, error) {
	return late(p.s, ctx, "LabelQueue", func() ([]view.QueueRow, error) { return p.innerLabels.LabelQueue(ctx, n) })
}

func (p slowLabels) Evaluate() ([]topic.Evaluation, error) {
	p.s.wait(context.Background(), "Evaluate")
	return p.innerLabels.Evaluate()
}

func (p slowLab) Lab(ctx context.Context, plan lab.Comparison) (*lab.Result, error) {
	return late(p.s, ctx, "Lab", func() (*lab.Result, error) { return p.innerLab.Lab(ctx, plan) })
}

func (p slowRuns) SteerCount(pattern string) (int, []string, error) {
	p.s.wait(context.Background(), "SteerCount")
	return p.innerRuns.SteerCount(pattern)
}

// TestEscReachesTheEngine: where the screen says that esc cancels, the context of
// the very call ends, whatever screen it came from; work without a context is
// not waited for any longer.
func TestEscReachesTheEngine(t *testing.T) {
	for _, c := range []struct {
		method string
		keys   []string
	}{
		{"Candidates", []string{"1"}}, {"Preview", []string{"1", "j"}}, {"Source", []string{"1", "v", "v", "v", "v"}},
		{"AddSample", []string{"1", "a", "http://www.baita.test/x", "enter"}}, {"AddNegative", []string{"1", "A", "http://www.baita.test/x", "enter"}},
		{"Features", []string{"2"}}, {"Terms", []string{"2", "T"}},
		{"Scores", []string{"3"}}, {"Pages", []string{"3", "]", "esc"}},
		{"SteerCount", []string{"4", "p", "x", "esc"}},
		{"Notices", []string{"5"}}, {"Notice", []string{"5", "tab", "j"}}, {"RankNotices", []string{"5"}},
		{"ExportFile", []string{"5", "X", "enter", "enter", "enter"}},
		{"LabelQueue", []string{"6"}}, {"Evaluate", []string{"6", "E"}}, {"PagesLike", []string{"6", "B", "esc"}},
		{"Lab", []string{"7", "enter"}},
	} {
		t.Run(c.method, func(t *testing.T) {
			d := drive(t, labelled(t, 5), 120, 40)
			s := &slowly{over: make(chan struct{})}
			t.Cleanup(func() { close(s.over) })
			p := d.b.Parts()
			d.a.equip(parts.All{Live: p.Live, Settings: p.Settings, Runs: slowRuns{p.Runs, s}, Topic: slowTopic{p.Topic, s}, Labels: slowLabels{p.Labels, s},
				Pages: slowPages{p.Pages, s}, Notices: slowNotices{p.Notices, s}, Lab: slowLab{p.Lab, s}})
			if c.method != "Candidates" { // there are rows to act on
				d.start(d.a.goTo(0))
				d.settle()
			}
			switch c.method {
			case "Notice", "Pages", "Lab", "PagesLike": // the screen shows something already
				d.press(c.keys[0])
				c.keys = c.keys[1:]
			}
			s.method.Store(&c.method)
			for _, k := range c.keys {
				if _, ok := named[k]; ok {
					d.send(tea.KeyMsg{Type: named[k]})
					continue
				}
				for _, r := range k {
					d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune{r}})
				}
			}
			d.until(c.method+" is called", func() bool { return s.entered.Load() > 0 })
			s.method.Store(nil)
			d.send(tea.KeyMsg{Type: tea.KeyEsc})
			switch c.method {
			case "Features", "Scores", "Evaluate", "SteerCount":
			default:
				d.until("the call has ended", func() bool { return s.left.Load() == s.entered.Load() })
			}
			d.settle()
		})
	}
}
