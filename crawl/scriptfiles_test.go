package crawl_test

import (
	"slices"
	"strings"
	"testing"

	"angler/crawl/webtest"
	"angler/store"
)

// A list that is known names an unknown script file: the harvest asks for the
// file, once, reads the list and the pages behind it with it, and brings home what it opens.
func TestAHarvestReadsListsWithANewScriptFile(t *testing.T) {
	web := kindServer(t)
	e := ofKind(t, web, webtest.OnclickRows)
	discover(t, e.Runs)
	web.Misbehave("rows")
	before := len(web.Requests(webtest.OnclickRows))
	s := harvest(t, e.Runs)
	if s.Failed > 0 || s.Notices != webtest.KindPages*webtest.KindPerPage {
		t.Errorf("%+v", s)
	}
	asked := web.Requests(webtest.OnclickRows)[before:]
	files := slices.DeleteFunc(slices.Clone(asked), func(r string) bool { return !strings.Contains(r, "/js/") })
	if len(files) != 1 || files[0] != "GET http://onclick.test/js/rows.js" {
		t.Errorf("files asked for: %v", files)
	}
	for _, p := range s.Lists {
		t.Errorf("list %d is not through", p)
	}
	for p := range each(t, e.Workspace().Pages()) {
		if strings.Contains(p.URL, "/gg/list") && p.Records != webtest.KindPerPage {
			t.Errorf("%s has %d records", p.URL, p.Records)
		}
	}
	// The next harvest asks for no file, and for no page twice.
	before = len(web.Requests(webtest.OnclickRows))
	must(t, e.Workspace().PutState(store.RelistState, []byte{1}))
	if s := harvest(t, e.Runs); s.Failed > 0 {
		t.Fatalf("%+v", s)
	}
	again := web.Requests(webtest.OnclickRows)[before:]
	if len(again) != webtest.KindPages || slices.ContainsFunc(again, func(r string) bool { return strings.Contains(r, "/js/") }) {
		t.Errorf("the harvest after it asked for:\n%s", strings.Join(again, "\n"))
	}
}

// A list whose rows wait for a script file says nothing before it has come; when the file
// is gone for good, what is not read is told once. Its pager needs the file, too, so there
// is one page.
func TestWhatAScriptFileWillTellIsNoWarning(t *testing.T) {
	for how, want := range map[string]int{"": 0, "bare": 1} {
		t.Run(how, func(t *testing.T) {
			web := kindServer(t)
			web.Misbehave(how)
			e := ofKind(t, web, webtest.OnclickRows)
			s := discover(t, e.Runs)
			if s.Lacking != want {
				t.Errorf("%d lists show more than is read; want %d", s.Lacking, want)
			}
			if told := saying(e, "its entries are not read"); told != want {
				t.Errorf("told %d times, want %d", told, want)
			}
		})
	}
}
