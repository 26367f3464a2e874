package crawl_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/inbox"
	"angler/store"
	"angler/store/config"
)

// What is due counts alike on the first screen, in the list, in its view and in a digest:
// a notice on two hosts once, of a project the deadline of its newest correction, none of
// one that was stopped or that a person marked done.
func TestDueCountsOnce(t *testing.T) {
	dir := created(t, func(set *config.Settings) {
		set.Store.ExpectedURLs, set.Harvest.Fields = 1000, "tenders"
		set.Notify = []config.Notify{{Name: "morning", Way: config.WayWebhook, URL: "http://127.0.0.1:1/", Rhythm: config.Daily, At: "23:30", Tell: []string{config.TellDue}, Due: config.Duration(3 * 24 * time.Hour)}}
	})
	w, err := store.Open(dir)
	must(t, err)
	at := 0
	publish := func(host, title string, project, day int) uint64 {
		t.Helper()
		at++
		address := fmt.Sprintf("http://%s/%d.htm", host, at)
		must(t, errOf(w.Seed([]string{address})))
		id, _ := w.Lookup(address)
		text := fmt.Sprintf("项目编号：DHU-2026-%05d\n项目名称：%s\n采购人：东湖大学\n%s，欢迎符合条件的供应商参加投标，请于网上报名。", 77000+project, thing(project), thing(project))
		if day > 0 {
			text += fmt.Sprintf("\n投标截止时间：2026年7月%d日9时30分", day)
		}
		n := &store.Notice{ID: id, URL: address, Title: title, Text: text, FirstSeen: time.Date(2026, 7, 10, 7, 0, 0, 0, time.UTC), Date: time.Date(2026, 6, at, 0, 0, 0, 0, time.UTC)}
		body := []byte("<p>" + text)
		c := &store.Capture{ID: id, State: store.Complete, Body: store.Compress(body), Notice: n, Page: &store.Page{URL: address, Status: 200, Hash: store.KeyOf(body), Fetched: n.FirstSeen}}
		must(t, errOf(w.Commit(nil, []*store.Capture{c})))
		return id
	}
	tender := func(project int) string { return thing(project) + "采购项目公开招标公告" }
	first := publish("a.test", tender(1), 1, 12)
	publish("b.test", tender(1), 1, 12) // the same at another address
	publish("a.test", tender(2), 2, 11)
	publish("a.test", tender(3), 3, 28)           // later
	publish("a.test", thing(2)+"采购项目更正公告", 2, 25) // takes its tender's away
	publish("a.test", tender(4), 4, 12)           //
	publish("a.test", thing(4)+"采购项目终止公告", 4, 0)  // takes its tender's away
	publish("a.test", tender(5), 5, 11)           //
	publish("a.test", thing(5)+"采购项目更正公告", 5, 12) // the same project
	must(t, w.Close())
	now := clockAt(time.Date(2026, 7, 10, 8, 0, 0, 0, time.UTC))
	e := opened(t, dir, crawl.Options{By: "wang", Now: now.Now, Tell: true})
	must(t, e.Facts.Idle(context.Background()))
	due := func(want int) {
		t.Helper()
		waitFor(t, fmt.Sprintf("the first screen counts %d", want), func() bool { return e.Snapshot().Story.Due == want })
		in := list(t, e, inbox.Request{Query: "due<3d -is:done", Counts: []string{"due<3d -is:done"}})
		rows := 0
		for i := range in.Rows {
			if in.Rows[i].Under == 0 {
				rows++
			}
		}
		told, err := e.Notify.Preview(context.Background(), "morning")
		must(t, err)
		items := 0
		for _, d := range told {
			for _, s := range d.Sections {
				items += len(s.Items)
			}
		}
		if rows != want || in.Counts[0] != want || items != want {
			t.Errorf("%d rows, %d in the view, %d in the digest; want %d", rows, in.Counts[0], items, want)
		}
	}
	due(2)
	if in := list(t, e, inbox.Request{Query: "", Counts: []string{"seen:today"}}); in.Counts[0] != 8 {
		t.Errorf("the view counts %d new ones, want 8: one is another's copy", in.Counts[0])
	}
	// A reader of a notice has read it at its other address, too.
	for _, read := range []bool{true, false} {
		must(t, e.Inbox.SetRead([]uint64{first}, read))
		if in := list(t, e, inbox.Request{Query: "is:read"}); len(in.Rows) != map[bool]int{true: 2, false: 0}[read] || in.Unread != 9-len(in.Rows) {
			t.Errorf("read %v: %q are read, %d are not", read, urlsOf(in), in.Unread)
		}
	}
	must(t, e.Inbox.SetRead([]uint64{first + 1}, true))
	must(t, e.Inbox.SetRead([]uint64{first}, false))
	if in := list(t, e, inbox.Request{Query: "is:read"}); len(in.Rows) > 0 {
		t.Errorf("what was read at the other address stays read: %q", urlsOf(in))
	}
	waitFor(t, "the first screen counts as many", func() bool { return e.Snapshot().Story.Today == 8 })
	must(t, e.Inbox.Done([]uint64{first}, true))
	due(1)
	undo(t, e.Topic)
	due(2)
}
