package crawl_test

import (
	"fmt"
	"testing"

	"angler/crawl"
	"angler/crawl/demo/demotest"
	"angler/crawl/inbox"
	"angler/crawl/query"
	"angler/crawl/run"
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
	defer closing(t, e)
	for i := range 3 {
		if _, err := e.Topic.AddSample(t.Context(), fmt.Sprintf("http://a.test/l/%d.htm", i), ""); err != nil {
			t.Fatal(err)
		}
	}
	told.engine = e
	s, err := e.Runs.Discover(t.Context(), run.Options{})
	if err != nil {
		t.Fatal(err)
	}
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
	defer closing(t, e)
	for i := range 3 {
		if _, err := e.Topic.AddSample(t.Context(), fmt.Sprintf("http://a.test/l/%d.htm", i), ""); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Runs.Discover(t.Context(), run.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := e.Facts.Idle(t.Context()); err != nil {
		t.Fatal(err)
	}
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
		if err != nil {
			t.Fatal(err)
		}
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
