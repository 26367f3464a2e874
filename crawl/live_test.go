package crawl_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"angler/crawl"
	"angler/crawl/reader"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store/config"
	"angler/topic"
)

// noticeSet lists the notices that are stored, with title and text.
func noticeSet(t testing.TB, e *crawl.Engine) (list []string) {
	t.Helper()
	for n := range each(t, e.Workspace().Notices()) {
		list = append(list, n.URL+"\n"+n.Title+"\n"+n.Text)
	}
	slices.Sort(list)
	return list
}

// marked lists the pages that a discovery left as lists whose notices are under way.
func marked(t testing.TB, e *crawl.Engine) (list []string) {
	t.Helper()
	for p := range each(t, e.Workspace().Pages()) {
		if n := len(p.History); n > 0 && p.History[n-1]&6 != 0 && strings.Contains(p.URL, "list") {
			list = append(list, p.URL)
		}
	}
	return list
}

// A discovery alone brings home what a discovery without notices and a harvest after
// it bring, and a harvest finds nothing that is new.
func TestADiscoveryBringsNoticesHome(t *testing.T) {
	of := func(share float64) (*crawl.Engine, run.Summary) {
		b := openDemo(t, "", crawl.Options{Override: func(set *config.Settings) { set.Harvest.Share = share }})
		sampled(t, b, 3)
		s := discover(t, b.Runs)
		return b.Engine, s
	}
	apart, s := of(0)
	if s.Notices != 0 || apart.Workspace().Counts().Notices != 0 {
		t.Errorf("with a share of 0 a discovery brought %d notices", s.Notices)
	}
	harvest(t, apart.Runs)
	want := noticeSet(t, apart)
	live, s := of(.5)
	got := noticeSet(t, live)
	if len(want) < 60 || !slices.Equal(got, want) || s.Notices != len(got) {
		t.Errorf("%d notices (%d counted) of a discovery, %d of a harvest\n%s", len(got), s.Notices, len(want), firstDifference(strings.Join(got, "\n"), strings.Join(want, "\n")))
	}
	// Of a page with two addresses the one that is read first is the page.
	lists := func(e *crawl.Engine) (list []string) {
		for _, p := range exported[view.PageRow](t, e, "aggregations") {
			list = append(list, p.Title)
		}
		slices.Sort(list)
		return list
	}
	if a, b := lists(live), lists(apart); !slices.Equal(a, b) {
		t.Errorf("%d aggregation pages, %d of a discovery without notices", len(a), len(b))
	}
	h := harvest(t, live.Runs)
	if h.Notices != 0 || h.Pages != 0 {
		t.Errorf("a harvest after it brought %d notices and %d pages", h.Notices, h.Pages)
	}
	shown := live.Snapshot()
	if len(shown.Notices) == 0 || shown.Counts.Notices != len(got) {
		t.Errorf("the pane shows %d notices, the counts say %d", len(shown.Notices), shown.Counts.Notices)
	}
}

// Whatever breaks a discovery off, the next one brings home what is missing.
func TestADiscoveryGoesOnWithTheNoticesOfAList(t *testing.T) {
	for _, c := range []struct{ name, path string }{
		{"stopped at a notice", "/n/20.htm"},
		{"stopped at the first notice", "/n/0.htm"},
		{"stopped behind the list", "/list2.htm"},
	} {
		for _, depth := range []int{1, 5} { // the notices lie beyond the first
			t.Run(fmt.Sprint(c.name, ", depth ", depth), func(t *testing.T) { goesOn(t, c.path, depth) })
		}
	}
}

func goesOn(t *testing.T, stopAt string, depth int) {
	web := served(listOfTwoPages())
	var engine atomic.Pointer[crawl.Engine]
	var once atomic.Bool
	e, _ := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == stopAt && once.CompareAndSwap(false, true) {
			engine.Load().Runs.Stop()
			w.WriteHeader(http.StatusInternalServerError)
			return
		}
		web.ServeHTTP(w, r)
	}), func(set *config.Settings) { set.Crawl.Depth, set.Crawl.Workers = depth, 1 })
	engine.Store(e)
	addSample(t, e.Topic, "http://a.test/list.htm")
	if s := discover(t, e.Runs); !s.Stopped || s.Notices == 24 {
		t.Fatalf("%+v", s)
	}
	must(t, errOf(e.Runs.Retry(run.AllFailures)))
	discover(t, e.Runs)
	if n := len(noticeSet(t, e)); n != 24 {
		t.Errorf("%d notices after the second discovery, want 24", n)
	}
	if left := marked(t, e); len(left) > 0 {
		t.Errorf("still marked: %q", left)
	}
}

// A list that a change of the topic makes one sends its notices from the store, in
// the same discovery or the next, without a request; what it no longer is sends none.
func TestPagesJudgedAgainSendTheirNotices(t *testing.T) {
	var asked atomic.Int64
	web := served(listOfTwoPages())
	e, _ := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		web.ServeHTTP(w, r)
	}), nil)
	discover(t, e.Runs)
	was := asked.Load()
	addSample(t, e.Topic, "http://a.test/list.htm")
	s := discover(t, e.Runs)
	if s.Notices != 24 || s.Fetched > 0 || asked.Load() > was {
		t.Errorf("%d notices, %d fetched, %d requests", s.Notices, s.Fetched, asked.Load()-was)
	}
	undo(t, e.Topic)
	discover(t, e.Runs)
	if n := len(noticeSet(t, e)); n != 24 {
		t.Errorf("%d notices are left of 24 that were stored", n)
	}
}

