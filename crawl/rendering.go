package crawl

import (
	"context"
	"time"

	"angler/crawl/browser"
	"angler/crawl/fetch"
	"angler/crawl/page"
	"angler/crawl/run"
)

// openRendering prepares rendering with a browser, which starts at first use.
func (c *core) openRendering() (err error) {
	set := c.settings.Now()
	c.others, err = fetch.New(fetch.Config{UserAgent: set.Crawl.UserAgent, Proxy: set.Crawl.Proxy,
		Timeout: time.Duration(set.Crawl.Timeout),
		MaxBody: set.Crawl.MaxBodyMB << 20, Dial: c.opt.Dial, AllowPrivate: set.Crawl.AllowPrivate,
		IgnoreRobots: set.Crawl.IgnoreRobots, Now: c.opt.Now, Challenge: page.IsChallenge})
	if err != nil {
		return err
	}
	c.rendering = browser.NewRendering(browser.RenderingConfig{Store: c.ws, Reader: c.reader, Settings: c.settings.Now,
		Own: c.fetcher, Others: c.others, Events: &c.events,
		Limiter: c.limiter, Recipes: c.recipes, Now: c.opt.Now})
	c.recipes.Renderer = c.rendering
	c.runner.replies = append(c.runner.replies, c.rendering)
	return nil
}

// closeRendering stops the browser and waits for its end.
func (c *core) closeRendering() {
	c.rendering.Close()
	c.others.Close()
}

// localWorkers are the page workers of this process. They leave the reading to the run, which often finds an unchanged
// page. They fetch rendered pages unconditionally, because an unchanged document may have changed rows, and a stored one
// may never have been rendered.
type localWorkers struct {
	*fetch.Fetcher
	rendering *browser.Rendering
}

// Do implements run.PageWorkers.
func (w localWorkers) Do(ctx context.Context, j run.PageJob) (run.PageResult, error) {
	r := j.Request
	if (r.ETag != "" || r.LastModified != "") && w.rendering.Translates(r.URL) {
		r.ETag, r.LastModified = "", ""
	}
	resp, err := w.Fetch(ctx, r)
	return run.PageResult{Response: resp}, err
}

// Slots implements run.PageWorkers.
func (localWorkers) Slots() int { return 0 }

// sampleFetcher fetches pages named as samples, in the form that a run would store.
type sampleFetcher struct{ *parts }

// Follow implements decisions.Fetcher.
func (s sampleFetcher) Follow(ctx context.Context, r fetch.Request, limit int) (*fetch.Response, error) {
	resp, err := s.fetcher.Follow(ctx, r, limit)
	if err != nil || resp.Status != 200 || !s.rendering.Translates(resp.URL) {
		return resp, err
	}
	return s.rendering.Translate(ctx, run.Reply{Address: resp.URL, Response: resp})
}
