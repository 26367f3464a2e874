//go:build heavy

package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/browser"
	"angler/crawl/demo/demotest"
	"angler/crawl/recipe"
	"angler/crawl/run"
	"angler/store/config"
)

// A list that only a browser shows is rendered once; its JSON is proposed as a recipe, and
// with that accepted the next harvest reads it with one request and without the browser.
func TestRenderedListBecomesARecipe(t *testing.T) {
	if _, err := browser.Find(""); err != nil {
		t.Skip(err)
	}
	s, e := renderedSite(t, func(set *config.Settings) { set.Render.Pages = []string{"a.test/l/"} })
	s.pager = `<p>共 3 页 <a href="javascript:turn(2)">下一页</a></p>` // no recipe needs it
	acceptRendered(t, e)
	rendered := e.Snapshot().Rendering
	before := map[string]int{}
	for _, path := range []string{"/api/0", "/api/1", "/api/2", "/l/0", "/l/1", "/l/2"} {
		before[path] = s.requests(path)
	}
	s.mu.Lock()
	s.more = 1
	s.mu.Unlock()
	s1, err := e.Runs.Harvest(t.Context(), run.Options{})
	must(t, err)
	if s1.Lacking > 0 {
		t.Errorf("%d lists are said to show more than is read, and recipes read all", s1.Lacking)
	}
	if n := e.Workspace().Counts().Notices; n != 27 {
		t.Errorf("%d notices after each list has gained one, want 27", n)
	}
	after := e.Snapshot().Rendering
	if after.Pages != rendered.Pages || after.Failed != 0 || after.Requests != rendered.Requests {
		t.Errorf("the browser went on: %d pages and %d requests, then %d and %d", rendered.Pages, rendered.Requests, after.Pages, after.Requests)
	}
	for path, n := range before {
		if got := s.requests(path) - n; got > 1 {
			t.Errorf("%s was asked for %d times by one harvest", path, got)
		}
	}
	if n := e.Snapshot().Recipes; n.Waiting != 0 || n.Known != 3 {
		t.Errorf("viewers are told %+v", n)
	}
}

// acceptRendered discovers a site whose lists need a browser, and accepts the recipes that
// were learned by it.
func acceptRendered(t *testing.T, e *crawl.Engine) {
	t.Helper()
	for _, list := range []string{"http://a.test/l/0", "http://a.test/l/1"} {
		if _, err := e.Topic.AddSample(t.Context(), list, ""); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := e.Runs.Discover(t.Context(), run.Options{}); err != nil {
		t.Fatal(err)
	}
	if n := e.Workspace().Counts().Notices; n != 24 {
		t.Fatalf("the browser brought %d notices home, want 24", n)
	}
	rows, err := e.Recipes.RecipeRows()
	if err != nil || len(rows) != 3 || e.Snapshot().Recipes.Waiting != 3 {
		t.Fatalf("%d proposals: %+v, %v; viewers are told %+v", len(rows), rows, err, e.Snapshot().Recipes)
	}
	for i := range rows {
		if !rows[i].Waits || rows[i].From != recipe.FromBrowser {
			t.Errorf("%+v", rows[i])
		}
		r, err := e.Recipes.Recipe(rows[i].ID)
		must(t, err)
		if _, err := e.Recipes.SaveRecipe(r); err != nil {
			t.Fatal(err)
		}
	}
}

// A whole host is rendered until recipes read its lists. Then its notices come by a plain
// GET where the first ones have said the same without their scripts, also after the
// workspace was opened again, and through the browser where one has not.
func TestAWholeHostNeedsNoBrowserAfterItsRecipes(t *testing.T) {
	if _, err := browser.Find(""); err != nil {
		t.Skip(err)
	}
	for late, want := range map[bool]int{false: 0, true: 6} {
		s, e := renderedSite(t, func(set *config.Settings) { set.Render.Pages = []string{"a.test"} })
		s.late = late
		acceptRendered(t, e)
		if got := e.Snapshot().Rendering; got.Pages != 2+1+3+24 {
			t.Errorf("%d pages were rendered without a recipe, want 30 with the samples", got.Pages)
		}
		must(t, e.Close())
		e, err := crawl.Open(t.Context(), e.Workspace().Dir(), crawl.Options{By: "wang", Dial: s.dial})
		must(t, err)
		s.mu.Lock()
		s.more = 2
		s.mu.Unlock()
		if _, err := e.Runs.Harvest(t.Context(), run.Options{}); err != nil {
			t.Fatal(err)
		}
		if n, got := e.Workspace().Counts().Notices, e.Snapshot().Rendering; n != 30 || got.Pages != want || got.Failed != 0 {
			t.Errorf("%d notices, want 30; %d pages through the browser, want %d; late %v", n, got.Pages, want, late)
		}
		for n := range 30 {
			if body := string(demotest.BodyOf(t, e.Workspace(), fmt.Sprintf("http://a.test/n/%d", n))); !strings.Contains(body, "欢迎符合条件的供应商参加投标。</p>") {
				t.Errorf("notice %d has no text: %s", n, body)
			}
		}
		demotest.Close(t, e)
	}
}
