package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/demo"
	"angler/crawl/view"
	"angler/topic"
	"angler/tui/ui"
	"angler/tui/uitest"
)

// ranked opens the notices over an engine that has some, with the quality of
// the one under the cursor on the screen.
func ranked(t *testing.T) (*demo.Engine, *driver, *uitest.Calls) {
	e := uitest.Open(t, uitest.Sampled)
	d, calls := watched(t, e, 200, 60)
	d.press("5", "tab")
	d.comes("quality ", " = similarity ")
	return e, d, calls
}

// worth is how the screen tells a quality.
func worth(q *view.Quality) string {
	return fmt.Sprintf("quality %s = similarity %s · %s + PageRank %s · %s", ui.Score(q.Value, 2), ui.Score(q.Similarity, 2), ui.Score(q.T, 2), ui.Score(q.PageRank, 2), ui.Score(1-q.T, 2))
}

func TestNoticesByQuality(t *testing.T) {
	e, d, calls := ranked(t)
	book, err := e.Pages.Notices(t.Context(), "", 1000)
	if err != nil || len(book.Rows) < 10 {
		t.Fatalf("%d notices, %v", len(book.Rows), err)
	}
	best, worst := book.Rows[0].Quality, book.Rows[0].Quality
	for _, r := range book.Rows {
		if r.Quality.Value > best.Value {
			best = r.Quality
		}
		if r.Quality.Value < worst.Value {
			worst = r.Quality
		}
	}
	if best.Value == worst.Value {
		t.Fatalf("all notices are worth %v", best.Value)
	}
	for range 5 { // by date at first; label, title, source, score, quality
		d.press(">")
	}
	for _, want := range []*view.Quality{best, worst} {
		d.press("g")
		line := worth(want)
		d.until("the notice at the head is shown", func() bool { return strings.Contains(d.screen(), line) })
		d.press("R")
	}
	if n := calls.Of("RankNotices"); n != 1 {
		t.Errorf("ranked %d times although no page came", n)
	}
}

func TestQualityFollowsTheSetting(t *testing.T) {
	_, d, _ := ranked(t)
	d.shows(" · .70 + PageRank ", " · .30")
	d.press(",")
	d.press("harvest.similarity_share", "enter")
	d.send(tea.KeyMsg{Type: tea.KeyCtrlU})
	d.press("0.5", "enter")
	d.press("esc")
	d.until("the new t is used", func() bool {
		return strings.Contains(d.screen(), " · .50 + PageRank ") && !strings.Contains(d.screen(), " · .70")
	})
}

// The topic of a workspace that was just opened comes after its notices.
func TestQualityComesWithTheTopic(t *testing.T) {
	e, d, calls := ranked(t)
	notices, details, model := calls.Of("Notices"), calls.Of("Notice"), e.Snapshot().ModelRev
	if err := e.Topic.ChangeConfig(func(c *topic.Config) string { c.M = 20; return "m 20" }); err != nil {
		t.Fatal(err)
	}
	d.until("the model is another", func() bool { return d.a.shared.Snap.ModelRev != model })
	d.until("list and notice are read again", func() bool { return calls.Of("Notices") > notices && calls.Of("Notice") > details })
}
