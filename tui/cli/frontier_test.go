package cli

import (
	"strings"
	"testing"

	"angler/crawl/linkorder"
	"angler/store"
	"angler/tui/tuitest"
)

func TestFrontierCommand(t *testing.T) {
	dir := tuitest.Waiting(t)
	rows, last := logRows[linkorder.URLRow](t, "frontier --json", dir), 1e9
	for i, row := range rows {
		if row.State != "waiting" || row.Why == "" || !strings.HasSuffix(row.Host, ".example.test") || row.Priority > last {
			t.Errorf("row %d: %+v after priority %v", i, row, last)
		}
		last = row.Priority
	}
	if len(rows) != 60 {
		t.Errorf("%d rows, want 60", len(rows))
	}
	text, _, err := call(t, "frontier", dir)
	if err != nil || strings.Count(text, "\n") != 60 || !strings.Contains(text, "http://b.example.test/list29.htm") {
		t.Errorf("%v:\n%s", err, text)
	}
}

// Waiting URLs precede failed ones, whatever their priority.
func TestFrontierBeginsWithWhatWaits(t *testing.T) {
	dir := tuitest.Waiting(t)
	best := done(t, "frontier", dir)
	w, err := store.Open(dir)
	must(t, err)
	id, _ := w.Lookup(strings.Fields(best)[4])
	if _, err := w.Commit(nil, []*store.Capture{{ID: id, State: store.Exception, Fails: 4, Failure: store.Failure{Kind: store.StatusFailure(404)}}}); err != nil {
		t.Fatal(err)
	}
	must(t, w.Close())
	out, _, err := call(t, "frontier", dir)
	if lines := strings.Split(strings.TrimSpace(out), "\n"); err != nil || len(lines) != 60 || !strings.Contains(lines[59], "exception") || strings.Count(out, "exception") != 1 {
		t.Errorf("%v:\n%s", err, out)
	}
}
