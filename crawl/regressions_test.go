package crawl_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"angler/crawl"
	"angler/crawl/demo/demotest"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/message"
	"angler/store"
	"angler/store/config"
	"angler/topic"
)

// Engines and sites that tests open, and what they ask of them.
var (
	site        = demotest.Site
	page        = demotest.Page
	scan        = demotest.Scan
	thing       = demotest.Thing
	saying      = demotest.Saying
	bodyOf      = demotest.BodyOf
	created     = demotest.Workspace
	opened      = demotest.Engine
	dialling    = demotest.Dialing
	openDemo    = demotest.Open
	crawledDemo = demotest.Crawled
	sampled     = demotest.Sample
	consistent  = demotest.Consistent

	// openFull opens the demo's own web, sixteen times the small one: for tests of the whole
	// web, and of a crawl that must not end while the test acts.
	openFull = demotest.OpenFull
)

// served answers with pages by path, 404 for others.
func served(pages map[string]string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, body)
	})
}

// A list page with n dated records.
func listPage(n int) string {
	var b strings.Builder
	b.WriteString("<html><head><title>采购公告</title></head><body><ul>")
	for i := range n {
		fmt.Fprintf(&b, `<li><a href="/n/%d.htm">实验室设备采购项目招标公告第%d号</a><span>2026-03-%02d</span></li>`, i, i, i%28+1)
	}
	return b.String() + "</ul></body></html>"
}

// A changed setting rebuilds what depends on it and nothing else: the traps that
// were learned, the counters and the model stay.
func TestASettingChangesOnlyWhatDependsOnIt(t *testing.T) {
	d := crawledDemo(t, "", crawl.Options{}, 3, run.Options{MaxPages: 60})
	filtered := func() []view.FilterCount {
		var s view.Snapshot
		next, end := d.Subscribe()
		defer end()
		s = *<-next
		return s.Filtered
	}
	before, model, scores := filtered(), d.Snapshot().ModelRev, d.Topic.Scores()
	if len(before) == 0 || model == 0 {
		t.Fatalf("nothing was filtered (%v), or there is no model (%d)", before, model)
	}
	for _, change := range [][2]string{{"crawl.delay", "3ms"}, {"crawl.workers", "3"}, {"scope.exclude", `["/nothing/"]`}, {"harvest.patterns", `["招标"]`}} {
		must(t, errOf(d.Settings.ChangeSetting(change[0], change[1])))
		if after := filtered(); !slices.Equal(before, after) {
			t.Errorf("%s: %v were filtered before, %v after", change[0], before, after)
		}
		if now := d.Topic.Scores(); now != scores || d.Snapshot().ModelRev != model {
			t.Errorf("%s: another model", change[0])
		}
	}
}

// While an action is in work, however long it takes, viewers get snapshots and
// workers judge pages.
func TestNobodyWaitsForAnAction(t *testing.T) {
	d := openFull(t, "", crawl.Options{})
	sampled(t, d, 3)
	must(t, d.Words(context.Background()))
	must(t, d.Runs.StartDiscovery())
	next, end := d.Subscribe()
	defer end()
	for s := range next {
		if s.Fetched > 0 {
			break
		}
	}
	inside, release := make(chan struct{}), make(chan struct{})
	var acting sync.WaitGroup
	acting.Go(func() {
		err := d.Topic.ChangeConfig(func(c *topic.Config) message.Text {
			close(inside)
			<-release
			c.Theta = .4
			return "θ .400"
		})
		if err != nil {
			t.Error(err)
		}
	})
	<-inside
	<-next // may have been made before
	first := <-next
	for range 5 {
		s := <-next
		if s.Seq <= first.Seq {
			t.Errorf("snapshot %d came after %d", s.Seq, first.Seq)
		}
	}
	for s := range next { // workers judge and store pages meanwhile
		if s.Fetched > first.Fetched+20 && s.Counts.Pages > first.Counts.Pages {
			break
		}
		if s.State == view.Idle {
			t.Fatalf("the discovery ended beside the action: %s %s", s.Why, s.Err)
		}
	}
	if n := len(d.Topic.Samples()); n != 3 {
		t.Errorf("%d samples", n)
	}
	close(release)
	acting.Wait()
	if theta := d.Topic.Config().Theta; theta != .4 {
		t.Errorf("θ is %v after the action", theta)
	}
}

