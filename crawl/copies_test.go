package crawl_test

import (
	"fmt"
	"testing"

	"angler/crawl"
	"angler/crawl/demo/demotest"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store/config"
)

// liveNotices keeps the highest number of new notices that a run told of whenever one came.
type liveNotices struct {
	view.Silent
	engine *crawl.Engine
	most   int
}

func (l *liveNotices) Notice(view.NoticeJSON) {
	l.most = max(l.most, l.engine.Tally().Notices)
}

// A site under three host names has each notice once: what a discovery tells while it runs
// never exceeds what it tells at its end.
func TestCopiesOfListsCountOnceWhileADiscoveryRuns(t *testing.T) {
	alone(t)
	const lists, notices = 96, 8 * 96
	told := &liveNotices{}
	e, _ := demotest.SiteTold(t, newNoticesSite(lists, notices), func(set *config.Settings) {
		set.Seeds = []string{"http://a.test/", "http://www.a.test/", "http://old.a.test/"}
		set.Crawl.PerHost = 8
	}, told)
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
