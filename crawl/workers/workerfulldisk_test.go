//go:build heavy

package workers_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/run"
)

// The owner's disk fills up while workers work for it. What they bring is kept and waits,
// its jobs stay in the queue, and when there is room again the crawl goes on and is whole.
func TestAFullDiskAtTheOwner(t *testing.T) {
	if testing.Short() {
		t.Skip("a whole crawl by several processes")
	}
	small := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=200m", "tmpfs", small).CombinedOutput(); err != nil {
		t.Skipf("cannot mount a small disk here: %v %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", small).Run() })
	s := newSites(t, 1200, 0)
	want := s.alone(t)
	dir := filepath.Join(small, "ws")
	must(t, os.CopyFS(dir, os.DirFS(s.workspace(t))))
	e := s.open(t, dir)
	b, o := employ(t, e)
	s.mu.Lock()
	before, filled := s.pages, make(chan struct{})
	s.reached = func(pages int) {
		if pages == before+300 {
			close(filled)
		}
	}
	s.mu.Unlock()
	for _, name := range []string{"one", "two"} {
		begin(t, child{Server: "nats://" + b.Addr(), Invitation: b.Invitation().String(), Proxy: s.ProxyURL().String(), Name: name, Slots: 8})
	}
	staffed(t, e, o, 2)
	news, end := e.Subscribe()
	defer end()
	waited := make(chan int, 1)
	go func() {
		<-filled
		ballast := fill(t, small)
		for !full(e) {
			select {
			case <-news:
			case <-t.Context().Done():
				return
			}
		}
		waited <- e.Workspace().Counts().Pages
		if err := os.Remove(ballast); err != nil {
			t.Error(err)
		}
	}()
	if _, err := e.Runs.Discover(t.Context(), run.Options{}); err != nil {
		t.Fatal(err)
	}
	select {
	case n := <-waited:
		t.Logf("commits waited at %d pages", n)
	default:
		t.Error("the disk was never full")
	}
	for _, w := range o.Workers() {
		t.Logf("%+v", w)
		if w.Bad > 0 || w.Errors != nil {
			t.Errorf("worker %s: %+v", w.Name, w.Errors)
		}
	}
	must(t, e.Words(t.Context()))
	same(t, homeOf(t, e), want)
}

// full reports whether commits wait for room.
func full(e *crawl.Engine) bool {
	for _, c := range e.Health() {
		if strings.Contains(c.Says, "the disk is full") {
			return true
		}
	}
	return false
}

// fill takes all the room that is left in a folder.
func fill(t *testing.T, dir string) (ballast string) {
	ballast = filepath.Join(dir, "ballast")
	f, err := os.Create(ballast)
	if err != nil {
		t.Error(err)
		return ""
	}
	for b := make([]byte, 1<<20); len(b) > 0 && err == nil; {
		if _, err = f.Write(b); err != nil && len(b) > 1 {
			b, err = b[:len(b)/2], nil
		}
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
	return ballast
}
