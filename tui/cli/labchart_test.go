package cli

import (
	"strings"
	"testing"

	"angler/crawl/lab"
)

// A chart of two curves, small enough to draw by hand: a finds its only target at once, b with the
// last page.
func TestLabChart(t *testing.T) {
	rows := []*lab.Summary{
		{Strategy: "first", Pages: 64, Curves: []lab.Curve{{Pages: 64, Hits: []int32{1}}}, Position: lab.Spread{Mean: 1}},
		{Strategy: "last", Pages: 64, Curves: []lab.Curve{{Pages: 64, Hits: []int32{64}}}},
	}
	lines := strings.Split(labChart(rows, true), "\n")
	if len(lines) != chartHeight+4 {
		t.Fatalf("%d lines:\n%s", len(lines), strings.Join(lines, "\n"))
	}
	if want := "100 % |" + strings.Repeat("a", 64); lines[0] != want {
		t.Errorf("top %q, want %q", lines[0], want)
	}
	if want := "      |" + strings.Repeat("b", 63); lines[chartHeight-1] != want {
		t.Errorf("bottom %q, want %q", lines[chartHeight-1], want)
	}
	if want := "       a first  b last "; lines[chartHeight+2] != want {
		t.Errorf("legend %q, want %q", lines[chartHeight+2], want)
	}
	if unicode := labChart(rows, false); !strings.Contains(unicode, "●●●") || !strings.Contains(unicode, "└──") {
		t.Errorf("no signs in\n%s", unicode)
	}
}
