// Package browser renders pages through an installed Chromium: what scripts make
// of a page, and the JSON that it received while they did.
//
// The browser never reaches the network. It has no resolver and a proxy that does
// not exist; every request of a page stops at its DevTools interception and is
// answered from here, by the Fetcher that crawls fetch with. So the address guard,
// robots.txt, the bounds of bodies and the delays between requests hold for what
// a page asks for, redirects and scripts among it, and what passes the
// interception by (web sockets, WebRTC, workers, prefetching) fails. Images, fonts
// and media are not fetched, style sheets are empty, frames stay closed, windows,
// dialogs, downloads and permissions are denied.
//
// What a page asks of a host keeps the host's pause (fetch.HostLimiter). The time that a
// page waits for that is added to the time it has.
//
// A page costs some .2 s of a processor and .8 s of time beside the requests it makes,
// half a second of it to see that it is quiet (BenchmarkPage); the browser begins in half
// a second and holds some 700 MB (RSS, what its processes share counted for each), which
// is why it is bounded by memory, ended when it is not needed, and begun anew after a
// number of pages. The danger is the page: it may never become quiet, fill the memory, or
// make requests without end.
//
// DevTools are spoken over a pipe by a small client of our own (protocol.go),
// which needs some fifteen commands and has no tables to build at the start of the
// program. chromedp would have the browser report nodes, styles, console and network of
// every page to us, without a bound; rod wants a port on loopback, which every process of
// the machine can reach.
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

// Fetcher answers what pages ask for; *fetch.Fetcher is one.
type Fetcher interface {
	Fetch(ctx context.Context, r fetch.Request) (*fetch.Response, error)
	// CrawlDelay is what the robots.txt of a host asks for.
	CrawlDelay(host string) time.Duration
	// Private returns why an address is outside the public Internet; nil means it may be fetched.
	Private(ctx context.Context, address string) error
}

// Limits bound the browser. They are asked for at every page.
type Limits struct {
	Path    string        // of the program; "" = the first of Names that is installed
	Tabs    int           // pages at a time, at least 1
	Memory  int64         // bytes of all its processes, above which it is ended
	Timeout time.Duration // of one page
	Pages   int           // after so many it is begun anew
	MaxBody int           // bytes of a rendered page
}

// Config is what a browser works with.
type Config struct {
	Limits func() Limits

	// Own answers requests to the host of the page itself, with its cookies. Others
	// answers those to other hosts: they are made with no cookies, and without the
	// exceptions that seeds have from the address guard, because a page may ask for
	// anything in the name of its viewer. A page that sends itself to an address that is
	// private to Own is taken as it is.
	Own, Others Fetcher

	// Limiter keeps the pauses of hosts; nil = one request at a time, without a pause.
	Limiter *fetch.HostLimiter

	Events *view.EventLog // nil = none; State tells more after its Changed was rung
	Folder string         // where profiles are made; "" = the system's for temporary files
	Idle   time.Duration  // after so long without a page the browser is ended; defaultIdle when 0

	rss func(group int) (int64, bool) // of the tests; nil: residentOf
}

// defaultIdle is Config.Idle.
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

// Browser renders pages. It is safe for concurrent use. The process is begun with
// the first page.
type Browser struct {
	Config
	cache cache
	tally tally

	mu      sync.Mutex    // guards what follows; not held while a process begins or ends
	busy    int           // pages under way
	freed   view.Signal   // rung when a page has left
	begun   chan struct{} // not nil = a process is being begun; closed when that is over
	now     *process      // nil = none
	leaving sync.WaitGroup
	idle    *time.Timer
	closed  bool
}

// New returns a browser; no process is begun.
func New(c Config) *Browser {
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
	return &Browser{Config: c, freed: view.NewSignal()}
}

// Render renders a page whose document has come: status 200 … 299, in HTML. It
// waits for a tab. The error says in a few words what went wrong; errors.Is
// errNone when there is no browser.
func (b *Browser) Render(ctx context.Context, first *fetch.Response) (*Rendered, error) {
	lim := b.Limits()
	if err := b.take(ctx, max(1, lim.Tabs)); err != nil {
		return nil, err
	}
	defer b.leave()
	start := time.Now()
	out, err := b.render(ctx, first, lim)
	b.tally.rendered(out, err, time.Since(start))
	b.Events.Changed.Ring()
	if err != nil {
		return nil, err
	}
	out.Took = time.Since(start)
	return out, nil
}

