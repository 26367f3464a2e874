package recipe

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"angler/crawl/fetch"
)

// A preview keeps the pause of its host to the requests of a run, and between its own.
func TestPreviewsKeepTheHostsPause(t *testing.T) {
	var clock atomic.Int64 // it moves when there is something to wait for
	now := func() time.Time { return time.Unix(0, clock.Load()) }
	limiter := fetch.NewHostLimiter(func(string) fetch.Pace { return fetch.Pace{Delay: time.Hour} }, now,
		func(d time.Duration, f func()) func() bool {
			clock.Add(int64(d))
			go f()
			return func() bool { return false }
		})
	var asked []time.Time
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/robots.txt" {
			http.NotFound(w, r)
			return
		}
		asked = append(asked, now())
	}))
	t.Cleanup(web.Close)
	fetcher, err := fetch.New(fetch.Config{UserAgent: "angler", Timeout: time.Minute, MaxBody: 1 << 20, AllowPrivate: true, Now: time.Now})
	must(t, err)
	t.Cleanup(fetcher.Close)
	leave, _, err := limiter.Enter(t.Context(), strings.TrimPrefix(web.URL, "http://"))
	must(t, err)
	leave(0)
	asked = append(asked, now())
	s := &Recipes{RecipesConfig: RecipesConfig{Fetch: fetcher, Limiter: limiter}}
	for _, x := range []*trial{{s: s, ctx: t.Context()}, {s: s, ctx: t.Context(), asked: map[string]bool{hostOf(web.URL): true}}} {
		for range 2 {
			if _, err := x.send(fetch.Request{URL: web.URL + "/list.json"}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if len(asked) != 5 {
		t.Fatalf("%d requests", len(asked))
	}
	for i := range asked[1:] {
		if got := asked[i+1].Sub(asked[i]); got < time.Hour {
			t.Errorf("request %d came %v after the one before it", i+1, got)
		}
	}
}
