package soak

import (
	"net/http"
	"sync"
	"time"

	"angler/crawl/webtest"
)

// faulty is the web's server with something that goes wrong for a number of
// requests.
type faulty struct {
	*webtest.Server
	mu     sync.Mutex // guards what follows
	served int
	kind   string
	host   string // alone; "" = all
	one    bool   // host is to be the next one asked
	left   int
	until  time.Time // the longest, should a crawl ask no more
	moved  chan struct{}
}

// longest is how long a fault lasts without a request: a crawl that
// waits for the end of an outage must see it.
const longest = 3 * time.Second

// late is how long a slow answer takes.
const late = 300 * time.Millisecond

func serve(web *webtest.Web) (*faulty, error) {
	f := &faulty{moved: make(chan struct{}, 1)}
	var err error
	if f.Server, err = webtest.Serve(web); err != nil {
		return nil, err
	}
	f.Fail(f.fault)
	return f, nil
}

func (f *faulty) close() { f.Server.Close() }

// begin makes the next n requests meet a fault.
func (f *faulty) begin(e event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.kind, f.left, f.until = e.kind, e.n, time.Now().Add(longest)
	f.host, f.one = "", e.host
}

// end ends the fault, if there is one.
func (f *faulty) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.left = 0
}

// count is how many requests were served or refused.
func (f *faulty) count() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.served
}

func (f *faulty) fault(req *http.Request, _ int) webtest.Fault {
	kind := f.next(req)
	switch kind {
	case "ban":
		return webtest.Fault{Status: http.StatusForbidden}
	case "busy":
		return webtest.Fault{Status: http.StatusServiceUnavailable}
	case "throttle":
		return webtest.Fault{Status: http.StatusTooManyRequests, RetryAfter: "1"}
	case "error":
		return webtest.Fault{Status: http.StatusInternalServerError}
	case "captcha":
		return webtest.Fault{Body: captcha}
	case "cut":
		return webtest.Fault{Cut: true}
	case "slow":
		over := make(chan struct{})
		time.AfterFunc(late, func() { close(over) })
		return webtest.Fault{Wait: over}
	}
	return webtest.Fault{}
}

// captcha is what a firewall answers in place of every page.
const captcha = `<html><head><title>安全验证</title></head><body><div id="captcha">请完成验证后继续访问</div></body></html>`

// next counts a request and returns what goes wrong with it.
func (f *faulty) next(req *http.Request) string {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.served++
	select {
	case f.moved <- struct{}{}:
	default:
	}
	if f.left == 0 || time.Now().After(f.until) {
		f.left = 0
		return ""
	}
	if f.one {
		f.host, f.one = req.Host, false
	}
	if f.host != "" && f.host != req.Host {
		return ""
	}
	f.left--
	return f.kind
}