func (b *Browser) render(ctx context.Context, first *fetch.Response, lim Limits) (*Rendered, error) {
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
			b.done(p, lim)
			return out, nil
		}
	}
	switch {
	case ctx.Err() != nil:
		err = context.Cause(ctx)
		b.done(p, lim)
	case p.why() != nil:
		err = p.why()
		b.drop(p)
	case errors.Is(err, errHung):
		b.drop(p)
	default:
		b.done(p, lim)
	}
	return nil, err
}

// take waits for a tab.
func (b *Browser) take(ctx context.Context, tabs int) error {
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

// leave gives a tab back.
func (b *Browser) leave() {
	b.mu.Lock()
	b.busy--
	if b.busy == 0 && b.now != nil && !b.closed {
		b.idle = time.AfterFunc(b.Idle, b.rest)
	}
	b.mu.Unlock()
	b.freed.Ring()
}

// rest ends the process after a while without use.
func (b *Browser) rest() {
	b.mu.Lock()
	var p *process
	if b.busy == 0 {
		p, b.now = b.now, nil
	}
	b.mu.Unlock()
	b.end(p)
}

// process returns the process under way, or begins one.
func (b *Browser) process(ctx context.Context, lim Limits) (*process, error) {
	for {
		b.mu.Lock()
		p, wait := b.now, b.begun
		switch {
		case b.closed:
			b.mu.Unlock()
			return nil, errClosed
		case p != nil && p.why() == nil && p.spare(lim.Pages):
			b.mu.Unlock()
			return p, nil
		case wait == nil:
			b.begun = make(chan struct{})
			b.now = nil
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

func (b *Browser) begin(ctx context.Context, lim Limits) (*process, error) {
	p, err := b.start(ctx, lim)
	b.mu.Lock()
	if err == nil {
		if b.closed {
			err = errClosed
		} else {
			p.spare(lim.Pages)
			b.now = p
		}
	}
	close(b.begun)
	b.begun = nil
	b.mu.Unlock()
	if err != nil {
		b.end(p)
		return nil, err
	}
	b.tally.begun()
	b.Events.Changed.Ring()
	return p, nil
}

func (b *Browser) start(ctx context.Context, lim Limits) (*process, error) {
	found, err := Find(lim.Path)
	if err != nil {
		return nil, err
	}
	p, err := startProcess(ctx, found, b.Folder)
	if err != nil {
		return nil, fmt.Errorf("the browser %s did not begin: %w", found, err)
	}
	if unboxed() {
		b.tally.bare.Do(func() {
			b.Events.Note("warn", "the browser runs without its sandbox, because angler runs as root; better run it as a user of its own")
		})
	}
	p.watch(func() Limits { return b.Limits() }, b.rss, func(n int64) {
		b.tally.memory(n)
		b.Events.Changed.Ring()
	}, func(n int64) {
		b.tally.killed()
		b.Events.Note("warn", "the browser used %d MB, more than render.memory_mb = %d, and was ended; the next page begins another", n>>20, b.Limits().Memory>>20)
	})
	return p, nil
}

// done gives a process back after a page.
func (b *Browser) done(p *process, _ Limits) {
	if p.free() {
		b.end(p)
	}
}

// retire ends a process as soon as its last page is through.
func (b *Browser) retire(p *process) {
	if p != nil && p.retire() {
		b.end(p)
	}
}

// drop ends a process at once.
func (b *Browser) drop(p *process) {
	b.mu.Lock()
	if b.now == p {
		b.now = nil
	}
	b.mu.Unlock()
	b.end(p)
}

// end ends a process in the background; Close waits for it.
func (b *Browser) end(p *process) {
	if p == nil {
		return
	}
	b.leaving.Go(func() {
		p.end()
		b.tally.memory(0)
		b.Events.Changed.Ring()
	})
}

// Close ends the browser with all its processes and waits for that. Pages under
// way fail.
func (b *Browser) Close() {
	b.mu.Lock()
	b.closed = true
	p, begun := b.now, b.begun
	b.now = nil
	if b.idle != nil {
		b.idle.Stop()
	}
	b.mu.Unlock()
	b.freed.Ring()
	if begun != nil {
		<-begun
	}
	b.end(p)
	b.leaving.Wait()
}
