package page

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"angler/crawl/article"
	"angler/crawl/urls"

	"golang.org/x/net/html"
)

// fastest returns the shortest time of n runs of f.
func fastest(n int, f func()) time.Duration {
	best := time.Hour
	for range n {
		start := time.Now()
		f()
		best = min(best, time.Since(start))
	}
	return best
}

// TestParseCost checks the cost of Parse: at most twice the time of html.Parse, three times with a
// main text, and at most 250 KB more memory. It measures times only with the build tag heavy, and
// asserts them with a factor of two.
func TestParseCost(t *testing.T) {
	for _, c := range []struct {
		name, main string
		factor     float64
	}{{"list", "", 2}, {"notice", "", 2}, {"notice", article.MethodMass, 3}} {
		src := syntheticPage(c.name == "list")
		opt := Options{Now: benchNow, Main: c.main, Resolver: urls.NewResolver(1 << 14)}
		bare := func() {
			if _, err := html.Parse(strings.NewReader(src)); err != nil {
				t.Fatal(err)
			}
		}
		whole := func() {
			if _, err := Parse(Source{URL: "http://zb.jnlg.test/cggg.htm", Body: []byte(src)}, opt); err != nil {
				t.Fatal(err)
			}
		}
		whole()
		var before, middle, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 20 {
			bare()
		}
		runtime.ReadMemStats(&middle)
		for range 20 {
			whole()
		}
		runtime.ReadMemStats(&after)
		beyond := (int64(after.TotalAlloc-middle.TotalAlloc) - int64(middle.TotalAlloc-before.TotalAlloc)) / 20
		if beyond > 250<<10 {
			t.Errorf("%s %q allocates %d bytes beyond html.Parse, must be 250 KB", c.name, c.main, beyond)
		}
		t.Logf("%s %q, %d bytes: %d bytes beyond html.Parse", c.name, c.main, len(src), beyond)
		if !full {
			continue
		}
		tb, tw := time.Hour, time.Hour
		for range 30 { // by turns, so that both meet the machine's quiet moments
			tb, tw = min(tb, fastest(5, bare)), min(tw, fastest(5, whole))
		}
		factor := float64(tw) / float64(tb)
		t.Logf("%s %q: html.Parse %v, whole %v: %.2f times", c.name, c.main, tb, tw, factor)
		if factor > 2*c.factor {
			t.Errorf("%s %q costs %.1f times html.Parse, must be %.0f", c.name, c.main, factor, c.factor)
		}
	}
}
