//go:build heavy

package browser

import (
	"strings"
	"testing"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/listpage"
	"angler/crawl/page"
	"angler/crawl/run"
	"angler/crawl/view"
	"angler/store/config"
)

// A page whose script leads into a private network is read as it was before, and says so
// whenever it is read again.
func TestAPageThatLeadsIntoAPrivateNetworkStays(t *testing.T) {
	if _, err := Find(""); err != nil {
		t.Skip(err)
	}
	const address, inside = "http://a.test/list", "http://10.0.0.1/login?a=1&b=2"
	set := config.Default()
	set.Render.Pages = []string{"a.test"}
	answer := answers(func(r fetch.Request) *fetch.Response {
		t.Errorf("asked for %s", r.URL)
		return &fetch.Response{URL: r.URL, Status: 200}
	})
	f, err := fetch.New(fetch.Config{UserAgent: "x", SeedHosts: []string{"a.test"}})
	must(t, err)
	defer f.Close()
	r := NewRendering(RenderingConfig{Settings: func() *config.Settings { return &set }, Own: guarded{answer, f.Private}, Others: answer, Events: &view.EventLog{Now: time.Now}, Limiter: fetch.NewHostLimiter(nil, nil, nil),
		Now: time.Now})
	defer r.Close()
	out, err := r.Translate(t.Context(), run.Reply{Address: address, Response: &fetch.Response{URL: address, Status: 200, ContentType: "text/html; charset=utf-8",
		Body: []byte(`<!DOCTYPE html><title>x</title><ul><li><a href="/n/1">道路工程招标公告</a></ul><script>location.href = '` + inside + `'</script>`)}})
	must(t, err)
	p, err := page.Parse(page.Source{URL: address, ContentType: out.ContentType, Body: out.Body}, page.Options{Now: time.Now()})
	must(t, err)
	if out.Status != 200 || out.Location != "" || !strings.Contains(p.Text, "道路工程招标公告") {
		t.Errorf("%d to %q: %s", out.Status, out.Location, out.Body)
	}
	if u := p.Unfollowed; len(u) != 1 || u[0].Kind != listpage.KindBarred || u[0].Text != inside || u[0].Help == "" {
		t.Errorf("%+v of %s", u, out.Body)
	}
}
