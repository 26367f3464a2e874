package crawl_test

import (
	"fmt"
	"net/http"
	"testing"

	"angler/crawl"
	"angler/crawl/demo/demotest"
	"angler/crawl/inbox"
	"angler/crawl/query"
	"angler/store/config"
)

// liveNotices keeps the highest number of new notices that a run told of whenever one came.
type liveNotices struct {
	query.Silent
	engine *crawl.Engine
	most   int
}

func (l *liveNotices) Notice(query.NoticeJSON) {
	l.most = max(l.most, l.engine.Tally().Notices)
}

// A site under three host names has each notice once: what a discovery tells while it runs
// never exceeds what it tells at its end.
func TestCopiesOfListsCountOnceWhileADiscoveryRuns(t *testing.T) {
	alone(t)
	const lists, notices = 96, 8 * 96
	told := &liveNotices{}
	e, _ := demotest.SiteWith(t, newNoticesSite(lists, notices), func(set *config.Settings) {
		set.Seeds = []string{"http://a.test/", "http://www.a.test/", "http://old.a.test/"}
		set.Crawl.PerHost = 8
	}, crawl.Options{Report: told})
	for i := range 3 {
		addSample(t, e.Topic, fmt.Sprintf("http://a.test/l/%d.htm", i))
	}
	told.engine = e
	s := discover(t, e.Runs)
	if s.Notices != notices || s.Notices != e.Workspace().Counts().Notices || e.Snapshot().Run.Notices != notices {
		t.Errorf("the discovery tells of %d notices, %d are stored, want %d", s.Notices, e.Workspace().Counts().Notices, notices)
	}
	if told.most > notices {
		t.Errorf("%d notices were told of while the discovery ran, %d at its end", told.most, notices)
	}
}

// A notice at two addresses is one notice on every screen, as soon as they were compared.
func TestNoticesAndTheirAddressesAreOneLedger(t *testing.T) {
	web := newNoticesSite(3, 12)
	web.texts[7] = web.texts[3]
	e, _ := demotest.SiteWith(t, web, nil, crawl.Options{Tell: true})
	for i := range 3 {
		addSample(t, e.Topic, fmt.Sprintf("http://a.test/l/%d.htm", i))
	}
	discover(t, e.Runs)
	must(t, e.Facts.Idle(t.Context()))
	snapshots, end := e.Subscribe()
	defer end()
	for s := range snapshots {
		if s.Counts.Copies == 0 {
			continue // they are being compared
		}
		if s.Counts.Notices != 12 || s.Counts.Copies != 1 || s.Run.Notices != 12 || s.Run.Copies != 1 || s.Story.Today != 11 {
			t.Errorf("%d addresses with %d copies, of the run %d with %d, today %d notices; want 11 at 12", s.Counts.Notices, s.Counts.Copies, s.Run.Notices, s.Run.Copies, s.Story.Today)
		}
		list, err := e.Inbox.List(t.Context(), inbox.Request{})
		must(t, err)
		shown := 0
		for i := range list.Rows {
			if list.Rows[i].Under == 0 {
				shown++
			}
		}
		if shown != 11 {
			t.Errorf("the pane shows %d notices, want 11", shown)
		}
		return
	}
}

// sideListSite is a site with a list of 20 notices, which each of its pages shows again
// beside its own text.
func sideListSite() http.Handler {
	rows := ""
	for i := range 20 {
		rows += fmt.Sprintf(`<li><a href="/n/%d.htm">东湖大学显微镜第%d批采购公告</a><span>2026-05-%02d</span></li>`, i, i, i+1)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		title, text := "东湖大学", "<p>东湖大学创办于1958年，欢迎访问。</p>"
		var n int
		switch _, err := fmt.Sscanf(r.URL.Path, "/n/%d.htm", &n); {
		case err == nil:
			title = fmt.Sprintf("东湖大学显微镜第%d批采购公告", n)
			text = fmt.Sprintf("<h1>%s</h1><p>项目编号：DHU-%d，预算金额：%d万元，欢迎符合条件的供应商参加投标。</p>", title, n, n+10)
		case r.URL.Path == "/zb.htm":
			title, text = "招标公告-东湖大学", ""
		case r.URL.Path != "/":
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!DOCTYPE html><html><head><title>%s</title></head><body><a href="/">首页</a> <a href="/zb.htm">招标公告</a>%s<ul>%s</ul></body></html>`, title, text, rows)
	})
}

// The list that an analyst shows as a sample is read whole, although every page of the host
// repeats its rows; also when it was stored before it became a sample.
func TestASampleIsNoFurniture(t *testing.T) {
	const list = "http://a.test/zb.htm"
	for _, later := range []bool{false, true} {
		e, _ := demotest.SiteWith(t, sideListSite(), nil, crawl.Options{})
		for step := range 2 {
			if late := step == 1; late == later {
				addSample(t, e.Topic, list)
			}
			discover(t, e.Runs)
			p, err := e.Workspace().Page(idOf(t, e, list))
			must(t, err)
			if want := 20; !later || step == 1 {
				if p.Records != want || e.Workspace().Counts().Notices != want {
					t.Errorf("added later %v: the sample has %d rows, %d notices came, want %d", later, p.Records, e.Workspace().Counts().Notices, want)
				}
			} else if p.Records == want {
				t.Error("a list that is no sample keeps the rows that every page repeats: the test shows nothing")
			}
		}
		must(t, e.Close())
	}
}
