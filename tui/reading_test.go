package tui

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"angler/crawl/article"
	"angler/crawl/auth"
	"angler/crawl/inbox"
	"angler/topic"
	"angler/tui/screen"
	"angler/tui/tuitest"
	"angler/tui/widget"
)

// shownNotice returns the notice in the side pane or the reader.
func (d *driver) shownNotice(in *inbox.Listing) *inbox.ListedNotice {
	d.t.Helper()
	var r *inbox.ListedNotice
	d.until("a notice is shown", func() bool {
		screen := d.screen()
		at := slices.IndexFunc(in.Rows, func(r inbox.ListedNotice) bool { return strings.Contains(screen, r.URL+" ") })
		if at >= 0 {
			r = &in.Rows[at]
		}
		return at >= 0
	})
	return r
}

// toInbox opens the notices and waits until they are listed.
func (d *driver) toInbox() {
	d.t.Helper()
	d.press("5")
	d.until("the notices are listed", func() bool {
		return d.sees("unread ") && d.sees("›") && d.listed() > 0
	})
}

// listed counts the notices of the list.
func (d *driver) listed() int { return screen.PanesOf(d.a.screens[5]).Rows() }

// An analyst reads, stars, finishes, judges and notes in the reader; read notices stay in the view
// of unread ones until the view is left.
func TestReadingNotices(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 120, 40)
	all := inboxOf(t, e, "")
	d.toInbox()
	d.press(")") // the view of the unread ones
	d.shows(fmt.Sprintf("[unread %d]", all.All), "notice 1 of ")
	first := d.shownNotice(all)
	d.press("enter")
	d.until("the notice is read", func() bool { return len(inboxOf(t, e, "is:read").Rows) == 1 })
	d.press("m", "d", "y")
	d.press(";", "打电话", "enter")
	d.shows("notice 1 of ", "★", "✓", "wang", "打电话")
	got := inboxOf(t, e, "is:starred is:done is:yes note:打电话 is:read").Rows
	if len(got) != 1 || got[0].ID != first.ID || got[0].Marks.Star.By != "wang" {
		t.Fatalf("said of %s: %+v", first.URL, got)
	}
	is(t, "labelled pages", e.Snapshot().Counts.Labels, 0)
	d.press("j")
	second := d.shownNotice(all)
	if second.ID == first.ID {
		t.Fatal("j did not go to the next notice")
	}
	d.until("the next one counts as read after a while", func() bool { return len(inboxOf(t, e, "is:read").Rows) == 2 })
	d.press("k")
	if r := d.shownNotice(all); r.ID != first.ID {
		t.Errorf("what was read has gone from the view: %s", r.URL)
	}
	d.press("u", "u")
	d.until("undo takes the note and the verdict back", func() bool {
		r := inboxOf(t, e, "is:starred").Rows
		return len(r) == 1 && r[0].Marks.Says() == "" && r[0].Marks.Judgement() == topic.NoLabel && r[0].Marks.IsDone()
	})
	d.gone("verdict  ")
	d.press("esc")
	d.shows(fmt.Sprintf("[unread %d]", all.All-2), "aggregation pages")
	d.press(")", "(") // another view and back: now they are gone
	d.shows(fmt.Sprintf("notices %d of %d", all.All-2, all.All))
	d.press("@")
	d.shows("star ", "done ")
}

// The text is paged and searched with highlighted hits, and its end leads to the next notice.
func TestReaderPages(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 80, 24)
	all := inboxOf(t, e, "")
	d.toInbox()
	d.press("enter")
	first := d.shownNotice(all)
	d.press("b")
	d.shows("this is the top")
	for range 30 { // a page at a time through the text, then the next notice
		if d.press("space"); !d.sees("notice 1 of ") {
			break
		}
	}
	if second := d.shownNotice(all); second.ID == first.ID {
		t.Error("the end of the text does not lead to the next notice")
	}
	d.press("g", "/", "θ is", "enter")
	d.shows("θ is")
	d.press("esc", "esc")
	d.shows("aggregation pages")
}

