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
	calm := newCrawl(t, webtest.Options{})
	killed := calm.again()
	rnd := dice(t)
	for _, x := range []*crawled{calm, killed} {
		x.sample(demo.TenderLists(x.web, 3)...)
		if task == "harvest" {
			Apart(t, x.dir)
			x.run("crawl")
		}
	}
	calm.run(task)
	want := OutcomeOf(t, calm.dir)
	if len(want.Lists) < 20 || len(want.Notices) < 200 {
		t.Fatalf("%d aggregation pages and %d notices are too few to lose any", len(want.Lists), len(want.Notices))
	}
	most := 2 * len(want.Pages) / kills
	if task == "harvest" {
		most = 2 * len(want.Notices) / kills
	}
	for range kills {
		_ = killed.killAfter(task, rnd.IntN(most)) // it may have ended
	}
	killed.run(task)
	got := OutcomeOf(t, killed.dir)
	got.Equals(t, want)
	t.Logf("%d pages, %d aggregation pages, %d notices after %d kills; undisturbed %d, %d, %d", len(got.Pages), len(got.Lists), len(got.Notices), kills,
		len(want.Pages), len(want.Lists), len(want.Notices))
}
