package tui

import (
	"fmt"
	"strconv"
	"testing"

	"angler/crawl/demo"
	"angler/crawl/inbox"
	"angler/message"
	"angler/topic"
	"angler/tui/tuitest"
	"angler/tui/widget"
)

// ranked opens the notices of an engine, with the quality of the one under the cursor on the
// screen.
func ranked(t *testing.T) (*demo.Engine, *driver, *Calls) {
	e := tuitest.Open(t, tuitest.Sampled)
	d, calls := watched(t, e, 200, 60)
	d.press("5")
	d.comes(" = similarity ")
	return e, d, calls
}

// worth formats a quality like the screen.
func worth(q *inbox.Quality) string {
	return fmt.Sprintf(" %s = similarity %s · %s + PageRank %s · %s", widget.Score(q.Value, 2), widget.Score(q.Similarity, 2), widget.Score(q.T, 2), widget.Score(q.PageRank, 2), widget.Score(1-q.T, 2))
}

func TestNoticesByQuality(t *testing.T) {
	e, d, calls := ranked(t)
	book, err := e.Inbox.List(t.Context(), inbox.Request{})
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
	for range 7 { // by date at first; unread, star, verdict, title, source, score, quality
		d.press(">")
	}
	for _, want := range []*inbox.Quality{best, worst} {
		d.press("g")
		line := worth(want)
		d.comes(line)
		d.press("R")
	}
	is(t, "rankings although no page came", calls.Of("RankNotices"), 1)
}

func TestQualityFollowsTheSetting(t *testing.T) {
	_, d, _ := ranked(t)
	d.shows(" · .70 + PageRank ", " · .30")
	d.press(",", "/", "similarity_share", "enter", "enter")
	d.press("ctrl+u", "0.5", "enter")
	d.press("esc", "esc")
	d.until("the new t is used", func() bool {
		return d.sees(" · .50 + PageRank ") && !d.sees(" · .70")
	})
}

// The topic of a workspace that was just opened is loaded after its notices.
func TestQualityComesWithTheTopic(t *testing.T) {
	e, d, calls := ranked(t)
	notices, details, model := calls.Of("List"), calls.Of("Notice"), e.Snapshot().ModelRev
	must(t, e.Topic.ChangeConfig(func(c *topic.Config) message.Text { c.M = 20; return "m 20" }))
	d.until("the model is another", func() bool { return d.a.shared.Snap.ModelRev != model })
	d.until("list and notice are read again", func() bool { return calls.Of("List") > notices && calls.Of("Notice") > details })
}

// t moves in small steps under the reader's hand: both lists are sorted by quality at once, and
// only enter changes the setting.
func TestShareOfSimilarityMovesLive(t *testing.T) {
	e, d, _ := ranked(t)
	book := inboxOf(t, e, "")
	best := func(share float64) *inbox.Quality {
		top := book.Rows[0].Quality.With(share)
		for _, r := range book.Rows {
			if q := r.Quality.With(share); q.Value > top.Value {
				top = q
			}
		}
		return top
	}
	d.press("w") // nothing to save yet
	for range 14 {
		d.press("[")
	}
	d.comes("t .00 · in force .70 · w saves")
	is(t, "the setting before it was saved", e.Set().Harvest.SimilarityShare, .7)
	top := best(0)
	d.until("the notice with the highest PageRank is first", func() bool {
		return d.sees(" "+widget.Score(top.Value, 2)+" = similarity ") &&
			d.sees(fmt.Sprintf(" %s, its place %s among %d", strconv.FormatFloat(top.Rank, 'g', 2, 64), widget.Score(top.PageRank, 2), len(book.Rows)))
	})
	d.press("]", "]")
	top = best(.1)
	d.comes(worth(top))
	d.press("w")
	d.until("the setting is saved", func() bool {
		return e.Set().Harvest.SimilarityShare == .1 && d.sees("· t .10") && !d.sees("in force")
	})
	// The aggregation pages have their own qualities and ranks.
	d.press("tab")
	book = inboxOf(t, e, "")
	if len(book.Lists) < 3 {
		t.Fatalf("%d lists", len(book.Lists))
	}
	d.until("the rank of a page is shown", func() bool {
		return d.sees(fmt.Sprintf(" among %d", len(book.Lists)))
	})
}
