package tui

import (
	"context"
	"sync/atomic"
	"testing"

	"angler/tui/screen"
	"angler/tui/tuitest"
)

// slowly makes one method of an engine run until its context ends, or, without a context, until the
// test ends.
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

// TestEscReachesTheEngine: where the screen offers esc to cancel, esc ends the context of the
// running call, on every screen; work without a context is abandoned.
func TestEscReachesTheEngine(t *testing.T) {
	all := screen.PartsOf(tuitest.Running(t, tuitest.Labelled).Engine)
	for _, c := range []struct {
		method string
		keys   []string
	}{
		{"Candidates", []string{"1"}}, {"Preview", []string{"1", "j"}}, {"Source", []string{"1", "v", "v", "v", "v"}},
		{"AddSample", []string{"1", "a", "http://www.baita.test/x", "enter"}}, {"AddNegative", []string{"1", "A", "http://www.baita.test/x", "enter"}},
		{"Features", []string{"2"}}, {"FindTerms", []string{"2", "t"}},
		{"Scores", []string{"3"}}, {"Pages", []string{"3", "]", "esc"}},
		{"SteerCount", []string{"4", "p", "x", "esc"}},
		{"List", []string{"5"}}, {"Notice", []string{"5", "j"}}, {"RankNotices", []string{"5"}},
		{"ExportFile", []string{"5", "e", "enter", "enter", "enter"}},
		{"LabelQueue", []string{"6"}}, {"Evaluate", []string{"6", "E"}}, {"PagesLike", []string{"6", "B", "esc"}},
		{"Compare", []string{"7", "r"}},
	} {
		t.Run(c.method, func(t *testing.T) {
			s := &slowly{over: make(chan struct{})}
			d := drive(t, Around(all, s.wait), 120, 40)
			t.Cleanup(func() { close(s.over) })
			if c.method == "Candidates" { // nothing was read yet
				d.a.equip(d.p)
			}
			switch c.method {
			case "Notice", "Pages", "Compare", "PagesLike": // the screen shows data already
				d.press(c.keys[0])
				c.keys = c.keys[1:]
			}
			s.method.Store(&c.method)
			d.pressKey(c.keys...)
			d.until(c.method+" is called", func() bool { return s.entered.Load() > 0 })
			s.method.Store(nil)
			d.pressKey("esc")
			switch c.method {
			case "Features", "Scores", "Evaluate", "SteerCount":
			default:
				d.until("the call has ended", func() bool { return s.left.Load() == s.entered.Load() })
			}
			d.settle()
		})
	}
}
