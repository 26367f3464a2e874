package crawl

import (
	"context"
	"time"

	"angler/crawl/browser"
	"angler/crawl/fetch"
	"angler/crawl/page"
	"angler/crawl/run"
)

// openRendering makes what reads pages through a browser; none is begun before it is
// needed.
func (c *core) openRendering() (err error) {
	set := c.settings.Now()
	c.others, err = fetch.New(fetch.Config{UserAgent: set.Crawl.UserAgent, Proxy: set.Crawl.Proxy, Timeout: time.Duration(set.Crawl.Timeout),
		MaxBody: set.Crawl.MaxBodyMB << 20, Dial: c.opt.Dial, AllowPrivate: set.Crawl.AllowPrivate, IgnoreRobots: set.Crawl.IgnoreRobots, Now: c.opt.Now, Challenge: page.IsChallenge})
	if err != nil {
		return err
	}
	c.rendering = browser.NewRendering(browser.RenderingConfig{Settings: c.settings.Now, Own: c.fetcher, Others: c.others, Events: &c.events, Private: c.fetcher.Private, Limiter: c.limiter,
		CrawlDelay: func(host string) time.Duration { return max(c.fetcher.CrawlDelay(host), c.others.CrawlDelay(host)) },
		Changed:    c.happened.ring, Now: c.opt.Now, Stored: c.storedBody,
		Read: func(address string) bool { return c.recipes.Reads(address) }, Learned: c.recipes.Learn,
		HasRecipe: c.recipes.ReadsOf,
		Parse: func(src page.Source) (*page.Page, error) {
			return c.reader.Look(src, page.Options{Main: c.settings.Now().Harvest.Method})
		},
		Recall: func() []byte { return c.ws.State(renderingState) }, Remember: func(v []byte) { rememberRendering(c, v) }})
	c.runner.replies = append(c.runner.replies, c.rendering)
	return nil
}

// renderingState names what is stored of pages that need no browser.
const renderingState = "rendering"

// rememberRendering stores what was found out of pages that need no browser. What is lost
// is found out again.
func rememberRendering(c *core, v []byte) {
	if err := c.ws.PutState(renderingState, v); err != nil {
		c.events.Note("warn", "which pages need no browser could not be stored: %v", err)
	}
}

// storedBody is what is stored of an address; nil for nothing.
func (c *core) storedBody(address string) []byte {
	id, ok := c.ws.Lookup(address)
	if !ok {
		return nil
	}
	body, err := c.ws.Body(id, c.settings.MaxBody())
	if err != nil || len(body) == 0 {
		return nil
	}
	return body
}

// closeRendering ends the browser and waits for that.
func (c *core) closeRendering() {
	c.rendering.Close()
	c.others.Close()
}

// whole fetches the pages of a run. What is rendered is asked for without conditions: a
// document that has not changed says nothing of its rows, nor does one that was stored as
// it came.
type whole struct {
	*fetch.Fetcher
	rendering *browser.Rendering
}

// Fetch implements run.PageFetcher.
func (w whole) Fetch(ctx context.Context, r fetch.Request) (*fetch.Response, error) {
	if (r.ETag != "" || r.LastModified != "") && w.rendering.Translates(r.URL) {
		r.ETag, r.LastModified = "", ""
	}
	return w.Fetcher.Fetch(ctx, r)
}

// sampling fetches pages that a person names as samples: as a run would store them.
type sampling struct{ *rooms }

// Follow implements decisions.Fetcher.
func (s sampling) Follow(ctx context.Context, r fetch.Request, most int) (*fetch.Response, error) {
	resp, err := s.fetcher.Follow(ctx, r, most)
	if err != nil || resp.Status != 200 || !s.rendering.Translates(resp.URL) {
		return resp, err
	}
	return s.rendering.Translate(ctx, run.Reply{Address: resp.URL, Response: resp})
}
