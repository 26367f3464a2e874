package crawl_test

import (
	"testing"

	"angler/crawl/browser"
	"angler/crawl/run"
	"angler/crawl/source"
	"angler/store/config"
)

// A list that only a browser shows is rendered once; its JSON is proposed as a recipe, and
// with that accepted the next harvest reads it with one request and without the browser.
func TestRenderedListBecomesARecipe(t *testing.T) {
	if _, err := browser.Find(""); err != nil {
		t.Skip(err)
	}
	s, e := renderedSite(t, func(set *config.Settings) { set.Render.Pages = []string{"a.test/l/"} })
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
		if !rows[i].Waits || rows[i].From != source.FromBrowser {
			t.Errorf("%+v", rows[i])
		}
		r, err := e.Recipes.Recipe(rows[i].ID)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Recipes.SaveRecipe(r); err != nil {
			t.Fatal(err)
		}
	}
	rendered := e.Snapshot().Rendering
	before := map[string]int{}
	for _, path := range []string{"/api/0", "/api/1", "/api/2", "/l/0", "/l/1", "/l/2"} {
		before[path] = s.requests(path)
	}
	s.mu.Lock()
	s.more = 1
	s.mu.Unlock()
	if _, err := e.Runs.Harvest(t.Context(), run.Options{}); err != nil {
		t.Fatal(err)
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
