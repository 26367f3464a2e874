package topic

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/query"
	"angler/message"
	"angler/topic"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file labels many pages at once: all pages of a host, or all whose address has a shape. It
// shows their number first, and one undo takes all labels back.

// labelBatch is the typed pattern and the pages it selects.
type labelBatch struct {
	pattern string
	asked   screen.Request
	rows    []query.CandidateRow
	err     error
	prompt  *widget.Prompt[[]query.CandidateRow]
}

func (s *label) askBatch() {
	s.batch.asked.Drop()
	s.batch = labelBatch{asked: s.batch.asked}
	p := &widget.Prompt[[]query.CandidateRow]{
		Editor: widget.Editor{Label: "label all of:", Hint: "a host, or the beginning of a URL with * and **",
			Live: s.countBatch},
		Check: func(v string) ([]query.CandidateRow, error) {
			switch {
			case s.batch.err != nil:
				return nil, widget.Refusal(s.Reason(s.batch.err))
			case s.batch.asked.Busy() || s.batch.pattern != v:
				return nil, widget.Refusal("counting …")
			case len(s.batch.rows) == 0:
				return nil, widget.Refusal("no page matches")
			}
			return s.batch.rows, nil
		},
		Do: func(rows []query.CandidateRow) tea.Cmd { s.chooseBatch(s.batch.pattern, rows); return nil },
	}
	s.batch.prompt = p
	if r := s.queue.Selected(); r != nil {
		p.Preset(r.Host)
	}
	s.Ask(p)
}

// A preset text triggers no key, so count it here.
func (s *label) countPreset() tea.Cmd {
	if s.batch.prompt == nil || s.batch.prompt.Text() == "" {
		return nil
	}
	return s.countBatch(s.batch.prompt.Text())
}

// countBatch finds the pages that a pattern selects.
func (s *label) countBatch(v string) tea.Cmd {
	b := &s.batch
	b.asked.Drop()
	b.pattern, b.rows, b.err = v, nil, nil
	if _, err := query.URLPattern(v); err != nil {
		b.err = err
		b.prompt.Hint = err.Error()
		return nil
	}
	b.prompt.Hint = "counting …"
	pages := s.pages
	return screen.Start(&b.asked, s.UI, "counting pages",
		func(ctx context.Context) ([]query.CandidateRow, error) { return pages.PagesLike(ctx, v) }, s.counted)
}

func (s *label) counted(rows []query.CandidateRow, err error) tea.Cmd {
	b := &s.batch
	b.rows, b.err = rows, err
	if err != nil {
		b.prompt.Hint = s.Reason(err)
		return nil
	}
	n := labelled(rows, func(r query.CandidateRow) topic.Label { return r.Label })
	b.prompt.Hint = s.F("%s, %d labelled yes, %d no · enter goes on", s.N(len(rows), "page"),
		n[topic.Yes], n[topic.No])
	return nil
}

// chooseBatch asks which label to set; labelled pages keep theirs unless the reader chooses
// otherwise.
func (s *label) chooseBatch(pattern string, rows []query.CandidateRow) {
	var fresh, labelled []query.CandidateRow
	for _, r := range rows {
		if r.Label != topic.NoLabel {
			labelled = append(labelled, r)
		}
		if r.Label == topic.NoLabel && !r.Sample && !r.Negative {
			fresh = append(fresh, r)
		}
	}
	item := func(l topic.Label, name string, rows []query.CandidateRow, note string) widget.Item {
		it := widget.Item{Name: name, Note: note, Do: func() tea.Cmd { return s.labelBatch(pattern, l, rows) }}
		if len(rows) == 0 {
			it.Off = "there is no such page"
		}
		return it
	}
	n := s.F("the %s without a label", s.N(len(fresh), "page"))
	all := s.F("all %s, labels that are there are replaced", s.N(len(rows), "page"))
	s.Offer(s.F("%s · %s", widget.Clean(pattern), s.N(len(rows), "page")),
		[]widget.Item{
			item(topic.No, "no", fresh, n), item(topic.Yes, "yes", fresh, n), item(topic.Unsure, "unsure", fresh, n),
			item(topic.No, "no to all", rows, all), item(topic.Yes, "yes to all", rows, all),
			item(topic.NoLabel, "remove the labels", labelled, s.F("of %s", s.N(len(labelled), "page"))),
		})
}

func (s *label) labelBatch(pattern string, l topic.Label, rows []query.CandidateRow) tea.Cmd {
	list := widget.Map(rows, func(r query.CandidateRow) topic.LabelRow { return topic.LabelRow{URL: r.URL, Label: l} })
	log := message.Of("label %s of %d pages like %s", l, len(rows), pattern)
	if l == topic.NoLabel {
		log = message.Of("label none of %d pages like %s", len(rows), pattern)
	}
	return s.Act(s.Message(log), func() error {
		_, _, err := s.labels.LabelURLs(list, log)
		return err
	})
}

// risen stores the learner's F1 after every label.
func (s *label) risen() {
	l := s.Snap.Learner
	l.InUse = false
	if l == s.riseAt || l.F1 != l.F1 {
		return
	}
	s.riseAt = l
	if s.rise = append(s.rise, l.F1); len(s.rise) > 500 {
		s.rise = s.rise[len(s.rise)-250:]
	}
}

// spark shows the history of F1, "" while it is too short.
func (s *label) spark() string {
	if len(s.rise) < 2 {
		return ""
	}
	return widget.Spark(s.rise, 16) + " "
}
