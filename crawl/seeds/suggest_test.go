package seeds_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"angler/crawl"
	"angler/crawl/demo/demotest"
	"angler/crawl/seeds"
	"angler/store/config"
	"angler/store/records"
)

// searx answers like SearXNG: pages of ten results, with hosts that depend on the query.
type searx struct {
	mu    sync.Mutex
	asked []string // query and page
	per   func(q string, page int) []map[string]string
	fail  func(n int, w http.ResponseWriter) bool // before the n-th answer, from 1; true: it has answered
}

func (s *searx) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	page, _ := strconv.Atoi(q.Get("pageno"))
	s.mu.Lock()
	s.asked = append(s.asked, q.Get("q")+" "+strconv.Itoa(page))
	n := len(s.asked)
	s.mu.Unlock()
	if s.fail != nil && s.fail(n, w) {
		return
	}
	if r.URL.Path != "/search" || q.Get("format") != "json" {
		http.Error(w, "no such page", http.StatusNotFound)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"query": q.Get("q"), "number_of_results": 0, "results": s.per(q.Get("q"), page), "answers": []string{}, "unresponsive_engines": [][]string{{"google", "CAPTCHA"}}})
}

// sites returns result pages with ten sites each.
func sites(pages int) func(string, int) []map[string]string {
	return func(q string, page int) []map[string]string {
		var out []map[string]string
		for i := range 10 {
			if page <= pages {
				out = append(out, map[string]string{"url": fmt.Sprintf("https://www.site%d.example.com/%s/%d", (page-1)*10+i, q, i), "title": "站点 " + strconv.Itoa(i), "engine": "bing"})
			}
		}
		return out
	}
}

// open opens an engine on a workspace with this search server.
func open(t *testing.T, server string, change func(*config.Settings)) *crawl.Engine {
	t.Helper()
	return again(t, demotest.Workspace(t, func(set *config.Settings) {
		set.Suggest.SearXNG, set.Suggest.Delay = server, 0
		if change != nil {
			change(set)
		}
	}))
}

// again opens an engine on a workspace that another one has left.
func again(t *testing.T, dir string) *crawl.Engine {
	t.Helper()
	return demotest.Engine(t, dir, crawl.Options{By: "wang"})
}

func serve(t *testing.T, h http.Handler) string {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return s.URL
}

func TestSearch(t *testing.T) {
	x := &searx{per: sites(3)}
	e := open(t, serve(t, x), nil)
	ctx := context.Background()
	o, err := e.Seeds.SearchSeeds(ctx, seeds.SearchQuestion{Words: []string{"招标", " 采购  公告 ", "招标"}})
	if err != nil || o.New != 30 || o.Hosts != 30 || o.Asked != 8 {
		t.Fatalf("%+v, %v; want 30 hosts of 2 questions with 3 pages and an empty one each", o, err)
	}
	if want := []string{"招标 1", "招标 2", "招标 3", "招标 4", "采购 公告 1"}; !slices.Equal(x.asked[:5], want) {
		t.Errorf("asked %q", x.asked)
	}
	rows, err := e.Seeds.SeedProposals(seeds.ProposalOpen)
	if err != nil || len(rows) != 30 {
		t.Fatalf("%d are open, %v", len(rows), err)
	}
	p := rows[0]
	if p.Host != "site0.example.com" || p.URL != "https://www.site0.example.com/" || p.Domain != "example.com" || p.Votes != 2 || p.Search.Best != 1 || p.Search.Results != 2 || !p.New || p.Title != "站点 0" {
		t.Errorf("the first is %+v %+v", p, p.Search)
	}
	if n := e.Snapshot().Proposed; n.Open != 30 || n.New != 30 {
		t.Errorf("viewers see %+v", n)
	}
	// Answered queries are not repeated.
	if o, err := e.Seeds.SearchSeeds(ctx, seeds.SearchQuestion{Words: []string{"招标"}}); err != nil || o.Skipped != 1 || o.Asked != 0 {
		t.Errorf("again: %+v, %v", o, err)
	}
	if o, err := e.Seeds.SearchSeeds(ctx, seeds.SearchQuestion{Words: []string{"招标"}, Again: true}); err != nil || o.Asked != 4 || o.New != 0 {
		t.Errorf("asked again: %+v, %v", o, err)
	}
}

