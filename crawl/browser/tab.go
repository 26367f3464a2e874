package browser

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"time"

	"angler/crawl/fetch"
)

// Bounds of one page.
const (
	quietTime   = 500 * time.Millisecond // time without a request after which a page is complete
	maxRequests = 150                    // answered requests
	maxBytes    = 48 << 20               // bytes of their replies
	maxReloads  = 2                      // reloads by the page itself
	maxWindows  = 20                     // windows, dialogs, downloads; beyond it the page is taken as it is
	grace       = 5 * time.Second        // extra time for reading the document
)

// Rendered is a page after its scripts ran.
type Rendered struct {
	HTML      []byte // the document after its scripts ran, UTF-8
	Truncated bool   // HTML was cut at bounds.MaxBody
	Location  string // absolute address that the page navigated to; "" = none
	Barred    string // private address that the page tried to navigate to; "" = none

	Exchanges []Exchange // JSON exchanges in order; bounded

	Requests int      // answered requests, the document included
	Refused  int      // refused requests: images, frames, guard, robots.txt
	Unquiet  bool     // still sending requests when its time was up
	Denied   []string // denied actions, for display: "window", "dialog", "download"
	Took     time.Duration
}

// tab is one page in the browser. Only one goroutine calls its methods.
type tab struct {
	b       *browser
	p       *process
	lim     bounds
	first   *fetch.Response
	address *url.URL // of the document

	ctx    context.Context
	cancel func()
	*session
	id, target, contextID string // session, page, browser context

	answered  chan struct{} // signals an answered request
	answering sync.WaitGroup

	mu           sync.Mutex // guards the fields up to most
	inFlight     int        // requests being answered
	lastActivity time.Time  // time of the last request or answer
	out          Rendered
	budget       int64
	learned      int64       // bytes of exchanges
	clock        *time.Timer // ends the page's time
	end          time.Time   // end of the page's time
	latest       time.Time   // latest end, however long the page waits for hosts

	shown     bool // the document was given to the page
	navigated bool // the page shows the document
	loaded    bool
	reloads   int
	intended  map[string]bool // addresses that the page itself navigated to
	requested map[string]bool // addresses of intercepted document requests
	denied    map[string]int
	crashed   bool
}

// newTab opens an empty page and disables downloads, permissions and windows.
func newTab(ctx context.Context, b *browser, p *process, first *fetch.Response, lim bounds) (*tab, error) {
	u, err := url.Parse(first.URL)
	if err != nil {
		return nil, err
	}
	t := &tab{b: b, p: p, lim: lim, first: first, address: u, answered: make(chan struct{}, 1), budget: maxBytes,
		session: &session{events: make(chan event, maxQueue), flood: make(chan struct{})}, intended: map[string]bool{},
		requested: map[string]bool{}, denied: map[string]int{}}
	t.time(ctx)
	if err := t.open(); err != nil {
		t.close()
		return nil, err
	}
	return t, nil
}

var errTime = errors.New("the time for the page is up")

// maxWaitFactor bounds a page's time including waits for hosts, as a multiple of its time limit.
const maxWaitFactor = 10

// time starts the page's time.
func (t *tab) time(ctx context.Context) {
	within, cancel := context.WithCancelCause(ctx)
	now := time.Now()
	t.end, t.latest = now.Add(t.lim.Timeout), now.Add(maxWaitFactor*t.lim.Timeout)
	clock := time.AfterFunc(t.lim.Timeout, func() { cancel(errTime) })
	t.ctx, t.clock, t.cancel = within, clock, func() {
		clock.Stop()
		cancel(context.Canceled)
	}
}

// extend extends the page's time by a wait for a host.
func (t *tab) extend(waited time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	end := t.end.Add(waited)
	if end.After(t.latest) {
		end = t.latest
	}
	if t.clock.Stop() { // else the time is over
		t.end = end
		t.clock.Reset(time.Until(end))
	}
}

