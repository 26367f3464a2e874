package tui

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/browser"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/crawl/webtest"
	"angler/store"
	"angler/store/config"
	"angler/tui/screen"
)

// rendering skips a test if no browser is installed.
func rendering(t *testing.T) {
	t.Helper()
	if _, err := browser.Find(""); err != nil {
		t.Skip(err)
	}
}

// unread opens an engine on a site whose list is JSON, after a discovery that found none of its
// notices, and a workbench that reports that.
func unread(t *testing.T, k webtest.ListKind) (*crawl.Engine, *webtest.KindServer, *driver) {
	t.Helper()
	web := webtest.ServeKinds()
	t.Cleanup(web.Close)
	set := config.Default()
	set.Seeds, set.Crawl.Delay, set.Crawl.Sitemaps = []string{webtest.SeedOfKind(k)}, 0, false
	dir := filepath.Join(t.TempDir(), "ws")
	must(t, store.Create(dir, set))
	e, err := crawl.Open(context.Background(), dir, crawl.Options{By: "wang", Dial: web.Dial, Tell: true})
	must(t, err)
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	_, err = e.Topic.AddSample(context.Background(), webtest.ListOfKind(webtest.NextLink), "")
	must(t, err)
	_, err = e.Runs.Discover(context.Background(), run.Options{})
	must(t, err)
	d := drive(t, screen.PartsOf(e), 160, 45)
	d.until("the list is told of", func() bool { return d.a.shared.Snap.Unfollowed == 1 })
	if n := broughtHome(t, e, k); n > webtest.KindPerPage {
		t.Fatalf("%d notices are here before anybody has said how the list is asked", n)
	}
	return e, web, d
}

// broughtHome counts the notices of a site that are stored.
func broughtHome(t *testing.T, e *crawl.Engine, k webtest.ListKind) (n int) {
	t.Helper()
	known := map[string]bool{}
	for x, err := range e.Workspace().Notices() {
		must(t, err)
		known[x.URL] = strings.Contains(x.Text, "预算金额")
	}
	for _, x := range webtest.NoticesOfKind(k) {
		if known[x.URL] {
			n++
		}
	}
	return n
}

// counted presses keys and counts them.
type counted struct {
	*driver
	n int
}

func (c *counted) press(keys ...string) { c.n += len(keys); c.driver.press(keys...) }

// TestThreeKeysToARecipe: three keys lead from the line of Home that names the list, and from the
// list itself, to a recipe by which the next harvest fetches all of it.
func TestThreeKeysToARecipe(t *testing.T) {
	rendering(t)
	for _, k := range []webtest.ListKind{webtest.GetJSON, webtest.PostJSON} {
		for from, go_ := range map[string]func(*driver){
			"home": func(d *driver) { d.press("0"); d.shows("1 list shows more than is read", "[Q]") },
			"list": func(d *driver) { d.press("5", "tab"); d.comes("⚠"); d.press("g") },
		} {
			t.Run(string(k)+" from "+from, func(t *testing.T) {
				e, _, d := unread(t, k)
				go_(d)
				keys := &counted{driver: d}
				keys.press("Q")
				d.comes("found by: ", "page 2: 8 rows", "2026-11-18", "a accepts it")
				keys.press("a")
				d.until("it is saved", func() bool { rows, err := e.Recipes.RecipeRows(); return err == nil && len(rows) == 1 })
				d.comes("recipe accepted", "the next run reads it")
				keys.press("H")
				d.until("all notices are home", func() bool { return broughtHome(t, e, k) == webtest.KindPages*webtest.KindPerPage })
				if keys.n > 3 {
					t.Errorf("it took %d keys from the row to the notices", keys.n)
				}
				d.until("the harvest is over", func() bool { return d.a.shared.Snap.Task == "" })
				d.until("no count names it any more", func() bool { return d.a.shared.Snap.Unfollowed == 0 })
				d.comes("visited ")
				d.press("p")
				d.comes("its list is left alone")
				d.press("u")
				d.gone("its list is left alone")
			})
		}
	}
}

