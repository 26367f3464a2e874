package browser

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store/config"
)

type answers func(fetch.Request) *fetch.Response

func (a answers) Fetch(_ context.Context, r fetch.Request) (*fetch.Response, error) { return a(r), nil }

// A list is rendered once to learn where its rows come from; with a recipe for them it
// takes no page of the browser any more, and what was rendered of it stays.
func TestRenderedOnceToLearn(t *testing.T) {
	if _, err := Find(""); err != nil {
		t.Skip(err)
	}
	const address = "http://a.test/list"
	set := config.Default()
	set.Render.Pages = []string{"a.test"}
	var recipe atomic.Bool
	var stored []byte
	var learned []Exchange
	own := answers(func(r fetch.Request) *fetch.Response {
		return &fetch.Response{URL: r.URL, Status: 200, ContentType: "application/json", Body: []byte(`{"rows":[{"title":"道路工程招标公告"}]}`)}
	})
	r := NewRendering(RenderingConfig{Settings: func() *config.Settings { return &set }, Own: own, Others: own, Events: &view.EventLog{Now: time.Now}, Limiter: fetch.NewHostLimiter(nil, nil, nil),
		Changed: func() {}, Now: time.Now, Read: func(string) bool { return recipe.Load() }, Stored: func(string) []byte { return stored },
		Learned: func(_ string, _ []byte, list []Exchange) { learned = append(learned, list...) }})
	defer r.Close()
	visit := func() *fetch.Response {
		t.Helper()
		if !r.Translates(address) || r.Translates("http://b.test/list") || r.Translates(address+"#post:page=2") {
			t.Fatal("other pages are rendered than the settings say")
		}
		out, err := r.Translate(t.Context(), run.Reply{Address: address, Response: &fetch.Response{URL: address, Status: 200, ContentType: "text/html", ETag: `"1"`,
			Body: []byte(`<!DOCTYPE html><p id="p">…</p><script>fetch('/api').then(r => r.json()).then(d => document.getElementById('p').textContent = d.rows[0].title)</script>`)}})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	first := visit()
	if !strings.Contains(string(first.Body), "<p id=\"p\">道路工程招标公告</p>") || first.ETag != "" {
		t.Fatalf("%+v %s", first, first.Body)
	}
	if len(learned) != 1 || learned[0].Request.URL != "http://a.test/api" {
		t.Errorf("learned: %+v", learned)
	}
	stored = first.Body
	recipe.Store(true)
	for range 3 {
		if got := visit(); string(got.Body) != string(stored) {
			t.Errorf("the page has changed: %s", got.Body)
		}
	}
	if s := r.State(); s.Pages != 1 || len(learned) != 1 {
		t.Errorf("%d pages of the browser, %d replies", s.Pages, len(learned))
	}
}
