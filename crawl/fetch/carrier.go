package fetch

import (
	"cmp"
	"context"
	"net/http"
	"net/url"

	"github.com/gocolly/colly/v2"
	"github.com/gocolly/colly/v2/storage"
)

// carrier is a colly collector with its callbacks, for one fetch at a time, because colly has one
// Context per collector and shares client and cookies among clones. OnRequest passes the request
// in; OnResponse or OnError passes the result out. Carriers are reused, because making one costs
// more than a callback.
type carrier struct {
	f *Fetcher
	c *colly.Collector

	// Of the current fetch.
	req  *Request
	host string
	x    exchange
	res  *Response
	err  error
}

func (f *Fetcher) newCarrier() *carrier {
	k := &carrier{f: f, c: f.collector.Clone()}
	k.c.OnRequest(k.onRequest)
	k.c.OnResponse(k.onResponse)
	k.c.OnError(k.onError)
	return k
}

// carry sends a request and returns the response; the error is an *Error. The context bounds the
// time, not http.Client: over a custom transport the client starts a timer and two goroutines per
// request.
func (k *carrier) carry(ctx context.Context, r *Request, host string) (*Response, error) {
	k.req, k.host, k.x = r, host, exchange{limit: k.f.cfg.MaxBody, parts: r.Parts}
	timed, end := context.WithTimeout(ctx, k.f.cfg.Timeout)
	defer end()
	k.c.Context = withExchange(timed, &k.x)
	err := k.c.Request(cmp.Or(r.Method, http.MethodGet), r.URL, r.reader(), nil, make(http.Header, 8))
	res, failed := k.res, k.err
	k.req, k.x, k.res, k.err, k.c.Context = nil, exchange{}, nil, nil, nil
	switch {
	case failed != nil:
		err = failed
	case err == nil:
		return res, nil
	}
	return nil, classify(ctx, r.URL, err)
}

// onRequest is colly's OnRequest.
func (k *carrier) onRequest(q *colly.Request) { k.f.header(*q.Headers, k.host, k.req) }

// onResponse is colly's OnResponse. The transport has read and bounded the body. colly received an
// empty one, which it cannot re-encode.
func (k *carrier) onResponse(r *colly.Response) {
	r.Body = k.x.body
	k.res = k.x.response(k.req.URL, k.f.cfg.Now())
}

// onError is colly's OnError.
func (k *carrier) onError(_ *colly.Response, err error) { k.err = err }

// keepCookies makes the jar colly's cookie storage. The client also uses the jar directly, because
// colly drops domain and path of cookies and prints the ones it cannot parse.
func (f *Fetcher) keepCookies() error {
	jar := f.client.Jar
	if err := f.collector.SetStorage(cookieStorage{jar}); err != nil {
		return err
	}
	f.client.Jar = jar
	return nil
}

// cookieStorage adapts a jar to colly's storage.Storage. The workspace knows the visited URLs.
type cookieStorage struct{ jar http.CookieJar }

func (cookieStorage) Init() error                    { return nil }
func (cookieStorage) Visited(uint64) error           { return nil }
func (cookieStorage) IsVisited(uint64) (bool, error) { return false, nil }

func (s cookieStorage) Cookies(u *url.URL) string { return storage.StringifyCookies(s.jar.Cookies(u)) }

func (s cookieStorage) SetCookies(u *url.URL, cookies string) {
	s.jar.SetCookies(u, storage.UnstringifyCookies(cookies))
}
