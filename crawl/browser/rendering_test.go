package browser

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/reader"
	"angler/crawl/run"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/dict"
	"angler/store"
	"angler/store/config"
)

type answers func(fetch.Request) *fetch.Response

func (a answers) Fetch(_ context.Context, r fetch.Request) (*fetch.Response, error) { return a(r), nil }
func (answers) CrawlDelay(string) time.Duration                                     { return 0 }
func (answers) Private(context.Context, string) error                               { return nil }

// learning reads no list before on is set, and keeps what pages received.
type learning struct {
	on   atomic.Bool
	list []Exchange
}

func (l *learning) Reads(string) bool                         { return l.on.Load() }
func (*learning) ReadsOf(string) bool                         { return false }
func (l *learning) Learn(_ string, _ []byte, list []Exchange) { l.list = append(l.list, list...) }

// A list is rendered once to learn where its rows come from; with a recipe for them it
// takes no page of the browser any more, and what was rendered of it stays.
func TestRenderedOnceToLearn(t *testing.T) {
	if _, err := Find(""); err != nil {
		t.Skip(err)
	}
	const address = "http://a.test/list"
	set := config.Default()
	set.Render.Pages = []string{"a.test"}
	set.Seeds, set.Store.ExpectedURLs = []string{address}, 1000
	dir := t.TempDir() + "/ws"
	must(t, store.Create(dir, set))
	ws, err := store.Open(dir)
	must(t, err)
	defer ws.Close()
	if _, err := ws.Seed([]string{address}); err != nil {
		t.Fatal(err)
	}
	recipes := &learning{}
	own := answers(func(r fetch.Request) *fetch.Response {
		return &fetch.Response{URL: r.URL, Status: 200, ContentType: "application/json", Body: []byte(`{"rows":[{"title":"道路工程招标公告"}]}`)}
	})
	r := NewRendering(RenderingConfig{Settings: func() *config.Settings { return &set }, Store: ws, Own: own, Others: own, Events: &view.EventLog{Now: time.Now}, Limiter: fetch.NewHostLimiter(nil, nil, nil),
		Now: time.Now, Recipes: recipes, Reader: reader.New(reader.Config{Store: ws, Lexicon: dict.NewLexicon(nil), Resolver: urls.NewResolver(100), Now: time.Now})})
	defer r.Close()
	visit := func() *fetch.Response {
		t.Helper()
		if !r.Translates(address) || r.Translates("http://b.test/list") || r.Translates(address+"#post:page=2") {
			t.Fatal("other pages are rendered than the settings say")
		}
		out, err := r.Translate(t.Context(), run.Reply{Address: address, Response: &fetch.Response{URL: address, Status: 200, ContentType: "text/html", ETag: `"1"`,
			Body: []byte(`<!DOCTYPE html><p id="p">…</p><script>fetch('/api').then(r => r.json()).then(d => document.getElementById('p').textContent = d.rows[0].title)</script>`)}})
		must(t, err)
		return out
	}
	first := visit()
	if !strings.Contains(string(first.Body), "<p id=\"p\">道路工程招标公告</p>") || first.ETag != "" {
		t.Fatalf("%+v %s", first, first.Body)
	}
	if len(recipes.list) != 1 || recipes.list[0].Request.URL != "http://a.test/api" {
		t.Errorf("learned: %+v", recipes.list)
	}
	id, _ := ws.Lookup(address)
	page := &store.Page{URL: address, Status: 200, Fetched: time.Now(), Changed: time.Now(), Hash: store.KeyOf(string(first.Body))}
	if _, err := ws.Commit(nil, []*store.Capture{{ID: id, State: store.Complete, Page: page, Body: store.Compress(first.Body)}}); err != nil {
		t.Fatal(err)
	}
	recipes.on.Store(true)
	for range 3 {
		if got := visit(); string(got.Body) != string(first.Body) {
			t.Errorf("the page has changed: %s", got.Body)
		}
	}
	if s := r.State(); s.Pages != 1 || len(recipes.list) != 1 {
		t.Errorf("%d pages of the browser, %d replies", s.Pages, len(recipes.list))
	}
}
