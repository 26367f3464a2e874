package tui

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"angler/crawl/view"
	"angler/tui/tuitest"
)

// mostRows may change between two snapshots of a crawl that waits for its hosts.
const mostRows = 3

// waitsPolitely is a discovery in which every host keeps its delay: hosts continue at different
// times, one of them is slow.
func waitsPolitely(s *view.Snapshot) {
	s.Busy, s.InFlight = 3, s.InFlight[:3]
	s.Hosts, s.Frontier = slices.Clone(s.Hosts), slices.Clone(s.Frontier) // the slices are shared
	for i := range s.Hosts {
		s.Hosts[i].Next = s.At.Add(time.Duration(i*1700) * time.Millisecond)
	}
	for i := range s.Frontier {
		s.Frontier[i].Next = s.At.Add(time.Duration(i*900) * time.Millisecond)
	}
	s.Why, s.Patient, s.Until, s.Moved = "waiting for host www.silent.test until 14:11:11", true, s.At.Add(9*time.Second), s.At.Add(-4*time.Second)
}

// While a polite crawl waits, the screen stays the same: only countdowns change, by the second.
func TestAWaitingCrawlIsCalm(t *testing.T) {
	for i, name := range screenNames {
		t.Run(name, func(t *testing.T) {
			c := can(sampled())
			c.publish(waitsPolitely)
			d := drive(t, c.parts(), 120, 40)
			now := tuitest.Start
			d.a.o.Now = func() time.Time { return now }
			d.a.shared.Now = d.a.o.Now
			d.press(fmt.Sprint(i))
			was := strings.Split(d.screen(), "\n")
			for _, step := range []time.Duration{200 * time.Millisecond, 200 * time.Millisecond, 800 * time.Millisecond, time.Second, time.Second} {
				now = now.Add(step)
				c.publish(func(s *view.Snapshot) { s.At = now })
				d.settle()
				d.send(clockMsg{})
				is := strings.Split(d.screen(), "\n")
				if changed := rowsChanged(was, is); len(changed) > 2*mostRows {
					t.Errorf("%d rows change in %v:\n%s", len(changed)/2, step, strings.Join(changed, "\n"))
				}
				was = is
			}
			if !strings.Contains(strings.Join(was, "\n"), "waiting for host www.silent.test") {
				t.Error("the screen does not say why nothing has come for five seconds")
			}
		})
	}
}

// Waits between fetched pages are no idleness: the reason appears after five seconds without a
// page.
func TestPolitenessIsNoIdleness(t *testing.T) {
	c := can(sampled())
	c.publish(waitsPolitely)
	d := drive(t, c.parts(), 120, 40)
	d.press("4")
	const reason = "waiting for host"
	d.lacks(reason, "a reason for waiting after four seconds")
	c.publish(func(s *view.Snapshot) { s.At = s.Moved.Add(5 * time.Second) })
	d.settle()
	d.shows(reason, "(8 s)") // and for how long
	c.publish(func(s *view.Snapshot) { s.Moved = s.At })
	d.settle()
	d.lacks(reason, "pages come in again, and the reason stays")
}

// Two snapshots of a real crawl whose hosts all wait differ only in countdowns.
func TestARestingCrawlIsCalm(t *testing.T) {
	e := tuitest.Running(t, tuitest.Crawled)
	d := workbench(t, e, 120, 40)
	d.press("4")
	first := d.a.shared.Snap.Seq
	was := strings.Split(d.screen(), "\n")
	d.until("another snapshot is shown", func() bool { return d.a.shared.Snap.Seq > first })
	if changed := rowsChanged(was, strings.Split(d.screen(), "\n")); len(changed) > 2*mostRows {
		t.Errorf("%d rows changed between two snapshots:\n%s", len(changed)/2, strings.Join(changed, "\n"))
	}
}

