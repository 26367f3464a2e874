package crawl

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"angler/store"
)

func TestExportTellsItsProgress(t *testing.T) {
	ctx := context.Background()
	dir := filepath.Join(t.TempDir(), "ws")
	set := store.DefaultSettings()
	set.Seeds = []string{"http://a.test/"}
	if err := store.Create(dir, set); err != nil {
		t.Fatal(err)
	}
	e, err := Open(ctx, dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if _, err := e.ws.Seed([]string{"http://a.test/", "http://b.test/", "http://c.test/"}); err != nil {
		t.Fatal(err)
	}
	var done atomic.Int64
	x := exporter{e: e, ctx: ctx, done: &done}
	if n, err := x.run(ExportPlan{What: "frontier"}, io.Discard); err != nil || n != 3 || done.Load() != 3 {
		t.Errorf("%d rows, progress %d, %v", n, done.Load(), err)
	}

	// It is a job like others: one at a time, and cancelled as one.
	if _, err := e.job.begin(ctx, "looking for terms", 0); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "frontier.csv")
	if _, err := e.ExportFile(ctx, ExportPlan{What: "frontier"}, path, false); err == nil || !strings.Contains(err.Error(), "looking for terms is under way") {
		t.Errorf("beside another job: %v", err)
	}
	e.job.end()
	if n, err := e.ExportFile(ctx, ExportPlan{What: "frontier"}, path, false); err != nil || n != 3 || e.job.now().Name != "" {
		t.Errorf("%d rows, %v, job %+v", n, err, e.job.now())
	}
}