// The number of results is bounded, and a server that repeats page 1 forever is abandoned.
func TestSearchBounds(t *testing.T) {
	for _, c := range []struct {
		name  string
		per   func(string, int) []map[string]string
		most  int
		hosts int
		asked int
	}{
		{"150 of many", sites(1000), 150, 150, 15},
		{"the same page for ever", func(q string, _ int) []map[string]string { return sites(1)(q, 1) }, 150, 10, 2},
		{"one result", sites(5), 1, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			x := &searx{per: c.per}
			e := open(t, serve(t, x), func(s *config.Settings) { s.Suggest.Results = c.most })
			o, err := e.Seeds.SearchSeeds(context.Background(), seeds.SearchQuestion{Words: []string{"招标"}})
			if err != nil || o.Hosts != c.hosts || len(x.asked) != c.asked {
				t.Errorf("%d hosts by %d pages, %v; want %d by %d", o.Hosts, len(x.asked), err, c.hosts, c.asked)
			}
		})
	}
}

// Errors of a useless server contain a remedy, and earlier results stay.
func TestSearchServers(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	million := func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"query":"x","results":[`)
		for i := range 1_000_000 {
			if _, err := fmt.Fprintf(w, `{"url":"http://s%d.example.org/","title":"t"},`, i); err != nil {
				return // it was cut off
			}
		}
		_, _ = io.WriteString(w, `{"url":"http://end.example.org/"}]}`)
	}
	text := func(status int, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status); _, _ = io.WriteString(w, body) }
	}
	for _, c := range []struct {
		name   string
		server http.HandlerFunc // nil: no answer
		want   string           // of the error
		hosts  int
	}{
		{"down", nil, "does not answer (connect): start it, or change suggest.searxng", 0},
		{"a web page", text(200, "<!DOCTYPE html><html><body>SearXNG</body></html>"), "a web page instead of JSON: allow json in search.formats", 0},
		{"format refused", text(403, "Forbidden"), "refuses to answer with JSON (status 403): allow json in search.formats", 0},
		{"another program", text(404, "404 page not found"), "there is no SearXNG at", 0},
		{"broken", text(500, "oops"), "answers with status 500", 0},
		{"elsewhere", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://other.example.com/", http.StatusFound)
		}, "sends us to http://other.example.com/", 0},
		{"words", text(200, `"hello"`), "no answer of SearXNG", 0},
		{"no results", text(200, `{"a":1}`), "it has no results", 0},
		{"a million rows", million, "", 150},
		{"half an answer", text(200, `{"results":[{"url":"http://half.example.org/","title":"x"},{"url":"http://la`), "", 1},
		{"results of every kind", text(200, `{"results":[1,"x",null,{"url":5},{"url":"http://good.example.org/x"},{"title":"no address"}]}`), "", 1},
		{"nests 20 000 deep", text(200, `{"results":[{"url":"http://a.example.org/"},`+strings.Repeat("[", 20_000)), "", 1},
		{"its engines are silent", text(200, `{"results":[],"unresponsive_engines":[["google","CAPTCHA"],["bing","timeout"]]}`), "google (CAPTCHA), bing (timeout)", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := gone.URL
			if c.server != nil {
				server = serve(t, c.server)
			}
			e := open(t, server, nil)
			o, err := e.Seeds.SearchSeeds(context.Background(), seeds.SearchQuestion{Words: []string{"一", "二", "三", "四", "五", "六"}})
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v; want %q", err, c.want)
			}
			if rows, _ := e.Seeds.SeedProposals(""); len(rows) != c.hosts || o.Hosts != c.hosts {
				t.Errorf("%d hosts are proposed, %d were told; want %d", len(rows), o.Hosts, c.hosts)
			}
			if j := e.Snapshot().Job; j.Name != "" {
				t.Errorf("the job goes on: %+v", j)
			}
		})
	}
}

// Results must not lead into this machine's network, in any spelling.
func TestSearchFindsNothingPrivate(t *testing.T) {
	bad := []string{"http://127.0.0.1/", "http://localhost:9200/", "http://10.1.2.3/admin", "http://[::1]/", "http://2130706433/", "http://0x7f.1/", "http://169.254.169.254/latest", "http://intranet/", "http://printer.local/",
		"http://router.lan/", "http://metadata.google.internal/", "file:///etc/passwd", "javascript:alert(1)", "http://", "http://192.168.0.1.:8080/", "ftp://ftp.example.com/", "http://" + strings.Repeat("a", 9000) + ".com/", "http://a b.com/"}
	good := map[string]string{"http://例子.测试.com/列表": "xn--fsqu00a.xn--0zwm56d.com", "https://m.example.org/x": "example.org", "http://www.example.org:80/": "example.org", "http://example.org/y": "example.org",
		"http://example.org:8080/": "example.org:8080", "http://www.gov.cn/": "www.gov.cn", "http://cg.xx.edu.cn/a": "cg.xx.edu.cn", "http://93.184.216.34/": "93.184.216.34"}
	x := &searx{per: func(_ string, page int) (out []map[string]string) {
		if page > 1 {
			return nil
		}
		for _, u := range bad {
			out = append(out, map[string]string{"url": u})
		}
		for u := range good {
			out = append(out, map[string]string{"url": u})
		}
		return out
	}}
	e := open(t, serve(t, x), nil)
	o, err := e.Seeds.SearchSeeds(context.Background(), seeds.SearchQuestion{Words: []string{"x"}})
	if err != nil || o.Private == 0 {
		t.Errorf("%+v, %v", o, err)
	}
	rows, _ := e.Seeds.SeedProposals("")
	var got, want []string
	for _, p := range rows {
		got = append(got, p.Host)
	}
	for _, h := range good {
		want = append(want, h)
	}
	slices.Sort(got)
	slices.Sort(want)
	if want = slices.Compact(want); !slices.Equal(got, want) {
		t.Errorf("proposed are %q\nwant %q", got, want)
	}
}