// Pages that another dictionary counted are counted again although another job
// was under way when it changed, and a discovery waits for that instead of being
// refused.
func TestCountingAgainWaitsForItsTurn(t *testing.T) {
	d := crawledDemo(t, "", crawl.Options{}, 3, run.Options{MaxPages: 40})
	busy := d.OccupyJobs("comparing link orders")
	must(t, d.Topic.AcceptTerms([]string{"竞争性磋商公告"}))
	if err := d.Runs.StartProbe(); err != nil {
		t.Fatalf("a discovery beside another job: %v", err)
	}
	if !d.Crawling() {
		t.Error("a discovery that waits for a job is not said to crawl")
	}
	next, end := d.Subscribe()
	defer end()
	for s := range next { // it waits, and says for what
		if strings.Contains(s.Why, "comparing link orders") {
			break
		}
		if s.State == view.Idle && s.Err != "" {
			t.Fatalf("the discovery ended: %s", s.Err)
		}
	}
	busy()
	for s := range next {
		if s.State == view.Idle {
			if s.Err != "" {
				t.Fatal(s.Err)
			}
			break
		}
	}
	if n := d.StalePages(); n != 0 {
		t.Errorf("%d pages are still counted by another dictionary", n)
	}
	waitFor(t, "it no longer crawls", func() bool { return !d.Crawling() })
}

// Closing an engine closes its connections, so that workspaces visited one after
// another leak nothing.
func TestCloseLeavesNoConnectionOpen(t *testing.T) {
	var mu sync.Mutex
	open, closed := map[net.Conn]bool{}, make(chan struct{}, 100)
	server := httptest.NewUnstartedServer(served(map[string]string{"/": listPage(3)}))
	server.Config.ConnState = func(c net.Conn, s http.ConnState) {
		mu.Lock()
		defer mu.Unlock()
		switch s {
		case http.StateNew:
			open[c] = true
		case http.StateClosed:
			delete(open, c)
			closed <- struct{}{}
		}
	}
	server.Start()
	t.Cleanup(server.Close)
	dir := created(t, func(set *config.Settings) { set.Crawl.Delay = 0 })
	e := opened(t, dir, crawl.Options{Dial: dialling(server)})
	if s := discover(t, e.Runs); s.Pages == 0 {
		t.Fatalf("%+v", s)
	}
	must(t, e.Close())
	for {
		mu.Lock()
		n := len(open)
		mu.Unlock()
		if n == 0 {
			return
		}
		<-closed // the test's own deadline is the only one
	}
}

// A file or page without a byte of text is no sample.
func TestAnEmptyFileIsNoSample(t *testing.T) {
	e, _ := site(t, served(map[string]string{"/": listPage(5), "/empty": ""}), nil)
	for name, body := range map[string]string{"empty": "", "blank": " \n\t\n"} {
		path := filepath.Join(t.TempDir(), name+".html")
		must(t, os.WriteFile(path, []byte(body), 0o600))
		if _, err := e.Topic.AddSample(context.Background(), path, "http://a.test/x"); err == nil || !strings.Contains(err.Error(), "is empty") {
			t.Errorf("%s file: %v", name, err)
		}
		if _, err := e.Topic.AddNegative(context.Background(), path, "http://a.test/x"); err == nil {
			t.Errorf("%s file is a negative sample", name)
		}
	}
	if _, err := e.Topic.AddSample(context.Background(), "http://a.test/empty", ""); err == nil {
		t.Error("an empty page is a sample")
	}
	if n := len(e.Topic.Samples()); n != 0 {
		t.Errorf("%d samples", n)
	}
}

// A list whose server always names too long a length becomes a sample.
func TestASampleWhoseTransfersBreak(t *testing.T) {
	pages := served(map[string]string{"/": listPage(5)})
	e, _ := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "90000")
		pages.ServeHTTP(w, r)
	}), nil)
	must(t, errOf(e.Topic.AddSample(t.Context(), "http://a.test/", "")))
	if n := len(e.Topic.Samples()); n != 1 {
		t.Errorf("%d samples", n)
	}
}

// The bounds of a harvest hold for it and the discovery that goes before it
// together.
func TestAHarvestThatDiscoversKeepsItsBound(t *testing.T) {
	d := openDemo(t, "", crawl.Options{})
	sampled(t, d, 3)
	const most = 40
	before := d.Workspace().Counts().Pages
	s, err := d.Runs.Harvest(context.Background(), run.Options{MaxPages: most})
	if err != nil && !errors.Is(err, run.ErrNoAggregations) {
		t.Fatal(err)
	}
	fetched := d.FetchedSoFar()
	if fetched > most || fetched == 0 {
		t.Errorf("%d fetches with a bound of %d (%+v, %d pages before)", fetched, most, s, before)
	}
}

