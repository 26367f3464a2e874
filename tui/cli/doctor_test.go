package cli

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"angler/crawl"
	"angler/crawl/run"
	"angler/crawl/webtest"
	"angler/store"
	"angler/store/config"
	"angler/tui/tuitest"
)

// The doctor lists installed programs and the consequences of missing ones, and exits with 1 if a
// setting needs one.
func TestDoctor(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	out, _, err := call(t, "doctor")
	if err != nil || !strings.Contains(out, "install the package chromium") || !strings.Contains(out, "nothing needs one") || !strings.Contains(out, "converters") {
		t.Errorf("%v\n%s", err, out)
	}
	dir := tuitest.Waiting(t)
	holds(t, done(t, "doctor", dir), "none shows more than could be followed")
	set := config.Default()
	set.Seeds, set.Render.Pages = []string{"http://a.test/"}, []string{"a.test/list/"}
	dir = filepath.Join(t.TempDir(), "ws")
	must(t, store.Create(dir, set))
	out, _, err = call(t, "doctor", dir)
	if err == nil || !strings.Contains(out, "look  browser") || !strings.Contains(out, "the pages of a.test/list/ are read without their scripts") {
		t.Errorf("%v\n%s", err, out)
	}
	if _, _, err := call(t, "doctor", filepath.Join(dir, "none")); err == nil {
		t.Error("a folder without a workspace was taken")
	}
}

// The doctor names the lists with missing entries: not one whose entries are in a frame that is
// read, nor one that a recipe reads.
func TestDoctorNamesUnreadLists(t *testing.T) {
	web := webtest.ServeKinds()
	defer web.Close()
	set := config.Default()
	set.Seeds = []string{webtest.SeedOfKind(webtest.Iframe), webtest.SeedOfKind(webtest.GetJSON), webtest.SeedOfKind(webtest.PostJSON)}
	set.Crawl.Delay, set.Crawl.Sitemaps = 0, false
	dir := filepath.Join(t.TempDir(), "ws")
	must(t, store.Create(dir, set))
	e, err := crawl.Open(t.Context(), dir, crawl.Options{Dial: web.Dial})
	must(t, err)
	defer e.Close()
	if _, err := e.Topic.AddSample(t.Context(), webtest.ListOfKind(webtest.NextLink), ""); err != nil {
		t.Fatal(err)
	}
	if _, err := e.Runs.Discover(t.Context(), run.Options{}); err != nil {
		t.Fatal(err)
	}
	found, err := e.Recipes.RecipeFromCURL(t.Context(), "curl '"+webtest.SeedOfKind(webtest.GetJSON)+"api/notices?channel=7&pageNo=1&pageSize=8'", webtest.ListOfKind(webtest.GetJSON), nil)
	if err != nil || found.Recipe == nil {
		t.Fatal(found, err)
	}
	if _, err := e.Recipes.SaveRecipe(found.Recipe); err != nil {
		t.Fatal(err)
	}
	must(t, e.Close())
	out, _, _ := call(t, "doctor", dir)
	if !strings.Contains(out, "look  list") || !strings.Contains(out, webtest.ListOfKind(webtest.PostJSON)+": ") || strings.Contains(out, webtest.ListOfKind(webtest.Iframe)) || strings.Contains(out, webtest.ListOfKind(webtest.GetJSON)) {
		t.Error(out)
	}
}

// Refusals of hosts are reported at the end of a run, and later by the doctor.
func TestClosedHostsAreSaid(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/robots.txt" {
			_, _ = io.WriteString(w, `<title>安全验证</title><p>请输入验证码</p><input name="captcha">`)
		}
	}))
	defer server.Close()
	set := config.Default()
	set.Seeds, set.Crawl.Sitemaps = []string{server.URL + "/"}, false
	dir := filepath.Join(t.TempDir(), "ws")
	must(t, store.Create(dir, set))
	const says = "asks for a captcha, which is not solved: export a browser's cookies"
	if _, errs, err := call(t, "crawl", dir); err == nil || !strings.Contains(errs, says) {
		t.Errorf("%v\n%s", err, errs)
	}
	if out, _, err := call(t, "doctor", dir); err == nil || !strings.Contains(out, says) {
		t.Errorf("%v\n%s", err, out)
	}
}
