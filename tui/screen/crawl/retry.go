package crawl

import (
	"context"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/jobs"
	"angler/crawl/query"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file retries failed URLs: all, or those with one reason.

// retries retries failed URLs.
type retries struct {
	*screen.UI
	*screen.Shared
	runs     screen.Runs
	failures func() []query.Failure // the known failures
}

func (a *retries) ask() tea.Cmd {
	runs, in := a.runs, widget.Waiting("failures by reason")
	a.Choose(in)
	return screen.Load(a.UI, "counting failed URLs", func(ctx context.Context) ([]view.FailureGroup, error) {
		return jobs.Within(ctx, runs.Troubles)
	}, func(list []view.FailureGroup, err error) tea.Cmd {
		if err != nil {
			in.Fill([]widget.Item{{Name: a.Reason(err), Raw: true, Off: "press {retry} again"}})
		} else {
			in.Fill(a.items(list)) // a closed chooser is not shown again
		}
		return nil
	})
}

func (a *retries) items(list []view.FailureGroup) []widget.Item {
	total, waits := 0, 0
	items := make([]widget.Item, 1, len(list)+1)
	for _, t := range list {
		total, waits = total+t.N, waits+t.Waits
		if t.Reason != "" { // the others are included in all
			item := a.item(reason(a.Shared, t.Reason), t.Reason, t.N)
			item.Note = failedOf(a.Shared, t.N, t.Waits)
			items = append(items, item)
		}
	}
	items[0] = a.item(a.T("all failed URLs"), run.AllFailures, total)
	items[0].Note = failedOf(a.Shared, total, waits)
	if total == 0 {
		return []widget.Item{{Name: "nothing has failed", Off: "every page was fetched, or waits for its turn"}}
	}
	return items
}

func (a *retries) item(name, what string, n int) widget.Item {
	return widget.Item{Name: name, Raw: true, Note: widget.Count(n), Do: func() tea.Cmd {
		return a.retry(a.F("%s (%s)", a.N(n, "page"), name), what)
	}}
}

// failed selects failures by the cursor; empty fields select nothing.
type failed struct {
	pages   []string // addresses of the marked rows, or of the row under the cursor
	hosts   []string // of those rows
	reasons []string
}

// some is a list of what there is.
func some(what string) []string {
	if what == "" {
		return nil
	}
	return []string{what}
}

// key retries failed URLs: those selected by the cursor, or all.
func (a *retries) key(of failed) screen.Binding {
	return screen.Bind(keymap.Retry, "", func() tea.Cmd {
		if len(of.reasons)+len(of.hosts)+len(of.pages) == 0 {
			return a.ask()
		}
		a.choose(of)
		return nil
	})
}

// choose offers the failures selected by the cursor.
func (a *retries) choose(of failed) {
	var items []widget.Item
	add := func(name, note, what string) {
		items = append(items,
			widget.Item{Name: name, Raw: true, Note: note, Do: func() tea.Cmd { return a.retry(name, what) }})
	}
	sh := a.Shared
	switch n := len(of.pages); {
	case n == 1:
		add(sh.T("this page"), widget.Clean(of.pages[0]), of.pages[0])
	case n > 1:
		add(sh.F("the marked pages"), widget.Count(n), strings.Join(of.pages, "\n"))
	}
	switch n := len(of.hosts); {
	case n == 1:
		add(sh.F("all of host %s that failed", widget.Clean(of.hosts[0])), "", of.hosts[0])
	case n > 1:
		add(sh.T("all of the marked hosts that failed"), widget.Count(n), strings.Join(of.hosts, "\n"))
	}
	total, waits, meant, later, name := 0, 0, 0, 0, ""
	var reasons []string
	for _, f := range a.failures() {
		waits += f.Waits
		if total += f.N; slices.Contains(of.reasons, f.Reason) && f.Reason != query.NoReason {
			reasons, meant, later = append(reasons, f.Reason), meant+f.N, later+f.Waits
			name = sh.F("all that failed for: %s", reason(sh, f.Reason))
		}
	}
	if len(reasons) > 1 {
		name = sh.F("all that failed for the %s marked reasons", len(reasons))
	}
	if len(reasons) > 0 {
		add(name, failedOf(sh, meant, later), strings.Join(reasons, "\n"))
	}
	add(sh.T("all failed URLs"), failedOf(sh, total, waits), run.AllFailures)
	a.Offer("failures by reason", items)
}

// failedOf counts failed pages like every pane: URLs waiting for a retry are not given up, and are
// shown separately.
func failedOf(sh *screen.Shared, total, waits int) string {
	text := widget.Count(total - waits)
	if waits > 0 {
		text += " · " + sh.F("%s to retry", waits)
	}
	return text
}

func (a *retries) retry(name, what string) tea.Cmd {
	runs := a.runs
	return a.Act(a.F("tried again: %s", name), func() error {
		_, err := runs.Retry(what)
		return err
	})
}
