// Package demotest opens the demo web for tests.
package demotest

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"

	"angler/crawl"
	"angler/crawl/demo"
	"angler/crawl/query"
	"angler/crawl/run"
	"angler/crawl/webtest"
	"angler/store"
)

// Open opens the small web of tests, four sites with some 200 pages, in dir, a folder
// of its own when that is empty, and closes it when the test ends.
func Open(t testing.TB, dir string, opt crawl.Options) *demo.Engine {
	t.Helper()
	return openPlan(t, "small", dir, opt)
}

// OpenFull opens the demo's own web, 18 sites with some 3,500 pages: a discovery of it
// takes ten seconds.
func OpenFull(t testing.TB, dir string, opt crawl.Options) *demo.Engine {
	t.Helper()
	return openPlan(t, "", dir, opt)
}

// openPlan opens the web of one of the plans of testdata/web/plans.
func openPlan(t testing.TB, plan, dir string, opt crawl.Options) *demo.Engine {
	t.Helper()
	fsys, err := webtest.FindMaterial()
	if err != nil {
		t.Fatal(err)
	}
	b, err := demo.OpenPlan(context.Background(), fsys, plan, dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { Close(t, b) })
	return b
}

// Close closes an engine.
func Close(t testing.TB, e interface{ Close() error }) {
	t.Helper()
	if err := e.Close(); err != nil {
		t.Error(err)
	}
}

// Sample makes the first n lists of tenders samples.
func Sample(t testing.TB, b *demo.Engine, n int) {
	t.Helper()
	for _, u := range b.TenderLists(n) {
		if _, err := b.Topic.AddSample(context.Background(), u, ""); err != nil {
			t.Fatal(err)
		}
	}
}

// Crawled opens the small web and discovers it with n lists of tenders as samples. limits are the options of the run,
// if any.
func Crawled(t testing.TB, dir string, opt crawl.Options, n int, limits ...run.Options) *demo.Engine {
	t.Helper()
	b := Open(t, dir, opt)
	Sample(t, b, n)
	if _, err := b.Runs.Discover(context.Background(), append(limits, run.Options{})[0]); err != nil {
		t.Fatal(err)
	}
	return b
}

// Consistent fails the test where the database contradicts itself.
func Consistent(t testing.TB, e *crawl.Engine) {
	t.Helper()
	problems, err := store.CheckQuickly(e.Workspace())
	if err != nil {
		t.Fatal(err)
	}
	if len(problems) > 0 {
		t.Errorf("the database is inconsistent: %q", problems)
	}
}

// Exported is what an export says, row by row.
func Exported[T any](t testing.TB, e *crawl.Engine, what string) []T {
	t.Helper()
	var buf bytes.Buffer
	if _, err := e.Pages.Export(context.Background(), query.ExportPlan{What: what}, &buf); err != nil {
		t.Fatal(err)
	}
	var rows []T
	dec := json.NewDecoder(&buf)
	for dec.More() {
		var row T
		if err := dec.Decode(&row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}