// Who stops the discovery that goes before a harvest wants no harvest.
func TestStoppingTheDiscoveryStartsNoHarvest(t *testing.T) {
	d := openDemo(t, "", crawl.Options{Override: func(s *config.Settings) { s.Crawl.Delay = config.Duration(time.Minute) }})
	sampled(t, d, 3)
	must(t, d.Words(context.Background()))
	next, end := d.Subscribe()
	defer end()
	type ended struct {
		s   run.Summary
		err error
	}
	done := make(chan ended, 1)
	go func() {
		s, err := d.Runs.Harvest(context.Background(), run.Options{})
		done <- ended{s, err}
	}()
	for s := range next {
		if s.Task == view.Discovery && s.Fetched > 0 {
			break
		}
	}
	d.Runs.Stop()
	got := <-done
	if got.err != nil || got.s.Task != view.Discovery || !got.s.Stopped {
		t.Errorf("the harvest ended with %+v, %v", got.s, got.err)
	}
	if n := saying(d.Engine, "harvest started"); n > 0 {
		t.Errorf("%d events tell of a harvest", n)
	}
}

// What a screen can cancel ends when it is cancelled.
func TestReadingEndsWithItsContext(t *testing.T) {
	d := crawledDemo(t, "", crawl.Options{}, 3, run.Options{MaxPages: 30})
	rows, err := d.Pages.Candidates(context.Background())
	if err != nil || len(rows) == 0 {
		t.Fatalf("%d candidates, %v", len(rows), err)
	}
	ids := make([]uint64, len(rows))
	for i, r := range rows {
		ids[i] = r.ID
	}
	over, cancel := context.WithCancel(context.Background())
	cancel()
	for name, f := range map[string]func() error{
		"preview":    func() error { _, err := d.Pages.Preview(over, ids[0]); return err },
		"source":     func() error { _, err := d.Pages.Source(over, ids[0]); return err },
		"pages":      func() error { _, err := d.Pages.Pages(over, ids); return err },
		"notice":     func() error { _, err := d.Pages.Notice(over, ids[0]); return err },
		"candidates": func() error { _, err := d.Pages.Candidates(over); return err },
		"like":       func() error { _, err := d.Pages.PagesLike(over, "*.test/"); return err },
	} {
		if err := f(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s under a cancelled context: %v", name, err)
		}
	}
}

// A folder and its index file that give the same bytes are one page, whichever
// comes first; different bytes are two.
func TestAFolderAndItsIndexFileAreOnePage(t *testing.T) {
	front := `<html><head><title>首页</title></head><body><p>东湖大学招标采购网，发布采购信息。</p>`
	e, _ := site(t, served(map[string]string{
		"/":             front + `<a href="/index.html">首页</a> <a href="/a/index.htm">甲</a> <a href="/b/">乙</a> <a href="/b/index.html">丙</a></body></html>`,
		"/index.html":   front + `<a href="/index.html">首页</a> <a href="/a/index.htm">甲</a> <a href="/b/">乙</a> <a href="/b/index.html">丙</a></body></html>`,
		"/a/index.htm":  `<html><head><title>甲</title></head><body><p>采购公告与中标公告。</p><a href="/a/">甲</a></body></html>`,
		"/a/":           `<html><head><title>甲</title></head><body><p>采购公告与中标公告。</p><a href="/a/">甲</a></body></html>`,
		"/b/":           `<html><head><title>乙</title></head><body><p>这一页与另一页不同。</p></body></html>`,
		"/b/index.html": `<html><head><title>丙</title></head><body><p>另一页有别的内容。</p></body></html>`,
	}), nil)
	for round := range 2 { // the second one finds what the first one stored
		discover(t, e.Runs)
		pages := map[string]bool{}
		for p := range each(t, e.Workspace().Pages()) {
			if p.Status == 200 {
				pages[strings.TrimPrefix(p.URL, "http://a.test")] = true
			}
		}
		if len(pages) != 4 || !pages["/b/"] || !pages["/b/index.html"] || pages["/"] == pages["/index.html"] || pages["/a/"] == pages["/a/index.htm"] {
			t.Errorf("round %d: pages %v", round, pages)
		}
		consistent(t, e)
	}
}

