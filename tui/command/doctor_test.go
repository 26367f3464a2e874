package command

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"angler/store"
	"angler/store/config"
	"angler/tui/uitest"
)

// The doctor says what there is, what goes without the rest, and ends with 1 where a
// setting asks for what is not installed.
func TestDoctor(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	out, _, err := call(t, "doctor")
	if err != nil || !strings.Contains(out, "install the package chromium") || !strings.Contains(out, "nothing needs one") || !strings.Contains(out, "converters") {
		t.Errorf("%v\n%s", err, out)
	}
	dir := uitest.Waiting(t)
	if out, _, err = call(t, "doctor", dir); err != nil || !strings.Contains(out, "none shows more than could be followed") {
		t.Errorf("%v\n%s", err, out)
	}
	set := config.Default()
	set.Seeds, set.Render.Pages = []string{"http://a.test/"}, []string{"a.test/list/"}
	dir = filepath.Join(t.TempDir(), "ws")
	if err := store.Create(dir, set); err != nil {
		t.Fatal(err)
	}
	out, _, err = call(t, "doctor", dir)
	if err == nil || !strings.Contains(out, "look  browser") || !strings.Contains(out, "the pages of a.test/list/ are read without their scripts") {
		t.Errorf("%v\n%s", err, out)
	}
	if _, _, err := call(t, "doctor", filepath.Join(dir, "none")); err == nil {
		t.Error("a folder without a workspace was taken")
	}
}

// What keeps us out is said when a run ends, and by the doctor afterwards.
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
	if err := store.Create(dir, set); err != nil {
		t.Fatal(err)
	}
	const says = "asks for a captcha, which is not solved: export a browser's cookies"
	if _, errs, err := call(t, "crawl", dir); err == nil || !strings.Contains(errs, says) {
		t.Errorf("%v\n%s", err, errs)
	}
	if out, _, err := call(t, "doctor", dir); err == nil || !strings.Contains(out, says) {
		t.Errorf("%v\n%s", err, out)
	}
}
