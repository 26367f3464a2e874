package cli

import (
	"fmt"
	"io"
	"strings"

	"angler/crawl/lab"
	"angler/tui/report"
	crawlscreen "angler/tui/screen/crawl"
	"angler/tui/widget"
)

// The chart's size in cells, without its axes.
const (
	chartWidth  = 64
	chartHeight = 16
)

// labChart draws the recall curves: fetched pages on the x axis, found targets on the y axis, a
// mark for each strategy. Where curves meet, the better one is drawn, by its rank between
// breadth-first and oracle.
func labChart(rows []*lab.Summary, ascii bool) string {
	left, right := "", ""
	if len(rows) > 0 {
		left, right = "targets found, after 0 pages", fmt.Sprintf("%d pages", rows[0].Pages)
	}
	label := func(share float64) string { return fmt.Sprintf("%3.0f %%", 100*share) }
	corner, level, wall := "└", "─", "│"
	if ascii {
		corner, level, wall = "+", "-", "|"
	}
	cells := widget.PlotMarks(chartWidth, chartHeight, crawlscreen.RecallCurves(rows))
	margin := strings.Repeat(" ", len(label(0)))
	var b strings.Builder
	for y := range chartHeight {
		head := widget.Either(y%4 == 0, label(1-float64(y)/chartHeight), margin)
		b.WriteString(head + " " + wall)
		var line strings.Builder
		for _, i := range cells[y*chartWidth : (y+1)*chartWidth] {
			if i < 0 {
				line.WriteByte(' ')
			} else {
				line.WriteString(widget.CurveMark(i, ascii))
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	b.WriteString(label(0) + " " + corner + strings.Repeat(level, chartWidth) + "\n")
	fmt.Fprintf(&b, "%s  %s%*s\n%s ", margin, left, chartWidth-len(left), right, margin)
	for i, s := range rows {
		fmt.Fprintf(&b, " %s %s ", widget.CurveMark(i, ascii), s.Strategy)
	}
	b.WriteString("\n")
	return b.String()
}

// writeLab writes the progress of the strategies, one a line.
func writeLab(w io.Writer, rows []*lab.Summary) {
	t := report.Columns(w,
		"position\tmin\tmax\tarea\tpages for 50 %\t90 %\t95 %\trecall at 10 %\t25 %\t50 %\tharvest at 10 %\t25 "+
			"%\t50 %\tfetches/s\tstrategy", 14)
	for _, s := range rows {
		r := s.Row()
		fmt.Fprintf(t, "%.3f\t%.3f\t%.3f\t%.3f\t", r.Position.Mean, r.Position.Min, r.Position.Max, r.Area.Mean)
		for _, m := range []string{"0.5", "0.9", "0.95"} {
			fmt.Fprintf(t, "%.0f (%.0f %%)\t", r.PagesFor[m], 100*r.FractionFor[m])
		}
		for _, at := range []map[string]float64{r.RecallAt, r.HarvestAt} {
			for _, m := range []string{"0.1", "0.25", "0.5"} {
				fmt.Fprintf(t, "%.2f\t", at[m])
			}
		}
		fmt.Fprintf(t, "%.0f\t%s\n", r.Rate, r.Strategy)
	}
	t.Flush()
}
