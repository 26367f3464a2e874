package crawl_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"angler/crawl"
	"angler/store"
	"angler/store/config"
)

// Other fields are read of a notice whose page was deleted as of one whose page is
// there: the tables of the page stay. Of a page that a program of before has let go without
// them, what its tables said stays.
func TestFieldsOfNoticesWithoutBodies(t *testing.T) {
	const table = `<table><tr><td>采购人<td>东湖大学<td>预算金额<td>86.5万元</tr><tr><td>质保期<td>三年<td>数量<td>3 台</tr></table>`
	dir := created(t, func(set *config.Settings) {
		set.Store.ExpectedURLs, set.Harvest.Fields = 1000, "tenders"
	})
	w, err := store.Open(dir)
	must(t, err)
	var ids []uint64
	for i := range 3 {
		address := fmt.Sprintf("http://a.test/%d.htm", i)
		must(t, errOf(w.Seed([]string{address})))
		id, _ := w.Lookup(address)
		n := &store.Notice{ID: id, URL: address, Title: fmt.Sprintf("第%d批显微镜采购公开招标公告", i), Text: "欢迎合格的供应商参加投标，内容见下表。", FirstSeen: inboxStart}
		body := []byte("<html><head><meta charset=utf-8><title>" + n.Title + "</title></head><body><p>" + n.Text + "</p>" + table + fmt.Sprintf("<p>%0512d</p></body></html>", i))
		c := &store.Capture{ID: id, State: store.Complete, Body: store.Compress(body), Notice: n, Page: &store.Page{URL: address, Status: 200, Hash: store.KeyOf(body), Fetched: inboxStart, Charset: "utf-8"}}
		must(t, errOf(w.Commit(nil, []*store.Capture{c})))
		ids = append(ids, id)
	}
	must(t, w.Close())
	open := func(days int, override func(*config.Settings)) *crawl.Engine {
		t.Helper()
		e := opened(t, dir, crawl.Options{Now: func() time.Time { return inboxStart.AddDate(0, 0, days) }, Override: override})
		ready(t, e)
		return e
	}
	e := open(0, nil)
	if got := saysOf(t, e, ids[0], "budget"); got != "865000" {
		t.Fatalf("the budget is %q with the body", got)
	}
	if n, err := store.DropBodies(e.Workspace(), ids[2:], nil, inboxStart.AddDate(0, 0, 1)); err != nil || n != 1 { // as before
		t.Fatal(n, err)
	}
	must(t, e.Close())
	e = open(40, func(s *config.Settings) { s.Retention.NoticeBodyDays = 30 })
	if d, err := e.Archive.Retain(context.Background(), false); err != nil || d.Notices != 2 {
		t.Fatalf("%+v, %v", d, err)
	}
	must(t, e.Close())
	warranty := func(s *config.Settings) {
		s.Fields = []config.Field{{Name: "warranty", Title: "质保期", Labels: []string{"质保期"}}}
	}
	e = open(40, warranty)
	defer e.Close()
	for i, id := range ids {
		if b, err := e.Workspace().Body(id, 1<<20); b != nil || err != nil {
			t.Fatalf("the body of %d is there, %v", i, err)
		}
		want := map[string]string{"budget": "865000", "buyer": "东湖大学", "warranty": "三年"}
		if i == 2 {
			want["warranty"] = "" // nothing is left to read it of
		}
		for field, v := range want {
			if got := saysOf(t, e, id, field); got != v {
				t.Errorf("notice %d: %s is %q, want %q", i, field, got, v)
			}
		}
	}
}
