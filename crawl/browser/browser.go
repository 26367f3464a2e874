// Package browser renders pages with an installed Chromium. It returns the document after its
// scripts ran, and the JSON that they received.
//
// The browser never reaches the network: it has no resolver and a proxy that does not exist.
// DevTools intercepts every request of a page, and a Fetcher of the crawl answers it. So the
// address guard, robots.txt, body limits and host pauses apply to all requests, redirects and
// scripts included. Requests that bypass the interception (web sockets, WebRTC, workers,
// prefetching) fail. Images, fonts and media are not fetched, style sheets are empty, frames stay
// empty. Windows, dialogs, downloads and permissions are denied.
//
// Requests of a page keep the host's pause (fetch.HostLimiter). The page's time limit is extended
// by the time spent waiting for it.
//
// A page costs about .2 s of CPU and .8 s of time besides its requests, half a second of it to
// detect that the page is quiet (BenchmarkPage). The browser starts in half a second and takes
// about 700 MB (RSS, with shared memory counted for each process). It is therefore limited in
// memory, ended when idle, and restarted after a number of pages. The danger is the page: it may
// never become quiet, fill the memory, or send requests without end.
//
// A small client in protocol.go speaks DevTools over a pipe. It needs about fifteen commands and no
// tables at program start. chromedp would make the browser report nodes, styles, console and
// network of every page, without a bound. rod needs a port on loopback, which every process of the
// machine can reach.
package browser

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/view"
)

// requester fetches for pages; *fetch.Fetcher implements it.
type requester interface {
	Fetch(ctx context.Context, r fetch.Request) (*fetch.Response, error)
	// CrawlDelay returns the Crawl-delay of a host's robots.txt.
	CrawlDelay(host string) time.Duration
	// Private returns an error if an address is not public; nil = it may be fetched.
	Private(ctx context.Context, address string) error
}

// bounds limits the browser. It is read for every page.
type bounds struct {
	Path    string        // path of the program; "" = the first of names that is installed
	Tabs    int           // parallel pages, at least 1
	Memory  int64         // bytes of all its processes; above it the browser is ended
	Timeout time.Duration // per page
	Pages   int           // pages after which the browser is restarted
	MaxBody int           // bytes of a rendered page
}

// browserConfig holds the parts of a browser.
type browserConfig struct {
	Limits func() bounds

	// Own answers requests to the page's own host, with its cookies. Others answers requests to
	// other hosts, without cookies and without the seeds' exceptions from the address guard,
	// because a page may request anything. If a page navigates to an address that is private to
	// Own, it stays as it is.
	Own, Others requester

	// Limiter keeps the pauses of hosts; nil = one request at a time, without a pause.
	Limiter *fetch.HostLimiter

	Events *view.EventLog // nil = none; Changed rings after State changed
	Folder string         // folder for profiles; "" = the system's temporary folder
	Idle   time.Duration  // time without a page after which the browser is ended; 0 = defaultIdle

	rss func(group int) (int64, bool) // for tests; nil = residentOf
}

// defaultIdle is the default of browserConfig.Idle.
const defaultIdle = time.Minute

// Errors of rendering.
var (
	// errNone means that no browser is installed.
	errNone = errors.New("no Chromium is installed; install the package chromium, or name the program in render.browser")

	errMemory  = errors.New("the browser used more memory than render.memory_mb allows and was ended")
	errClosed  = errors.New("the browser is closed")
	errCrashed = errors.New("the page crashed in the browser")
	errHung    = errors.New("the page hung in the browser, which was ended")
)

// browser renders pages. It is safe for concurrent use. The first page starts the process.
type browser struct {
	browserConfig
	cache cache
	bare  sync.Once // the missing sandbox was reported

	counting sync.Mutex // guards counts
	counts   view.Rendering

	mu       sync.Mutex    // guards the fields below; not held while a process starts or ends
	busy     int           // pages in progress
	freed    view.Signal   // rings when a page ends
	starting chan struct{} // not nil = a process is starting; closed afterwards
	current  *process      // running process; nil = none
	ending   sync.WaitGroup
	idle     *time.Timer
	closed   bool
}

// newBrowser returns a browser without starting a process.
func newBrowser(c browserConfig) *browser {
	if c.Limiter == nil {
		c.Limiter = fetch.NewHostLimiter(nil, nil, nil)
	}
	if c.Events == nil {
		c.Events = new(view.EventLog)
	}
	if c.Idle == 0 {
		c.Idle = defaultIdle
	}
	if c.rss == nil {
		c.rss = residentOf
	}
	return &browser{browserConfig: c, freed: view.NewSignal()}
}

// render renders an HTML document that was fetched with status 200 … 299. It waits for a free tab.
// The error says in a few words what failed; errors.Is errNone if there is no browser.
func (b *browser) render(ctx context.Context, first *fetch.Response) (*Rendered, error) {
	lim := b.Limits()
	if err := b.take(ctx, max(1, lim.Tabs)); err != nil {
		return nil, err
	}
	defer b.leave()
	start := time.Now()
	out, err := b.renderIn(ctx, first, lim)
	b.count(func(s *view.Rendering) {
		s.Took += time.Since(start)
		if err != nil {
			s.Failed, s.Err = s.Failed+1, err.Error()
			return
		}
		s.Pages, s.Err = s.Pages+1, ""
		s.Requests += out.Requests
	})
	if err != nil {
		return nil, err
	}
	out.Took = time.Since(start)
	return out, nil
}

