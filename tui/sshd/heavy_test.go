//go:build heavy && unix

package sshd

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	gossh "golang.org/x/crypto/ssh"

	"angler/crawl/auth"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store/config"
)

// visits is the number of sessions.
const visits = 100

// TestTraffic measures the bytes of a 120×40 workbench, including SSH's own.
func TestTraffic(t *testing.T) {
	x := newSite(t, Limits{})
	for _, u := range x.b.TenderLists(3) {
		if _, err := x.b.Topic.AddSample(context.Background(), u, ""); err != nil {
			t.Fatal(err)
		}
	}
	must(t, x.b.Words(context.Background()))
	// Terms found after a run would change the screen.
	must(t, x.b.Settings.Change("no proposals", func(s *config.Settings) { s.Terms.Propose = false }))
	w := x.workbench(x.attach("li"), 120, 40)
	w.press("4")
	w.sees("[4 Crawl]")
	x.snapshots(2) // until the answers to the keys have come

	before, begun := x.wire.Load(), time.Now()
	must(t, x.b.As(auth.Actor{Name: "li", Role: auth.Owner}).Runs.StartDiscovery())
	waitFor(t, "it runs", func() bool { return x.b.Snapshot().State == view.Running })
	waitFor(t, "it has ended", func() bool { return x.b.Snapshot().State == view.Idle })
	took := time.Since(begun).Seconds()
	rate := float64(x.wire.Load()-before) / took
	fetched := x.b.Snapshot().Counts.Complete
	t.Logf("watching a crawl of %.0f pages/s for %.1f s: %.1f KB/s", float64(fetched)/took, took, rate/1e3)
	if rate > 40e3 {
		t.Errorf("%.1f KB/s, must be at most 40", rate/1e3)
	}

	sent := func() int64 {
		before := x.wire.Load()
		x.snapshots(2)
		return x.wire.Load() - before
	}
	for tries := 10; ; tries-- { // loads after a run may be late
		if n := sent(); n == 0 {
			break
		} else if tries == 0 {
			t.Fatalf("%d bytes were sent while nothing changed", n)
		}
	}

	// The status line counts the seconds since wang's action; only it changes.
	w.press("2")
	w.sees("[2 Features]")
	must(t, x.b.As(auth.Actor{Name: "wang", Role: auth.Owner}).Labels.SetJudge("rule"))
	w.sees("by wang, ")
	// Sometimes another change coincides: the median of five counts.
	var each []int64
	for len(each) < 5 {
		before := x.wire.Load()
		waitFor(t, "the next second", func() bool { return x.wire.Load() > before })
		each = append(each, x.wire.Load()-before)
	}
	slices.Sort(each)
	t.Logf("only the status line changes: %d B", each)
	if rate := 4.5 * float64(each[2]); rate > 1e3 {
		t.Errorf("at 4.5 Hz these are %.0f B/s, must be at most 1000", rate)
	}
}

// An endless paste costs neither memory nor the session.
func TestEndlessPaste(t *testing.T) {
	x := newSite(t, Limits{})
	w := x.workbench(x.attach("li"), 80, 24)
	w.samples()
	w.press("\x1b[200~")
	junk := strings.Repeat("y", 4<<10)
	for range 20 {
		w.press(junk)
	}
	w.press("\x1b[201~5")
	w.sees("[5 Harvest]")
}

// The same with exports whose clients do not read: each waits with a full window.
func TestExportsThatAreNotRead(t *testing.T) {
	x := newCrawledSite(t, Limits{}, nil)
	// More than the client's window, so that an unread export waits.
	if _, err := x.b.Runs.Discover(context.Background(), run.Options{MaxPages: 1000}); err != nil {
		t.Fatal(err)
	}
	export := func(name string) (*gossh.Session, *bytes.Buffer, error) {
		s, err := x.attach(name).NewSession()
		must(t, err)
		var says bytes.Buffer
		s.Stderr = &says
		if _, err := s.StdoutPipe(); err != nil { // never read
			t.Fatal(err)
		}
		return s, &says, s.Start("export links")
	}
	running := func() int {
		x.s.mu.Lock()
		defer x.s.mu.Unlock()
		n := 0
		for _, k := range x.s.exports {
			n += k
		}
		return n
	}
	var first *gossh.Session
	for i, name := range []string{"li", "li", "wang", "wang"} {
		s, _, err := export(name)
		must(t, err)
		if i == 0 {
			first = s
		}
		waitFor(t, "it runs", func() bool { return running() == i+1 })
	}
	waitFor(t, "they wait for their readers", func() bool { return x.s.stuck() == 4 })
	for _, name := range []string{"li", "zhou"} {
		s, says, err := export(name)
		must(t, err)
		var exit *gossh.ExitError
		if err := s.Wait(); !errors.As(err, &exit) || exit.ExitStatus() != 1 || !strings.Contains(says.String(), "too many exports") {
			t.Errorf("%s: %v, %q", name, err, says)
		}
	}
	first.Close()
	waitFor(t, "one has ended", func() bool { return running() == 3 })
	if _, _, err := export("zhou"); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "there is room again", func() bool { return running() == 4 })
}
