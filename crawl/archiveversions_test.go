package crawl_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/inbox"
	"angler/crawl/run"
	"angler/store/config"
	"angler/store/warc"
)

// TestArchivesBringVersions: an archive has a later capture of a notice that is known.
// What the notice said becomes a version, as if a harvest had met it, and it is unread
// again; a page that differs in its menu alone changes no notice, and neither does an
// earlier capture.
func TestArchivesBringVersions(t *testing.T) {
	const host = "http://a.test"
	captured := func(at time.Time, pages map[string]string) []byte {
		t.Helper()
		var b bytes.Buffer
		w := warc.NewWriter(&b)
		for path, body := range pages {
			block := "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + body
			if _, _, err := w.Write(warc.Response, warc.NewID(), at, []byte(block), warc.Field{Name: "WARC-Target-URI", Value: host + path}, warc.Field{Name: "Content-Type", Value: "application/http"}); err != nil {
				t.Fatal(err)
			}
		}
		return b.Bytes()
	}
	notice := func(n, deadline int, menu string) string {
		title := thing(n) + "采购项目公开招标公告"
		return fmt.Sprintf("<html><head><title>%s</title></head><body><ul><li><a href=/>%s</a></ul><h1>%s</h1><p>发布时间：2026-10-%02d</p><p>项目编号：DHU-2026-%05d</p><p>采购人：东湖大学</p><p>投标截止时间：2026年11月%d日9时30分</p><p>东湖大学拟采购%s一批，欢迎符合条件的供应商参加投标，供货期限三十天，地点见附件。</p></body></html>",
			title, menu, title, 1+n, n, deadline, thing(n))
	}
	first := map[string]string{}
	list := "<html><head><title>招标公告</title></head><body><h1>招标公告</h1><ul>"
	for n := range 8 {
		first[fmt.Sprintf("/n/%d.htm", n)] = notice(n, 13, "首页")
		list += fmt.Sprintf(`<li><a href="/n/%d.htm">%s采购项目公开招标公告</a> <span>2026-10-%02d</span></li>`, n, thing(n), 1+n)
	}
	first["/list.htm"] = list + "</ul></body></html>"
	day := time.Date(2026, 11, 1, 8, 0, 0, 0, time.UTC)
	set := config.Default()
	set.Seeds, set.Harvest.Fields = []string{host + "/list.htm"}, "tenders"
	e, sum, err := takenIn(t, crawl.Options{By: "wang", Now: func() time.Time { return day.AddDate(0, 0, 20) }}, set, captured(day, first))
	if err != nil || sum.Pages != 9 || sum.Changed != 0 {
		t.Fatalf("%+v, %v", sum, err)
	}
	addSample(t, e.Topic, host+"/list.htm")
	if s := harvest(t, e.Runs, run.Options{Stored: true}); s.Notices != 8 {
		t.Fatalf("%+v", s)
	}
	id, _ := e.Workspace().Lookup(host + "/n/3.htm")
	later := captured(day.AddDate(0, 0, 10), map[string]string{"/n/3.htm": notice(3, 25, "首页"), "/n/4.htm": notice(4, 13, "网站首页")})
	for _, changed := range []int{1, 0} { // the second time it is known
		if sum, err = takeIn(e, later); err != nil || sum.Changed != changed {
			t.Fatalf("%+v, %v, want %d changed", sum, err, changed)
		}
	}
	if sum, err = takeIn(e, captured(day.AddDate(0, 0, 5), map[string]string{"/n/3.htm": notice(3, 14, "首页"), "/n/5.htm": notice(5, 13, "首页")})); err != nil || sum.Changed != 0 {
		t.Errorf("an earlier capture: %+v, %v", sum, err)
	}
	x, err := e.Inbox.Kindred(t.Context(), id)
	if err != nil || len(x.Versions) != 1 || !strings.Contains(x.Versions[0].Text, "11月13日") {
		t.Fatalf("versions: %+v, %v", x, err)
	}
	n, err := e.Workspace().Notice(id)
	if err != nil || !strings.Contains(n.Text, "11月25日") || n.Changed.IsZero() {
		t.Errorf("%+v, %v", n, err)
	}
	must(t, e.Facts.Idle(t.Context()))
	if got := saysOf(t, e, id, "deadline"); got != "2026-11-25T09:30+08:00" {
		t.Errorf("its deadline is %s", got)
	}
	found, err := e.Inbox.Search(t.Context(), inbox.SearchRequest{Query: `"11月25日"`})
	if err != nil || len(found.Rows) != 1 || found.Rows[0].ID != id {
		t.Errorf("the search for what is new finds %+v, %v", found, err)
	}
	consistent(t, e)
}
