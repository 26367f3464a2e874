package run

import (
	"time"

	"angler/crawl/view"
)

// shownCurve is the maximum number of points of a curve.
const shownCurve = 500

// pace holds the number of fetches in each of the last seconds and the time of the run's last
// progress.
type pace struct {
	second   time.Time // start of the second being counted
	before   int       // fetches before this second
	shown    []int     // fetches per earlier second; never modified after publication
	done     int       // last total of completed work
	progress time.Time // when done last changed
}

// add takes the totals of fetches and of completed work at a time. It returns the time of the last
// change of done.
func (p *pace) add(now time.Time, fetched, done int) (moved time.Time) {
	if p.progress.IsZero() || done != p.done {
		p.done, p.progress = done, now
	}
	if p.second.IsZero() {
		p.second, p.before = now, fetched
	}
	passed := int(now.Sub(p.second) / time.Second)
	if passed <= 0 {
		if passed < 0 { // the clock was set back
			p.second = now
		}
		return p.progress
	}
	shown := append(make([]int, 0, view.PaceSeconds), p.shown...)
	// Fetches since the last call are spread evenly over the seconds passed.
	n, most := fetched-p.before, min(passed, view.PaceSeconds)
	for i := range most {
		shown = append(shown, n*(i+1)/most-n*i/most)
	}
	p.shown = shown[max(0, len(shown)-view.PaceSeconds):]
	p.second, p.before = p.second.Add(time.Duration(passed)*time.Second), fetched
	return p.progress
}

// harvestCurve is the harvest curve of a run. Only the goroutine that fills snapshots uses it.
type harvestCurve struct {
	Before int // aggregation pages at the start of the run
	points []view.CurvePoint
}

// add appends a point and returns the curve, which is never modified later. fetched counts URLs,
// home the results.
func (c *harvestCurve) add(fetched, home int) []view.CurvePoint {
	if n := len(c.points); n == 0 || c.points[n-1].Fetched != fetched {
		c.points = append(c.points, view.CurvePoint{Fetched: fetched, Found: home})
	}
	if len(c.points) > 2*shownCurve {
		c.points = thin(c.points)
	}
	shown := c.points
	if len(shown) > shownCurve {
		shown = thin(shown)
	}
	return shown[:len(shown):len(shown)]
}

// thin drops every other point and keeps the last one.
func thin(c []view.CurvePoint) []view.CurvePoint {
	out := make([]view.CurvePoint, 0, len(c)/2+1)
	for i := (len(c) - 1) % 2; i < len(c); i += 2 {
		out = append(out, c[i])
	}
	return out
}
