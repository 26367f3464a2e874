package run

import (
	"context"
	"net/netip"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/page"
	"angler/crawl/reader"
	"angler/store"
)

// PageWorkers fetches and reads pages. All methods are safe for concurrent use.
type PageWorkers interface {
	// Do fetches a URL politely. If the job asks for it, a remote worker may also read the page and
	// return a Draft of the body. Without a Draft the caller reads the page. The error is a
	// *fetch.Error.
	Do(ctx context.Context, j PageJob) (PageResult, error)

	// CrawlDelay, Address and Sitemaps return data of the last fetch from a host.

	CrawlDelay(host string) time.Duration
	Address(host string) netip.Addr
	Sitemaps(host string) []string

	Reconsider() // called when a run begins: forgets failures and results that the last run did not store

	// Slots returns the number of parallel jobs of remote workers.
	Slots() int
}

// PageJob is the work on one URL.
type PageJob struct {
	fetch.Request
	ID      uint64
	Address string    // canonical URL; Request.URL is what is sent
	Host    string    // as in the frontier
	Page    bool      // a page is expected, not a sitemap or a script file
	Known   store.Key // hash of the stored body; zero = none

	Notice *page.Announced // also read the page as this notice; nil = no list announced one
}

// PageResult is the result of a PageJob.
type PageResult struct {
	Response *fetch.Response // nil with an error
	Draft    *reader.Draft   // of the body in Response; nil = not read

	// Stored must be called after the commit of the URL, with an error, too. Before that, the
	// worker may return the result again. nil = no worker waits.
	Stored func()
}
