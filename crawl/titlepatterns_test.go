package crawl_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"angler/crawl/demo/demotest"
	"angler/crawl/view"
	"angler/message"
	"angler/store/config"
	"angler/topic"
)

// A mixed list of two pages whose titles match the tender patterns in part: the run, its
// row of the history, the list and Home count what the patterns leave out. A yes to the
// list takes in all of it, the page behind it included.
func TestTitlePatternsSayWhatTheyLeaveOut(t *testing.T) {
	const perPage, tenders = 20, 4 // of each page
	entries := func(from int) string {
		var b strings.Builder
		b.WriteString("<ul>")
		for i := from; i < from+perPage; i++ {
			title := fmt.Sprintf("关于第%d届运动会报名的通知", i)
			if i%perPage < tenders {
				title = fmt.Sprintf("关于第%d批显微镜采购项目的招标公告", i)
			}
			fmt.Fprintf(&b, `<li><a href="/info/%d.htm">%s</a><span>2026-10-%02d</span></li>`, i, title, i%28+1)
		}
		return b.String() + "</ul>"
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", demotest.Page(`<p>发布时间：2026-10-12</p><p>各单位请于规定时间之前将材料送达指定地点，逾期不再受理，望相互转告。</p>`))
	mux.HandleFunc("/{$}", demotest.Page(`<a href="/list.htm">通知公告</a> <a href="/buy.htm">招标公告</a>`))
	mux.HandleFunc("/list.htm", demotest.Page(entries(0)+`<p>第 1/2 页 <a href="/list2.htm">下一页</a></p>`))
	mux.HandleFunc("/list2.htm", demotest.Page(entries(perPage)+`<p>第 2/2 页 <a href="/list.htm">上一页</a></p>`))
	mux.HandleFunc("/buy.htm", demotest.Page(strings.ReplaceAll(entries(2*perPage), "运动会报名的通知", "图书采购项目的招标公告")))
	mux.HandleFunc("/robots.txt", http.NotFound)
	e, _ := demotest.Site(t, mux, func(s *config.Settings) { s.Crawl.Depth, s.Harvest.Share = 3, 0 })
	defer demotest.Close(t, e)
	discover(t, e.Runs)
	id := func(path string) uint64 {
		t.Helper()
		id, ok := e.Workspace().Lookup("http://a.test" + path)
		if !ok {
			t.Fatalf("%s is not known", path)
		}
		return id
	}
	addSample(t, e.Topic, "http://a.test/buy.htm")
	must(t, e.Topic.ChangeConfig(func(c *topic.Config) message.Text { c.Theta = .01; return "θ" }))
	sum := harvest(t, e.Runs)
	const left = 2 * (perPage - tenders)
	s := e.Snapshot()
	if sum.Tally.Unmatched != left || sum.Tally.Patterns != "tenders" || s.Last == nil || s.Last.Unmatched != left {
		t.Errorf("the run left out %d (%q), its row says %+v; want %d", sum.Tally.Unmatched, sum.Tally.Patterns, s.Last, left)
	}
	row := func() (h view.HarvestRow) {
		for _, r := range e.Snapshot().Harvest {
			if r.ID == id("/list.htm") {
				h = r
			}
		}
		return h
	}
	if got := row(); got.Unmatched != left {
		t.Errorf("the list says %+v", got)
	}
	if s.Story.Unmatched != left || s.Story.Unlike != 1 || s.Story.Patterns != "tenders" {
		t.Errorf("Home says %+v", s.Story)
	}
	must(t, e.Labels.SetLabel(id("/list.htm"), topic.Yes))
	if s := e.Snapshot(); s.Story.Unmatched != 0 || row().Unmatched != 0 {
		t.Errorf("a confirmed list leaves out %+v, %+v", s.Story, row())
	}
	sum = harvest(t, e.Runs)
	if n := e.Workspace().Counts().Notices; n != 3*perPage || sum.Tally.Unmatched != 0 {
		t.Errorf("%d notices of %d, %d left out, after the list was confirmed", n, 3*perPage, sum.Tally.Unmatched)
	}
}
