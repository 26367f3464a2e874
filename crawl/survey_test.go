package crawl_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/decisions"
	"angler/crawl/query"
	"angler/crawl/run"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
)

// queue is the order of what waits, and its rows.
func queue(t testing.TB, e *query.Survey, match func(string) bool) (*query.FrontierQueue, []view.FrontierRow) {
	t.Helper()
	q, err := e.Queue(context.Background(), match)
	must(t, err)
	rows, err := e.Rows(context.Background(), q, 0, q.Len())
	must(t, err)
	return q, rows
}

func land(t testing.TB, e *query.Survey) *query.SiteOverview {
	t.Helper()
	l, err := e.Land(context.Background())
	must(t, err)
	return l
}

// branch finds one by its prefix.
func branch(list []*query.Branch, prefix string) *query.Branch {
	for _, b := range list {
		if b.Prefix == prefix {
			return b
		}
		if strings.HasPrefix(prefix, b.Prefix) {
			return branch(b.Kids, prefix)
		}
	}
	return nil
}

// What a discovery left behind is ranked from the store: the next run takes what
// stands first, and a rule moves what it names.
func TestTheStoredFrontierIsWhatTheNextRunTakes(t *testing.T) {
	ctx := context.Background()
	b := crawledDemo(t, "", crawl.Options{}, 3, run.Options{MaxPages: 150})
	q, rows := queue(t, b.Survey, nil)
	if want := b.Workspace().Counts().Waiting; q.Len()+q.Dropped+q.Beyond != want || len(rows) != q.Len() || q.Len() < 40 {
		t.Fatalf("%d wait, %d dropped, %d beyond, %d rows; the store counts %d waiting", q.Len(), q.Dropped, q.Beyond, len(rows), want)
	}
	if !slices.IsSortedFunc(rows[:q.Len()-q.Later], func(x, y view.FrontierRow) int {
		switch {
		case x.Priority > y.Priority:
			return -1
		case x.Priority < y.Priority:
			return 1
		}
		return 0
	}) {
		t.Error("the rows are not in the order of their priority")
	}
	if first := rows[0]; first.Why == "" || first.Source == "" || first.Depth == 0 {
		t.Errorf("the first row says %+v", first)
	}
	part, err := b.Survey.Rows(ctx, q, 40, 10)
	if err != nil || len(part) != 10 || part[0].ID != rows[40].ID || part[9].ID != rows[49].ID {
		t.Errorf("rows 40 to 49: %d rows, %v", len(part), err)
	}
	if again, err := b.Survey.Queue(ctx, nil); err != nil || again != q {
		t.Errorf("nothing has changed and the order was made anew, %v", err)
	}
	last := rows[q.Len()-q.Later-1]
	must(t, b.Runs.SteerBranches([]string{strings.TrimPrefix(last.URL, "http://")}, decisions.Boost, time.Time{}))
	if _, rows = queue(t, b.Survey, nil); rows[0].ID != last.ID || !strings.HasPrefix(rows[0].Why, "boosted") {
		t.Errorf("the boosted one is not the first: %+v", rows[0])
	}
	some, found := queue(t, b.Survey, func(s string) bool { return strings.Contains(s, last.Host) })
	if some.Len() == 0 || some.Len() >= q.Len() || slices.ContainsFunc(found, func(r view.FrontierRow) bool { return !strings.Contains(r.URL, last.Host) }) {
		t.Errorf("%d of %d match", some.Len(), q.Len())
	}
	if err := b.Settings.SetWorkers(1); err != nil { // several begin at once
		t.Fatal(err)
	}
	if s := discover(t, b.Runs, run.Options{MaxPages: 1}); s.Fetched != 1 {
		t.Fatal(s)
	}
	if u, err := b.Workspace().URL(last.ID); err != nil || u.State == store.Waiting && u.Fails == 0 {
		t.Errorf("the next run did not take what stood first: %+v, %v", u, err)
	}
}