func (b *browser) renderIn(ctx context.Context, first *fetch.Response, lim bounds) (*Rendered, error) {
	p, err := b.process(ctx, lim)
	if err != nil {
		return nil, err
	}
	t, err := newTab(ctx, b, p, first, lim)
	if err == nil {
		var out *Rendered
		out, err = t.render()
		t.close()
		if err == nil {
			b.done(p)
			return out, nil
		}
	}
	switch {
	case ctx.Err() != nil:
		err = context.Cause(ctx)
		b.done(p)
	case p.why() != nil:
		err = p.why()
		b.drop(p)
	case errors.Is(err, errHung):
		b.drop(p)
	default:
		b.done(p)
	}
	return nil, err
}

// take waits for a free tab.
func (b *browser) take(ctx context.Context, tabs int) error {
	for {
		b.mu.Lock()
		if b.closed {
			b.mu.Unlock()
			return errClosed
		}
		if b.busy < tabs {
			b.busy++
			if b.idle != nil {
				b.idle.Stop()
			}
			b.mu.Unlock()
			return nil
		}
		b.mu.Unlock()
		select {
		case <-b.freed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// leave releases a tab.
func (b *browser) leave() {
	b.mu.Lock()
	b.busy--
	if b.busy == 0 && b.current != nil && !b.closed {
		b.idle = time.AfterFunc(b.Idle, b.endIdle)
	}
	b.mu.Unlock()
	b.freed.Ring()
}

// endIdle ends the process after an idle time.
func (b *browser) endIdle() {
	b.mu.Lock()
	var p *process
	if b.busy == 0 {
		p, b.current = b.current, nil
	}
	b.mu.Unlock()
	b.end(p)
}

// process returns the running process, or starts one.
func (b *browser) process(ctx context.Context, lim bounds) (*process, error) {
	for {
		b.mu.Lock()
		p, wait := b.current, b.starting
		switch {
		case b.closed:
			b.mu.Unlock()
			return nil, errClosed
		case p != nil && p.why() == nil && p.spare(lim.Pages):
			b.mu.Unlock()
			return p, nil
		case wait == nil:
			b.starting = make(chan struct{})
			b.current = nil
			b.mu.Unlock()
			b.retire(p)
			return b.begin(ctx, lim)
		}
		b.mu.Unlock()
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

func (b *browser) begin(ctx context.Context, lim bounds) (*process, error) {
	p, err := b.start(ctx, lim)
	b.mu.Lock()
	if err == nil {
		if b.closed {
			err = errClosed
		} else {
			p.spare(lim.Pages)
			b.current = p
		}
	}
	close(b.starting)
	b.starting = nil
	b.mu.Unlock()
	if err != nil {
		b.end(p)
		return nil, err
	}
	b.count(func(s *view.Rendering) { s.Begun++ })
	return p, nil
}

func (b *browser) start(ctx context.Context, lim bounds) (*process, error) {
	found, err := Find(lim.Path)
	if err != nil {
		return nil, err
	}
	p, err := startProcess(ctx, found, b.Folder)
	if err != nil {
		return nil, fmt.Errorf("the browser %s did not begin: %w", found, err)
	}
	if noSandbox() {
		b.bare.Do(func() {
			b.Events.Note("warn", "the browser runs without its sandbox, because angler runs as root; better run it as a user of its own")
		})
	}
	p.watch(b.Limits, b.rss, func(n int64) {
		b.count(func(s *view.Rendering) { s.Memory = n })
	}, func(n int64) {
		b.count(func(s *view.Rendering) { s.Killed++ })
		b.Events.Note("warn", "the browser used %d MB, more than render.memory_mb = %d, and was ended; the next page begins another", n>>20, b.Limits().Memory>>20)
	})
	return p, nil
}

// count changes the figures for the screen.
func (b *browser) count(change func(*view.Rendering)) {
	b.counting.Lock()
	change(&b.counts)
	b.counting.Unlock()
	b.Events.Changed.Ring()
}

// state returns the figures for the screen, without branches and hosts.
func (b *browser) state() view.Rendering {
	b.counting.Lock()
	defer b.counting.Unlock()
	return b.counts
}

// done releases a process after a page.
func (b *browser) done(p *process) {
	if p.free() {
		b.end(p)
	}
}

// retire ends a process after its last page.
func (b *browser) retire(p *process) {
	if p != nil && p.retire() {
		b.end(p)
	}
}

// drop ends a process at once.
func (b *browser) drop(p *process) {
	b.mu.Lock()
	if b.current == p {
		b.current = nil
	}
	b.mu.Unlock()
	b.end(p)
}

// end ends a process in the background; Close waits for it.
func (b *browser) end(p *process) {
	if p == nil {
		return
	}
	b.ending.Go(func() {
		p.end()
		b.count(func(s *view.Rendering) { s.Memory = 0 })
	})
}

// close ends the browser and waits for all its processes. Pages in progress fail.
func (b *browser) close() {
	b.mu.Lock()
	b.closed = true
	p, begun := b.current, b.starting
	b.current = nil
	if b.idle != nil {
		b.idle.Stop()
	}
	b.mu.Unlock()
	b.freed.Ring()
	if begun != nil {
		<-begun
	}
	b.end(p)
	b.ending.Wait()
}
