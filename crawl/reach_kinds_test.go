package crawl_test

import (
	"slices"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/webtest"
	"angler/store"
	"angler/store/config"
)

// ofKind opens an engine on a workspace whose seed is the front page of a site of a kind,
// and whose sample is the list of the site with plain links.
func ofKind(t testing.TB, web *webtest.KindServer, k webtest.ListKind) *crawl.Engine {
	t.Helper()
	dir := created(t, func(set *config.Settings) {
		set.Seeds, set.Crawl.Delay, set.Crawl.Sitemaps = []string{webtest.SeedOfKind(k)}, 0, false
	})
	e := opened(t, dir, crawl.Options{By: "wang", Dial: web.Dial})
	addSample(t, e.Topic, webtest.ListOfKind(webtest.NextLink))
	return e
}

// readAlone are the kinds that need no help from a person.
var readAlone = []webtest.ListKind{webtest.NextLink, webtest.GetForm, webtest.PostForm, webtest.Postback, webtest.OnclickRows, webtest.Iframe, webtest.InlineData}

// missed are the notices of a site that are not stored, by title.
func missed(t testing.TB, e *crawl.Engine, k webtest.ListKind) (out []string) {
	t.Helper()
	home := map[string]string{}
	for n := range each(t, e.Workspace().Notices()) {
		home[n.URL] = n.Title + n.Text
	}
	for _, n := range webtest.NoticesOfKind(k) {
		if text := home[n.URL]; !strings.Contains(text, n.Title) || !strings.Contains(text, "预算金额") {
			out = append(out, n.Title)
		}
	}
	return out
}

// Every list that the program can read by itself comes home from its seed, page by page.
func TestListsThatAPlainGetDoesNotShow(t *testing.T) {
	web := kindServer(t)
	for _, k := range readAlone {
		t.Run(string(k), func(t *testing.T) {
			e := ofKind(t, web, k)
			discover(t, e.Runs)
			if lost := missed(t, e, k); len(lost) > 0 {
				t.Errorf("%d of %d notices are missing: %s", len(lost), webtest.KindPages*webtest.KindPerPage, strings.Join(lost, " | "))
			}
			for _, r := range web.Requests(k) {
				if strings.Contains(r, "/search") || strings.Contains(r, "/feedback") {
					t.Errorf("a form was sent that is no pager: %s", r)
				}
			}
			if t.Failed() {
				t.Log(strings.Join(web.Requests(k), "\n"))
				for p, err := range e.Workspace().Pages() {
					if err == nil {
						t.Logf("%s score %.2f records %d dated %d", p.URL, p.Score, p.Records, p.Dated)
					}
				}
			}
			before := len(web.Requests(k))
			harvest(t, e.Runs)
			again := web.Requests(k)[before:]
			if slices.ContainsFunc(again, func(r string) bool { return strings.Contains(r, "show/") || strings.Contains(r, "InfoDetail") }) {
				t.Errorf("a harvest after it asked for known notices: %s", strings.Join(again, "\n"))
			}
		})
	}
}

// A pager that brings page 1 whatever is asked for, and one that never ends, are left when
// they repeat themselves, and that is told. So is a next page by a plain link that is page 1
// again; an endless chain of links ends at the depth of the crawl.
func TestPagersThatRepeatThemselves(t *testing.T) {
	for _, how := range []string{"repeat", "endless"} {
		for _, k := range []webtest.ListKind{webtest.GetForm, webtest.PostForm, webtest.Postback, webtest.NextLink, webtest.InlineData, webtest.Iframe} {
			linked := k == webtest.NextLink || k == webtest.InlineData || k == webtest.Iframe
			t.Run(how+" "+string(k), func(t *testing.T) {
				web := kindServer(t)
				web.Misbehave(how)
				e := ofKind(t, web, k)
				discover(t, e.Runs)
				lists := 0
				for _, r := range web.Requests(k) {
					if strings.Contains(r, "list.jsp") || strings.Contains(r, "MoreInfo") || strings.Contains(r, "/gg/list") || strings.Contains(r, "/gg/inner") {
						lists++
					}
				}
				most := 2 * (webtest.KindPages + 1)
				if linked {
					most = 5 * (config.Default().Crawl.Depth + 1) // a bound of the crawl, not of the list
				}
				if lists < 2 || lists > most {
					t.Errorf("%d requests for pages of the list:\n%s", lists, strings.Join(web.Requests(k), "\n"))
				}
				if linked && how == "endless" { // what comes behind the last page is no loss
					return
				}
				if saying(e, "repeats itself") == 0 {
					t.Error("no event names the list")
				}
			})
		}
	}
}

// State that has expired between two runs is made again by reading the list from its first
// page; until then the pages behind it are not fetched.
func TestExpiredStateIsMadeAgain(t *testing.T) {
	web := kindServer(t)
	e := ofKind(t, web, webtest.Postback)
	discover(t, e.Runs)
	web.Expired()
	before := len(web.Requests(webtest.Postback))
	must(t, e.Workspace().PutState(store.RelistState, []byte{1}))
	s := harvest(t, e.Runs)
	if s.Failed > 0 {
		t.Fatalf("%+v", s)
	}
	again := web.Requests(webtest.Postback)[before:]
	posts := 0
	for _, r := range again {
		if strings.HasPrefix(r, "POST") {
			posts++
		}
	}
	if posts != webtest.KindPages-1 || len(again) < webtest.KindPages || strings.HasPrefix(again[0], "POST") {
		t.Errorf("the harvest asked for:\n%s", strings.Join(again, "\n"))
	}
}

// kindServer serves the sites with lists of every kind.
func kindServer(t testing.TB) *webtest.KindServer {
	web := webtest.ServeKinds()
	t.Cleanup(web.Close)
	return web
}
