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

// recipes reads lists without rendering their pages; *recipe.Recipes implements it.
type recipes interface {
	// Reads reports whether a recipe reads the list of an address. Such a page is no longer
	// rendered, and its stored version stays.
	Reads(address string) bool
	// ReadsOf reports whether a recipe reads any list of a host. Pages of this host that read the
	// same without scripts are not rendered.
	ReadsOf(host string) bool
	// Learn receives the JSON exchanges of a page. It does not block for long.
	Learn(address string, html []byte, exchanges []Exchange)
}

// RenderingConfig holds the parts of Rendering.
type RenderingConfig struct {
	Store    *store.Workspace
	Reader   *reader.Reader
	Settings func() *config.Settings
	Own      requester // fetcher of the crawl
	Others   requester // fetcher without cookies and without the seeds' exceptions
	Events   *view.EventLog
	Limiter  *fetch.HostLimiter // see browserConfig
	Recipes  recipes            // nil = every page is rendered
	Now      func() time.Time
}

// Rendering renders the pages that the settings select. It is safe for concurrent use.
type Rendering struct {
	RenderingConfig
	browser *browser
	absent  atomic.Bool // the missing browser was reported

	mu     sync.Mutex // guards the fields below
	hosts  map[string]*view.RenderedHost
	shapes map[string]compared // comparison results, as stored
}

// maxHosts bounds the counted hosts and the URL shapes.
const maxHosts = 1000

// htmlType is the content type of a rendered page.
const htmlType = "text/html; charset=utf-8"

// NewRendering returns a Rendering. The first page starts the browser.
func NewRendering(c RenderingConfig) *Rendering {
	r := &Rendering{RenderingConfig: c, hosts: map[string]*view.RenderedHost{}}
	if c.Recipes != nil {
		r.shapes = recalled(c.Store.State(plainState))
	}
	r.browser = newBrowser(browserConfig{Limits: r.limits, Own: c.Own, Others: c.Others, Limiter: c.Limiter,
		Events: c.Events})
	return r
}

func (r *Rendering) limits() bounds {
	s := r.Settings()
	return bounds{Path: s.Render.Browser, Tabs: s.Render.Tabs, Memory: int64(s.Render.MemoryMB) << 20,
		Timeout: time.Duration(s.Render.Timeout),
		Pages:   s.Render.Restart, MaxBody: s.Crawl.MaxBodyMB << 20}
}

// Translates implements run.Translator.
func (r *Rendering) Translates(address string) bool {
	return r.Settings().Rendered(address) && urls.IsPlain(address)
}

// Awaits implements run.lateTranslator. It reports whether no page of the host was rendered since
// the workspace was opened, so that stored pages may be unrendered.
func (r *Rendering) Awaits(address string) bool {
	if !r.Translates(address) {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.hosts[urls.HostOf(address)] == nil
}

// Translate implements run.Translator and returns the rendered document. It returns other content
// types unchanged, and everything if there is no browser.
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
	out, err := r.browser.render(ctx, in.Response)
	if errors.Is(err, errNone) {
		if r.absent.CompareAndSwap(false, true) {
			r.Events.Note("warn", "pages of %s are read without their scripts: %v",
				strings.Join(r.Settings().RenderedBranches(), ", "), err)
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
	// No validators: scripts may change an unchanged document.
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

// Look renders a page that an analyst names, whatever render.pages says. It stores nothing.
func (r *Rendering) Look(ctx context.Context, document *fetch.Response) (*Rendered, error) {
	if !isHTML(document) {
		return nil, errors.New("it is no HTML")
	}
	out, err := r.browser.render(ctx, document)
	if ctx.Err() == nil {
		r.note(document.URL, out, err)
	}
	return out, err
}

// barred adds a meta element with the private address that a page tried to navigate to, for later
// readers.
func barred(body []byte, address string) []byte {
	mark := []byte(`<meta name="` + listpage.BarredMeta + `" content="` + html.EscapeString(address) + `">`)
	at := 0 // before everything, if the page has no head
	if i := bytes.Index(body, []byte("<head")); i >= 0 {
		if k := bytes.IndexByte(body[i:], '>'); k >= 0 {
			at = i + k + 1
		}
	}
	return slices.Concat(body[:at], mark, body[at:])
}

// kept returns a page that a recipe reads: the stored body if there is one, else the reply.
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

// Behind implements run.Translator. A rendered page has no requests of its own.
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

// Close ends the browser and waits for it.
func (r *Rendering) Close() { r.browser.close() }
