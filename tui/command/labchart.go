package command

import (
	"fmt"
	"strings"

	"angler/crawl/lab"
)

// The chart's size in cells, without its axes.
const (
	chartWidth  = 64
	chartHeight = 16
)

// Marks of the curves, in the order of the table.
var (
	signs   = []rune("●○▲△■□◆◇★☆✚✕▼▽")
	letters = []rune("abcdefghijklmn")
)

// labChart draws the recall curves: pages fetched to the right, targets found
// upwards, a mark for each strategy. Where curves meet, the better one (by its
// place between breadth-first and oracle) is seen.
func labChart(rows []*lab.Summary, ascii bool) string {
	marks, corner, level, wall := signs, "└", "─", "│"
	if ascii {
		marks, corner, level, wall = letters, "+", "-", "|"
	}
	var cells [chartHeight][chartWidth]rune
	better := make([]float64, chartWidth*chartHeight)
	for i, s := range rows {
		for x := range chartWidth {
			n := (x + 1) * s.Pages / chartWidth
			recall := s.Mean(func(c lab.Curve) float64 { return c.Recall(n) })
			y := min(int((1-recall)*chartHeight), chartHeight-1)
			at := y*chartWidth + x
			if cells[y][x] == 0 || s.Position.Mean > better[at] {
				cells[y][x], better[at] = marks[i%len(marks)], s.Position.Mean
			}
		}
	}
	var b strings.Builder
	for y := range cells {
		label := "     "
		if y%4 == 0 {
			label = fmt.Sprintf("%3d %%", 100-100*y/chartHeight)
		}
		b.WriteString(label + " " + wall)
		line := strings.Map(func(r rune) rune {
			if r == 0 {
				return ' '
			}
			return r
		}, string(cells[y][:]))
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	b.WriteString("  0 % " + corner + strings.Repeat(level, chartWidth) + "\n")
	if len(rows) > 0 {
		left, right := "targets found, after 0 pages", fmt.Sprintf("%d pages", rows[0].Pages)
		fmt.Fprintf(&b, "       %s%*s\n", left, chartWidth-len(left), right)
	}
	b.WriteString("      ")
	for i, s := range rows {
		fmt.Fprintf(&b, " %c %s ", marks[i%len(marks)], s.Strategy)
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
