//go:build unix

package crawl_test

import (
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"angler/crawl/webtest"
)

// bare is the yardstick of BenchmarkThroughput: net/http, html.Parse, a set of known
// addresses and a queue. It judges and stores nothing. It stays on .test hosts, ends
// after max pages and returns how many it fetched.
func bare(web *webtest.Web, addr string, workers, max int) int {
	tr := &http.Transport{DialContext: webtest.DialTo(addr), MaxIdleConnsPerHost: workers, MaxIdleConns: 400, DisableCompression: true}
	defer tr.CloseIdleConnections()
	q := &bareQueue{seen: map[string]struct{}{}, max: max}
	q.wake.L = &q.mu
	for _, s := range web.Seeds() {
		if u, err := url.Parse(s); err == nil {
			q.add([]*url.URL{u})
		}
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			var body bytes.Buffer
			for u := q.next(); u != nil; u = q.next() {
				if res, err := tr.RoundTrip(&http.Request{Method: "GET", URL: u, Header: http.Header{"User-Agent": {"plain"}}}); err == nil {
					body.Reset()
					_, err = body.ReadFrom(res.Body)
					res.Body.Close()
					if location := res.Header.Get("Location"); location != "" {
						if to := bareLink(u, location); to != nil {
							q.add([]*url.URL{to})
						}
					} else if err == nil {
						q.add(bareLinks(u, &body))
					}
				}
				q.done()
			}
		})
	}
	wg.Wait()
	return q.taken
}

func bareLinks(base *url.URL, body io.Reader) (out []*url.URL) {
	root, err := html.Parse(body)
	if err != nil {
		return nil
	}
	for n := range root.Descendants() {
		if n.DataAtom != atom.A {
			continue
		}
		for _, a := range n.Attr {
			if a.Key == "href" {
				if u := bareLink(base, a.Val); u != nil {
					out = append(out, u)
				}
			}
		}
	}
	return out
}

// bareLink is the address that a link means, nil if it is none that is followed.
func bareLink(base *url.URL, href string) *url.URL {
	u, err := base.Parse(strings.TrimSpace(href))
	if err != nil || u.Scheme != "http" || !strings.HasSuffix(u.Host, ".test") || isFile(u.Path) {
		return nil
	}
	u.Fragment = ""
	return u
}

// fileEndings are those of the web's files. The bare crawler does not fetch them.
var fileEndings = []string{"pdf", "doc", "docx", "xls", "xlsx", "zip", "rar", "css", "js", "png", "jpg", "gif"}

func isFile(path string) bool {
	i := strings.LastIndexByte(path, '.')
	if i < 0 {
		return false
	}
	for _, ending := range fileEndings {
		if strings.EqualFold(path[i+1:], ending) {
			return true
		}
	}
	return false
}

// bareQueue is a first-in first-out frontier without politeness.
type bareQueue struct {
	mu    sync.Mutex
	wake  sync.Cond
	q     []*url.URL
	seen  map[string]struct{}
	busy  int
	taken int
	max   int // pages that may be fetched
	over  bool
}

func (p *bareQueue) add(list []*url.URL) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, u := range list {
		s := u.String()
		if _, ok := p.seen[s]; !ok {
			p.seen[s] = struct{}{}
			p.q = append(p.q, u)
		}
	}
	p.wake.Broadcast()
}

func (p *bareQueue) next() *url.URL {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.q) == 0 && p.busy > 0 && !p.over {
		p.wake.Wait()
	}
	if len(p.q) == 0 || p.over {
		return nil
	}
	u := p.q[0]
	p.q = p.q[1:]
	p.busy++
	p.taken++
	p.over = p.taken == p.max
	return u
}

func (p *bareQueue) done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.busy--
	p.wake.Broadcast()
}