// Keys act on the marked notices, or the one under the cursor.
func TestMarkedNotices(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 120, 40)
	d.toInbox()
	d.press("space", "j", "V", "j", "j")
	d.shows("4 marked")
	d.press("m")
	d.until("four have a star", func() bool { return len(inboxOf(t, e, "is:starred").Rows) == 4 })
	d.lacks("marked", "the marks stay after what was done with them")
	d.press("u")
	d.until("one undo takes all back", func() bool { return len(inboxOf(t, e, "is:starred").Rows) == 0 })
	d.press("*", "d")
	d.until("all are done", func() bool { in := inboxOf(t, e, "is:done"); return len(in.Rows) == in.All })
	d.press("*", "d") // all are: done no longer
	d.until("none is done", func() bool { return len(inboxOf(t, e, "is:done").Rows) == 0 })
}

// A view is a filter with a name; it is made, changed, renamed and removed.
func TestViewsOfTheTeam(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 160, 45)
	n := len(inboxOf(t, e, "设备").Rows)
	d.toInbox()
	d.press("/", "设备", "enter", "o", "save the filter", "enter", "mine", "enter")
	d.shows(fmt.Sprintf("[mine %d]", n))
	d.press("o", "change the view", "enter", " -is:done", "enter")
	d.until("the filter is another", func() bool { v := e.Inbox.Views(); return len(v) == 1 && v[0].Query == "设备 -is:done" })
	d.press("o", "rename", "enter", "ours", "enter")
	d.shows(fmt.Sprintf("[ours %d]", n))
	d.press("o", "rename", "enter", "unread", "enter")
	d.shows("that is a view of the program")
	d.press("esc", "o", "remove the view", "enter")
	d.until("it is gone", func() bool { return len(e.Inbox.Views()) == 0 })
	d.shows("[all notices")
	d.press("u")
	d.until("undo brings it back", func() bool { return len(e.Inbox.Views()) == 1 })
	d.press("o", "filter fields", "enter", "age", "enter", "7d", "enter")
	d.shows("/ age<7d")
}

// Screen, view, filter, order, cursor and columns are restored. Each person has their own.
func TestScreensAreFoundAsTheyWereLeft(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 120, 40)
	d.toInbox()
	d.press(")", "/", "设备", "enter", ">", ">", ">", ">")
	d.press("j", "j", "|", "files", "enter", "esc")
	at := d.shownNotice(inboxOf(t, e, ""))
	d.lacks(" files", "the column that was taken away is there")
	d.a.shared.After = time.After // leaving waits until it is kept
	d.press("q")
	d.until("the program ends", func() bool { return d.quit })
	place, err := e.Inbox.Place()
	if err != nil || !json.Valid(place) {
		t.Fatalf("kept is %s, %v", place, err)
	}
	again := driveAs(t, e.Engine, 120, 40)
	again.comes(at.URL + " ")
	again.shows("[5 Harvest]", "[unread ", "/ 设备", "by title")
	if again.sees(" files") {
		t.Error("the column that was taken away is back")
	}
	li := driveAs(t, e.As(auth.Actor{Name: "li", Role: auth.Owner}), 120, 40)
	li.shows("[0 Home]")
	// On the next morning, and after new notices, Home is shown first.
	var left map[string]any
	must(t, json.Unmarshal(place, &left))
	for field, was := range map[string]any{"day": "2001-01-01", "notices": 1} {
		changed := maps.Clone(left)
		changed[field] = was
		v, err := json.Marshal(changed)
		must(t, err)
		must(t, e.Inbox.SetPlace(v))
		d := driveAs(t, e.Engine, 120, 40)
		d.shows("[0 Home]", "5 goes to where you were: Harvest")
		d.press("5")
		d.shows("[5 Harvest]", "[unread ", "/ 设备", "by title")
	}
	// A key pressed first wins: nothing is restored.
	if again.a.left.takePlace(nil, nil) != nil {
		t.Error("nothing was kept and something was restored")
	}
	li.press("3")
	if cmd := li.a.left.takePlace(place, nil); cmd != nil || li.a.at != 3 {
		t.Error("the screens were moved under the reader's hand")
	}
}