// The numbers are P3's. A server that asks to wait gets a pause, and the wait can be cancelled.
func TestSearchPatience(t *testing.T) {
	if s := config.Default().Suggest; s.MostWords != 500 || s.Results != 150 {
		t.Errorf("P3's numbers are %d × %d", s.MostWords, s.Results)
	}
	ctx, cancel := context.WithCancel(context.Background())
	x := &searx{per: sites(1), fail: func(n int, w http.ResponseWriter) bool {
		if n > 1 {
			t.Error("it was asked again at once")
		}
		w.Header().Set("Retry-After", "60")
		w.WriteHeader(http.StatusTooManyRequests)
		cancel() // during the wait
		return true
	}}
	e := open(t, serve(t, x), nil)
	o, err := e.Seeds.SearchSeeds(ctx, seeds.SearchQuestion{Words: []string{"x"}})
	if !errors.Is(err, context.Canceled) || o.Asked != 0 {
		t.Errorf("%+v, %v", o, err)
	}
}

// A truncated answer without a result leaves the query unanswered, and the caller gets an error.
func TestBrokenAnswersAreTold(t *testing.T) {
	x := &searx{per: sites(1), fail: func(_ int, w http.ResponseWriter) bool {
		io.WriteString(w, `{"query": "x", "results": [{"url": "http://a.te`)
		return true
	}}
	e := open(t, serve(t, x), nil)
	o, err := e.Seeds.SearchSeeds(context.Background(), seeds.SearchQuestion{Words: []string{"x"}})
	if err == nil || !strings.Contains(err.Error(), "breaks off in the middle") || o.Asked != 0 {
		t.Errorf("%+v, %v", o, err)
	}
	x.fail = nil
	if o, err := e.Seeds.SearchSeeds(context.Background(), seeds.SearchQuestion{Words: []string{"x"}}); err != nil || o.Skipped != 0 || o.New == 0 {
		t.Errorf("once the server is well again: %+v, %v", o, err)
	}
}

// An interrupted search continues where it stopped, also in another process, and counts nothing twice.
func TestSearchGoesOn(t *testing.T) {
	x := &searx{per: sites(3)}
	server := serve(t, x)
	e := open(t, server, nil)
	dir := e.Workspace().Dir()
	ctx, cancel := context.WithCancel(context.Background())
	var stopped atomic.Bool
	x.fail = func(n int, _ http.ResponseWriter) bool {
		if n == 6 { // page 2 of the second question
			stopped.Store(true)
			cancel()
		}
		return false
	}
	words := []string{"招标", "采购", "询价"}
	if _, err := e.Seeds.SearchSeeds(ctx, seeds.SearchQuestion{Words: words}); !errors.Is(err, context.Canceled) || !stopped.Load() {
		t.Fatal(err)
	}
	must(t, e.Close())
	x.asked, x.fail = nil, nil
	e = again(t, dir)
	o, err := e.Seeds.SearchSeeds(context.Background(), seeds.SearchQuestion{Words: words})
	if err != nil || o.Skipped != 1 || x.asked[0] != "采购 2" {
		t.Fatalf("%+v, %v; asked %q", o, err, x.asked)
	}
	rows, _ := e.Seeds.SeedProposals("")
	if len(rows) != 30 {
		t.Fatalf("%d hosts", len(rows))
	}
	for _, p := range rows {
		if p.Search.Questions != 3 || p.Search.Results != 3 {
			t.Errorf("%s: %d questions, %d results", p.Host, p.Search.Questions, p.Search.Results)
		}
	}
}

