package crawling

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/jobs"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/tui/role"
	"angler/tui/screen"
	"angler/tui/ui"
)

// This file has failed URLs tried again: all, or those that failed for one reason.

// troublesMsg brings what failed.
type troublesMsg struct {
	owner *Crawl
	list  []view.Trouble
	err   error
	in    *ui.Chooser
}

func (s *Crawl) retryKeys() []screen.Binding {
	return []screen.Binding{{Keys: []string{"F"}, Action: role.Retry, Help: "have failed pages tried again at once: all, or those that failed for one reason", Foot: 13, Do: s.askRetry}}
}

func (s *Crawl) askRetry() tea.Cmd {
	runs, in := s.runs, ui.Waiting("what failed")
	s.ui.Choose(in)
	return s.ui.Run("counting failed pages", func(ctx context.Context) tea.Msg {
		list, err := jobs.Within(ctx, runs.Troubles)
		return troublesMsg{s, list, err, in}
	})
}

func (s *Crawl) showTroubles(m troublesMsg) {
	if m.owner != s {
		return
	}
	if m.err != nil {
		m.in.Fill([]ui.Item{{Name: s.shared.Reason(m.err), Raw: true, Off: "press F again"}})
		return
	}
	total := 0
	items := make([]ui.Item, 1, len(m.list)+1)
	for _, t := range m.list {
		total += t.N
		if t.Reason != "" { // the others are among all
			items = append(items, s.retryItem(ui.Clean(t.Reason), t.Reason, t.N))
		}
	}
	items[0] = s.retryItem(s.shared.T("all failed pages"), run.AllFailed, total)
	if total == 0 {
		items = []ui.Item{{Name: "nothing has failed", Off: "every page was fetched, or waits for its turn"}}
	}
	m.in.Fill(items) // a chooser closed meanwhile is not shown again
}

func (s *Crawl) retryItem(name, what string, n int) ui.Item {
	runs := s.runs
	return ui.Item{Name: name, Raw: true, Note: ui.Count(n), Do: func() tea.Cmd {
		return s.ui.Act(s.shared.F("%s tried again (%s)", s.shared.N(n, "page"), name), func() error {
			_, err := runs.Retry(what)
			return err
		})
	}}
}
