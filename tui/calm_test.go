package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"angler/crawl/view"
	"angler/tui/uitest"
)

// mostRows may change between two snapshots of a crawl that waits for its hosts.
const mostRows = 3

// waitsPolitely is the discovery while every host keeps its delay: hosts go on at
// different times, one of them slow to answer.
func waitsPolitely(s *view.Snapshot) {
	s.Busy, s.InFlight = 3, s.InFlight[:3]
	s.Hosts, s.Frontier = slices.Clone(s.Hosts), slices.Clone(s.Frontier) // they are shared
	for i := range s.Hosts {
		s.Hosts[i].Next = s.At.Add(time.Duration(i*1700) * time.Millisecond)
	}
	for i := range s.Frontier {
		s.Frontier[i].Next = s.At.Add(time.Duration(i*900) * time.Millisecond)
	}
	s.Why, s.Patient, s.Until, s.Moved = "waiting for host www.silent.test until 14:11:11", true, s.At.Add(9*time.Second), s.At.Add(-4*time.Second)
}

// While a polite crawl waits, what stands on the screen stands still: only countdowns
// tick, by the second.
func TestAWaitingCrawlIsCalm(t *testing.T) {
	for i, name := range screenNames {
		t.Run(name, func(t *testing.T) {
			c := can(sampled())
			c.publish(waitsPolitely)
			d := drive(t, c.parts(), 120, 40)
			now := uitest.Start
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
				var changed []string
				for y := range is {
					if is[y] != was[y] {
						changed = append(changed, was[y], is[y])
					}
				}
				if len(changed) > 2*mostRows {
					t.Errorf("%d rows change in %v:\n%s", len(changed)/2, step, strings.Join(changed, "\n"))
				}
				was = is
			}
			if !strings.Contains(strings.Join(was, "\n"), "waiting for host www.silent.test") {
				t.Error("nobody is told why nothing has come for five seconds")
			}
		})
	}
}

// Waits between pages that come in are no idleness: the reason comes after five seconds
// in which nothing has.
func TestPolitenessIsNoIdleness(t *testing.T) {
	c := can(sampled())
	c.publish(waitsPolitely)
	d := drive(t, c.parts(), 120, 40)
	d.press("4")
	const reason = "waiting for host"
	if strings.Contains(d.screen(), reason) {
		t.Errorf("a reason for waiting after four seconds:\n%s", d.screen())
	}
	c.publish(func(s *view.Snapshot) { s.At = s.Moved.Add(5 * time.Second) })
	d.settle()
	d.shows(reason, "(8 s)") // and for how long
	c.publish(func(s *view.Snapshot) { s.Moved = s.At })
	d.settle()
	if strings.Contains(d.screen(), reason) {
		t.Errorf("pages come in again, and the reason stays:\n%s", d.screen())
	}
}

// Two snapshots of a real crawl in which all hosts rest differ in what ticks.
func TestARestingCrawlIsCalm(t *testing.T) {
	e := uitest.Running(t, uitest.Crawled)
	d := workbench(t, e, 120, 40)
	d.press("4")
	first := d.a.shared.Snap.Seq
	was := strings.Split(d.screen(), "\n")
	d.until("another snapshot is shown", func() bool { return d.a.shared.Snap.Seq > first })
	changed := 0
	for y, l := range strings.Split(d.screen(), "\n") {
		if l != was[y] {
			changed++
		}
	}
	if changed > mostRows {
		t.Errorf("%d rows changed between two snapshots:\n%s\n%s", changed, strings.Join(was, "\n"), d.screen())
	}
}
