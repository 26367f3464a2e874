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
	calm := newCrawl(t, webtest.Options{Pages: 400, Hosts: 4})
	killed := calm.again()
	for _, x := range []*crawled{calm, killed} {
		Apart(t, x.dir)
		Set(t, x.dir, "retries = 3", "retries = 1") // a page that always fails would wait longer
		x.sample(demo.TenderLists(x.web, 3)...)
	}
	for _, task := range []string{"crawl", "harvest"} {
		calm.run(task)
		want := OutcomeOf(t, calm.dir)
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
		calm.server.Fail(func(*http.Request, int) webtest.Fault {
			if asked.Add(1) > int64(half) {
				return webtest.Fault{Wait: killing}
			}
			return webtest.Fault{}
		})
		must(t, killed.killAfter(task, half/2))
		close(killing)
		calm.server.Fail(nil)
		killed.run(task)
		got := OutcomeOf(t, killed.dir)
		got.Equals(t, want)
		history := Lines[records.Run](t, Must(t, "history", "runs", killed.dir, "--json").Out)
		if len(history) < 2 || history[0].End != records.RunFinished || history[1].End != records.RunKilled {
			t.Errorf("the history of the %s, newest first: %+v", task, history)
		}
		t.Logf("%s, killed at %d requests: %d pages, %d lists, %d notices", task, half, len(got.Pages), len(got.Lists), len(got.Notices))
		Must(t, "workspace", "check", killed.dir)
	}
}