// pageComes applies the effects of one page on a discovery: it leaves the frontier, its links
// change the values and the order of waiting URLs, and some are new.
func pageComes(s *view.Snapshot, n int) {
	s.At, s.Moved = s.At.Add(3*time.Second), s.At.Add(3*time.Second)
	s.Fetched++
	s.Counts.Complete++
	s.Counts.Waiting += 2
	s.Hosts = slices.Clone(s.Hosts)
	s.Hosts[0].Done++
	rows := slices.Clone(s.Frontier[1:])
	for i := range rows {
		rows[i].Priority *= 1 - .01*float64((i*7+n)%5)
		rows[i].Why = fmt.Sprintf("hub .%d anchor .%d", (i+n)%10, i%10)
	}
	for i := range 3 {
		row := rows[i]
		row.ID, row.URL = uint64(70_000+10*n+i), fmt.Sprintf("%s?n=%d", row.URL, n)
		rows = append(rows, row)
	}
	slices.SortStableFunc(rows, func(a, b view.FrontierRow) int { return cmp.Compare(b.Priority, a.Priority) })
	s.Frontier = rows
}

// A page every few seconds changes its own row, its host and the figures. The lists around it stay.
func TestASlowCrawlIsCalm(t *testing.T) {
	const most = 7 // rows: two titles, the frontier and when it was ranked, the host, what waits, the status line
	for i, name := range screenNames {
		t.Run(name, func(t *testing.T) {
			c := can(sampled())
			c.publish(func(s *view.Snapshot) {
				waitsPolitely(s)
				s.Busy, s.InFlight = 0, nil
				for i := range s.Hosts { // one host keeps its delay, the others wait for long
					s.Hosts[i].Next = s.At.Add(time.Hour)
				}
			})
			d := drive(t, c.parts(), 120, 40)
			now := tuitest.Start
			d.a.o.Now = func() time.Time { return now }
			d.a.shared.Now = d.a.o.Now
			d.press(fmt.Sprint(i))
			was := strings.Split(d.screen(), "\n")
			for n := range 9 {
				c.publish(func(s *view.Snapshot) { pageComes(s, n); now = s.At })
				d.settle()
				d.send(clockMsg{})
				is := strings.Split(d.screen(), "\n")
				if changed := rowsChanged(was, is); len(changed) > 2*most {
					t.Errorf("%d rows change with page %d:\n%s", len(changed)/2, n, strings.Join(changed, "\n"))
				}
				was = is
			}
		})
	}
}

// A frontier that was held still is ranked again after some time, after a decision, and after a
// change of the order; until then it shows the time of its ranking.
func TestTheFrontierIsRankedAnew(t *testing.T) {
	for name, change := range map[string]func(*view.Snapshot){
		"after a while":      func(s *view.Snapshot) { s.At = s.At.Add(27 * time.Second) },
		"after a decision":   func(s *view.Snapshot) { s.Decided++ },
		"by another order":   func(s *view.Snapshot) { s.Strategy = "bfs" },
		"when it is paused":  func(s *view.Snapshot) { s.State = view.Paused },
		"when much has come": func(s *view.Snapshot) { s.Frontier = longFrontier(60) },
	} {
		t.Run(name, func(t *testing.T) {
			c := can(sampled())
			c.publish(waitsPolitely)
			d := drive(t, c.parts(), 120, 40)
			d.press("4")
			d.shows("prio▼")
			for n := range 2 {
				c.publish(func(s *view.Snapshot) { pageComes(s, n) })
			}
			d.settle()
			d.shows("ranked " + tuitest.Start.Format(time.TimeOnly))
			d.lacks("prio▼", "the head claims an order in which the rows no longer stand")
			c.publish(change)
			d.settle()
			c.publish(func(s *view.Snapshot) { s.At = s.At.Add(time.Millisecond) }) // many pages came before
			d.settle()
			d.shows("prio▼")
			d.lacks("ranked ", "it was not ranked anew")
		})
	}
}

// rowsChanged returns the rows that differ, old and new.
func rowsChanged(was, is []string) (out []string) {
	for y := range is {
		if is[y] != was[y] {
			out = append(out, was[y], is[y])
		}
	}
	return out
}