// The state is also saved while the program runs, and a failure is reported once.
func TestScreensAreKeptMeanwhile(t *testing.T) {
	e := tuitest.Open(t, tuitest.Sampled)
	d, calls := watched(t, e, 120, 40)
	now := tuitest.Start.Add(time.Minute)
	d.a.o.Now = func() time.Time { return now }
	d.press("5")
	d.send(clockMsg{})
	d.until("it is kept", func() bool { v, err := e.Inbox.Place(); return err == nil && strings.Contains(string(v), `"at":5`) })
	now = now.Add(time.Minute)
	d.send(clockMsg{}) // the list was read meanwhile: what was looked at is kept, too
	d.settle()
	n := calls.Of("SetPlace")
	d.send(clockMsg{})
	now = now.Add(time.Minute)
	d.send(clockMsg{})
	d.settle()
	if calls.Of("SetPlace") != n {
		t.Error("it is kept again although nothing moved")
	}
	calls.Fail("SetPlace", errors.New("the disk is full"))
	d.press("4")
	now = now.Add(time.Minute)
	d.send(clockMsg{})
	d.comes("how the screens stand is not kept: the disk is full")
}

// A number typed into the palette leads to a row of the focused list.
func TestPaletteGoesToARow(t *testing.T) {
	e, d := opened(t, tuitest.Sampled, 120, 40)
	all := inboxOf(t, e, "")
	d.toInbox()
	d.press(":", "17")
	d.shows("go to row 17")
	d.press("enter")
	d.shows("notice 17 of ")
	d.press(":", "99999", "enter")
	d.shows(fmt.Sprintf("notice %d of %d", len(all.Rows), len(all.Rows)))
	d.press("0", ":", "3")
	d.lacks("go to row 3", "Home has no rows")
}

// Copies are folded under the notice found first; → shows them.
func TestCopiesFold(t *testing.T) {
	c := can(sampled())
	d := drive(t, c.parts(), 120, 40)
	d.press("5")
	d.shows("▸ 北岭师范学院教学楼电梯维保询价采购公告 ×8")
	d.press("j", "j", "j", "j", "j", "j", "j", "right")
	d.shows("▾ 北岭师范学院教学楼电梯维保询价采购公告")
	d.press("left")
	d.shows("▸ 北岭师范学院教学楼电梯维保询价采购公告")
}

// Unfolded copies are directly below their head in every order.
func TestCopiesFollowTheirHead(t *testing.T) {
	list := &inbox.Listing{All: 4}
	for i, x := range []struct {
		title  string
		under  uint64
		copies int
		days   int
	}{{"乙采购公告", 0, 2, 2}, {"甲采购公告", 1, 0, 1}, {"丁采购公告", 1, 0, 4}, {"丙采购公告", 0, 0, 3}} {
		head := &inbox.NoticeHead{ID: uint64(i + 1), URL: fmt.Sprintf("http://h%d.test/%d", 4-i, i), Host: fmt.Sprintf("h%d.test", 4-i), Title: x.title, At: tuitest.Start.Add(time.Duration(x.days) * time.Hour)}
		head.Date = article.Date{Time: tuitest.Start.AddDate(0, 0, x.days), Precision: article.Day}
		list.Rows = append(list.Rows, inbox.ListedNotice{NoticeHead: head, Site: head.Host, Cut: len(head.Title), Under: x.under, Copies: x.copies})
	}
	p := can(sampled()).parts()
	p.Inbox = inboxed{p.Inbox, list}
	d := drive(t, p, 160, 45)
	d.press("5")
	d.shows("▸ 乙采购公告 ×3")
	d.press("j", "right")
	d.shows("▾ 乙采购公告")
	orders := map[string]bool{}
	for range 2 * 20 {
		for range 2 {
			s := d.screen()
			head, one, two, other := strings.Index(s, "▾ 乙采购公告"), strings.Index(s, "甲采购公告"), strings.Index(s, "丁采购公告"), strings.Index(s, "丙采购公告")
			if head < 0 || one < head || two < head || other > head && (other < one || other < two) {
				t.Fatalf("a copy left its head:\n%s", s)
			}
			orders[fmt.Sprint(one < two, other < head)] = true
			d.press("R")
		}
		d.press(">")
	}
	if len(orders) < 2 {
		t.Errorf("the orders were not tried: %v", orders)
	}
}

