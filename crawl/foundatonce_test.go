package crawl_test

import (
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/inbox"
	"angler/crawl/query"
	"angler/store/config"
)

// findsAtOnce searches for every notice while its commit is being told of.
type findsAtOnce struct {
	query.Silent
	found func(query.NoticeJSON)
}

func (f findsAtOnce) Notice(n query.NoticeJSON) { f.found(n) }

// TestANoticeIsFoundInTheMomentOfItsCommit: search, and with it inbox, query and notify, know
// a notice before anybody is told that it came, while the crawl goes on and whatever the
// keeper of the index is busy with. How long a search takes then is logged.
func TestANoticeIsFoundInTheMomentOfItsCommit(t *testing.T) {
	var e *crawl.Engine
	asked, missed := 0, 0
	var longest time.Duration
	b := openDemo(t, "", crawl.Options{Override: func(s *config.Settings) { s.Crawl.Depth = 2 }, Report: findsAtOnce{found: func(n query.NoticeJSON) {
		if asked == 100 {
			return // of the same
		}
		asked++
		begun := time.Now()
		got, err := e.Inbox.Search(t.Context(), inbox.SearchRequest{Query: n.URL})
		longest = max(longest, time.Since(begun))
		if err != nil || len(got.Rows) != 1 || got.Rows[0].URL != n.URL {
			missed++
			t.Errorf("%s: %+v, %v", n.URL, got, err)
		}
	}}})
	e = b.Engine
	sampled(t, b, 3)
	discover(t, e.Runs)
	if asked < 50 || missed > 0 {
		t.Errorf("%d notices, %d of them not found", asked, missed)
	}
	t.Logf("%d notices were found in the moment of their commit, by searches of %v at most", asked, longest)
}
