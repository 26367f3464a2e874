package report

import (
	"fmt"
	"strings"

	"angler/crawl/lab"
	crawlscreen "angler/tui/screen/crawl"
	"angler/tui/widget"
)

// The chart's size in cells, without its axes.
const (
	chartWidth  = 64
	chartHeight = 16
)

// LabChart draws the recall curves: fetched pages on the x axis, found targets on the y axis, a
// mark for each strategy. Where curves meet, the better one is drawn, by its rank between
// breadth-first and oracle.
func LabChart(rows []*lab.Summary, ascii bool) string {
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