func (t *tab) open() error {
	var area struct{ BrowserContextID string }
	if err := t.p.call(t.ctx, "", "Target.createBrowserContext", object{"disposeOnDetach": true}, &area); err != nil {
		return err
	}
	t.contextID = area.BrowserContextID
	for _, shut := range []struct {
		method string
		params object
	}{
		{"Browser.setDownloadBehavior", object{"behavior": "deny", "browserContextId": t.contextID}},
		// denies all others
		{"Browser.grantPermissions", object{"permissions": []string{}, "browserContextId": t.contextID}},
	} {
		if err := t.p.call(t.ctx, "", shut.method, shut.params, nil); err != nil {
			return err
		}
	}
	var page struct{ TargetID string }
	if err := t.p.call(t.ctx, "", "Target.createTarget", object{"url": "about:blank", "browserContextId": t.contextID},
		&page); err != nil {
		return err
	}
	t.target = page.TargetID
	var at struct{ SessionID string }
	if err := t.p.call(t.ctx, "", "Target.attachToTarget", object{"targetId": t.target, "flatten": true},
		&at); err != nil {
		return err
	}
	t.id = at.SessionID
	t.p.listen(t.id, t.session)
	for _, step := range []struct {
		method string
		params any
	}{
		{"Fetch.enable", object{"patterns": []object{{"urlPattern": "*"}}}},
		// Workers and windows stop before their first instruction and never continue.
		{"Target.setAutoAttach", object{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true}},
		{"Inspector.enable", nil},
		{"Page.enable", nil},
		{"Page.addScriptToEvaluateOnNewDocument", object{"source": shutScript, "runImmediately": true}},
	} {
		if err := t.call(t.ctx, step.method, step.params, nil); err != nil {
			return err
		}
	}
	return nil
}

// object holds the parameters of a command.
type object = map[string]any

func (t *tab) call(ctx context.Context, method string, params, result any) error {
	return t.p.call(ctx, t.id, method, params, result)
}

// shutScript removes functions that bypass the interception or wait for a user.
//
//go:embed shut.js
var shutScript string

// takeScript returns the document.
//
//go:embed take.js
var takeScript string

// close discards the page and everything that it started.
func (t *tab) close() {
	t.cancel()
	t.answering.Wait()
	if t.contextID == "" {
		return
	}
	ctx, cancel := context.WithTimeoutCause(context.Background(), grace, errHung)
	defer cancel()
	if err := t.p.call(ctx, "", "Target.disposeBrowserContext", object{"browserContextId": t.contextID},
		nil); errors.Is(err, errHung) {
		t.b.drop(t.p)
	}
	t.p.forget(t.session)
}

// render shows the document and waits until it is quiet or its time is up.
func (t *tab) render() (*Rendered, error) {
	t.lastActivity = time.Now()
	t.p.send(t.id, "Page.navigate", object{"url": t.first.URL})
	tick := time.NewTicker(quietTime / 5)
	defer tick.Stop()
	for over := false; !over; {
		select {
		case e := <-t.events:
			t.event(e)
		case <-t.answered:
		case <-tick.C:
		case <-t.flood:
			t.out.Unquiet, over = true, true
		case <-t.p.done:
			return nil, errPipe
		case <-t.ctx.Done():
			if context.Cause(t.ctx) != errTime {
				return nil, context.Cause(t.ctx)
			}
			t.out.Unquiet, over = true, true
		}
		switch {
		case t.crashed:
			return nil, errCrashed
		case t.isComplete():
			over = true
		}
	}
	return t.take()
}

// isComplete reports whether the page is complete.
func (t *tab) isComplete() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.out.Location != "" {
		return true
	}
	if total(t.denied) > maxWindows {
		t.out.Unquiet = true
		return true
	}
	still := time.Since(t.lastActivity)
	return t.shown && t.inFlight == 0 && (t.loaded && still >= quietTime || still >= 10*quietTime)
}

func total(m map[string]int) (n int) {
	for _, k := range m {
		n += k
	}
	return n
}

// event handles an event of the page.
func (t *tab) event(e event) {
	switch e.Method {
	case "Fetch.requestPaused":
		var q paused
		if json.Unmarshal(e.Params, &q) == nil {
			t.intercepted(&q)
		}
	case "Page.frameNavigated":
		var n struct{ Frame struct{ ID, URL string } }
		if json.Unmarshal(e.Params, &n) == nil && n.Frame.ID == t.target && t.shown {
			t.navigated, t.loaded = true, false
		}
	case "Page.loadEventFired":
		t.loaded = t.navigated // the empty page fires one, too
	case "Page.frameRequestedNavigation":
		var n struct{ FrameID, URL, Disposition string }
		if json.Unmarshal(e.Params, &n) != nil || n.FrameID != t.target {
			return
		}
		switch n.Disposition {
		case "currentTab":
			t.intended[bare(n.URL)] = len(t.intended) < maxWindows
			t.setRedirect(bare(n.URL))
		case "download":
			t.deny("download")
		default:
			t.deny("window")
		}
	case "Page.javascriptDialogOpening":
		t.deny("dialog")
		t.p.send(t.id, "Page.handleJavaScriptDialog", object{"accept": false})
	case "Page.windowOpen":
		t.deny("window")
	case "Page.downloadWillBegin":
		t.deny("download")
	case "Target.attachedToTarget":
		var a struct {
			TargetInfo struct{ TargetID, Type string }
		}
		if json.Unmarshal(e.Params, &a) != nil {
			return
		}
		if a.TargetInfo.Type == "page" {
			t.deny("window")
			t.p.send("", "Target.closeTarget", object{"targetId": a.TargetInfo.TargetID})
			return
		}
		t.deny("worker")
	case "Inspector.targetCrashed":
		t.crashed = true
	}
}

