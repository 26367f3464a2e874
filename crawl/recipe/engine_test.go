package recipe_test

import (
	"context"
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/browser"
	"angler/crawl/recipe"
	"angler/crawl/run"
	"angler/crawl/webtest"
	"angler/store"
	"angler/store/config"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// desk is an engine on a workspace whose seed is a PortalServer.
func desk(t *testing.T, s *webtest.PortalServer) (e *crawl.Engine, base string) {
	t.Helper()
	web := httptest.NewServer(s)
	t.Cleanup(web.Close)
	dir := filepath.Join(t.TempDir(), "ws")
	set := config.Default()
	set.Seeds = []string{web.URL + "/"}
	set.Crawl.Delay, set.Crawl.AllowPrivate = 0, true
	set.Harvest.Pages = 3
	must(t, store.Create(dir, set))
	e, err := crawl.Open(context.Background(), dir, crawl.Options{By: "wang"})
	must(t, err)
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e, web.URL
}

// notices returns the titles of harvested notices by list.
func notices(t *testing.T, e *crawl.Engine) (titles map[string]*store.Notice) {
	t.Helper()
	titles = map[string]*store.Notice{}
	for n, err := range e.Workspace().Notices() {
		must(t, err)
		titles[n.Title] = n
	}
	return titles
}

// TestShapes renders a page of every shape. It proposes, shows and saves a recipe; a harvest reads its pages and
// their notices.
func TestShapes(t *testing.T) {
	if _, err := browser.Find(""); err != nil {
		t.Skip(err)
	}
	for _, p := range webtest.Portals {
		t.Run(p.Name, func(t *testing.T) {
			server := webtest.NewPortalServer()
			e, base := desk(t, server)
			list, err := e.Recipes.ProposeRecipes(context.Background(), base+p.List, nil)
			if err != nil || list[0].Recipe == nil {
				t.Fatalf("%+v, %v", list, err)
			}
			best := &list[0]
			text, _ := best.Recipe.Encode()
			pages := best.Preview.Pages
			if len(pages) != 2 || len(pages[0].Rows) == 0 || pages[0].Rows[0].Day == "" || pages[0].Rows[0].Title == pages[1].Rows[0].Title || best.Preview.Note != "" {
				t.Fatalf("preview %+v of\n%s", best.Preview, text)
			}
			if _, err := e.Recipes.SaveRecipe(best.Recipe); err != nil {
				t.Fatal(err)
			}
			s, err := e.Runs.Harvest(context.Background(), run.Options{})
			if err != nil {
				t.Fatalf("%v of\n%s", err, text)
			}
			want := 3 * webtest.PortalPerPage
			if p.Name == "epoint" {
				want = webtest.PortalPages * webtest.PortalPerPage // 20 per page
			}
			got := notices(t, e)
			if len(got) != want || s.Failed > 0 {
				t.Errorf("%d notices, %d failed, want %d and none; the recipe is\n%s", len(got), s.Failed, want, text)
			}
			for title, n := range got {
				if !strings.Contains(n.Text, "预算金额") || n.Date.IsZero() || !strings.Contains(title, "学院") {
					t.Fatalf("notice %+v", n)
				}
			}
			if rows, err := e.Recipes.RecipeRows(); err != nil || len(rows) != 1 || rows[0].Why != "" || rows[0].Entries == 0 {
				t.Errorf("rows %+v, %v", rows, err)
			}
			// The list is an ordinary aggregation page. A second harvest fetches only its first page.
			before := server.Lists.Load()
			s, err = e.Runs.Harvest(context.Background(), run.Options{})
			if asked := server.Lists.Load() - before; err != nil || s.Notices != 0 || asked > 1 {
				t.Errorf("the second harvest: %d new, %d requests for lists, %v", s.Notices, asked, err)
			}
		})
	}
}

// A discovery reads the list of a recipe as a list.
func TestDiscovery(t *testing.T) {
	server := webtest.NewPortalServer()
	e, base := desk(t, server)
	propose(t, e, base+"/irs/list.html")
	s, err := e.Runs.Discover(context.Background(), run.Options{})
	if err != nil || len(notices(t, e)) < 3*webtest.PortalPerPage {
		t.Errorf("%+v, %v", s, err)
	}
}

// copied holds the requests of pages as copied by browsers, by page path.
var copied = map[string]string{
	"/deal/dealList.html": `curl '%s/information/pubTradingInfo/getTradList' --data-raw 'DEAL_TIME=02&SOURCE_TYPE=1&PAGENUMBER=1&FINDTXT='`,
	"/irs/list.html":      `curl '%s/irs/front/search' -H 'Content-Type: application/json' --data-raw '{"code":"1892dd01822","token":"tk-000001","pageNo":1,"pageSize":10}'`,
}

// propose saves the proposal for the copied request of a page.
func propose(t *testing.T, e *crawl.Engine, page string) (id string) {
	t.Helper()
	u, err := url.Parse(page)
	must(t, err)
	p, err := e.Recipes.RecipeFromCURL(context.Background(), fmt.Sprintf(copied[u.Path], "http://"+u.Host), page, nil)
	if err != nil || p.Recipe == nil {
		t.Fatalf("%+v, %v", p, err)
	}
	id, err = e.Recipes.SaveRecipe(p.Recipe)
	must(t, err)
	return id
}

// After a token expires between two pages, it is read again and the page is fetched again.
func TestTokenExpires(t *testing.T) {
	server := webtest.NewPortalServer()
	server.Expire = 3
	e, base := desk(t, server)
	propose(t, e, base+"/irs/list.html")
	s, err := e.Runs.Harvest(context.Background(), run.Options{})
	if err != nil || len(notices(t, e)) != 3*webtest.PortalPerPage {
		t.Errorf("%+v, %v", s, err)
	}
}

// A pager that restarts with the first page ends the list.
func TestPagerRepeats(t *testing.T) {
	server := webtest.NewPortalServer()
	server.Cycles.Store(true)
	e, base := desk(t, server)
	if _, err := e.Settings.ChangeSetting("harvest.pages", "50"); err != nil {
		t.Fatal(err)
	}
	id := propose(t, e, base+"/deal/dealList.html")
	// The reply does not state its pages.
	path := filepath.Join(e.Workspace().Dir(), "sources", id+".toml")
	b, err := os.ReadFile(path)
	must(t, err)
	r, err := recipe.Parse(id, b)
	must(t, err)
	r.Request.Page.Last, r.Request.Page.Total = "", ""
	if b, err = r.Encode(); err != nil {
		t.Fatal(err)
	}
	must(t, os.WriteFile(path, b, 0o600))
	before := server.Lists.Load()
	_, err = e.Runs.Harvest(context.Background(), run.Options{})
	// the repeated page, and the first one again
	if asked := server.Lists.Load() - before; err != nil || len(notices(t, e)) != webtest.PortalPages*webtest.PortalPerPage || asked > webtest.PortalPages+2 {
		t.Errorf("%d notices, %d pages asked for, %v", len(notices(t, e)), asked, err)
	}
}

// A recipe that no longer fits is reported, its reply is kept, and its notices stay.
func TestStopsFitting(t *testing.T) {
	server := webtest.NewPortalServer()
	e, base := desk(t, server)
	id := propose(t, e, base+"/deal/dealList.html")
	if _, err := e.Runs.Harvest(context.Background(), run.Options{}); err != nil {
		t.Fatal(err)
	}
	server.Broken.Store(true)
	if _, err := e.Runs.Harvest(context.Background(), run.Options{}); err != nil {
		t.Fatal(err)
	}
	rows, err := e.Recipes.RecipeRows()
	if err != nil || len(rows) != 1 || !strings.Contains(rows[0].Why, "has no data.records") || rows[0].Reply == "" {
		t.Fatalf("rows %+v, %v", rows, err)
	}
	beside, err := crawl.Open(t.Context(), e.Workspace().Dir(), crawl.Options{Reading: true})
	must(t, err)
	if again, err := beside.Recipes.RecipeRows(); err != nil || again[0].Why != rows[0].Why {
		t.Errorf("another program reads %+v, %v; want why %q", again, err, rows[0].Why)
	}
	must(t, beside.Close())
	if b, err := os.ReadFile(filepath.Join(e.Workspace().Dir(), rows[0].Reply)); err != nil || !strings.Contains(string(b), "moved") {
		t.Errorf("the reply that is kept: %s, %v", b, err)
	}
	alarms, err := e.Lists.Alarms(context.Background())
	if err != nil || len(alarms) != 1 || !strings.Contains(fmt.Sprint(alarms), "has no data.records") {
		t.Errorf("alarms %+v, %v", alarms, err)
	}
	if got := len(notices(t, e)); got != 3*webtest.PortalPerPage {
		t.Errorf("%d notices are left", got)
	}
	// It fits again: no report, no kept reply.
	server.Broken.Store(false)
	must(t, e.Recipes.SwitchRecipe(id, true))
	if rows, err = e.Recipes.RecipeRows(); err != nil || rows[0].Reply != "" {
		t.Errorf("rows %+v, %v", rows, err)
	}
}

// People edit the files: a broken one is reported and stops no other.
func TestBrokenFile(t *testing.T) {
	server := webtest.NewPortalServer()
	e, base := desk(t, server)
	propose(t, e, base+"/deal/dealList.html")
	must(t, os.WriteFile(filepath.Join(e.Workspace().Dir(), "sources", "mine.toml"), []byte("name = \"x\"\n[request\n"), 0o600))
	s, err := e.Runs.Harvest(context.Background(), run.Options{})
	if err != nil || len(notices(t, e)) != 3*webtest.PortalPerPage {
		t.Errorf("%+v, %v", s, err)
	}
	rows, err := e.Recipes.RecipeRows()
	if err != nil || len(rows) != 2 || !rows[0].Broken || !strings.Contains(rows[0].Why, "line 2") {
		t.Errorf("rows %+v, %v", rows, err)
	}
}

// A verdict on a recipe is a decision: one undo reverts it with its file, and redo repeats it.
func TestVerdictsAreUndone(t *testing.T) {
	server := webtest.NewPortalServer()
	e, base := desk(t, server)
	page := base + "/deal/dealList.html"
	id := propose(t, e, page)
	stands := func() string {
		t.Helper()
		rows, err := e.Recipes.RecipeRows()
		if err != nil || len(rows) > 1 {
			t.Fatalf("%+v, %v", rows, err)
		}
		switch {
		case len(rows) == 0:
			return "none"
		case rows[0].Waits:
			return "proposed"
		case rows[0].Off:
			return "paused"
		}
		return "read"
	}
	undo := func() {
		t.Helper()
		if _, err := e.Topic.Undo(); err != nil {
			t.Fatal(err)
		}
	}
	do := func(err error) {
		t.Helper()
		must(t, err)
	}
	see := func(want string) {
		t.Helper()
		if got := stands(); got != want {
			t.Fatalf("the recipe is %s, want %s", got, want)
		}
	}
	see("read")
	do(e.Recipes.SwitchRecipe(id, false))
	see("paused")
	undo()
	see("read")
	do(e.Recipes.RemoveRecipes(id))
	see("none")
	undo()
	see("read")
	undo() // the acceptance and the label of its list
	see("proposed")
	if n := e.Snapshot().Counts.Labels; n != 0 {
		t.Errorf("%d labels are left", n)
	}
	if n := e.Snapshot().Recipes; n.Waiting != 1 || n.Known != 0 {
		t.Errorf("viewers are told %+v", n)
	}
	do(e.Recipes.RemoveRecipes(id)) // rejected
	see("none")
	undo()
	see("proposed")
	if _, err := e.Topic.Redo(); err != nil {
		t.Fatal(err)
	}
	see("none")
	undo()
	r, err := e.Recipes.Recipe(id)
	do(err)
	if r.From != recipe.FromCURL {
		t.Errorf("it was found by %q", r.From)
	}
	_, err = e.Recipes.SaveRecipe(r)
	do(err)
	see("read")
	if s, err := e.Runs.Harvest(context.Background(), run.Options{}); err != nil || len(notices(t, e)) != 3*webtest.PortalPerPage {
		t.Errorf("%+v, %v", s, err)
	}
	if err := e.Recipes.RemoveRecipes("nobody"); err == nil {
		t.Error("a recipe that is not there was removed")
	}
}

// A handwritten file is paused, removed and restored like any other.
func TestFilesOfPeopleComeBack(t *testing.T) {
	e, _ := desk(t, webtest.NewPortalServer())
	dir := filepath.Join(e.Workspace().Dir(), "sources")
	must(t, os.MkdirAll(dir, 0o700))
	const text = "# mine\nname = \"x\"\n[request]\nurl = \"http://a.test/api?page={page}\"\n[rows]\npath = \"rows\"\ntitle = \"title\"\nurl = \"url\"\n"
	file := filepath.Join(dir, "mine.toml")
	must(t, os.WriteFile(file, []byte(text), 0o600))
	for name, do := range map[string]func() error{
		"paused": func() error { return e.Recipes.SwitchRecipe("mine", false) }, "removed": func() error { return e.Recipes.RemoveRecipes("mine") },
	} {
		must(t, do())
		if b, _ := os.ReadFile(file); string(b) == text {
			t.Errorf("%s: the file is as it was", name)
		}
		if _, err := e.Topic.Undo(); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(file); err != nil || string(b) != text {
			t.Errorf("%s and taken back: %q, %v", name, b, err)
		}
	}
}