// BenchmarkViewersBesideAnAction labels 10 000 pages beside 20 000 labels and
// tells the longest gap between two snapshots meanwhile.
func BenchmarkViewersBesideAnAction(b *testing.B) {
	e, _ := site(b, served(nil), nil)
	const known, batch = 20_000, 10_000
	rows := make([]topic.LabelRow, 0, known+batch)
	var links []store.Link
	for i := range known + batch {
		u := fmt.Sprintf("http://a.test/p/%d.htm", i)
		links = append(links, store.Link{URL: u})
		l := topic.Yes
		if i%3 == 0 {
			l = topic.No
		}
		rows = append(rows, topic.LabelRow{URL: u, Label: l})
	}
	fill(b, e, links)
	if n, unknown, err := e.Labels.LabelURLs(rows[:known], "many"); err != nil || n != known {
		b.Fatalf("%d labels, %d unknown, %v", n, len(unknown), err)
	}
	next, end := e.Subscribe()
	defer end()
	for b.Loop() {
		done := make(chan error, 1)
		begun := time.Now()
		go func() {
			_, _, err := e.Labels.LabelURLs(rows[known:], "a batch")
			done <- err
		}()
		last, worst, n := begun, time.Duration(0), 0
		for acting := true; acting; {
			select {
			case <-next:
				n++
				worst, last = max(worst, time.Since(last)), time.Now()
			case err := <-done:
				must(b, err)
				acting = false
			}
		}
		b.ReportMetric(float64(worst.Milliseconds()), "worst-gap-ms")
		b.ReportMetric(float64(time.Since(begun).Milliseconds()), "batch-ms")
		b.ReportMetric(float64(n), "snapshots")
		undo(b, e.Topic)
	}
}

// fill stores a small page under every link.
func fill(b *testing.B, e *crawl.Engine, links []store.Link) {
	found, err := e.Workspace().Admit(links, 1)
	must(b, err)
	var batch []*store.Capture
	for _, f := range found {
		doc := topic.Doc{URL: f.Row.URL, Records: 5, Dated: 5, Full: topic.Vector{{ID: uint32(f.Row.ID % 50), N: 3}}, List: topic.Vector{{ID: uint32(f.Row.ID % 50), N: 1}}}
		batch = append(batch, &store.Capture{ID: f.Row.ID, State: store.Complete, Page: &store.Page{URL: f.Row.URL, Status: 200, Fetched: time.Now()}})
		e.CountPage(f.Row.ID, doc)
	}
	must(b, errOf(e.Workspace().Commit(nil, batch)))
}

// A notice whose text stands in a frame of its page has the text of the frame, and title and date of its list.
func TestANoticeWhoseTextStandsInAFrame(t *testing.T) {
	pages := map[string]string{"/": listPage(3)}
	for i := range 3 {
		pages[fmt.Sprintf("/n/%d.htm", i)] = fmt.Sprintf(`<title>东湖大学</title><h1>公告</h1><iframe src="/body/%d.htm"></iframe>`, i)
		pages[fmt.Sprintf("/body/%d.htm", i)] = fmt.Sprintf(`<title>正文</title><p>项目编号：DH-%d，预算金额：35万元，欢迎符合条件的供应商参加投标。</p>`, i)
	}
	e, _ := site(t, served(pages), nil)
	addSample(t, e.Topic, "http://a.test/")
	discover(t, e.Runs)
	for i := range 3 {
		n := storedNotice(t, e, i)
		if n == nil || !strings.Contains(n.Text, fmt.Sprintf("DH-%d", i)) || !strings.Contains(n.Title, "实验室设备采购项目") || n.Date.IsZero() {
			t.Errorf("notice %d: %+v", i, n)
		}
	}
}

// storedNotice returns notice i of a listPage; nil = it is not stored.
func storedNotice(t *testing.T, e *crawl.Engine, i int) *store.Notice {
	t.Helper()
	id, _ := e.Workspace().Lookup(fmt.Sprintf("http://a.test/n/%d.htm", i))
	n, err := e.Workspace().Notice(id)
	must(t, err)
	return n
}

// Pages of announced notices are read although they come with status 404; pages that say no more than that are not.
func TestNoticesThatComeWithStatus404(t *testing.T) {
	pages := map[string]string{"/": listPage(4)}
	for i := range 3 {
		pages[fmt.Sprintf("/n/%d.htm", i)] = fmt.Sprintf(`<title>东湖大学</title><h1>实验室设备采购项目招标公告第%d号</h1><p>项目编号：DH-%[1]d，预算金额：35万元，欢迎符合条件的供应商参加投标。</p><p>投标文件于2026年3月30日9时30分前递交，逾期送达的投标文件不予受理，本项目不接受联合体投标。</p>`, i)
	}
	pages["/n/3.htm"] = `<title>404</title><h1>实验室设备采购项目招标公告第3号</h1><p>您访问的页面不存在。</p>`
	e, _ := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.Path]
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if !ok || r.URL.Path != "/" {
			w.WriteHeader(http.StatusNotFound)
		}
		fmt.Fprint(w, body)
	}), nil)
	addSample(t, e.Topic, "http://a.test/")
	discover(t, e.Runs)
	for i := range 4 {
		n := storedNotice(t, e, i)
		if read := n != nil && strings.Contains(n.Text, fmt.Sprintf("DH-%d", i)); read != (i < 3) {
			t.Errorf("notice %d: %+v", i, n)
		}
	}
}
