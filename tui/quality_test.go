package tui

import (
	"context"
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/tui/ui"
)

func TestNoticesByQuality(t *testing.T) {
	d := drive(t, sampled(t), 200, 60)
	d.press("5", "tab")
	d.until("the notices are ranked", func() bool {
		return strings.Contains(d.screen(), "quality .40 = similarity .51 · .70 + PageRank .15 · .30")
	})
	book, err := d.b.Notices(context.Background(), "", 1000)
	if err != nil {
		t.Fatal(err)
	}
	best, worst := 0., 1.
	for _, r := range book.Rows {
		best, worst = max(best, r.Quality.Value), min(worst, r.Quality.Value)
	}
	for range 5 { // by date at first; label, title, source, score, quality
		d.press(">")
	}
	for _, want := range []float64{best, worst} {
		d.press("g")
		line := fmt.Sprintf("quality %s = similarity ", ui.Score(want, 2))
		d.until("the notice at the head is shown", func() bool { return strings.Contains(d.screen(), line) })
		d.press("R")
	}
	if n := d.b.Calls["RankNotices"]; n != 1 {
		t.Errorf("ranked %d times although no page came", n)
	}
}

func TestQualityFollowsTheSetting(t *testing.T) {
	d := drive(t, sampled(t), 200, 60)
	d.press("5", "tab")
	d.until("the notices are ranked", func() bool { return strings.Contains(d.screen(), "similarity .51 · .70") })
	d.press(",")
	d.press("harvest.similarity_share", "enter")
	d.send(tea.KeyMsg{Type: tea.KeyCtrlU})
	d.press("0.5", "enter")
	d.press("esc")
	d.until("the new t is used", func() bool { return strings.Contains(d.screen(), "= similarity .51 · .50 + PageRank .15 · .50") })
}

// The topic of a workspace that was just opened comes after its notices.
func TestQualityComesWithTheTopic(t *testing.T) {
	d := drive(t, sampled(t), 200, 60)
	d.press("5", "tab")
	d.until("the notices are ranked", func() bool { return strings.Contains(d.screen(), "similarity .51 · .70") })
	notices, details := d.b.Called("Notices"), d.b.Called("Notice")
	d.b.Publish(func(s *view.Snapshot) { s.ModelRev++ })
	d.until("list and notice are read again", func() bool { return d.b.Called("Notices") > notices && d.b.Called("Notice") > details })
}