// TestRecipeByCURL: a request copied from a browser becomes a recipe.
func TestRecipeByCURL(t *testing.T) {
	t.Setenv("PATH", t.TempDir()) // no Chromium
	e, _, d := unread(t, webtest.GetJSON)
	d.press("Q")
	d.comes("the page cannot be rendered: no Chromium is installed", "Copy as cURL", "C takes a request")
	request := webtest.SeedOfKind(webtest.GetJSON) + "api/notices?channel=7&pageNo=1&pageSize=8"
	d.press("r", "C")
	d.shows("cURL:")
	d.press("wget "+request, "enter")
	d.shows("begins with curl")
	d.press("ctrl+u", "curl '"+request+"' -H 'Accept: application/json' --data-raw", "enter")
	d.shows("nothing follows --data-raw")
	// A request that names its page is tried at once, in the row of that page.
	d.press("ctrl+u", "curl '"+request+"' -H 'Referer: "+webtest.ListOfKind(webtest.GetJSON)+"'", "enter")
	d.comes("found by: cURL", "page 2: 8 rows")
	d.press("r", "C", "curl '"+request+"' -H 'Accept: application/json'", "enter")
	d.shows("page of the list:")
	d.press("no address", "enter")
	d.shows("no http address")
	d.press("ctrl+u", webtest.ListOfKind(webtest.GetJSON), "enter")
	d.comes("found by: cURL", "page 2: 8 rows")
	if d.sees("the request names no page") {
		t.Error(d.screen())
	}
	d.press("a")
	d.comes("recipe accepted")
	d.press("u")
	d.comes("proposed: a accepts it")
	if rows, err := e.Recipes.RecipeRows(); err != nil || len(rows) != 1 || !rows[0].Waits {
		t.Errorf("%+v, %v", rows, err)
	}
}

// TestARejectedFindComesBack: undo after rejecting an unsaved recipe restores it, and leaves the
// decision before it alone.
func TestARejectedFindComesBack(t *testing.T) {
	rendering(t)
	e, _, d := unread(t, webtest.GetJSON)
	samples := len(e.Topic.Samples())
	d.press("Q")
	d.comes("found by: ", "a accepts it")
	d.press("r")
	d.comes("the results are discarded")
	d.gone("found by: ")
	d.press("u")
	d.comes("undone: the results are discarded", "found by: ", "a accepts it")
	is(t, "samples left", len(e.Topic.Samples()), samples)
}

// TestLookingForARecipeCanBeCancelled: esc ends a look, and the pane stays.
func TestLookingForARecipeCanBeCancelled(t *testing.T) {
	c := can(sampled())
	hold := make(chan struct{})
	defer close(hold)
	p := Around(c.parts(), func(ctx context.Context, method string) error {
		if method != "TryRecipe" {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-hold:
			return errors.New("it was not cancelled")
		}
	})
	d := drive(t, p, 160, 45)
	d.press("Q")
	d.comes("江南省公共资源交易中心")
	d.pressKey("enter")
	d.comes("esc cancels")
	d.press("esc")
	d.comes("reads its first two pages")
	d.press("esc")
	d.gone("list and recipe")
}

// TestHomeTellsOfProposedRecipes: recipes found while rendering pages wait for a person.
func TestHomeTellsOfProposedRecipes(t *testing.T) {
	c := can(sampled())
	c.publish(func(s *view.Snapshot) {
		s.Recipes = view.RecipeNews{Rev: 3, Waiting: 1, Name: "江南省公共资源交易中心"}
	})
	d := drive(t, c.parts(), 120, 40)
	d.press("0")
	d.shows("1 recipe is proposed: 江南省公共资源交易中心", "[Q]")
	d.press("Q")
	d.comes("enter reads its first two pages")
	d.press("enter")
	d.comes("page 1: 20 rows")
	d.press("esc")
	d.gone("list and recipe")
}

// A small pane shows the first rows of a proposal and how to accept it: its rows are visible before
// the decision.
func TestSmallPanesShowWhatARecipeBrings(t *testing.T) {
	rendering(t)
	e, _, _ := unread(t, webtest.PostJSON)
	d := drive(t, screen.PartsOf(e), 80, 24)
	d.press("0")
	d.shows("1 list shows more than is read")
	d.press("Q")
	d.comes("found by: ", "a accepts it", "page 1: 8 rows", webtest.NoticesOfKind(webtest.PostJSON)[0].Title[:30])
}
