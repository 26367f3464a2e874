package report

import (
	"fmt"
	"io"
	"time"

	"angler/crawl/frontier"
	"angler/tui/ui"
)

// Simulation writes what the queues had fetched and held over time.
func Simulation(w io.Writer, rows []frontier.Simulated) error {
	t := Columns(w, 0, 1)
	fmt.Fprint(t, "assignment\tdelay of a\t")
	for i, p := range rows[0].Points {
		if i%2 == 1 { // every other one fits a screen
			fmt.Fprintf(t, "%v\t", time.Duration(p.Seconds*float64(time.Second)).Round(time.Second))
		}
	}
	fmt.Fprintln(t, "all after\t")
	for k, what := range []struct {
		name  string
		value func(frontier.SimulatedPoint) string
	}{
		{"URLs fetched", func(p frontier.SimulatedPoint) string { return fmt.Sprint(p.Fetched) }},
		{"URLs in queues", func(p frontier.SimulatedPoint) string { return fmt.Sprint(p.Assigned) }},
		{"queues with URLs", func(p frontier.SimulatedPoint) string { return fmt.Sprint(p.Filled) }},
		{"variation inside hosts", func(p frontier.SimulatedPoint) string { return fmt.Sprintf("%.2f", p.Variation) }},
	} {
		fmt.Fprintf(t, "%s:\t\t\n", what.name)
		for _, r := range rows {
			fmt.Fprintf(t, "%s\t%s\t", r.Assignment, r.Polite)
			for i, p := range r.Points {
				if i%2 == 1 {
					fmt.Fprintf(t, "%s\t", what.value(p))
				}
			}
			done := ""
			switch {
			case k > 0: // said once
			case r.Done > 0:
				done = time.Duration(r.Done * float64(time.Second)).Round(time.Second).String()
			default:
				done = "–"
			}
			fmt.Fprintf(t, "%s\t\n", done)
		}
	}
	return t.Flush()
}

// SimulationChart draws the URLs fetched over time, a mark for each play.
func SimulationChart(rows []frontier.Simulated, length time.Duration, ascii bool) string {
	curves := make([]ui.Series, len(rows))
	most := 1
	for _, r := range rows {
		most = max(most, r.Points[len(r.Points)-1].Fetched)
	}
	for i, r := range rows {
		curves[i] = ui.Series{Rank: float64(r.Points[len(r.Points)/2].Fetched), At: func(share float64) float64 {
			return fetchedAt(r.Points, share) / float64(most)
		}}
	}
	legend := make([]string, len(rows))
	for i, r := range rows {
		legend[i] = r.Assignment + "/" + r.Polite
	}
	return plotCurves(curves, func(share float64) string { return fmt.Sprintf("%7.0f", share*float64(most)) },
		"URLs fetched, after 0s", length.String(), legend, ascii)
}

// fetchedAt is the curve between its points.
func fetchedAt(points []frontier.SimulatedPoint, share float64) float64 {
	x := share * float64(len(points))
	i := min(int(x), len(points)-1)
	before := 0.0
	if i > 0 {
		before = float64(points[i-1].Fetched)
	}
	return before + min(1, x-float64(i))*(float64(points[i].Fetched)-before)
}
