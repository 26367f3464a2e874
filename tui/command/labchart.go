package command

import (
	"fmt"
	"strings"

	"angler/crawl/lab"
	"angler/tui/screen/crawling"
	"angler/tui/ui"
)

// The chart's size in cells, without its axes.
const (
	chartWidth  = 64
	chartHeight = 16
)

// labChart draws the recall curves: pages fetched to the right, targets found
// upwards, a mark for each strategy. Where curves meet, the better one (by its
// place between breadth-first and oracle) is seen.
func labChart(rows []*lab.Summary, ascii bool) string {
	corner, level, wall := "└", "─", "│"
	if ascii {
		corner, level, wall = "+", "-", "|"
	}
	cells := ui.PlotMarks(chartWidth, chartHeight, crawling.RecallCurves(rows))
	var b strings.Builder
	for y := range chartHeight {
		label := "     "
		if y%4 == 0 {
			label = fmt.Sprintf("%3d %%", 100-100*y/chartHeight)
		}
		b.WriteString(label + " " + wall)
		var line strings.Builder
		for _, i := range cells[y*chartWidth : (y+1)*chartWidth] {
			if i < 0 {
				line.WriteByte(' ')
			} else {
				line.WriteString(ui.CurveMark(i, ascii))
			}
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	b.WriteString("  0 % " + corner + strings.Repeat(level, chartWidth) + "\n")
	if len(rows) > 0 {
		left, right := "targets found, after 0 pages", fmt.Sprintf("%d pages", rows[0].Pages)
		fmt.Fprintf(&b, "       %s%*s\n", left, chartWidth-len(left), right)
	}
	b.WriteString("      ")
	for i, s := range rows {
		fmt.Fprintf(&b, " %s %s ", ui.CurveMark(i, ascii), s.Strategy)
	}
	b.WriteString("\n")
	return b.String()
}

// utf8Terminal reports whether the locale promises UTF-8, by POSIX's order of
// variables.
func utf8Terminal(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := getenv(name); v != "" {
			v = strings.ToLower(v)
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return false
}
