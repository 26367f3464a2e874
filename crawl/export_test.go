package crawl_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/linkorder"
	"angler/crawl/query"
	"angler/crawl/run"
	"angler/store/export"
)

// TestExports writes everything in every format and compares what is read
// again.
func TestExports(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("crawls for some seconds; -short leaves it out")
	}
	ctx := context.Background()
	b := crawledDemo(t, t.TempDir(), crawl.Options{}, 3, run.Options{MaxPages: 400})
	harvest(t, b.Runs)
	for _, what := range query.Exports {
		rows := exported[map[string]any](t, b.Engine, what)
		if len(rows) == 0 {
			t.Errorf("no %s", what)
			continue
		}
		var out bytes.Buffer
		if n, err := b.Pages.Export(ctx, query.ExportPlan{What: what, Format: export.CSV}, &out); err != nil || n != len(rows) {
			t.Errorf("%s: %d rows of CSV for %d, %v", what, n, len(rows), err)
		}
		lines, err := csv.NewReader(&out).ReadAll()
		if err != nil || len(lines) != len(rows)+1 {
			t.Errorf("%s: %d lines of CSV for %d rows, %v", what, len(lines), len(rows), err)
			continue
		}
		for i, row := range rows {
			for k, name := range lines[0] {
				switch want := row[name].(type) {
				case string:
					if got := lines[i+1][k]; got != want && got != "'"+want && name != "first_seen" && name != "fetched_at" {
						t.Fatalf("%s: %s of row %d is %q, want %q", what, name, i, got, want)
					}
				case float64:
					if got, err := strconv.ParseFloat(lines[i+1][k], 64); err != nil || got != want {
						t.Fatalf("%s: %s of row %d is %q, want %v", what, name, i, lines[i+1][k], want)
					}
				}
			}
		}
	}
	frontier := exported[linkorder.URLRow](t, b.Engine, "frontier")
	if !slices.IsSortedFunc(frontier, func(a, b linkorder.URLRow) int { // what waits, then what failed
		return cmp.Or(strings.Compare(b.State, a.State), int(1e4*b.Priority)-int(1e4*a.Priority))
	}) {
		t.Error("the frontier is not in its order")
	}

	for what, newest := range map[string]int{"notices": 5, "aggregations": 2} {
		var out bytes.Buffer
		must(t, errOf(b.Pages.Export(ctx, query.ExportPlan{What: what, Format: export.Atom, Newest: newest}, &out)))
		var feed struct {
			ID      string `xml:"id"`
			Entries []struct {
				ID string `xml:"id"`
			} `xml:"entry"`
		}
		if err := xml.Unmarshal(out.Bytes(), &feed); err != nil || len(feed.Entries) != newest || len(feed.ID) != len("urn:uuid:12345678-1234-5234-8234-123456789abc") {
			t.Errorf("%s: %+v, %v", what, feed, err)
		}
	}

	for _, bad := range []query.ExportPlan{{What: "secrets"}, {What: "pages", Format: "xls"}, {What: "links", Format: export.Atom},
		{What: "pages", BOM: true}, {What: "pages", Newest: 3}, {What: "notices", Format: export.Atom, Newest: -1}} {
		if n, err := b.Pages.Export(ctx, bad, io.Discard); err == nil {
			t.Errorf("%+v wrote %d rows", bad, n)
		}
	}
}

// A cancelled export leaves no file.
func TestExportIsCancelled(t *testing.T) {
	b := openDemo(t, t.TempDir(), crawl.Options{})
	discover(t, b.Runs, run.Options{MaxPages: 50})
	dir := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, what := range query.Exports {
		if n, err := b.Pages.Export(ctx, query.ExportPlan{What: what}, io.Discard); !errors.Is(err, context.Canceled) || n != 0 {
			t.Errorf("%s: %d rows, %v", what, n, err)
		}
		if _, err := b.Pages.ExportFile(ctx, query.ExportPlan{What: what}, filepath.Join(dir, what), false); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", what, err)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