// The tree counts what the store holds: every branch its own and what lies below.
func TestTheLandIsWhatIsStored(t *testing.T) {
	alone(t)
	ctx := context.Background()
	b := openDemo(t, "", crawl.Options{})
	sampled(t, b, 3)
	harvest(t, b.Runs, run.Options{MaxPages: 900})
	harvest(t, b.Runs)
	l, n := land(t, b.Survey), b.Workspace().Counts()
	var sum query.Branch
	sections := 0
	for _, h := range l.Hosts {
		sum.URLs, sum.Pages, sum.Waiting, sum.Dead = sum.URLs+h.URLs, sum.Pages+h.Pages, sum.Waiting+h.Waiting, sum.Dead+h.Dead
		sum.Lists, sum.Notices = sum.Lists+h.Lists, sum.Notices+h.Notices
		spark := 0
		for _, v := range h.Spark {
			spark += v
		}
		if spark != h.Pages {
			t.Errorf("%s has %d pages and %d by time", h.Prefix, h.Pages, spark)
		}
		sections += len(h.Kids)
		for _, k := range h.Kids {
			rows, total, err := b.Survey.Stored(ctx, query.Pick{Branch: k.Prefix})
			if err != nil || total != k.URLs || len(rows) != total || !strings.HasPrefix(k.Prefix, h.Prefix) {
				t.Errorf("%s has %d URLs and lists %d, %v", k.Prefix, k.URLs, total, err)
			}
		}
	}
	if sum.URLs != n.URLs || sum.Pages != n.Pages || sum.Waiting != n.Waiting || sum.Dead != n.Exception || sum.Notices != n.Notices || sum.Lists != b.Snapshot().Counts.Aggregations {
		t.Errorf("the tree sums up to %+v, the store to %+v", sum, n)
	}
	if sections == 0 || n.Notices == 0 || sum.Lists == 0 {
		t.Error("there is too little to see anything")
	}
	failed, waiting := 0, 0
	for _, f := range l.Failures {
		failed, waiting = failed+f.N, waiting+f.Waits
		rows, total, err := b.Survey.Stored(ctx, query.Pick{Reason: f.Reason})
		if err != nil || total != f.N || len(rows) == 0 || rows[0].Reason == "" {
			t.Errorf("%q has %d URLs and lists %d, %v", f.Reason, f.N, total, err)
		}
		hosts := map[string]bool{}
		for _, r := range rows {
			hosts[urls.HostOf(r.URL)] = true
		}
		if len(hosts) != f.Hosts {
			t.Errorf("%q is of %d hosts, told %d", f.Reason, len(hosts), f.Hosts)
		}
	}
	if failed-waiting != n.Exception {
		t.Errorf("%d failed and %d of them wait for their next try; there are %d exceptions", failed, waiting, n.Exception)
	}
	troubles, err := b.Runs.Troubles()
	want, waits := 0, 0
	for _, x := range troubles {
		want, waits = want+x.N, waits+x.Waits
	}
	if err != nil || failed != want || waiting != waits || failed == 0 {
		t.Errorf("%d failed and %d of them wait, troubles tell %d and %d, %v", failed, waiting, want, waits, err)
	}
}

// What waits for its next try is in the list of what failed and told apart from the
// exceptions, which are as many there as everywhere else.
func TestWhatIsTriedAgainIsNoException(t *testing.T) {
	e, _ := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			fmt.Fprint(w, `<html><body><a href="/gone.htm">gone</a> <a href="/ill.htm">ill</a></body></html>`)
		case "/ill.htm":
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}), func(set *config.Settings) { set.Crawl.Retries = 3 })
	discover(t, e.Runs, run.Options{MaxPages: 3})
	failed, waits := 0, 0
	for _, f := range land(t, e.Survey).Failures {
		failed, waits = failed+f.N, waits+f.Waits
	}
	troubles, err := e.Runs.Troubles()
	told := 0
	for _, x := range troubles {
		told += x.Waits
	}
	if err != nil || told != waits {
		t.Errorf("%d wait for their next try, troubles tell %d, %v", waits, told, err)
	}
	if n := e.Snapshot().Counts.Exception; failed != 2 || waits != 1 || n != 1 {
		t.Errorf("%d failed, %d of them wait for the next try, %d exceptions; want 2, 1 and 1", failed, waits, n)
	}
}

// A branch is looked at, dropped, delayed and muted; one undo takes each back.
func TestActionsOnABranch(t *testing.T) {
	c := new(clock)
	b := crawledDemo(t, "", crawl.Options{Now: c.Now}, 3, run.Options{MaxPages: 150})
	l := land(t, b.Survey)
	var host *query.Branch
	for _, h := range l.Hosts {
		if host == nil || h.Waiting > host.Waiting {
			host = h
		}
	}
	waiting := func() int {
		_, rows := queue(t, b.Survey, nil)
		n := 0
		for _, r := range rows {
			if urls.Below(r.URL, host.Prefix) {
				n++
			}
		}
		return n
	}
	all := waiting()
	if all == 0 {
		t.Fatal("nothing waits below the host where most waits")
	}
	must(t, b.Runs.StartLook(host.Prefix))
	snaps, leave := b.Subscribe()
	defer leave()
	last := (<-snaps).Last
	for last == nil || last.Under != host.Prefix {
		last = (<-snaps).Last
	}
	if last.Fetched != 1 || land(t, b.Survey).Hosts == nil {
		t.Errorf("one look fetched %d pages: %+v", last.Fetched, last)
	}
	all = waiting()
	for _, x := range []struct {
		action string
		until  time.Time
		want   int
	}{{decisions.Drop, time.Time{}, 0}, {decisions.Delay, c.Now().Add(time.Hour), 0}, {decisions.Mute, time.Time{}, all}, {decisions.Bury, time.Time{}, all}} {
		must(t, b.Runs.SteerBranches([]string{host.Prefix}, x.action, x.until))
		if got := waiting(); got != x.want {
			t.Errorf("after %s %d wait below %s, want %d", x.action, got, host.Prefix, x.want)
		}
		if k := branch(land(t, b.Survey).Hosts, host.Prefix); k == nil || k.Rule != x.action {
			t.Errorf("after %s the tree shows %+v", x.action, k)
		}
		if x.action == decisions.Delay {
			c.jump(2 * time.Hour)
			if got := waiting(); got != all {
				t.Errorf("after the delay %d wait, want %d", got, all)
			}
			c.jump(-2 * time.Hour)
		}
		if what, err := b.Topic.Undo(); err != nil || !strings.Contains(what.String(), host.Prefix) || !strings.Contains(what.String(), x.action) {
			t.Errorf("undo of %s says %q, %v", x.action, what, err)
		}
		if got := waiting(); got != all {
			t.Errorf("after undo of %s %d wait, want %d", x.action, got, all)
		}
	}
	if err := b.Runs.SteerBranches([]string{host.Prefix}, decisions.Delay, c.Now().Add(-time.Hour)); err == nil {
		t.Error("a delay into the past was taken")
	}
}