// A run that is bounded in fetches counts those of notices; what is read from the
// store costs none.
func TestTheBudgetCountsNotices(t *testing.T) {
	e, _ := site(t, served(listOfTwoPages()), nil)
	addSample(t, e.Topic, "http://a.test/list.htm")
	s := discover(t, e.Runs, run.Options{MaxPages: 10})
	if s.Fetched != 10 || s.Notices == 0 || s.Notices > 8 {
		t.Errorf("%d fetched, %d notices", s.Fetched, s.Notices)
	}
	discover(t, e.Runs)
	if n := len(noticeSet(t, e)); n != 24 {
		t.Errorf("%d notices in the end", n)
	}
}

// noLists says of the lists of listOfTwoPages that they are none.
func noLists(t *testing.T, e *crawl.Engine) {
	t.Helper()
	rows := []topic.LabelRow{{URL: "http://a.test/list.htm", Label: topic.No}, {URL: "http://a.test/list2.htm", Label: topic.No}}
	if _, _, err := e.Labels.LabelURLs(rows, "labels"); err != nil {
		t.Error(err)
	}
}

// What an analyst takes for no list any more sends nothing from then on; what it has
// sent stays. After a discovery that was broken off it is unknown what its judgements
// rested on: what is no list at the end of the next one has sent nothing.
func TestNoticesOfNoList(t *testing.T) {
	for name, stops := range map[string]bool{"in the discovery": false, "after it was stopped": true} {
		t.Run(name, func(t *testing.T) {
			web := served(listOfTwoPages())
			var engine atomic.Pointer[crawl.Engine]
			var notices, home atomic.Int64
			e, _ := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				// A host has one page under way while it is young: four are stored.
				if strings.HasPrefix(r.URL.Path, "/n/") && notices.Add(1) == 5 {
					e := engine.Load()
					if home.Store(int64(e.Workspace().Counts().Notices)); stops {
						e.Runs.Stop()
					} else {
						noLists(t, e)
					}
				}
				web.ServeHTTP(w, r)
			}), nil)
			engine.Store(e)
			addSample(t, e.Topic, "http://a.test/list.htm")
			discover(t, e.Runs)
			want := e.Workspace().Counts().Notices
			if home.Load() == 0 || want < int(home.Load()) || want == 24 {
				t.Fatalf("%d notices were home, %d are", home.Load(), want)
			}
			withdrawn := 0
			if stops {
				noLists(t, e)
				withdrawn, want = want, 0
			}
			s := discover(t, e.Runs)
			shown := e.Snapshot()
			if s.Withdrawn != withdrawn || shown.Run.Withdrawn != withdrawn || shown.Last == nil || shown.Last.Withdrawn != withdrawn || s.Notices != 0 {
				t.Errorf("the discovery tells of %d new notices and %d that were withdrawn, the history row is %+v; want 0 and %d", s.Notices, s.Withdrawn, shown.Last, withdrawn)
			}
			if n := len(noticeSet(t, e)); n != want || n != e.Workspace().Counts().Notices || n != len(e.Snapshot().Notices) {
				t.Errorf("%d notices, %d counted, %d shown, want %d", n, e.Workspace().Counts().Notices, len(e.Snapshot().Notices), want)
			}
			if left := marked(t, e); len(left) > 0 {
				t.Errorf("still marked: %q", left)
			}
			if pages := e.Workspace().Counts().Pages; pages != 27 {
				t.Errorf("%d pages, want 27: they stay", pages)
			}
		})
	}
}

// beyond asserts how many pages do not count, and that none of them lies within the
// depth of discoveries.
func beyond(t *testing.T, e *crawl.Engine, want int) {
	t.Helper()
	n := 0
	for row := range each(t, e.Workspace().Counted()) {
		if !reader.IsBeyond(row.Terms) {
			continue
		}
		n++
		if u, err := e.Workspace().URL(row.ID); err != nil || u.Depth <= e.Workspace().Settings().Crawl.Depth {
			t.Errorf("%s does not count at depth %d, %v", row.URL, u.Depth, err)
		}
	}
	if n != want {
		t.Errorf("%d pages do not count, want %d", n, want)
	}
}

// A page that was read as beyond the depth of discoveries counts like any other once
// a shorter way to it is found.
func TestAShorterWayIsAsIfKnownAtOnce(t *testing.T) {
	web := listOfTwoPages()
	web["/"] = `<html><title>a</title><body><a href="/way.htm">way</a> <a href="/late.htm">late</a></body></html>`
	web["/way.htm"] = `<html><title>way</title><body><a href="/list.htm">list</a></body></html>`
	late := ""
	for i := range 12 {
		late += fmt.Sprintf(`<p><a href="/n/%d.htm">%d</a></p>`, i, i)
	}
	web["/late.htm"] = `<html><title>late</title><body>` + late + `</body></html>`
	crawled := func(fails bool) string {
		pages := served(web)
		var once atomic.Bool
		e, _ := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if fails && r.URL.Path == "/late.htm" && once.CompareAndSwap(false, true) {
				w.WriteHeader(http.StatusInternalServerError)
				return
			}
			pages.ServeHTTP(w, r)
		}), func(set *config.Settings) { set.Crawl.Depth, set.Crawl.Retries = 2, 0 })
		addSample(t, e.Topic, "http://a.test/list.htm")
		discover(t, e.Runs)
		if n := len(noticeSet(t, e)); n != 24 {
			t.Fatalf("%d notices, want 24", n)
		}
		if !fails {
			beyond(t, e, 12)
			return judged(t, e)
		}
		if !once.Load() {
			t.Fatal("nothing failed")
		}
		must(t, errOf(e.Runs.Retry(run.AllFailures)))
		discover(t, e.Runs)
		beyond(t, e, 12)
		return judged(t, e)
	}
	if got, want := crawled(true), crawled(false); got != want {
		t.Error(firstDifference(got, want))
	}
}