// setRedirect sets a redirect for an address that the page both navigated to and requested; a
// download is only requested. The two events come in any order. A page that navigates to a private
// address stays as it is.
func (t *tab) setRedirect(address string) {
	if t.intended[address] && t.requested[address] {
		why := t.b.Own.Private(t.ctx, address)
		if why != nil {
			t.deny("private address")
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if why != nil { // the shown document stays
			t.out.Barred = cmp.Or(t.out.Barred, address)
			return
		}
		t.out.Location = address
	}
}

// bare returns an address without its fragment.
func bare(address string) string {
	address, _, _ = strings.Cut(address, "#")
	return address
}

// deny records a denied action of the page.
func (t *tab) deny(what string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.denied[what]++; t.denied[what] == 1 {
		t.out.Denied = append(t.out.Denied, what)
	}
}

// take reads the document out of the page. It stops the page's scripts first if they block the
// protocol.
func (t *tab) take() (*Rendered, error) {
	if t.out.Location != "" || !t.shown {
		if !t.shown {
			return nil, errHung
		}
		return t.result(), nil
	}
	most := grace
	t.mu.Lock()
	most += max(0, time.Until(t.end)) // the page's remaining time, too
	t.mu.Unlock()
	ctx, cancel := context.WithTimeoutCause(context.WithoutCancel(t.ctx), most, errHung)
	defer cancel()
	go t.drain(ctx)
	quick, stop := context.WithTimeout(ctx, grace/3)
	html, cut, err := t.document(quick)
	stop()
	if err != nil && ctx.Err() == nil && t.p.why() == nil {
		t.p.send(t.id, "Runtime.terminateExecution", nil)
		t.out.Unquiet = true
		html, cut, err = t.document(ctx)
	}
	switch {
	case t.p.why() != nil:
		return nil, errPipe
	case ctx.Err() != nil:
		return nil, errHung
	case err != nil:
		return nil, fmt.Errorf("the page cannot be taken out of the browser: %w", err)
	}
	out := t.result()
	out.HTML, out.Truncated = []byte(strings.ToValidUTF8(html, "\uFFFD")), cut
	return out, nil
}

// drain denies dialogs while the document is read, because a dialog blocks everything.
func (t *tab) drain(ctx context.Context) {
	for {
		select {
		case e := <-t.events:
			if e.Method == "Page.javascriptDialogOpening" {
				t.p.send(t.id, "Page.handleJavaScriptDialog", object{"accept": false})
			}
		case <-ctx.Done():
			return
		case <-t.p.done:
			return
		}
	}
}

// document reads the document in an isolated world, which the page's scripts cannot change.
func (t *tab) document(ctx context.Context) (html string, cut bool, err error) {
	var world struct{ ExecutionContextID int }
	if err := t.call(ctx, "Page.createIsolatedWorld", object{"frameId": t.target}, &world); err != nil {
		return "", false, err
	}
	var got struct {
		Result struct {
			Value struct {
				HTML string
				Cut  bool
			}
		}
		ExceptionDetails *struct{ Text string }
	}
	err = t.call(ctx, "Runtime.evaluate", object{"expression": fmt.Sprintf("(%s)(%d)", takeScript, t.lim.MaxBody),
		"contextId": world.ExecutionContextID, "returnByValue": true}, &got)
	if err == nil && got.ExceptionDetails != nil {
		err = errors.New(got.ExceptionDetails.Text)
	}
	html, cut = got.Result.Value.HTML, got.Result.Value.Cut
	if len(html) > t.lim.MaxBody { // the script cut by characters
		html, cut = html[:t.lim.MaxBody], true
	}
	return html, cut, err
}

// result returns the results other than the document.
func (t *tab) result() *Rendered {
	t.cancel()
	t.answering.Wait()
	t.mu.Lock()
	defer t.mu.Unlock()
	out := t.out
	return &out
}
