package recipe_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/browser"
	"angler/crawl/run"
	"angler/crawl/webtest"
	"angler/store"
	"angler/store/config"
)

// TestKindsOfJSON has the lists that scripts fetch as JSON rendered. The recipe that the
// browser's traffic suggests brings all notices home, also with a token that has expired.
func TestKindsOfJSON(t *testing.T) {
	if _, err := browser.Find(""); err != nil {
		t.Skip(err)
	}
	for _, k := range []webtest.ListKind{webtest.GetJSON, webtest.PostJSON} {
		t.Run(string(k), func(t *testing.T) {
			web := webtest.ServeKinds()
			t.Cleanup(web.Close)
			set := config.Default()
			set.Seeds, set.Crawl.Delay, set.Crawl.Sitemaps = []string{webtest.SeedOfKind(k)}, 0, false
			dir := filepath.Join(t.TempDir(), "ws")
			must(t, store.Create(dir, set))
			e, err := crawl.Open(t.Context(), dir, crawl.Options{By: "wang", Dial: web.Dial})
			must(t, err)
			t.Cleanup(func() {
				if err := e.Close(); err != nil {
					t.Error(err)
				}
			})
			list, err := e.Recipes.ProposeRecipes(t.Context(), webtest.ListOfKind(k), nil)
			if err != nil || list[0].Recipe == nil || len(list[0].Notes) > 0 {
				t.Fatalf("%+v, %v", list, err)
			}
			if _, err := e.Recipes.SaveRecipe(list[0].Recipe); err != nil {
				t.Fatal(err)
			}
			web.Expired()
			if _, err := e.Runs.Harvest(t.Context(), run.Options{}); err != nil {
				t.Fatal(err)
			}
			home := notices(t, e)
			for _, n := range webtest.NoticesOfKind(k) {
				if x := home[n.Title]; x == nil || x.URL != n.URL || !strings.Contains(x.Text, "预算金额") {
					t.Errorf("%s is missing", n.URL)
				}
			}
		})
	}
}

// TestProposeKeepsOut renders no page that robots.txt forbids, and proposes nothing for a
// page that receives no data.
func TestProposeKeepsOut(t *testing.T) {
	if _, err := browser.Find(""); err != nil {
		t.Skip(err)
	}
	web := webtest.ServeKinds()
	t.Cleanup(web.Close)
	set := config.Default()
	set.Seeds, set.Crawl.Delay = []string{webtest.SeedOfKind(webtest.NextLink)}, 0
	dir := filepath.Join(t.TempDir(), "ws")
	must(t, store.Create(dir, set))
	e, err := crawl.Open(t.Context(), dir, crawl.Options{By: "wang", Dial: web.Dial})
	must(t, err)
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	for page, says := range map[string]string{
		webtest.SeedOfKind(webtest.NextLink) + "admin/list.htm": "robots: Disallow",
		webtest.SeedOfKind(webtest.NextLink) + "none.htm":       "status 404",
		webtest.ListOfKind(webtest.NextLink):                    "received no JSON while it was rendered",
	} {
		list, err := e.Recipes.ProposeRecipes(t.Context(), page, nil)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %+v, %v, want %q", page, list, err, says)
		}
	}
	if asked := web.Requests(webtest.NextLink); slices.ContainsFunc(asked, func(r string) bool { return strings.Contains(r, "/admin/") }) {
		t.Errorf("asked for %v", asked)
	}
}