// crowd makes a workspace of n waiting URLs on many hosts.
func crowd(t testing.TB, n int) *crawl.Engine {
	t.Helper()
	seeds := []string{"http://h0.test/"}
	dir := created(t, func(set *config.Settings) { set.Seeds = seeds })
	w, err := store.Open(dir)
	must(t, err)
	found, err := w.Seed(seeds)
	must(t, err)
	page := &store.Capture{ID: found[0].Row.ID, State: store.Complete, Page: &store.Page{URL: seeds[0], Status: 200, Fetched: time.Now()}}
	for i := range n {
		page.Links = append(page.Links, store.Link{URL: fmt.Sprintf("http://h%d.test/xw/%d/%d.htm", i%300, i%17, i), Hints: store.Hints{Anchor: "采购公告", Block: "div.list", AnchorScore: float64(i%97) / 97}})
	}
	must(t, errOf(w.Commit(nil, []*store.Capture{page})))
	must(t, w.Close())
	return opened(t, dir, crawl.Options{Override: func(s *config.Settings) { s.Scope.Kind = "pattern"; s.Scope.Include = []string{"."} }})
}

func BenchmarkSurvey(b *testing.B) {
	ctx := context.Background()
	e := crowd(b, 100_000)
	b.Run("queue", func(b *testing.B) {
		for b.Loop() {
			if q, err := e.Survey.Queue(ctx, func(string) bool { return true }); err != nil || q.Len() != 100_000 {
				b.Fatal(q, err)
			}
		}
	})
	q, _ := e.Survey.Queue(ctx, nil)
	b.Run("kept", func(b *testing.B) {
		for b.Loop() {
			must(b, errOf(e.Survey.Queue(ctx, nil)))
		}
	})
	b.Run("rows", func(b *testing.B) {
		for b.Loop() {
			if rows, err := e.Survey.Rows(ctx, q, 70_000, 1000); err != nil || len(rows) != 1000 {
				b.Fatal(len(rows), err)
			}
		}
	})
	b.Run("land", func(b *testing.B) {
		for b.Loop() {
			if l, err := e.Survey.Land(ctx); err != nil || len(l.Hosts) != 300 {
				b.Fatal(err)
			}
		}
	})
	b.Run("stored", func(b *testing.B) {
		for b.Loop() {
			if _, n, err := e.Survey.Stored(ctx, query.Pick{Branch: "h7.test/xw/"}); err != nil || n == 0 {
				b.Fatal(n, err)
			}
		}
	})
}

// What fails below a muted branch is counted as ever, without an alert.
// TestEveryRunHasItsRow sees that it is told otherwise.
func TestMutedFailuresAreNotReported(t *testing.T) {
	alone(t)
	b := openDemo(t, "", crawl.Options{})
	must(t, b.Runs.Steer(`^https?://[a-z.]+test/`, decisions.Mute))
	s := discover(t, b.Runs)
	if s.Failed == 0 {
		t.Fatalf("%d of %d failed", s.Failed, s.Fetched)
	}
	for _, k := range b.Snapshot().Kinds {
		if strings.Contains(k.Key, "HTTP status") {
			t.Errorf("a failure was told ×%d: %s", k.N, k.Newest.Text.String())
		}
	}
	failures := land(t, b.Survey).Failures
	for _, f := range failures {
		if f.Muted != f.N {
			t.Errorf("%s: %d of %d are muted", f.Reason, f.Muted, f.N)
		}
	}
	if len(failures) == 0 {
		t.Error("nothing is listed as failed")
	}
}
