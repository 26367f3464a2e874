//go:build unix && heavy

package tuitest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// TestWorkbench runs an analyst's steps through the demo: probe, choose samples, read words, move
// the threshold, label a page, harvest, quit.
func TestWorkbench(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {160, 45}} {
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			x := startTerminal(t, size[0], size[1], Path+" demo --delay 100ms") // not over before it is paused
			x.wait("1 Samples", "5 Harvest", "■ idle")
			x.press("S")
			x.wait("▶ discovery")
			x.press("P")
			x.wait("PAUSED")
			x.press("4")
			x.wait("[4 Crawl]", "PAUSED")
			x.press("P")
			x.until("a crawl that ended", rests)
			x.press("1")
			x.wait("candidates", "招标公告")
			x.press("/", "招标公告", "Enter")
			x.wait("/招标公告")
			for n := 1; n <= 3; n++ {
				x.press("s")
				x.wait(fmt.Sprintf("%d sample", n))
				x.press("j")
			}
			x.press("2")
			x.wait("feature words", "TF/IDF", "3/3")
			x.press("o")
			off := regexp.MustCompile(`› · .* off +│`)
			x.until("a word switched off", off.MatchString)
			x.press("u")
			x.until("the word on again", func(s string) bool { return strings.Contains(s, "› ✓") && !off.MatchString(s) })
			x.press("3")
			x.wait("in force θ", "samples")
			for range 5 {
				x.press("[")
			}
			x.wait("preview θ", "gains")
			x.press("a")
			x.until("the applied threshold", func(s string) bool { return strings.Contains(s, "θ .370") && !strings.Contains(s, "θ .370 auto") })
			x.press("6")
			x.wait("to label", "probable", "0 labelled", "judge: ● rule")
			x.press("y")
			x.wait("· 1 labelled")
			x.press("u")
			x.wait("· 0 labelled")
			x.press("H")
			x.press("5")
			x.until("harvested notices", func(s string) bool {
				return strings.Contains(s, "notices ") && !strings.Contains(s, "notices 0") && rests(s)
			})
			x.press("?")
			x.wait("export pages")
			x.press("Escape", ":")
			x.wait("every action")
			x.press("discovery")
			x.wait("start a discovery")
			x.press("Escape", "q")
			if s := x.wait("left with status"); strings.Contains(s, "panic") || !strings.Contains(s, "status 0") {
				t.Errorf("the workbench left with:\n%s", s)
			}
		})
	}
}
