package browser

import (
	"bytes"
	"context"
	"errors"
	"html"
	"mime"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"angler/crawl/fetch"
	"angler/crawl/listpage"
	"angler/crawl/page"
	"angler/crawl/reader"
	"angler/crawl/run"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/store/records"
)

// Recipes read the lists of pages without the pages; *recipe.Recipes does.
type Recipes interface {
	// Reads reports whether a recipe reads the list of an address. Such a page is rendered
	// no more: what is stored of it stays.
	Reads(address string) bool
	// ReadsOf reports whether a recipe reads a list of a host. Then those of its pages that
	// say the same without their scripts are read as they come.
	ReadsOf(host string) bool
	// Learn takes what a page received as JSON. It does not block for long.
	Learn(address string, html []byte, exchanges []Exchange)
}

// RenderingConfig is what rendering works with.
type RenderingConfig struct {
	Store    *store.Workspace
	Reader   *reader.Reader
	Settings func() *config.Settings
	Own      Fetcher // of the crawl
	Others   Fetcher // without cookies and without the seeds' exceptions
	Events   *view.EventLog
	Limiter  *fetch.HostLimiter // see Config
	Recipes  Recipes            // nil means that every page is rendered
	Now      func() time.Time
}

// Rendering renders pages. It is safe for concurrent use.
type Rendering struct {
	RenderingConfig
	browser *Browser
	absent  atomic.Bool // it was said that there is no browser

	mu     sync.Mutex // guards what follows
	hosts  map[string]*view.RenderedHost
	shapes map[string]compared // which pages need no browser, as it is stored
}

// maxHosts bounds the hosts that are counted, and the shapes of addresses.
const maxHosts = 1000

// htmlType is the type of a rendered page.
const htmlType = "text/html; charset=utf-8"

// NewRendering returns rendering; no browser is begun before the first page.
func NewRendering(c RenderingConfig) *Rendering {
	r := &Rendering{RenderingConfig: c, hosts: map[string]*view.RenderedHost{}}
	if c.Recipes != nil {
		r.shapes = recalled(c.Store.State(plainState))
	}
	r.browser = New(Config{Limits: r.limits, Own: c.Own, Others: c.Others, Limiter: c.Limiter, Events: c.Events})
	return r
}

func (r *Rendering) limits() Limits {
	s := r.Settings()
	return Limits{Path: s.Render.Browser, Tabs: s.Render.Tabs, Memory: int64(s.Render.MemoryMB) << 20, Timeout: time.Duration(s.Render.Timeout),
		Pages: s.Render.Restart, MaxBody: s.Crawl.MaxBodyMB << 20}
}

// Translates implements run.Translator.
func (r *Rendering) Translates(address string) bool {
	return r.Settings().Rendered(address) && urls.IsPlain(address)
}

// Awaits implements run.LateTranslator: none of the host's pages was rendered since the
// workspace was opened, so that those which are stored may be as they came.
func (r *Rendering) Awaits(address string) bool {
	if !r.Translates(address) {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.hosts[urls.HostOf(address)] == nil
}

// Translate implements run.Translator: the document as scripts have left it. What is
// no HTML, and everything while there is no browser, comes back as it came.
func (r *Rendering) Translate(ctx context.Context, in run.Reply) (*fetch.Response, error) {
	if !isHTML(in.Response) {
		return in.Response, nil
	}
	if r.Recipes != nil && r.Recipes.Reads(in.Address) {
		return r.kept(in), nil
	}
	if r.suffices(in) {
		return in.Response, nil
	}
	out, err := r.browser.Render(ctx, in.Response)
	if errors.Is(err, errNone) {
		if r.absent.CompareAndSwap(false, true) {
			r.Events.Note("warn", "pages of %s are read without their scripts: %v", strings.Join(r.Settings().RenderedBranches(), ", "), err)
		}
		r.note(in.Address, nil, err)
		return in.Response, nil
	}
	r.absent.Store(false)
	if ctx.Err() == nil {
		r.note(in.Address, out, err)
	}
	if err != nil {
		return nil, err
	}
	resp := *in.Response
	// Without validators: the document may be the same, and what scripts make of it
	// another.
	resp.ETag, resp.LastModified = "", ""
	if out.Location != "" {
		resp.Status, resp.Location, resp.Body = 302, out.Location, nil
		return &resp, nil
	}
	if out.Barred != "" {
		out.HTML = barred(out.HTML, out.Barred)
	}
	r.compare(in, out)
	resp.ContentType, resp.Body, resp.Truncated = htmlType, out.HTML, out.Truncated
	if r.Recipes != nil && len(out.Exchanges) > 0 {
		r.Recipes.Learn(in.Address, out.HTML, out.Exchanges)
	}
	return &resp, nil
}

// Look renders a page that a person names, whatever render.pages says. It keeps nothing.
func (r *Rendering) Look(ctx context.Context, document *fetch.Response) (*Rendered, error) {
	if !isHTML(document) {
		return nil, errors.New("it is no HTML")
	}
	out, err := r.browser.Render(ctx, document)
	if ctx.Err() == nil {
		r.note(document.URL, out, err)
	}
	return out, err
}

// barred has a page say where its scripts have sent it and it was not let go, so that
// its next reader knows.
func barred(body []byte, address string) []byte {
	mark := []byte(`<meta name="` + listpage.BarredMeta + `" content="` + html.EscapeString(address) + `">`)
	at := 0 // in front of everything, where the page has no head
	if i := bytes.Index(body, []byte("<head")); i >= 0 {
		if k := bytes.IndexByte(body[i:], '>'); k >= 0 {
			at = i + k + 1
		}
	}
	return slices.Concat(body[:at], mark, body[at:])
}

// kept is a page whose rows are asked for without it: as it was rendered last, if it was.
func (r *Rendering) kept(in run.Reply) *fetch.Response {
	id, ok := r.Store.Lookup(in.Address)
	if !ok {
		return in.Response
	}
	body, err := r.Store.Body(id, r.limits().MaxBody)
	if err != nil || len(body) == 0 {
		return in.Response
	}
	resp := *in.Response
	resp.ETag, resp.LastModified = "", ""
	resp.ContentType, resp.Body = htmlType, body
	return &resp
}

// Behind implements run.Translator: a rendered page has no requests of its own.
func (r *Rendering) Behind(string, *records.Request, *page.Page) []store.Link { return nil }

func isHTML(resp *fetch.Response) bool {
	if resp.Truncated || len(resp.Body) == 0 {
		return false
	}
	kind, _, err := mime.ParseMediaType(resp.ContentType)
	if err != nil || kind == "" || kind == "text/plain" {
		head := strings.ToLower(string(resp.Body[:min(len(resp.Body), 512)]))
		return strings.Contains(head, "<html") || strings.Contains(head, "<!doctype html")
	}
	return kind == "text/html" || kind == "application/xhtml+xml"
}

// note counts a page for its host.
func (r *Rendering) note(address string, out *Rendered, err error) {
	u, bad := url.Parse(address)
	if bad != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.hosts[u.Host]
	if h == nil {
		if len(r.hosts) >= maxHosts {
			return
		}
		h = &view.RenderedHost{Host: u.Host}
		r.hosts[u.Host] = h
	}
	h.Last = r.Now()
	if err != nil {
		h.Failed++
		h.Err = err.Error()
		return
	}
	h.Pages++
	h.Requests += out.Requests
	h.Exchanges += len(out.Exchanges)
	h.Took += out.Took
	h.Err = ""
}

// Close ends the browser and waits for that.
func (r *Rendering) Close() { r.browser.Close() }
