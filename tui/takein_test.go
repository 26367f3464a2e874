package tui

import (
	"context"
	"path/filepath"
	"testing"

	"angler/crawl/auth"
	"angler/tui/tuitest"
)

// The analyst imports a web archive: a missing file leaves the prompt open, esc cancels, and the
// result is shown.
func TestAnArchiveIsTakenIn(t *testing.T) {
	e := tuitest.Open(t, tuitest.Sampled)
	path := filepath.Join(t.TempDir(), "pages.warc.gz")
	done, err := e.Archive.ExportFile(t.Context(), path, false)
	if err != nil || done.Pages == 0 {
		t.Fatalf("%+v, %v", done, err)
	}
	d, calls := watched(t, e, 160, 40)
	d.press("4", "I")
	d.shows("import without a request", "pages of a web archive", "notices of stored pages")
	d.press("web", "enter", path+"x", "enter")
	d.shows("cannot read the archive", "archive: "+path+"x")
	d.press("esc")

	began := make(chan struct{})
	calls.Hold("ImportFile", func(ctx context.Context) error { close(began); <-ctx.Done(); return ctx.Err() })
	d.press("I", "web", "enter", path)
	d.pressKey("enter") // press would wait for the end of the import
	d.await("the import begins", began)
	d.press("esc")
	d.shows("cancelled; the pages read so far are kept")

	calls.Hold("ImportFile", nil)
	d.press("I", "web", "enter", path, "enter")
	d.shows("0 pages from pages.warc.gz", "known already")
}

// Stored pages give notices without a request.
func TestNoticesOfStoredPagesComeHome(t *testing.T) {
	e := tuitest.Open(t, tuitest.Sampled)
	d, calls := watched(t, e, 160, 40)
	d.press("4", "I", "stored", "enter")
	if calls.Of("StartStored") != 1 {
		t.Fatal("nothing was started")
	}
	d.until("notices come home", func() bool { return d.a.shared.Snap.Counts.Notices > 0 })
	d.asOf(e, "zhou", auth.Admin) // over SSH the file would be the server's
	d.until("the run ends", func() bool { return d.a.shared.Snap.State == "idle" })
	d.press("4", "I", "web")
	d.shows("the file would be the server's")
	d.press("enter")
	if d.a.over.prompt != nil || !d.sees("import without a request") {
		t.Errorf("a file of the server's can be named:\n%s", d.screen())
	}
}
