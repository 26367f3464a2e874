package tui

import (
	"slices"
	"strings"
	"time"

	"angler/crawl/view"
)

const (
	slowRate  = 1.5             // fetches a second: a faster run changes all the time
	knownFrom = 10              // seconds after which the speed of a run is known
	beat      = 4 * time.Second // between two updates of the figures

	rowsAtOnce = 3                      // rows changed in a frame that no key caused
	rowsEvery  = 400 * time.Millisecond // between two such frames
	askedFor   = 2 * time.Second        // time after a key in which all changes are shown at once
)

// A slow run changes a little in many places at different moments, which distracts the eye. So its
// figures and lists change together every few seconds, and a frame that no key caused changes a few
// rows at a time. Actions of people, the end of a run and questions are shown at once, and
// countdowns continue. The danger is a figure that lags behind a person's own action: after every
// key everything is shown.

// throttle delays frames for one person. The zero value shows everything at once. It is for one
// goroutine.
type throttle struct {
	at time.Time      // time of the shown figures
	of *view.Snapshot // their snapshot

	slow  bool // the run is slow
	asked bool // show the next frame whole
	key   time.Time

	rows    []string // rows as last drawn
	changed time.Time
	next    int // where the search for changed rows starts
}

// hurry shows the next frame at once because of a person's action, and its consequences, too.
func (d *throttle) hurry(now time.Time) { d.key, d.asked = now, true }

// moved shows the next frame at once for an event other than progress.
func (d *throttle) moved() { d.asked = true }

// asks reports whether consequences of a key may still arrive.
func (d *throttle) asks(now time.Time) bool {
	since := now.Sub(d.key)
	return d.asked || since >= 0 && since < askedFor
}

// slowRun reports whether a run is so slow that a reader follows single pages. It uses the recent
// speed or the overall one, because hosts with equal delays answer together.
func slowRun(s *view.Snapshot) bool {
	t := &s.Run
	return s.State == view.Running && t.End == "" && t.Took >= knownFrom*time.Second && len(t.Pace) >= knownFrom &&
		min(t.Rate(), t.Pacing()) <= slowRate
}

// follow returns the snapshot to show for a newer one.
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

// alike reports whether nothing urgent is new: no decision, and the run is in the same state.
func alike(a, b *view.Snapshot) bool {
	return a.Task == b.Task && a.Err == b.Err && a.Decided == b.Decided && a.ModelRev == b.ModelRev &&
		a.Strategy == b.Strategy && a.Workers == b.Workers &&
		a.Pressing == b.Pressing && a.Job.Name == b.Job.Name && a.Lapsed == b.Lapsed && a.TopicErr == b.TopicErr &&
		(a.Machines == nil) == (b.Machines == nil)
}

// frame returns the frame to show for a drawn one.
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
