package tui

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"angler/crawl/demo"
	"angler/crawl/inbox"
	"angler/crawl/query"
	"angler/store/maintenance"
	"angler/tui/tuitest"
)

// inboxOf returns the engine's list for a filter.
func inboxOf(t *testing.T, e *demo.Engine, query string) *inbox.Listing {
	t.Helper()
	in, err := e.Inbox.List(t.Context(), inbox.Request{Query: query})
	must(t, err)
	return in
}

func TestHarvestFilterDetailAndExport(t *testing.T) {
	e := tuitest.Open(t, tuitest.Sampled)
	t.Chdir(t.TempDir()) // a relative path is of the folder the program was started from
	here, err := os.Getwd()
	must(t, err)
	d := workbench(t, e, 160, 45)
	all, found := inboxOf(t, e, ""), inboxOf(t, e, "设备")
	if n := len(found.Rows); n == 0 || n == all.All {
		t.Fatalf("%d of %d notices", n, all.All)
	}
	d.press("5")
	var detail *query.NoticeDetail
	for range all.Rows { // down to one with a file to it, of a list that is no sample
		d.press("j")
		at := slices.IndexFunc(all.Rows, func(r inbox.ListedNotice) bool { return d.sees(r.URL) })
		if at < 0 {
			t.Fatalf("no notice is shown:\n%s", d.screen())
		}
		if detail, err = e.Pages.Notice(t.Context(), all.Rows[at].ID); err != nil {
			t.Fatal(err)
		}
		if len(detail.Files) > 0 && detail.Text != "" && !detail.Confirmed {
			break
		}
	}
	text := []rune(strings.Fields(detail.Text)[0])
	d.shows("first seen", detail.Files[0].Name, string(text[:min(len(text), 6)]))
	d.press("/", "设备", "enter")
	d.shows(fmt.Sprintf("notices %d of %d", len(found.Rows), all.All), "/ 设备")
	d.press("e", "of this view", "enter", "JSON", "enter", "enter")
	d.shows(fmt.Sprintf("%d rows written to %s", len(found.Rows), here))
	if got := lines(t, "notices.jsonl"); len(got) != len(found.Rows) {
		t.Errorf("%d lines were written, of %d notices", len(got), len(found.Rows))
	}
	must(t, os.Remove("notices.jsonl"))
	d.press("/")
	d.press("ctrl+u", "设备 site:nowhere", "enter")
	d.shows("None at all meets", fmt.Sprintf("there would be %d", len(found.Rows)))
	d.press("/")
	d.press("ctrl+u", "byer:大学", "enter")
	d.shows("no field byer", "byer:大学")
	d.press("ctrl+u", `"显微镜`, "enter")
	d.shows("a quote is not closed")
	if d.a.over.prompt == nil {
		t.Error("the prompt with the mistake was closed")
	}
	d.press("esc")
	d.comes(fmt.Sprintf("▸notices %d ", all.All))
	d.press("e", "every notice", "enter", "enter", "enter")
	d.shows(fmt.Sprintf("%d rows written to %s", all.All, here))
	if got := lines(t, "notices.jsonl"); len(got) != all.All || !strings.HasPrefix(got[0], "{") {
		t.Errorf("%d lines were written, of %d notices", len(got), all.All)
	}
	was := content(t, "notices.jsonl")
	d.press("e", "every notice", "enter", "enter", "enter")
	d.shows("is there already")
	d.press("enter") // the key that asked does not replace
	if d.a.over.prompt == nil || content(t, "notices.jsonl") != was {
		t.Error("enter replaced the file")
	}
	d.press("esc")
}

// content returns the text of a file.
func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	return string(b)
}

func lines(t *testing.T, path string) []string {
	t.Helper()
	return strings.Split(strings.TrimSuffix(content(t, path), "\n"), "\n")
}

// TestBackupFromTheWorkbench writes the workspace into a file beside the exports.
func TestBackupFromTheWorkbench(t *testing.T) {
	e := tuitest.Open(t, tuitest.Sampled)
	t.Chdir(t.TempDir())
	d, calls := watched(t, e, 120, 40)
	d.press("5", "e", "backup", "enter", "enter")
	d.shows("backup written to /") // the whole path, to be found again from anywhere
	if m, err := maintenance.VerifyBackup(t.Context(), "backup.tar"); err != nil || !m.Secrets {
		t.Errorf("%+v, %v", m, err)
	}
	d.press("e", "backup", "enter", "enter")
	d.shows("is there already")
	d.press("replace", "enter")
	d.until("it is replaced", func() bool { return calls.Of("BackupFile") == 3 })
	d.press("esc")
	calls.Fail("BackupFile", errors.New("the disk is full"))
	d.press("e", "backup", "enter", "ctrl+u", "other.tar", "enter")
	d.shows("the export of backup failed: the disk is full")
}

func TestExportFormats(t *testing.T) {
	e := tuitest.Open(t, tuitest.Sampled)
	t.Chdir(t.TempDir())
	for _, c := range []struct{ what, format, file, begins string }{
		{"pages", "JSON lines", "pages.jsonl", "{"},
		{"links", "CSV", "links.csv", "source,target"},
		{"notices", "CSV for spreadsheets", "notices.csv", "\ufeff"},
		{"aggregations", "Atom feed", "aggregations.atom", "<?xml"},
	} {
		d := workbench(t, e, 120, 40)
		d.press("5", "e", c.what, "enter")
		d.shows("export " + c.what + " as")
		d.press(c.format, "enter", "enter")
		if got := content(t, c.file); !strings.HasPrefix(got, c.begins) {
			t.Errorf("%s as %s: written %q", c.what, c.format, got[:min(len(got), 60)])
		}
	}
	table := csv.NewReader(strings.NewReader(content(t, "links.csv")))
	if rows, err := table.ReadAll(); err != nil || len(rows) < 100 {
		t.Errorf("%d links were written, %v", len(rows), err)
	}
	for err, says := range map[error]string{
		context.Canceled:               "the export of links failed: it was cancelled, nothing was written",
		errors.New("the disk is full"): "the export of links failed: the disk is full",
	} {
		d, calls := watched(t, e, 120, 40)
		calls.Fail("ExportFile", err)
		d.press("5", "e", "links", "enter", "enter", "enter")
		d.shows(says)
	}
	d := workbench(t, e, 120, 40)
	d.press("5", "e", "links", "enter", "enter", "ctrl+u", filepath.Join("gone", "x.jsonl"), "enter")
	d.shows("the export of links failed: ")
	d = workbench(t, e, 120, 40)
	d.press("5", "e", "frontier", "enter")
	d.lacks("Atom", "the frontier is offered as a feed")
}
