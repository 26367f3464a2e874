//go:build unix && heavy

package tuitest

import (
	"bufio"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"angler/crawl/webtest"
	"angler/store"
	"angler/store/records"
)

// TestKilledCrawlEndsWithTheSameSet kills the crawler again and again, then lets it finish: the set
// of pages must equal that of an undisturbed crawl, none twice.
func TestKilledCrawlEndsWithTheSameSet(t *testing.T) {
	web, server := Serve(t, webtest.Options{})
	flags := []string{"--proxy", server.ProxyURL().String(), "--delay", "0", "--json"}

	calm := Workspace(t, web)
	Must(t, append([]string{"crawl", calm}, flags...)...)
	want := Addresses(t, calm, "pages")

	killed := Workspace(t, web)
	for _, after := range []int{7, 150, 400, 900} {
		must(t, KillAfter(t, "crawl", killed, flags, after))
		ws, err := store.Open(killed)
		if err != nil {
			t.Fatalf("after the kill: %v", err)
		}
		problems, err := store.CheckQuickly(ws)
		if err != nil || len(problems) > 0 {
			t.Fatalf("after the kill at %d pages: %v %q", after, err, problems)
		}
		if got := ws.Counts().Pages; got < after {
			t.Errorf("%d pages were reported, %d are stored after the kill", after, got)
		}
		must(t, ws.Close())
	}
	Must(t, append([]string{"crawl", killed}, flags...)...)
	got := Addresses(t, killed, "pages")
	if twice := len(got) - len(slices.Compact(slices.Clone(got))); twice > 0 {
		t.Errorf("%d pages are stored twice", twice)
	}
	missing, extra := Missing(want, got), Missing(got, want)
	if len(missing)+len(extra) > 0 {
		t.Errorf("the killed crawl has %d pages, the undisturbed one %d; missing %.5q, extra %.5q", len(got), len(want), missing, extra)
	}
	var ends []string
	for _, r := range Lines[records.Run](t, Must(t, "history", "runs", killed, "--json").Out) {
		ends = append(ends, r.End)
	}
	if want := []string{records.RunFinished, records.RunKilled, records.RunKilled, records.RunKilled, records.RunKilled}; !slices.Equal(ends, want) {
		t.Errorf("the history tells %q of the runs, newest first; want %q", ends, want)
	}
	t.Logf("%d pages after four kills, %d undisturbed", len(got), len(want))
}

func TestLockedWorkspaceSaysWho(t *testing.T) {
	web, _ := Serve(t, webtest.Options{})
	dir := Workspace(t, web)
	ws, err := store.Open(dir)
	must(t, err)
	defer ws.Close()
	r := Run(t, "export", dir, "pages")
	if r.Status != 0 || !strings.Contains(r.Err, "is open elsewhere; it is read as it was at") {
		t.Errorf("reading: status %d: %q", r.Status, r.Err)
	}
	r = Run(t, "labels", "set", dir, "http://x.test/=yes")
	if r.Status != 1 || !strings.Contains(r.Err, "in use by process") || strings.Count(r.Err, "\n") != 1 {
		t.Errorf("status %d: %q", r.Status, r.Err)
	}
}

func TestUnwritableFolder(t *testing.T) {
	if os.Getuid() == 0 {
		// Root may write to any writable file system, so this one is not writable.
		r := Run(t, "new", "/proc/angler", "--seed", "http://a.test/")
		if r.Status != 1 || !strings.Contains(r.Err, "choose a folder you may write to") {
			t.Errorf("status %d: %q", r.Status, r.Err)
		}
		return
	}
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o500))
	r := Run(t, "new", dir+"/ws", "--seed", "http://a.test/")
	if r.Status != 1 || !strings.Contains(r.Err, "choose a folder you may write to") {
		t.Errorf("status %d: %q", r.Status, r.Err)
	}
}

// TestFullDisk fills the disk during a crawl: it reports that and waits; with free space again it
// continues by itself and ends complete.
func TestFullDisk(t *testing.T) {
	small := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=200m", "tmpfs", small).CombinedOutput(); err != nil {
		t.Skipf("cannot mount a small disk here: %v %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", small).Run() })
	dir, ballast := small+"/ws", small+"/ballast"
	must(t, os.WriteFile(ballast, make([]byte, 194<<20), 0o600))
	c := exec.Command(Path, "demo", "--headless", "--dir", dir)
	stderr, err := c.StderrPipe()
	must(t, err)
	must(t, c.Start())
	said := false
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		if !said && strings.Contains(lines.Text(), "disk full") {
			said = true
			must(t, os.Remove(ballast))
		}
	}
	if err := c.Wait(); err != nil || !said {
		t.Errorf("ended with %v; said that the disk is full: %v", err, said)
	}
	if samples := Lines[Page](t, Must(t, "samples", "list", dir).Out); len(samples) != 3 {
		t.Errorf("%d samples are left of 3", len(samples))
	}
	ws, err := store.Open(dir)
	must(t, err)
	defer ws.Close()
	if problems, err := store.CheckQuickly(ws); err != nil || len(problems) > 0 {
		t.Errorf("%v %q", err, problems)
	}
	if c := ws.Counts(); c.Pages < 2000 || c.Waiting > 20 { // a few lie beyond the depth limit
		t.Errorf("after the disk had room: %+v", c)
	}
}
