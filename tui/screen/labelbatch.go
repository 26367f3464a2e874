package screen

import (
	"context"
	"fmt"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl"
	"angler/crawl/view"
	"angler/topic"
	"angler/tui/ui"
)

// This file labels many pages with one answer: all of a host, or all whose
// address has a shape. How many are meant is shown before anything happens, and
// one undo takes all of it back.

// labelBatch is the pattern that is being typed and what it means.
type labelBatch struct {
	pattern string
	seq     int
	rows    []view.CandidateRow
	err     error
	busy    bool
	cancel  context.CancelFunc
	prompt  *ui.Prompt
}

type batchMsg struct {
	owner *Label
	seq   int
	rows  []view.CandidateRow
	err   error
}

func (s *Label) askBatch() {
	s.batch = labelBatch{seq: s.batch.seq + 1}
	p := &ui.Prompt{
		Label: "label all of:", Hint: "a host, or the beginning of a URL with * and **",
		Live: s.countBatch,
		Check: func(v string) string {
			switch {
			case s.batch.err != nil:
				return s.env.reason(s.batch.err)
			case s.batch.busy || s.batch.pattern != v:
				return "counting …"
			case len(s.batch.rows) == 0:
				return "no page matches"
			}
			return ""
		},
		Done: func(v string) tea.Cmd { s.chooseBatch(v, s.batch.rows); return nil },
	}
	s.batch.prompt = p
	if r := s.queue.Selected(); r != nil {
		p.Preset(r.Host)
	}
	s.env.Ask(p)
}

// Preset text is not typed: count it as well.
func (s *Label) countPreset() tea.Cmd {
	if s.batch.prompt == nil || s.batch.prompt.Text() == "" {
		return nil
	}
	return s.countBatch(s.batch.prompt.Text())
}

// countBatch looks for the pages that a pattern means.
func (s *Label) countBatch(v string) tea.Cmd {
	b := &s.batch
	b.seq++
	b.pattern, b.rows, b.err = v, nil, nil
	if b.cancel != nil {
		b.cancel()
		b.cancel = nil
	}
	if _, err := crawl.URLPattern(v); err != nil {
		b.err, b.busy = err, false
		b.prompt.Hint = err.Error()
		return nil
	}
	b.busy, b.prompt.Hint = true, "counting …"
	bench, seq := s.env.Bench, b.seq
	mine, cancel := context.WithCancel(context.Background())
	b.cancel = cancel
	return s.env.Run("counting pages", func(ctx context.Context) tea.Msg {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(mine, stop)()
		rows, err := bench.PagesLike(ctx, v)
		return batchMsg{s, seq, rows, err}
	})
}

func (s *Label) counted(m batchMsg) tea.Cmd {
	b := &s.batch
	if m.owner != s || m.seq != b.seq {
		return nil
	}
	b.busy, b.rows, b.err = false, m.rows, m.err
	if m.err != nil {
		b.prompt.Hint = s.env.reason(m.err)
		return nil
	}
	yes, no, _ := tally(m.rows)
	b.prompt.Hint = s.env.F("%s, %d labelled yes, %d no · enter goes on", s.env.N(len(m.rows), "page"), yes, no)
	return nil
}

// tally counts the labels of rows.
func tally(rows []view.CandidateRow) (yes, no, none int) {
	for _, r := range rows {
		switch r.Label {
		case topic.Yes:
			yes++
		case topic.No:
			no++
		case topic.NoLabel:
			none++
		}
	}
	return yes, no, none
}

// chooseBatch asks which label; the pages that have one already keep it unless
// the reader says otherwise.
func (s *Label) chooseBatch(pattern string, rows []view.CandidateRow) {
	var fresh []view.CandidateRow
	for _, r := range rows {
		if r.Label == topic.NoLabel && !r.Sample && !r.Negative {
			fresh = append(fresh, r)
		}
	}
	item := func(l topic.Label, name string, rows []view.CandidateRow, note string) ui.Item {
		it := ui.Item{Name: name, Note: note, Do: func() tea.Cmd { return s.labelBatch(pattern, l, rows) }}
		if len(rows) == 0 {
			it.Off = "there is no such page"
		}
		return it
	}
	n := s.env.F("the %s without a label", s.env.N(len(fresh), "page"))
	all := s.env.F("all %s, labels that are there are replaced", s.env.N(len(rows), "page"))
	s.env.Choose(ui.NewChooser(s.env.F("%s · %s", ui.Clean(pattern), s.env.N(len(rows), "page")), []ui.Item{
		item(topic.No, "no", fresh, n), item(topic.Yes, "yes", fresh, n), item(topic.Unsure, "unsure", fresh, n),
		item(topic.No, "no to all", rows, all), item(topic.Yes, "yes to all", rows, all), item(topic.NoLabel, "remove the labels", rows, all),
	}))
}

func (s *Label) labelBatch(pattern string, l topic.Label, rows []view.CandidateRow) tea.Cmd {
	list := make([]topic.LabelRow, len(rows))
	for i, r := range rows {
		list[i] = topic.LabelRow{URL: r.URL, Label: l}
	}
	log := fmt.Sprintf("label %s of %d pages like %s", l, len(rows), pattern)
	if l == topic.NoLabel {
		log = fmt.Sprintf("label none of %d pages like %s", len(rows), pattern)
	}
	bench := s.env.Bench
	return s.env.Act(s.env.Line(log), func() error {
		_, _, err := bench.LabelURLs(list, log)
		return err
	})
}

// risen keeps the learner's F1 as it was after every label.
func (s *Label) risen() {
	l := s.env.Snap.Learner
	l.InUse = false
	if l == s.riseAt || l.F1 != l.F1 {
		return
	}
	s.riseAt = l
	if s.rise = append(s.rise, l.F1); len(s.rise) > 500 {
		s.rise = s.rise[len(s.rise)-250:]
	}
}

// spark shows how F1 has risen, "" while there is too little of it.
func (s *Label) spark() string {
	if len(s.rise) < 2 {
		return ""
	}
	return ui.Spark(s.rise, 16) + " "
}
