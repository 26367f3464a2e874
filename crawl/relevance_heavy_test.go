//go:build heavy

package crawl_test

import (
	"context"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/linkorder"
	"angler/crawl/urls"
	"angler/message"
	"angler/store"
	"angler/store/config"
)

// P3's threshold: links worth less than linear.min are not fetched, counted, and enter
// the frontier when the threshold falls.
func TestLinksBelowRelevanceAreLeftOut(t *testing.T) {
	alone(t)
	const least = .1
	ctx := context.Background()
	b := openFull(t, "", crawl.Options{})
	sampled(t, b, 3)
	bounds := func(constant string) {
		t.Helper()
		must(t, b.Settings.Change(message.Text(constant), func(s *config.Settings) { s.Crawl.Strategy, s.Crawl.Constants = "linear", []string{constant} }))
	}
	bounds("linear.min = 0.1")
	some := discover(t, b.Runs)
	refused := func() (n int) {
		for _, f := range b.Snapshot().Filtered {
			if f.Reason == urls.BelowRelevance.String() {
				n = f.N
			}
		}
		return n
	}
	waiting := b.Workspace().Counts().Waiting
	if waiting == 0 || refused() < waiting {
		t.Fatalf("%d pages were fetched, %d addresses wait, %d links are counted as below relevance", some.Pages, waiting, refused())
	}
	below := 0
	for _, row := range exported[linkorder.URLRow](t, b.Engine, "frontier") {
		told := strings.Contains(row.Why, "below relevance .10")
		if told {
			below++
		}
		failed := strings.HasPrefix(row.Why, "HTTP status")
		if told && row.Priority > least+1e-4 || !told && !failed && row.Priority < least-1e-4 {
			t.Errorf("%s waits with %g: %s", row.URL, row.Priority, row.Why)
		}
	}
	if below == 0 || below > waiting {
		t.Errorf("%d rows are below relevance, %d addresses wait", below, waiting)
	}
	// The notices that came last may have made a few of the links worth more.
	again := discover(t, b.Runs)
	if again.Pages > waiting/10 {
		t.Errorf("a second run fetched %d pages of %d that were left out", again.Pages, waiting)
	}
	waiting -= again.Pages
	bounds("linear.min = 0")
	before := refused()
	all := discover(t, b.Runs)
	if all.Pages < waiting || refused() != before {
		t.Errorf("without a threshold %d pages came in, %d addresses waited, %d links were below it", all.Pages, waiting, refused()-before)
	}
	negative := false // worth less than nothing, and fetched all the same
	for u := range each(t, b.Workspace().URLs()) {
		if u.State != store.Complete || u.Depth < 5 {
			continue // depth costs most of what a link may lack
		}
		if x, err := b.Pages.Explain(ctx, u.URL); err == nil && x.Priority < 0 {
			negative = true
			break
		}
	}
	if !negative {
		t.Error("no page is worth less than 0: nothing was tested")
	}
}
