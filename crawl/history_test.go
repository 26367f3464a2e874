package crawl_test

import (
	"context"
	"encoding/json"
	"testing"

	"angler/crawl"
	"angler/crawl/demo"
	"angler/crawl/run"
	"angler/crawl/webtest"
	"angler/store/records"
)

// history are the runs of an engine, newest first.
func history(t *testing.T, b *demo.Engine) []records.Run {
	t.Helper()
	rows, err := b.Survey.Runs(100)
	must(t, err)
	return rows
}

// told is a row without its curve and events.
func told(r records.Run) string {
	r.Curve, r.Events = nil, nil
	v, _ := json.Marshal(r)
	return string(v)
}

// Every run has a row that says what its summary says, and more; it is there when
// the workspace is opened again.
func TestEveryRunHasItsRow(t *testing.T) {
	alone(t)
	ctx := context.Background()
	dir := t.TempDir()
	fsys, err := webtest.FindMaterial()
	must(t, err)
	b, err := demo.Open(ctx, fsys, dir, crawl.Options{By: "wang"})
	must(t, err)
	sampled(t, b, 3)
	before := b.Workspace().Counts()
	found := discover(t, b.Runs)
	brought := harvest(t, b.Runs)
	discover(t, b.Runs, run.Options{MaxPages: 1})
	stop, cancel := context.WithCancel(ctx)
	cancel()
	must(t, errOf(b.Runs.Discover(stop, run.Options{})))
	rows := history(t, b)
	if len(rows) != 4 {
		t.Fatalf("%d rows of four runs: %+v", len(rows), rows)
	}
	d, h := rows[3], rows[2]
	if d.Task != "discovery" || d.By != "wang" || d.End != records.RunFinished || d.Fetched != found.Fetched || d.Failures != found.Failed || d.Lists != found.Aggregations ||
		d.Pages != found.Pages || d.Bytes == 0 || d.CPU < 0 || d.Kinds["HTTP status 404"] == 0 || d.Visited != 0 {
		t.Errorf("of %+v the row tells %s", found, told(d))
	}
	if h.Task != "harvest" || h.End != records.RunFinished || h.Notices != brought.Notices || h.Fetched != brought.Fetched || h.Visited == 0 || h.Lists != 0 {
		t.Errorf("of %+v the row tells %s", brought, told(h))
	}
	if last := d.Curve[len(d.Curve)-1]; len(d.Curve) > records.MaxRunPoints || last.Fetched != found.Fetched || last.Lists != found.Aggregations || last.Failures != found.Failed {
		t.Errorf("the curve has %d points and ends at %+v", len(d.Curve), last)
	}
	if last := h.Curve[len(h.Curve)-1]; last.Notices != brought.Notices {
		t.Errorf("the curve of the harvest ends at %+v", last)
	}
	n := 0
	for _, e := range d.Events {
		if e.Kind == "warn HTTP status 404" {
			n = e.N
		}
	}
	if n == 0 || n > d.Kinds["HTTP status 404"] {
		t.Errorf("%d reports of 404 in the row, %d answers", n, d.Kinds["HTTP status 404"])
	}
	if rows[0].End != records.RunStopped {
		t.Errorf("a run whose context had ended tells %s", told(rows[0]))
	}
	if last := b.Snapshot().Last; last == nil || last.ID != rows[0].ID {
		t.Errorf("the snapshot's last run is %+v", last)
	}
	if before.Pages != 0 {
		t.Errorf("%d pages before the first run", before.Pages)
	}
	must(t, b.Close())
	again := opened(t, dir, crawl.Options{})
	if last := again.Snapshot().Last; last == nil || told(*last) != told(rows[0]) {
		t.Errorf("opened again the last run is %+v", last)
	}
}
