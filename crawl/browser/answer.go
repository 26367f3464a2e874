package browser

import (
	"cmp"
	"encoding/base64"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"angler/crawl/fetch"
)

// This file answers the requests of pages.

// paused is an intercepted request.
type paused struct {
	RequestID    string
	FrameID      string
	ResourceType string
	Request      struct {
		URL         string
		Method      string
		Headers     map[string]string
		PostData    string
		HasPostData bool
	}
}

// DevTools error reasons of failed requests.
const (
	blocked = "BlockedByClient"
	aborted = "Aborted" // keeps the shown document
)

// intercepted answers an intercepted request.
func (t *tab) intercepted(q *paused) {
	t.mu.Lock()
	t.lastActivity = time.Now()
	t.mu.Unlock()
	u, err := url.Parse(q.Request.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" {
		t.refuse(q, blocked)
		return
	}
	if q.ResourceType == "Document" {
		t.navigates(q, u)
		return
	}
	switch q.ResourceType {
	case "Stylesheet":
		t.fulfil(q, http.StatusOK, "text/css", nil) // scripts wait for style sheets
	case "Script", "XHR", "Fetch":
		if strings.Contains(header(q, "Accept"), "event-stream") ||
			q.ResourceType == "Fetch" && header(q, "Sec-Purpose") != "" {
			t.refuse(q, blocked)
			return
		}
		t.fetches(q, u)
	default: // images, fonts, media, pings, manifests, workers, prefetching
		t.refuse(q, blocked)
	}
}

// navigates answers a request for a document. The page's own document was fetched before. Frames
// stay empty. A page that navigates to another address is a redirect; a reload is fetched.
func (t *tab) navigates(q *paused, u *url.URL) {
	u.Fragment = ""
	switch {
	case q.FrameID != t.target:
		t.refuse(q, aborted)
	case !t.shown:
		t.shown = true
		t.fulfil(q, http.StatusOK, cmp.Or(t.first.ContentType, "text/html"), t.first.Body)
	case q.Request.Method != http.MethodGet:
		t.deny("form")
		t.refuse(q, aborted)
	case u.String() == t.address.String():
		if t.reloads++; t.reloads > maxReloads {
			t.deny("reload")
			t.refuse(q, aborted)
			return
		}
		t.loaded = false
		t.fetches(q, u)
	default:
		t.refuse(q, aborted)
		t.requested[bare(q.Request.URL)] = len(t.requested) < maxWindows
		t.setRedirect(bare(q.Request.URL))
	}
}

// fetches answers a request by a fetch or from the cache.
func (t *tab) fetches(q *paused, u *url.URL) {
	r := fetch.Request{URL: q.Request.URL}
	switch q.Request.Method {
	case http.MethodGet:
	case http.MethodPost:
		r.Method, r.Body, r.ContentType = http.MethodPost, []byte(q.Request.PostData), header(q, "Content-Type")
		if q.Request.HasPostData && q.Request.PostData == "" {
			t.refuse(q, blocked) // the body was too long for the event
			return
		}
	default:
		t.refuse(q, blocked)
		return
	}
	r.Header = headersOf(q)
	t.mu.Lock()
	enough := t.out.Requests+t.inFlight >= maxRequests || t.budget <= 0
	if !enough {
		t.inFlight++
	}
	t.mu.Unlock()
	if enough {
		t.deny("more requests")
		t.refuse(q, blocked)
		return
	}
	t.answering.Go(func() {
		resp, err := t.fetch(q, u, r)
		t.mu.Lock()
		t.inFlight--
		t.lastActivity = time.Now()
		if err == nil {
			t.out.Requests++
			t.budget -= int64(len(resp.Body))
			t.learn(q, r, resp)
		}
		t.mu.Unlock()
		switch {
		case err != nil:
			t.refuse(q, "AccessDenied")
		case resp.Location != "":
			t.redirect(q, resp)
		default:
			t.fulfil(q, resp.Status, resp.ContentType, resp.Body)
		}
		select {
		case t.answered <- struct{}{}:
		default:
		}
	})
}

var errCut = errors.New("longer than crawl.max_body_mb")

// fetch sends a request politely. Scripts are cached for other pages.
func (t *tab) fetch(q *paused, u *url.URL, r fetch.Request) (*fetch.Response, error) {
	script := q.ResourceType == "Script" && r.Method == ""
	if script {
		if resp := t.b.cache.get(r.URL); resp != nil {
			return resp, nil
		}
	}
	leave, waited, err := t.b.Limiter.Enter(t.ctx, u.Host)
	if err != nil {
		return nil, err
	}
	defer func() { leave(max(t.b.Own.CrawlDelay(u.Host), t.b.Others.CrawlDelay(u.Host))) }()
	t.extend(waited)
	if script { // another page may have fetched it meanwhile
		if resp := t.b.cache.get(r.URL); resp != nil {
			return resp, nil
		}
	}
	from := t.b.Others
	if sameHost(u, t.address) {
		from = t.b.Own
	}
	resp, err := from.Fetch(t.ctx, r)
	if err != nil {
		return nil, err
	}
	if resp.Truncated {
		return nil, errCut
	}
	if script && resp.Status == http.StatusOK {
		t.b.cache.put(r.URL, resp)
	}
	return resp, nil
}

// sameHost reports whether an address has the page's host, including the port.
func sameHost(u, page *url.URL) bool { return strings.EqualFold(u.Host, page.Host) }

