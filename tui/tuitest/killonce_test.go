//go:build unix

package tuitest

import (
	"net/http"
	"sync/atomic"
	"testing"

	"angler/crawl/demo"
	"angler/crawl/webtest"
	"angler/store/records"
)

// TestOneKillLosesNothing kills a discovery and a harvest once in the middle and lets them finish:
// pages, lists and notices equal those of an undisturbed crawl. The heavy tests kill many times at
// random moments.
func TestOneKillLosesNothing(t *testing.T) {
	t.Parallel()
	web, server := Serve(t, webtest.Options{Pages: 400, Hosts: 4})
	proxy := server.ProxyURL().String()
	flags := []string{"--proxy", proxy, "--delay", "0", "--json"}
	begun := func() string {
		dir := Workspace(t, web)
		Apart(t, dir)
		Set(t, dir, "retries = 3", "retries = 1") // a page that always fails would wait longer
		Must(t, append([]string{"samples", "add", dir, "--proxy", proxy}, demo.TenderLists(web, 3)...)...)
		return dir
	}
	calm, killed := begun(), begun()
	for _, task := range []string{"crawl", "harvest"} {
		Must(t, append([]string{task, calm}, flags...)...)
		want := OutcomeOf(t, calm)
		half := len(want.Pages) / 2
		if task == "harvest" {
			half = len(want.Notices) / 2
		}
		if len(want.Lists) < 5 || half < 15 {
			t.Fatalf("%s: %d lists, %d pages and %d notices are too few to lose any", task, len(want.Lists), len(want.Pages), len(want.Notices))
		}
		// No request beyond half is answered, so that it cannot end before the kill.
		var asked atomic.Int64
		killing := make(chan struct{})
		server.Fail(func(*http.Request, int) webtest.Fault {
			if asked.Add(1) > int64(half) {
				return webtest.Fault{Wait: killing}
			}
			return webtest.Fault{}
		})
		must(t, KillAfter(t, task, killed, flags, half/2))
		close(killing)
		server.Fail(nil)
		Must(t, append([]string{task, killed}, flags...)...)
		got := OutcomeOf(t, killed)
		got.Equals(t, want)
		history := Lines[records.Run](t, Must(t, "history", "runs", killed, "--json").Out)
		if len(history) < 2 || history[0].End != records.RunFinished || history[1].End != records.RunKilled {
			t.Errorf("the history of the %s, newest first: %+v", task, history)
		}
		t.Logf("%s, killed at %d requests: %d pages, %d lists, %d notices", task, half, len(got.Pages), len(got.Lists), len(got.Notices))
		Must(t, "workspace", "check", killed)
	}
}
