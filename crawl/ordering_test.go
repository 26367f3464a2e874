package crawl_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/linkorder"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/topic"
)

// What the link order has learned is there again after a restart; under another
// topic it is learned again from the stored pages.
func TestLinkOrderRemembers(t *testing.T) {
	alone(t)
	ctx := context.Background()
	dir := t.TempDir()
	b := crawledDemo(t, dir, crawl.Options{}, 3, run.Options{MaxPages: 60})
	ranked := func() (rows []string, first linkorder.URLRow) {
		for _, r := range exported[linkorder.URLRow](t, b.Engine, "frontier") {
			rows = append(rows, r.URL)
			if first.URL == "" && strings.Contains(r.Why, "P(target)") { // a forbidden page has no estimate
				first = r
			}
		}
		return rows, first
	}
	learned := b.Workspace().State("order/1")
	harvest(t, b.Runs, run.Options{MaxPages: 1})
	if len(learned) == 0 || !bytes.Equal(learned, b.Workspace().State("order/1")) {
		t.Errorf("%d bytes of knowledge before a harvest, %d after it", len(learned), len(b.Workspace().State("order/1")))
	}
	before, best := ranked()
	if len(before) < 20 {
		t.Fatalf("%d URLs wait", len(before))
	}
	must(t, b.Close())
	b = openDemo(t, dir, crawl.Options{})
	must(t, b.Words(ctx))
	after, again := ranked()
	if again.Priority != best.Priority || again.Why != best.Why || !slices.Equal(before, after) {
		t.Errorf("after the restart %q comes first with %g (%s); before it was %q with %g (%s)", after[0], again.Priority, again.Why, before[0], best.Priority, best.Why)
	}
	pages := exported[view.PageRow](t, b.Engine, "pages")
	must(t, b.Labels.SetLabel(idOf(t, b.Engine, pages[0].URL), topic.No))
	relearned, best := ranked()
	if len(relearned) != len(before) {
		t.Errorf("%d URLs are ranked under the changed topic, want %d", len(relearned), len(before))
	}
	// A strategy that has learned nothing trusts its prior alone.
	if strings.Contains(best.Why, " w 0") && !strings.Contains(best.Why, " w .") || !strings.Contains(best.Why, "P(target)") {
		t.Errorf("under the changed topic nothing was learned: %s", best.Why)
	}
}

func idOf(t *testing.T, e *crawl.Engine, url string) uint64 {
	t.Helper()
	id, ok := e.Workspace().Lookup(url)
	if !ok {
		t.Fatalf("%s is unknown", url)
	}
	return id
}
