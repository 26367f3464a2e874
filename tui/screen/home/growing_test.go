package home

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	engine "angler/crawl"
	"angler/crawl/auth"
	"angler/crawl/demo/demotest"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store/config"
)

// growing serves a site whose pages and lists appear with the number of requests, never with time. Each page links to
// what has appeared since the page before.
type growing struct {
	pages, lists int // in the end
	ahead        int // pages that are shown before a request makes room for the next

	mu            sync.Mutex
	served, shown int // pages
	listed        int
}

// newListEvery is the number of pages with which a list appears.
const newListEvery = 10

func (g *growing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var n int
	switch {
	case demotest.Scan(r.URL.Path, "/list%d.htm", &n):
		demotest.Page(tenderList(n))(w, r)
	case demotest.Scan(r.URL.Path, "/n%d.htm", &n):
		demotest.Page("<h1>"+demotest.Thing(n)+"采购项目公开招标公告</h1><p>采购人："+demotest.Thing(n)+"。</p>")(w, r)
	case r.URL.Path == "/" || demotest.Scan(r.URL.Path, "/p%d.htm", &n):
		demotest.Page("<h1>"+demotest.Thing(3*n+1)+"</h1>"+g.grow())(w, r)
	default:
		http.NotFound(w, r)
	}
}

// grow counts a page and returns its links.
func (g *growing) grow() string {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.served++
	var b strings.Builder
	for ; g.shown < min(g.pages, g.served+g.ahead); g.shown++ {
		fmt.Fprintf(&b, "<p><a href=/p%d.htm>%s学院概况</a></p>", g.shown, demotest.Thing(3*g.shown+2))
	}
	for ; g.listed < min(g.lists, 1+g.served/newListEvery); g.listed++ {
		fmt.Fprintf(&b, "<p><a href=/list%d.htm>招标公告</a></p>", g.listed)
	}
	return b.String()
}

func tenderList(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<h1>%s招标公告</h1><ul>", demotest.Thing(7*n))
	for i := range 8 {
		fmt.Fprintf(&b, `<li><a href="/n%d.htm">%s采购项目公开招标公告</a> <span>2026-11-%02d</span></li>`, 8*n+i,
			demotest.Thing(8*n+i), 1+i)
	}
	return b.String() + "</ul>"
}

// discovered crawls a site with one sample until about 95 % of its lists are found, and returns the summary and Home's
// last line about the lists. It checks the line of every snapshot.
func discovered(t *testing.T, e *engine.Engine, sample string) (run.Summary, string) {
	t.Helper()
	if _, err := e.Topic.AddSample(t.Context(), sample, ""); err != nil {
		t.Fatal(err)
	}
	snapshots, end := e.Subscribe()
	defer end()
	type ended struct {
		s   run.Summary
		err error
	}
	over := make(chan ended, 1)
	go func() {
		s, err := e.Runs.Discover(t.Context(), run.Options{Until: .95})
		over <- ended{s, err}
	}()
	line := ""
	for s := range snapshots {
		line = recallOf(t, s)
		x := &s.Run.Recall
		if strings.HasPrefix(line, "about") && s.Run.End == "" && (x.Pages < 100 || x.Lists+x.Near < 10) {
			t.Errorf("an estimate without evidence: %q", line)
		}
		if s.State == view.Idle && s.Run.End != "" {
			break
		}
	}
	got := <-over
	if got.err != nil {
		t.Fatal(got.err)
	}
	return got.s, line
}

// recallOf returns Home's line about the lists found.
func recallOf(t *testing.T, s *view.Snapshot) string {
	t.Helper()
	h, canvas, _, _ := home(t, s, auth.Owner)
	line := h.recall()
	if shown := text(h, canvas); strings.Contains(shown, "NaN") || strings.Contains(shown, "Inf") || line != "" && !strings.Contains(shown, line[:20]) {
		t.Errorf("%q is shown as\n%s", line, shown)
	}
	return line
}

