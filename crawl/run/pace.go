package run

import (
	"time"

	"angler/crawl/view"
)

// shownCurve is how many points a curve shows at most.
const shownCurve = 500

// pace keeps how many fetches ended in each of the last seconds, and when the run last
// got on.
type pace struct {
	second time.Time // that is being counted
	before int       // fetches before it
	shown  []int     // of the seconds before; never written again
	done   int       // what was counted last
	moved  time.Time // when that was another number
}

// add takes the number of fetches, and of all that a run gets done, at a time.
func (p *pace) add(now time.Time, fetched, done int) (moved time.Time) {
	if p.moved.IsZero() || done != p.done {
		p.done, p.moved = done, now
	}
	if p.second.IsZero() {
		p.second, p.before = now, fetched
	}
	passed := int(now.Sub(p.second) / time.Second)
	if passed <= 0 {
		if passed < 0 { // the clock was put back
			p.second = now
		}
		return p.moved
	}
	shown := append(make([]int, 0, view.PaceSeconds), p.shown...)
	// What came meanwhile is spread over the seconds without a look.
	n, most := fetched-p.before, min(passed, view.PaceSeconds)
	for i := range most {
		shown = append(shown, n*(i+1)/most-n*i/most)
	}
	p.shown = shown[max(0, len(shown)-view.PaceSeconds):]
	p.second, p.before = p.second.Add(time.Duration(passed)*time.Second), fetched
	return p.moved
}

// harvestCurve is the harvest curve of a run, for the goroutine that fills snapshots.
type harvestCurve struct {
	Before int // aggregation pages when the run began
	points []view.CurvePoint
}

// Add takes a point, what came home of what was fetched, and returns the curve, which
// is never written again.
func (c *harvestCurve) Add(fetched, home int) []view.CurvePoint {
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

// thin drops every other point but the last.
func thin(c []view.CurvePoint) []view.CurvePoint {
	out := make([]view.CurvePoint, 0, len(c)/2+1)
	for i := (len(c) - 1) % 2; i < len(c); i += 2 {
		out = append(out, c[i])
	}
	return out
}
