package recipe

import (
	"strings"
	"testing"
	"time"

	"angler/crawl/auth"
	"angler/crawl/browser"
	"angler/crawl/fetch"
	"angler/store/config"
)

// TestCandidates puts the reply with the most rows first, and reports errors of the others.
func TestCandidates(t *testing.T) {
	s := &Recipes{RecipesConfig: RecipesConfig{Now: time.Now}}
	received := func(url, header, body string) browser.Exchange {
		return browser.Exchange{Request: fetch.Request{URL: url, Header: map[string]string{header: "1"}}, Reply: &fetch.Response{URL: url, Status: 200, ContentType: "application/json", Body: []byte(body)}}
	}
	const row = `{"title":"教学楼空调采购项目公开招标公告","date":"2026-07-07","url":"/1.html"}`
	list := s.candidates("http://h.test/list.html", []byte("<title>采购公告</title>"), []browser.Exchange{
		received("http://h.test/menu", "x-a", `{"menu":["首页"]}`),
		received("http://h.test/top?page=1", "x-a", `{"rows":[`+row+`]}`),
		received("http://h.test/signed?page=1", "portal-sign", `{"rows":[`+row+`]}`),
		received("http://h.test/sealed?page=1", "x-a", `{"Data":"`+strings.Repeat("QUJD", 200)+`"}`),
		received("http://h.test/all?page=1", "x-a", `{"rows":[`+row+`,`+strings.NewReplacer("空调", "窗帘", "/1", "/2").Replace(row)+`,`+strings.NewReplacer("空调", "桌椅", "/1", "/3").Replace(row)+`]}`),
	})
	var urls, whys []string
	for i := range list {
		if r := list[i].Recipe; r != nil {
			urls = append(urls, r.Request.URL)
			if r.SeenOn != "http://h.test/list.html" || r.Name != "采购公告" {
				t.Errorf("%+v", r)
			}
			continue
		}
		whys = append(whys, list[i].Refused)
	}
	if got := strings.Join(urls, " "); got != "http://h.test/all?page={page} http://h.test/top?page={page}" {
		t.Errorf("recipes: %s", got)
	}
	said := strings.Join(whys, "\n")
	for _, want := range []string{"the reply holds no list", "its requests are signed (header portal-sign)", "encrypted"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q lacks %q", said, want)
		}
	}
}

// TestProposeWithoutABrowser reports failure, cause and remedy before any request.
func TestProposeWithoutABrowser(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	set := config.Default()
	s := &Recipes{RecipesConfig: RecipesConfig{Now: time.Now, Settings: func() *config.Settings { return &set }}}
	_, err := s.EditorOf(auth.Actor{Role: auth.Owner}).ProposeRecipes(t.Context(), "http://h.test/list.html", nil)
	if err == nil {
		t.Fatal("something is proposed")
	}
	for _, want := range []string{"cannot be rendered", "no Chromium is installed", "install the package chromium", "Copy as cURL"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q lacks %q", err, want)
		}
	}
}
