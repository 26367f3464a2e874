package widget

// This file plots several curves in one chart with a mark for each, so that they differ without
// colour.

// Series is one curve of a chart.
type Series struct {
	At   func(share float64) float64 // the height, 0 … 1, at a share of the x axis, 0 … 1
	Rank float64                     // where curves meet, the highest rank is visible
}

var (
	curveSigns   = []rune("●○▲△■□◆◇★☆✚✕▼▽")
	curveLetters = []rune("abcdefghijklmn")
)

// CurveMark returns the mark of the i-th curve, one cell wide.
func CurveMark(i int, ascii bool) string {
	if ascii {
		return string(curveLetters[i%len(curveLetters)])
	}
	return string(curveSigns[i%len(curveSigns)])
}

// PlotMarks returns the visible curve of each of w×h cells, row by row from the top: an index into
// series, or -1. Column x shows the height at its right edge.
func PlotMarks(w, h int, series []Series) []int {
	w, h = max(0, w), max(0, h)
	cells := make([]int, w*h)
	for i := range cells {
		cells[i] = -1
	}
	for i, s := range series {
		for x := 0; x < w && h > 0; x++ {
			v := s.At(float64(x+1) / float64(w))
			y := max(0, min(int((1-v)*float64(h)), h-1))
			at := y*w + x
			if cells[at] < 0 || s.Rank > series[cells[at]].Rank {
				cells[at] = i
			}
		}
	}
	return cells
}
