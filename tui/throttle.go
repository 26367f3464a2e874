package tui

import (
	"slices"
	"strings"
	"time"

	"angler/crawl/view"
)

const (
	slowRate  = 1.5             // fetches a second: a faster run moves all the time
	knownFrom = 10              // seconds of a run before anybody knows how fast it is
	beat      = 4 * time.Second // between two changes of the figures

	rowsAtOnce = 3                      // change in a frame that no key caused
	rowsEvery  = 400 * time.Millisecond // between two such frames
	askedFor   = 2 * time.Second        // what a key leads to is shown as it comes
)

// A slow run changes a little in many places at different moments, and the eye never
// rests. So its figures and lists move together, on a beat of some seconds, and a frame
// that no key caused changes a few rows at a time. What people do, how a run ends and what
// needs a person is shown at once, and countdowns go on. The danger is a figure that
// stays behind a person's own action: after every key everything is shown.

// throttle is what one person is shown. The zero Display shows everything as it comes. It
// belongs to one goroutine.
type throttle struct {
	at time.Time      // of the figures that are shown
	of *view.Snapshot // they are those of it

	slow  bool // a slow run is shown
	asked bool // for the next frame
	key   time.Time

	rows    []string // as they were drawn last
	changed time.Time
	next    int // where the next rows are looked for
}

// hurry tells that a person has asked for what is shown next, and for what comes of it.
func (d *throttle) hurry(now time.Time) { d.key, d.asked = now, true }

// moved tells that something else has happened than the run getting on.
func (d *throttle) moved() { d.asked = true }

// asks reports that what was asked for may still be coming.
func (d *throttle) asks(now time.Time) bool {
	since := now.Sub(d.key)
	return d.asked || since >= 0 && since < askedFor
}

// slowRun tells that a run goes on so slowly that a reader follows single pages: of late, or
// by all that is known of its pace, because hosts with one delay answer at one time.
func slowRun(s *view.Snapshot) bool {
	t := &s.Run
	return s.State == view.Running && t.End == "" && t.Took >= knownFrom*time.Second && len(t.Pace) >= knownFrom &&
		min(t.Rate(), t.Pacing()) <= slowRate
}

// follow returns what is to be shown of a newer snapshot.
func (d *throttle) follow(snap *view.Snapshot, now time.Time) *view.Snapshot {
	was := d.of
	d.slow = slowRun(snap)
	if !d.slow || was == nil || d.asks(now) || !slowRun(was) || !alike(was, snap) || snap.At.Sub(d.at) >= beat ||
		snap.At.Before(d.at) {
		d.of, d.at = snap, snap.At
		return snap
	}
	s := *snap
	n := was.Counts
	n.Samples, n.Negative, n.Labels = snap.Counts.Samples, snap.Counts.Negative, snap.Counts.Labels
	s.Counts, s.Run, s.Rate, s.HarvestRate, s.ErrorRate, s.Fetched = n, was.Run, was.Rate, was.HarvestRate,
		was.ErrorRate, was.Fetched
	s.Busy, s.OnDisk, s.NumHosts, s.Filtered, s.Seen = was.Busy, was.OnDisk, was.NumHosts, was.Filtered, was.Seen
	s.Frontier, s.Harvest, s.Notices, s.Hosts, s.InFlight = was.Frontier, was.Harvest, was.Notices, was.Hosts,
		was.InFlight
	s.Curve, s.Events, s.Kinds, s.Machines = was.Curve, was.Events, was.Kinds, was.Machines
	s.ScoresRev, s.FactsRev, s.Files = was.ScoresRev, was.FactsRev, was.Files
	s.Story.Today, s.Story.Due = was.Story.Today, was.Story.Due
	return &s
}

// alike tells that nothing is new that must not wait: no decision was made, and
// the run does the same as before.
func alike(a, b *view.Snapshot) bool {
	return a.Task == b.Task && a.Err == b.Err && a.Decided == b.Decided && a.ModelRev == b.ModelRev &&
		a.Strategy == b.Strategy && a.Workers == b.Workers &&
		a.Pressing == b.Pressing && a.Job.Name == b.Job.Name && a.Lapsed == b.Lapsed && a.TopicErr == b.TopicErr &&
		(a.Machines == nil) == (b.Machines == nil)
}

// frame returns the frame to be shown next of one that was drawn.
func (d *throttle) frame(drawn string, now time.Time) string {
	if !d.slow {
		d.rows, d.asked = nil, false
		return drawn
	}
	rows := strings.Split(drawn, "\n")
	if d.asks(now) || len(rows) != len(d.rows) {
		d.rows, d.changed, d.asked = rows, now, false
		return drawn
	}
	if slices.Equal(rows, d.rows) {
		return drawn
	}
	if wait := now.Sub(d.changed); wait < 0 || wait >= rowsEvery {
		left, from := rowsAtOnce, d.next
		for i := range rows {
			y := (from + i) % len(rows)
			if rows[y] == d.rows[y] {
				continue
			}
			d.rows[y], d.next = rows[y], y+1
			if left--; left == 0 {
				break
			}
		}
		d.changed = now
	}
	return strings.Join(d.rows, "\n")
}
