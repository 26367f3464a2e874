package recipe_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"angler/crawl"
	"angler/store"
	"angler/store/config"
)

// A request without a Referer names no page, so how the address of a row is built is a
// guess, and one row is asked for to see whether it is right. Where a person names the page
// the addresses are those that its script builds.
func TestCURLWithoutAPage(t *testing.T) {
	var detail string // where pages of notices stand
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		title := func(id int) string { return fmt.Sprintf("第%d批显微镜采购项目公开招标公告", id) }
		var id int
		switch {
		case r.URL.Path == "/api/list":
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"data":{"rows":[`)
			for i := 1; i <= 8; i++ {
				_, _ = fmt.Fprintf(w, `{"id":%d,"title":%q,"date":"2026-07-%02d"},`, i, title(i), 20-i)
			}
			_, _ = io.WriteString(w, `{"id":9,"title":"第9批显微镜采购项目公开招标公告","date":"2026-07-01"}]}}`)
		case r.URL.Path == "/list.html":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = io.WriteString(w, `<h1>采购公告</h1><ul id="rows"></ul><script>
$.get("/api/list", {pageNo: 1}, function (res) { res.data.rows.forEach(function (row) { var url = "/show/" + row.id + ".htm"; $("#rows").append('<a href="' + url + '">' + row.title + '</a>') }) })</script>`)
		case strings.HasPrefix(r.URL.RequestURI(), detail):
			if _, err := fmt.Sscanf(strings.TrimPrefix(r.URL.RequestURI(), detail), "%d", &id); err != nil {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = fmt.Fprintf(w, "<h1>%s</h1>", title(id))
		default:
			http.NotFound(w, r)
		}
	}))
	defer web.Close()
	dir := filepath.Join(t.TempDir(), "ws")
	set := config.Default()
	set.Seeds, set.Crawl.Delay, set.Crawl.AllowPrivate = []string{web.URL + "/list.html"}, 0, true
	must(t, store.Create(dir, set))
	e, err := crawl.Open(t.Context(), dir, crawl.Options{By: "wang"})
	must(t, err)
	defer func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	}()
	curl := "curl '" + web.URL + "/api/list?pageNo=1' -H 'Accept: application/json'"
	for name, c := range map[string]struct {
		detail, page string
		address      string
		notes        []string
	}{
		"a wrong guess": {"/show/", "", "/detail?id=1", []string{"status 404, so the guess is wrong", "names no page"}},
		"a right guess": {"/detail?id=", "", "/detail?id=1", []string{"holds the title of its row", "names no page"}},
		"with its page": {"/show/", web.URL + "/list.html", "/show/1.htm", nil},
		"what is none":  {"/show/", "no address", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			detail = c.detail
			p, err := e.Recipes.RecipeFromCURL(t.Context(), curl, c.page, nil)
			if c.address == "" {
				if err == nil {
					t.Error("it was taken")
				}
				return
			}
			if err != nil || p.Recipe == nil {
				t.Fatalf("%+v, %v", p, err)
			}
			if got := p.Preview.Pages[0].Rows[0].URL; got != web.URL+c.address {
				t.Errorf("a row leads to %s, want %s", got, c.address)
			}
			said := strings.Join(p.Notes, "\n")
			for _, n := range c.notes {
				if !strings.Contains(said, n) {
					t.Errorf("the notes lack %q:\n%s", n, said)
				}
			}
			if len(c.notes) == 0 && (strings.Contains(said, "guess") || strings.Contains(said, "names no page")) {
				t.Errorf("notes: %s", said)
			}
		})
	}
}