func header(q *paused, name string) string {
	for k, v := range q.Request.Headers {
		if strings.EqualFold(k, name) {
			return v
		}
	}
	return ""
}

// ours are headers that this program or the connection sets.
var ours = map[string]bool{"user-agent": true, "accept-encoding": true, "accept-language": true, "content-type": true,
	"content-length": true,
	"host":           true, "connection": true, "cookie": true, "origin": true, "upgrade-insecure-requests": true,
	"proxy-authorization": true, "authorization": true}

// maxHeader bounds the headers that a page sets, in bytes.
const maxHeader = 8 << 10

// headersOf returns the headers that a page sets, without cookies and others that only this program
// sets.
func headersOf(q *paused) map[string]string {
	out := make(map[string]string)
	n := 0
	for k, v := range q.Request.Headers {
		k = strings.ToLower(k)
		if ours[k] || strings.HasPrefix(k, "sec-") || strings.HasPrefix(k, "proxy-") {
			continue
		}
		if n += len(k) + len(v); n > maxHeader {
			break
		}
		out[k] = v
	}
	return out
}

// refuse fails a request.
func (t *tab) refuse(q *paused, reason string) {
	t.mu.Lock()
	t.out.Refused++
	t.mu.Unlock()
	t.p.send(t.id, "Fetch.failRequest", object{"requestId": q.RequestID, "errorReason": reason})
}

// redirect answers with a redirect. The browser then sends a new request, which is intercepted as
// well.
func (t *tab) redirect(q *paused, resp *fetch.Response) {
	t.answer(q, resp.Status, []field{{"Location", resp.Location}}, nil)
}

// fulfil answers a request.
func (t *tab) fulfil(q *paused, status int, contentType string, body []byte) {
	var h []field
	if contentType != "" {
		h = append(h, field{"Content-Type", contentType})
	}
	t.answer(q, status, h, body)
}

type field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func (t *tab) answer(q *paused, status int, h []field, body []byte) {
	// CORS may allow every origin: requests to other hosts were sent without cookies.
	if origin := header(q, "Origin"); origin != "" {
		h = append(h, field{"Access-Control-Allow-Origin", origin}, field{"Access-Control-Allow-Credentials", "true"})
	}
	t.p.send(t.id, "Fetch.fulfillRequest", object{"requestId": q.RequestID, "responseCode": status,
		"responseHeaders": h,
		"body":            base64.StdEncoding.EncodeToString(body)})
}

// isJSON reports whether a response is data rather than markup, by content type or first bytes.
// JSON in a function call (JSONP) counts.
func isJSON(contentType string, body []byte) bool {
	kind, _, _ := mime.ParseMediaType(contentType)
	head := strings.TrimSpace(string(body[:min(len(body), 256)]))
	head = strings.TrimPrefix(head, "\ufeff")
	switch {
	case head == "":
		return false
	case head[0] == '{' || head[0] == '[':
		return !strings.Contains(kind, "css")
	case strings.HasSuffix(kind, "json"):
		return true
	}
	name, _, call := strings.Cut(head, "(")
	if !call || name == "" || len(name) > 80 {
		return false
	}
	rest := strings.TrimSpace(head[len(name)+1:])
	return strings.IndexFunc(strings.TrimSpace(name), notInName) < 0 && rest != "" && (rest[0] == '{' || rest[0] == '[')
}

func notInName(r rune) bool {
	return !(r == '_' || r == '$' || r == '.' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z')
}

// Exchange is a request of a page for data, with the reply.
type Exchange struct {
	Request fetch.Request
	Reply   *fetch.Response
}

// Bounds of a page's exchanges.
const (
	maxExchanges = 32
	maxExchange  = 1 << 20
	maxLearned   = 4 << 20
)

// learn keeps a JSON reply. The caller holds the lock.
func (t *tab) learn(q *paused, r fetch.Request, resp *fetch.Response) {
	n := int64(len(resp.Body))
	if q.ResourceType == "Document" || resp.Status != http.StatusOK || len(t.out.Exchanges) >= maxExchanges ||
		n > maxExchange || t.learned+n > maxLearned {
		return
	}
	if q.ResourceType == "Script" && !strings.Contains(r.URL, "?") || !isJSON(resp.ContentType, resp.Body) {
		return
	}
	t.learned += n
	t.out.Exchanges = append(t.out.Exchanges, Exchange{r, resp})
}

// Bounds of the script cache.
const (
	cacheBytes = 16 << 20
	cacheLife  = 10 * time.Minute
)

// cache keeps scripts between pages of a site.
type cache struct {
	mu   sync.Mutex
	size int
	kept map[string]kept
}

type kept struct {
	resp  *fetch.Response
	until time.Time
}

func (c *cache) get(address string) *fetch.Response {
	c.mu.Lock()
	defer c.mu.Unlock()
	k, ok := c.kept[address]
	if !ok || time.Now().After(k.until) {
		return nil
	}
	return k.resp
}

func (c *cache) put(address string, resp *fetch.Response) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.size+len(resp.Body) > cacheBytes || c.kept == nil {
		c.kept, c.size = map[string]kept{}, 0
	}
	if old, ok := c.kept[address]; ok {
		c.size -= len(old.resp.Body)
	}
	if len(resp.Body) <= cacheBytes/4 && !isJSON(resp.ContentType, resp.Body) {
		c.kept[address] = kept{resp, time.Now().Add(cacheLife)}
		c.size += len(resp.Body)
	}
}
