package tui

import (
	"errors"
	"strconv"
	"testing"

	"angler/crawl/view"
	"angler/store/config"
	"angler/tui/tuitest"
)

// TestSeedsFromWords: an analyst searches for words, accepts a host, rejects another and undoes
// both.
func TestSeedsFromWords(t *testing.T) {
	e := tuitest.Open(t, tuitest.Empty)
	if _, err := e.Settings.ChangeSetting("seeds", "[]"); err == nil {
		t.Fatal("the form takes an empty list")
	}
	must(t, e.Settings.Change("no seeds", func(s *config.Settings) { s.Seeds = nil }))
	d := workbench(t, e, 160, 45)
	_, err := e.Settings.ChangeSetting("suggest.delay", "0s")
	must(t, err)
	d.press("4", "o")
	d.shows("Nothing is proposed", "W searches the web")
	d.press("W")
	d.shows("SearXNG:")
	d.press("http://search.test/", "enter")
	d.comes("search for:")
	d.press("招标 采购", "enter")
	d.comes("found by 2 words")
	d.until("the search has ended", func() bool { return d.a.shared.Snap.Job.Name == "" && d.a.shared.Snap.Proposed.Open > 3 })
	d.shows("招标 · 采购")
	found := d.a.shared.Snap.Proposed.Open
	d.press("g", "a")
	d.until("it is a seed", func() bool { return len(e.Set().Seeds) == 1 })
	d.press("r")
	d.until("two are judged", func() bool { return d.a.shared.Snap.Proposed.Open <= found-2 })
	d.press("t")
	d.comes("accepted 1")
	d.press("t")
	d.comes("rejected 1")
	d.press("u", "u")
	d.until("both are taken back", func() bool { return d.a.shared.Snap.Proposed.Open == found && len(e.Set().Seeds) == 0 })
	d.press("t", "t")
	d.comes("open proposals " + strconv.Itoa(found))
	d.press("esc")
	d.shows("frontier")
}

// TestHomeLeadsToProposals: without seeds, and with proposals that no person has viewed.
func TestHomeLeadsToProposals(t *testing.T) {
	c := can(bare())
	c.publish(func(s *view.Snapshot) { s.Story.Seeds, s.State = 0, view.Idle })
	d := drive(t, c.parts(), 120, 40)
	d.press("0")
	d.shows("enter: look for seeds")
	d.press("enter")
	d.shows("zbb.yunmeng.test", "evidence")
	d.press("enter")
	d.shows("招标公告 · 中标公示")
	c.publish(func(s *view.Snapshot) {
		s.Story.Seeds, s.State, s.Proposed = 3, view.Idle, view.SeedNews{Rev: 2, Round: 2, Known: 3, Open: 2, New: 2}
	})
	d.until("the pane is open", func() bool { return d.a.shared.SeedsSeen == 2 })
	d.press("esc", "0")
	d.gone("look at the proposed seeds")
	c.publish(func(s *view.Snapshot) { s.Proposed.Round = 3 })
	d.comes("look at the proposed seeds")
	d.shows("2 hosts proposed")
}

func TestSearchingForSeedsCanBeCancelled(t *testing.T) {
	c := can(sampled())
	calls, p := Count(c.parts())
	calls.Fail("CancelJob", errors.New("there is no job")) // counted
	d := drive(t, p, 160, 45)
	d.press("4", "o")
	c.publish(func(s *view.Snapshot) { s.Job = view.Job{Name: "searching for seeds", Done: 3, Total: 10} })
	d.comes("searching for seeds 3/10")
	d.press("esc")
	is(t, "calls of CancelJob", calls.Of("CancelJob"), 1)
	d.shows("evidence")
}