// Verdicts are decisions: an accepted host is a seed, also after a restart; undo reverts it, and a rejected host is
// not proposed again.
func TestVerdicts(t *testing.T) {
	x := &searx{per: sites(1)}
	server := serve(t, x)
	e := open(t, server, nil)
	dir := e.Workspace().Dir()
	ctx := context.Background()
	if _, err := e.Seeds.SearchSeeds(ctx, seeds.SearchQuestion{Words: []string{"招标"}}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "angler.toml")
	text, err := os.ReadFile(file)
	must(t, err)
	mine := strings.Replace(string(text), "seeds = [", "# Ours, do not touch.\nseeds = [ # the first\n  # of the city\n", 1)
	must(t, os.WriteFile(file, []byte(mine), 0o600))
	if n, err := e.Seeds.AcceptSeeds([]string{"site1.example.com", "https://www.site2.example.com/x", "site1.example.com"}); err != nil || n != 2 && n != 3 {
		t.Fatalf("%d, %v", n, err)
	}
	if _, err := e.Seeds.RejectSeeds([]string{"site3.example.com"}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Seeds.AcceptSeeds([]string{"nowhere.example.com"}); err == nil || !strings.Contains(err.Error(), "is not proposed") {
		t.Errorf("a host without a proposal: %v", err)
	}
	check := func(e *crawl.Engine, when string, seeds []string, states map[string]int) {
		t.Helper()
		set, err := config.Read(dir)
		if err != nil || !slices.Equal(set.Seeds, seeds) || !slices.Equal(e.Set().Seeds, seeds) {
			t.Errorf("%s: seeds %q in the file, %q in force, %v; want %q", when, set.Seeds, e.Set().Seeds, err, seeds)
		}
		for _, u := range seeds[1:] {
			if host := strings.TrimSuffix(strings.TrimPrefix(u, "https://"), "/"); !slices.Contains(set.Crawl.PublicOnly, host) {
				t.Errorf("%s: %s may lead into this network: %q", when, host, set.Crawl.PublicOnly)
			}
		}
		if len(seeds) == 1 && len(set.Crawl.PublicOnly) > 0 {
			t.Errorf("%s: public_only keeps %q", when, set.Crawl.PublicOnly)
		}
		rows, _ := e.Seeds.SeedProposals("")
		got := map[string]int{}
		for _, p := range rows {
			got[p.State]++
		}
		if fmt.Sprint(got) != fmt.Sprint(states) {
			t.Errorf("%s: %v; want %v", when, got, states)
		}
	}
	both := []string{"http://a.test/", "https://www.site1.example.com/", "https://www.site2.example.com/"}
	check(e, "accepted", both, map[string]int{"open": 7, "accepted": 2, "rejected": 1})
	b, _ := os.ReadFile(file)
	if !strings.Contains(string(b), "# Ours, do not touch.\n") || !strings.Contains(string(b), "# of the city") || !strings.Contains(string(b), "# the first") {
		t.Errorf("comments are lost:\n%.400s", b)
	}
	must(t, e.Close())
	e = again(t, dir)
	check(e, "opened again", both, map[string]int{"open": 7, "accepted": 2, "rejected": 1})
	// A rejected host stays rejected when found again.
	o, err := e.Seeds.SearchSeeds(ctx, seeds.SearchQuestion{Words: []string{"采购"}})
	if err != nil || o.Rejected != 1 || o.Covered != 2 || o.Hosts != 7 {
		t.Errorf("%+v, %v", o, err)
	}
	for _, want := range []string{"rejected", "accepted"} {
		if what, err := e.Topic.UndoLate(true); err != nil || !strings.Contains(what.String(), want) {
			t.Fatalf("undo: %q, %v", what, err)
		}
	}
	check(e, "undone", both[:1], map[string]int{"open": 10})
	if _, err := e.Topic.Redo(); err != nil {
		t.Fatal(err)
	}
	check(e, "done again", both, map[string]int{"open": 8, "accepted": 2})
}

// A process killed between the verdict and the settings completes the change later; one killed after the settings
// repeats nothing. A seed removed by hand stays removed.
func TestVerdictsAfterAKill(t *testing.T) {
	x := &searx{per: sites(1)}
	server := serve(t, x)
	e := open(t, server, nil)
	dir := e.Workspace().Dir()
	if _, err := e.Seeds.SearchSeeds(context.Background(), seeds.SearchQuestion{Words: []string{"招标"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Seeds.AcceptSeeds([]string{"site1.example.com", "site2.example.com"}); err != nil {
		t.Fatal(err)
	}
	ws := e.Workspace()
	// As if only the verdict on site1 was logged.
	must(t, records.ChangeProposals(ws, func(r *records.ProposalRows) error {
		row := r.Host("site1.example.com")
		row.Seed = ""
		return r.Put(row)
	}))
	if _, err := e.Settings.ChangeSetting("seeds", `["http://a.test/"]`); err != nil {
		t.Fatal(err)
	}
	must(t, e.Close())
	e = again(t, dir)
	snaps, end := e.Subscribe()
	defer end()
	for e.Snapshot().Proposed.Rev == 0 {
		<-snaps
	}
	if want := []string{"http://a.test/", "https://www.site1.example.com/"}; !slices.Equal(e.Set().Seeds, want) {
		t.Errorf("seeds %q; want %q", e.Set().Seeds, want)
	}
}
