package crawl

import (
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/query"
	"angler/crawl/view"
	"angler/store/records"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file makes the panes of the crawl screen.

func (s *crawl) allPanes() []*screen.Pane {
	all := []*screen.Pane{s.frontPane(), s.homePane(), s.hostPane(), s.curvePane(), s.eventPane(), s.requestPane(),
		{Title: func() string { return "run" }, Draw: func(c *widget.Canvas, _ bool) { s.drawCounts(c) },
			Figures: s.figures}, s.failurePane(), s.runPane(), s.workforce.pane(s.openWorker)}
	for _, p := range all {
		p.Moved = s.flush
	}
	all[paneFrontier].Moved = func() tea.Cmd { s.queue(s.waiting.moved()); return s.flush() }
	return all
}

func (s *crawl) frontPane() *screen.Pane {
	sh := s.Shared
	p := screen.TablePane(sh, s.frontier, func() string {
		t := sh.F("frontier %s", sh.Snap.Counts.Waiting) + " · " + sh.Value("", sh.Snap.Strategy)
		if s.idle() && s.waiting.filter.Active() {
			t += " · " + widget.Count(s.waiting.len()) + " /" + widget.Clean(s.waiting.filter.Text)
		}
		return t
	}, func() string {
		if s.idle() {
			return s.waiting.empty()
		}
		return "Nothing waits. Press {discovery} to start a discovery, {harvest} to visit the aggregation pages."
	})
	note := p.Note
	p.Note = func() string {
		if s.idle() && s.frontier.Sorted() == "" {
			return s.waiting.note()
		}
		told := note()
		if !s.idle() && told == "" && sh.Snap.At.Sub(s.ranking.at) >= youngRank {
			return sh.F("ranked %s", s.ranking.at.Format(time.TimeOnly))
		}
		return told
	}
	p.List = frontierList{s}
	p.Open = screen.OpenRow(s.frontier, s.openWaiting)
	p.Keys = func() []screen.Binding {
		keys := copyKey(s.frontier.Selected(), func(r *view.FrontierRow) string { return r.URL })
		sort := screen.SortKeys(s.frontier)
		if s.idle() && s.waiting.len() > windowRows {
			for i := range sort {
				sort[i].Off, sort[i].Do = "they stand in the order in which they are fetched; {filter} looks for some",
					nil
			}
		}
		return append(keys, sort...)
	}
	return p
}

func (s *crawl) homePane() *screen.Pane {
	sh := s.Shared
	p := screen.TablePane(sh, s.harvest, func() string {
		return sh.F("aggregation pages %s", sh.Lists()) + " · " +
			screen.Notices(sh.Lang, "notice", sh.Snap.Counts.Notices, sh.Snap.Counts.Copies)
	}, func() string {
		return sh.NoLists()
	})
	p.Open = screen.OpenRow(s.harvest, func(r *view.HarvestRow) tea.Cmd { return s.openOne(r.ID, r.Title) })
	p.Keys = func() []screen.Binding { return s.marks.Of(screen.ChosenOf(s.harvest, harvestTarget)) }
	p.Marks, p.Sorts = true, true
	return p
}

func (s *crawl) hostPane() *screen.Pane {
	sh := s.Shared
	p := screen.TablePane(sh, s.land.table, s.land.title, func() string {
		switch {
		case unbegun(sh.Snap) && sh.Snap.Story.Seeds > 0:
			return "No host yet. Press {discovery} to start a discovery from the seeds."
		case unbegun(sh.Snap):
			return "No host yet. Press {seeds} to add seeds."
		}
		return s.land.load.State("No host yet. Press {seeds} to add seeds.")
	})
	p.Note, p.Click = s.land.note, s.land.click
	p.Open = screen.OpenRow(s.land.table, func(r *treeRow) tea.Cmd {
		b := r.Branch
		return s.openPages(query.Pick{Branch: b.Prefix},
			func(total int) string { return widget.Clean(b.Prefix) + " · " + sh.N(total, "URL") })
	})
	p.Keys = func() []screen.Binding {
		var list []*query.Branch
		of := failed{}
		for _, r := range s.land.table.Meant() {
			list = append(list, r.Branch)
			host, _, _ := strings.Cut(r.Prefix, "/")
			if !slices.Contains(of.hosts, host) {
				of.hosts = append(of.hosts, host)
			}
		}
		return append([]screen.Binding{s.acts.key(list), s.again.key(of)}, s.land.keys()...)
	}
	p.Marks = true
	return p
}

// curvePane shows the curve of the current run, or those of a past run.
func (s *crawl) curvePane() *screen.Pane {
	sh := s.Shared
	return &screen.Pane{Title: func() string {
		if r := s.run(); s.idle() && r != nil {
			return sh.F("curves of the %s of %s", task(sh, r), here(sh, r.Start).Format("01-02 15:04"))
		}
		if sh.Snap.Fetched == 0 {
			return "harvest rate"
		}
		return sh.F("harvest rate %s", widget.Score(sh.Snap.HarvestRate, 2)) + " · " +
			sh.F("%s fetched", sh.Snap.Fetched)
	}, Figures: func() []screen.Figure {
		return []screen.Figure{screen.Named("", "harvest rate", widget.Score(sh.Snap.HarvestRate, 2))}
	}, Draw: func(c *widget.Canvas, _ bool) {
		if r := s.run(); s.idle() && r != nil {
			drawRun(c, sh, r)
			return
		}
		drawCurve(c, sh)
	}}
}

// run returns the past run under the cursor, or the last one; nil: none yet.
func (s *crawl) run() *records.Run {
	if r := s.history.Selected(); r != nil {
		return r
	}
	return s.Snap.Last
}

func (s *crawl) eventPane() *screen.Pane {
	sh := s.Shared
	p := screen.TablePane(sh, s.events, func() string {
		n := 0
		for i := range s.events.Rows() {
			n += s.events.Rows()[i].N
		}
		t := sh.F("events %s", n)
		return t + []string{"", " · " + sh.T("warnings and errors"), " · " + sh.T("errors")}[s.least]
	}, func() string {
		return widget.Either(s.least > 0 && s.events.Total() > 0,
			"No such event. Press {trouble} for all events.",
			"Nothing has happened yet. Press {discovery} to start a discovery.")
	})
	p.Keys, p.Open = s.eventKeys, screen.OpenRow(s.events, func(r *kindRow) tea.Cmd { return s.openEvents(*r) })
	return p
}

func (s *crawl) requestPane() *screen.Pane {
	sh := s.Shared
	p := screen.TablePane(sh, s.requests, func() string {
		return sh.F("in flight %s of %s", len(sh.Snap.InFlight), sh.Snap.Workers)
	}, s.noRequest)
	p.Keys = func() []screen.Binding {
		return copyKey(s.requests.Selected(), func(r *view.Request) string { return r.URL })
	}
	return p
}

func (s *crawl) failurePane() *screen.Pane {
	sh := s.Shared
	p := screen.TablePane(sh, s.failures, func() string {
		n, waits := 0, 0
		for _, f := range s.land.land.Failures {
			n, waits = n+f.N-f.Waits, waits+f.Waits
		}
		title := sh.F("exceptions %s", s.land.load.Count(n))
		if waits > 0 {
			title += " · " + sh.F("%s to retry", waits)
		}
		return title
	}, func() string { return s.land.load.State("Nothing has failed.") })
	note := p.Note
	p.Note = func() string {
		if n := s.failureNote(); n != "" {
			return n
		}
		return note()
	}
	p.Open = screen.OpenRow(s.failures, func(r *query.Failure) tea.Cmd {
		why := r.Reason
		return s.openPages(query.Pick{Reason: why, Failed: true},
			func(total int) string { return reason(sh, why) + " · " + sh.N(total, "URL") })
	})
	p.Keys = func() []screen.Binding {
		reasons := widget.Map(s.failures.Meant(), func(r *query.Failure) string { return r.Reason })
		return []screen.Binding{s.again.key(failed{reasons: reasons})}
	}
	p.Marks, p.Sorts = true, true
	return p
}

func (s *crawl) runPane() *screen.Pane {
	sh := s.Shared
	p := screen.TablePane(sh, s.history, func() string { return sh.F("runs %s", s.history.Total()) },
		func() string {
			return s.past.State("No run yet. Press {discovery} to start a discovery.")
		})
	note := p.Note
	p.Note = func() string {
		if last := sh.Snap.Last; last != nil && s.history.Sorted() == "" {
			if text := brought(sh, last); widget.Width(text) < s.w/2-8 || last.End == records.RunFailed {
				return text
			}
			if last.Task == view.Harvest {
				return screen.NewNotices(sh.Lang, last.Notices, 0, last.Withdrawn)
			}
			return sh.N(last.Lists, "new list")
		}
		return note()
	}
	p.Sorts, p.Open = true, screen.OpenRow(s.history, s.openRun)
	return p
}