// inboxed lists given notices.
type inboxed struct {
	screen.Inbox
	list *inbox.Listing
}

func (x inboxed) List(context.Context, inbox.Request) (*inbox.Listing, error) { return x.list, nil }

// hundredThousand notices, a third of them read.
func hundredThousand() *inbox.Listing {
	in := &inbox.Listing{All: 100_000, Unread: 66_666, Rows: make([]inbox.ListedNotice, 100_000)}
	for i := range in.Rows {
		head := &inbox.NoticeHead{ID: uint64(10_000 + i), URL: fmt.Sprintf("http://h%d.test/%d", i%500, i), Title: fmt.Sprintf("某大学采购项目第 %d 号公开招标公告", i*7919%100_000), At: tuitest.Start}
		head.Date.Time = tuitest.Start.Add(-time.Duration(i*7919%100_000) * time.Minute)
		in.Rows[i] = inbox.ListedNotice{NoticeHead: head, Site: fmt.Sprintf("某大学%d", i%500), Cut: len(head.Title), Read: i%3 == 0}
	}
	return in
}

// BenchmarkInbox is a key and a frame over a hundred thousand notices, sorted by date.
func BenchmarkInbox(b *testing.B) {
	list := hundredThousand()
	p := can(sampled()).parts()
	p.Inbox = inboxed{p.Inbox, list}
	d := drive(b, p, 160, 50)
	d.press("5")
	d.comes("notice 1 of 100 000")
	for _, key := range []string{"j", "pgdown", " ", "G"} {
		b.Run("key "+key, func(b *testing.B) {
			m := keyMsgs(key)[0]
			for b.Loop() {
				d.a.Update(m) // what it asks the engine for is not waited for
			}
		})
	}
	b.Run("frame", func(b *testing.B) {
		for b.Loop() {
			d.a.View()
		}
	})
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			t := widget.NewTable(func(r *inbox.ListedNotice) uint64 { return r.ID }, func(r *inbox.ListedNotice) string { return r.Title })
			t.SetRows(list.Rows)
		}
	})
}

// After undo the preview shows the state of the notice under the cursor, although the notice is
// loaded before the list.
func TestPreviewFollowsUndo(t *testing.T) {
	e := tuitest.Open(t, tuitest.Sampled)
	var hold, held, noticed atomic.Bool
	listed := make(chan struct{})
	release := sync.OnceFunc(func() { close(listed) })
	t.Cleanup(release)
	verdict := regexp.MustCompile(`verdict +no`) // as wide as the widest name beside it
	p := Around(screen.PartsOf(e.Engine), func(_ context.Context, method string) error {
		switch {
		case hold.Load() && method == "List":
			held.Store(true)
			<-listed
		case hold.Load() && method == "Notice":
			noticed.Store(true)
		}
		return nil
	})
	d := drive(t, p, 160, 45)
	d.toInbox()
	d.press("x")
	d.until("the preview shows the verdict", func() bool { return verdict.MatchString(d.screen()) })
	hold.Store(true)
	d.pressKey("u")
	d.until("the notice is read again and the list is not", func() bool { return held.Load() && noticed.Load() && d.due == 1 })
	hold.Store(false)
	release()
	d.settle()
	if verdict.MatchString(d.screen()) {
		t.Errorf("the preview keeps the verdict that was undone:\n%s", d.screen())
	}
}
