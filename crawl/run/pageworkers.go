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

// PageWorkers do the work on one URL. All methods are safe for concurrent use.
type PageWorkers interface {
	// Do asks for a URL politely. PageWorkers elsewhere read what came, too, when the job says
	// so and they can: then there is a draft, of the very body in the response. Without
	// one the page is read here. The error is a *fetch.Error. For a job with a Body nothing
	// is asked; where no worker has read it nothing is brought.
	Do(ctx context.Context, j PageJob) (PageResult, error)

	// What the host of a URL has said when it was last asked.

	CrawlDelay(host string) time.Duration
	Address(host string) netip.Addr
	Sitemaps(host string) []string

	Reconsider() // a run begins: forgets failures, and what the run before has left unstored

	// Slots is how many jobs are done elsewhere at once, besides those done here.
	Slots() int
}

// PageJob is the work on one URL.
type PageJob struct {
	fetch.Request
	ID      uint64
	Address string    // of the URL, canonical; Request.URL is what is sent for it
	Host    string    // as the frontier knows it
	Page    bool      // a page is expected: no sitemap and no script file
	Known   store.Key // of the body that is stored; zero = none

	Notice *page.Announced // how the page is read besides, as a notice; nil = it is none that a list has announced

	Body        []byte    // what is stored of the URL and to be read as a notice alone; nil = the URL is asked for
	ContentType string    // of Body
	At          time.Time // when Body came
}

// maxBody bounds PageJob.Body, in bytes: longer pages are read here.
const maxBody = 1 << 20

// PageResult is what came of a job.
type PageResult struct {
	Response *fetch.Response // nil with an error
	Draft    *reader.Draft   // of the body in Response; nil = it is to be read

	// Stored is to be called once what became of the URL is on the disk, with an error,
	// too: until then it may be asked for again. nil = none waits for that.
	Stored func()
}

// LocalWorkers are the hands of this process. They leave the reading to the run, which often
// finds that there is nothing to read.
type LocalWorkers struct{ PageFetcher }

// PageFetcher gets pages politely; *fetch.Fetcher is one.
type PageFetcher interface {
	Fetch(ctx context.Context, r fetch.Request) (*fetch.Response, error)
	CrawlDelay(host string) time.Duration
	Address(host string) netip.Addr
	Reconsider() // forgets what it remembers of failures
	Sitemaps(host string) []string
}

// Do implements PageWorkers.
func (h LocalWorkers) Do(ctx context.Context, j PageJob) (PageResult, error) {
	if j.Body != nil {
		return PageResult{}, nil
	}
	resp, err := h.Fetch(ctx, j.Request)
	return PageResult{Response: resp}, err
}

// Slots implements PageWorkers.
func (LocalWorkers) Slots() int { return 0 }
