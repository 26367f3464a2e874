//go:build unix && heavy

package tuitest

import (
	"testing"

	"angler/crawl/demo"
	"angler/crawl/webtest"
)

// TestKillsLoseNoJudgement kills discoveries and harvests at random moments. Their pages,
// aggregation pages and notices, titles and scores must equal those of an undisturbed crawl: a kill
// must not lose learned data.
func TestKillsLoseNoJudgement(t *testing.T) {
	const crawls, harvests = 15, 5
	t.Run("a discovery that brings notices home", func(t *testing.T) { judgedAfterKills(t, "crawl", crawls) })
	t.Run("a harvest", func(t *testing.T) { judgedAfterKills(t, "harvest", harvests) })
}

func judgedAfterKills(t *testing.T, task string, kills int) {
	web, server := Serve(t, webtest.Options{})
	proxy := server.ProxyURL().String()
	flags := []string{"--proxy", proxy, "--delay", "0", "--json"}
	rnd := dice(t)
	begun := func() string {
		dir := Workspace(t, web)
		Must(t, append([]string{"samples", "add", dir, "--proxy", proxy}, demo.TenderLists(web, 3)...)...)
		if task == "harvest" {
			Apart(t, dir)
			Must(t, append([]string{"crawl", dir}, flags...)...)
		}
		return dir
	}
	calm, killed := begun(), begun()
	Must(t, append([]string{task, calm}, flags...)...)
	want := OutcomeOf(t, calm)
	if len(want.Lists) < 20 || len(want.Notices) < 200 {
		t.Fatalf("%d aggregation pages and %d notices are too few to lose any", len(want.Lists), len(want.Notices))
	}
	most := 2 * len(want.Pages) / kills
	if task == "harvest" {
		most = 2 * len(want.Notices) / kills
	}
	for range kills {
		_ = KillAfter(t, task, killed, flags, rnd.IntN(most)) // it may have ended
	}
	Must(t, append([]string{task, killed}, flags...)...)
	got := OutcomeOf(t, killed)
	got.Equals(t, want)
	t.Logf("%d pages, %d aggregation pages, %d notices after %d kills; undisturbed %d, %d, %d", len(got.Pages), len(got.Lists), len(got.Notices), kills,
		len(want.Pages), len(want.Lists), len(want.Notices))
}
