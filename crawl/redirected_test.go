package crawl_test

import (
	"slices"
	"strings"
	"testing"

	"angler/crawl/webtest"
	"angler/store"
)

// A post that is answered by a redirect brings the page that stands behind it, as in a
// browser: 302 and 303 are followed by GET, 307 and 308 by the same post. A harvest does
// so, too.
func TestPostsThatAreAnsweredByARedirect(t *testing.T) {
	for how, next := range map[string]string{"302": "GET http://postform.test/gg/shown/", "303": "GET http://postform.test/gg/shown/",
		"307": "POST http://postform.test/gg/moved/list.jsp", "308": "POST http://postform.test/gg/moved/list.jsp"} {
		t.Run(how, func(t *testing.T) {
			web := kindServer(t)
			web.Misbehave(how)
			e := ofKind(t, web, webtest.PostForm)
			followed := func(what string, from int) {
				t.Helper()
				asked := web.Requests(webtest.PostForm)[from:]
				posts, redirects := 0, 0
				for i, r := range asked {
					if r == "POST http://postform.test/gg/list.jsp" {
						posts++
						if i+1 < len(asked) && strings.HasPrefix(asked[i+1], next) {
							redirects++
						}
					}
				}
				if posts != webtest.KindPages-1 || redirects != posts {
					t.Errorf("%s: %d posts, %d of them followed:\n%s", what, posts, redirects, strings.Join(asked, "\n"))
				}
			}
			discover(t, e.Runs)
			if lost := missed(t, e, webtest.PostForm); len(lost) > 0 {
				t.Errorf("%d notices are missing: %s", len(lost), strings.Join(lost, " | "))
			}
			followed("discovery", 0)
			before := len(web.Requests(webtest.PostForm))
			must(t, e.Workspace().PutState(store.RelistState, []byte{1}))
			if s := harvest(t, e.Runs); s.Failed > 0 {
				t.Fatalf("%+v", s)
			}
			followed("harvest", before)
		})
	}
}

// Redirects that never end are left after a few, and those to other hosts at once.
func TestPostsThatAreSentAway(t *testing.T) {
	for how, most := range map[string]int{"loop": 5, "away": 0} {
		t.Run(how, func(t *testing.T) {
			web := kindServer(t)
			web.Misbehave(how)
			e := ofKind(t, web, webtest.PostForm)
			discover(t, e.Runs)
			posts, hops := 0, 0
			for _, r := range web.Requests(webtest.PostForm) {
				if strings.HasPrefix(r, "POST ") {
					posts++
				}
				if strings.Contains(r, "/gg/loop.jsp") {
					hops++
				}
			}
			if posts == 0 || hops > posts*most || how == "loop" && hops == 0 {
				t.Errorf("%d posts, %d redirects followed", posts, hops)
			}
			if slices.ContainsFunc(web.Requests(webtest.GetForm), func(r string) bool { return strings.Contains(r, "list.jsp") }) {
				t.Error("another host was asked in place of the list's")
			}
			if how == "loop" && saying(e, "from redirect to redirect") == 0 {
				t.Error("no event names the list")
			}
		})
	}
}
