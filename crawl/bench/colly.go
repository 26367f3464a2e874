package bench

import (
	"context"
	"net/http"
	"regexp"
	"strings"

	"github.com/gocolly/colly/v2"

	"angler/crawl/webtest"
)

// colly is a crawl as colly's users write one: asynchronous, with a limit, links by
// a selector.
func (c *child) colly(ctx context.Context) error {
	pages := regexp.MustCompile(`^http://[^/]*\.test(/|$)`)
	files := regexp.MustCompile(`(?i)\.(` + strings.Join(fileEndings, "|") + `)(\?|$)`)
	crawl := colly.NewCollector(colly.Async(true), colly.URLFilters(pages), colly.DisallowedURLFilters(files))
	tr := &http.Transport{DialContext: webtest.DialTo(c.addr), MaxIdleConnsPerHost: c.workers, MaxIdleConns: 400}
	defer tr.CloseIdleConnections()
	crawl.WithTransport(tr)
	if err := crawl.Limit(&colly.LimitRule{DomainGlob: "*", Parallelism: c.workers}); err != nil {
		return err
	}
	crawl.OnRequest(func(r *colly.Request) {
		if ctx.Err() != nil {
			r.Abort()
		}
	})
	crawl.OnHTML("a[href]", func(e *colly.HTMLElement) {
		_ = e.Request.Visit(e.Attr("href")) // most links were visited before
	})
	if err := c.out.Encode(said{Began: true}); err != nil {
		return err
	}
	for _, u := range c.web.Seeds() {
		if err := crawl.Visit(u); err != nil {
			return err
		}
	}
	crawl.Wait()
	return ctx.Err()
}