// reopened opens a workspace again and returns Home's line about the lists found.
func reopened(t *testing.T, e *engine.Engine) string {
	t.Helper()
	dir := e.Workspace().Dir()
	demotest.Close(t, e)
	e, err := engine.Open(t.Context(), dir, engine.Options{By: "wang"})
	if err != nil {
		t.Fatal(err)
	}
	defer demotest.Close(t, e)
	return recallOf(t, e.Snapshot())
}

// A crawl until 95 % finds 95 % of the lists that appear on a growing site, where few addresses wait and where many do.
// Where no more lists appear, it stops before the end. The estimate is there after a harvest and after the next opening.
func TestUntilOnAGrowingSite(t *testing.T) {
	if testing.Short() {
		t.Skip("crawls for some seconds; -short leaves it out")
	}
	for _, c := range []struct {
		site  *growing
		stops bool
	}{
		{&growing{pages: 300, lists: 30, ahead: 1}, false},
		{&growing{pages: 300, lists: 30, ahead: 30}, false},
		{&growing{pages: 300, lists: 30, ahead: 200}, false},
		{&growing{pages: 700, lists: 15, ahead: 30}, true},
		{&growing{pages: 700, lists: 15, ahead: 200}, true},
	} {
		g := c.site
		t.Run(fmt.Sprintf("%d lists in %d pages, %d ahead", g.lists, g.pages, g.ahead), func(t *testing.T) {
			e, _ := demotest.Site(t, g, func(s *config.Settings) { s.Crawl.Workers, s.Crawl.Depth = 1, 1000 })
			s, line := discovered(t, e, "http://a.test/list0.htm")
			x := s.Tally.Recall
			t.Logf("%s: %+v; %q", s.End, x, line)
			if 100*(x.Lists+x.Near) < 95*g.lists {
				t.Errorf("the crawl ended (%s) with %d of %d lists", s.End, x.Lists+x.Near, g.lists)
			}
			want := "every address within reach is fetched: "
			if s.Tally.End == view.Spent {
				want = fmt.Sprintf("about %s of lists found: ", x.Percent())
			}
			if how := s.Tally.End; c.stops && how != view.Spent || !strings.HasPrefix(line, want) {
				t.Errorf("the crawl ended %s (%s), Home tells %q", how, s.End, line)
			}
			if _, err := e.Runs.Harvest(t.Context(), run.Options{Stored: true}); err != nil {
				t.Fatal(err)
			}
			if again := reopened(t, e); !strings.HasPrefix(again, "last discovery, ") || !strings.HasSuffix(again, ": "+line) {
				t.Errorf("the next opening tells %q, not %q", again, line)
			}
		})
	}
}

// A site with one page gives no estimate, and the words say why or that all is fetched.
func TestUntilOnASiteWithOnePage(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"a list":  {tenderList(0), "every address within reach is fetched: 1 list"},
		"no list": {"<h1>学校简介</h1><p>建校一百年。</p>", "every address within reach is fetched: "},
	} {
		t.Run(name, func(t *testing.T) {
			e, _ := demotest.Site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/" {
					http.NotFound(w, r)
					return
				}
				demotest.Page(strings.ReplaceAll(c.body, "href", "title"))(w, r)
			}), nil)
			s, line := discovered(t, e, "http://a.test/")
			t.Logf("%s: %+v; %q", s.End, s.Tally.Recall, line)
			if s.Tally.End != view.Through || !strings.HasPrefix(line, c.want) {
				t.Errorf("the crawl ended %s (%s), Home tells %q", s.Tally.End, s.End, line)
			}
			if again := reopened(t, e); !strings.HasPrefix(again, "last discovery, ") || !strings.HasSuffix(again, ": "+line) {
				t.Errorf("the next opening tells %q, not %q", again, line)
			}
		})
	}
}
