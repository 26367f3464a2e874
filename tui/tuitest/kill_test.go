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
	calm := newCrawl(t, webtest.Options{})
	calm.run("crawl")
	want := Addresses(t, calm.dir, "pages")
	killed := calm.again()
	for _, after := range []int{7, 150, 400, 900} {
		must(t, killed.killAfter("crawl", after))
		ws, err := store.Open(killed.dir)
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
	killed.run("crawl")
	got := Addresses(t, killed.dir, "pages")
	samePages(t, got, want)
	var ends []string
	for _, r := range Lines[records.Run](t, Must(t, "history", "runs", killed.dir, "--json").Out) {
		ends = append(ends, r.End)
	}
	if want := []string{records.RunFinished, records.RunKilled, records.RunKilled, records.RunKilled, records.RunKilled}; !slices.Equal(ends, want) {
		t.Errorf("the history tells %q of the runs, newest first; want %q", ends, want)
	}
	t.Logf("%d pages after four kills, %d undisturbed", len(got), len(want))
}

func TestLockedWorkspaceSaysWho(t *testing.T) {
	dir := newCrawl(t, webtest.Options{}).dir
	ws, err := store.Open(dir)
	must(t, err)
	defer ws.Close()
	expect(t, 0, "is open elsewhere; it is read as it was at", "export", dir, "pages")
	r := Run(t, "labels", "set", dir, "http://x.test/=yes")
	if r.Status != 1 || !strings.Contains(r.Err, "in use by process") || strings.Count(r.Err, "\n") != 1 {
		t.Errorf("status %d: %q", r.Status, r.Err)
	}
}

func TestUnwritableFolder(t *testing.T) {
	if os.Getuid() == 0 {
		// Root may write to any writable file system, so this one is not writable.
		expect(t, 1, "choose a folder you may write to", "new", "/proc/angler", "--seed", "http://a.test/")
		return
	}
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o500))
	expect(t, 1, "choose a folder you may write to", "new", dir+"/ws", "--seed", "http://a.test/")
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
