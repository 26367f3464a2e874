// Package web shows notices to people with a browser: the inbox, a notice, the lists with their
// health, and the progress of the run. The server renders the pages; they have no script.
//
// crawl/api gives the data. This package changes nothing and checks no token: the caller mounts its
// handler behind authentication. GET /login and the style sheet under /style/ need none; the caller
// handles POST /login, POST /logout and the Markdown of notices.
//
// Texts of the pages come from the web. html/template escapes them, a Content-Security-Policy
// refuses everything but the style sheet, and a page loses its control and direction characters
// just before it is sent.
package web

import (
	"bytes"
	"crypto/sha256"
	_ "embed" // pages, style sheet and texts
	"encoding/hex"
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"angler/crawl/api"
	"angler/crawl/htmldoc"
	"angler/crawl/inbox"
	"angler/crawl/urls"
)

//go:embed pages.html
var pagesFile string

//go:embed style.css
var style []byte

var pages = sync.OnceValue(func() *template.Template { return template.Must(template.New("").Parse(pagesFile)) })

// policy permits the style sheet and the forms of the pages, nothing else.
const policy = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// refreshEvery is the interval of a run's page in seconds.
const refreshEvery = 10

// Options hold what the caller may add.
type Options struct {
	// Chinese translates a sentence of the engine; nil leaves it in English. It must be safe for
	// concurrent use.
	Chinese func(sentence string) string
}

// site serves the pages. It is safe for concurrent use.
type site struct {
	service  *api.Service
	speeches [2]*speech
	style    string // path of the style sheet
	now      func() time.Time
}

// New returns the handler of all pages of a workspace. It is safe for concurrent use.
func New(service *api.Service, opt Options) http.Handler {
	s := &site{service: service, speeches: speeches(opt.Chinese), now: time.Now,
		style: "/style/" + hashOf(style) + ".css"}
	mux := http.NewServeMux()
	for pattern, answer := range map[string]func(*http.Request, *page) error{
		"GET /{$}": s.inbox, "GET /notices/{id}": s.notice, "GET /lists": s.lists, "GET /run": s.run,
		"GET /login": s.login, "GET /": s.missing,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) { s.serve(w, r, answer) })
	}
	mux.HandleFunc("GET "+s.style, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/css; charset=utf-8")
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(style))
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range map[string]string{"Content-Security-Policy": policy,
			"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "X-Frame-Options": "DENY"} {
			w.Header().Set(name, value)
		}
		mux.ServeHTTP(w, r)
	})
}

// page is the data of one page.
type page struct {
	*speech
	Name    string // of the template
	Title   string
	Style   string
	Refresh int // seconds; 0 = never
	Now     time.Time
	Query   url.Values // of the request
	Status  int
	Message string // of a page without data: why
	Data    any
}

// serve answers with a page or with the page of an error.
func (s *site) serve(w http.ResponseWriter, r *http.Request, answer func(*http.Request, *page) error) {
	query, err := url.ParseQuery(r.URL.RawQuery)
	p := &page{speech: s.speechOf(w, r, query), Style: s.style, Now: s.now(), Query: query, Status: http.StatusOK}
	if err != nil {
		p.problem(http.StatusBadRequest, p.Text("bad_query"))
	} else if err := answer(r, p); err != nil {
		if r.Context().Err() != nil {
			return // nobody waits for the answer
		}
		message := p.Says(err.Error())
		if reading, is := errors.AsType[*inbox.ReadingError](err); is {
			message, p.Refresh = p.Text("still_reading", reading.Read, reading.All), refreshEvery
			if reading.Read == reading.All {
				message = p.Text("still_relating", reading.All)
			}
		} else if p.Query.Get("cursor") != "" {
			message = p.Text("bad_cursor")
		}
		p.problem(statusOf(err, p), message)
	}
	body, err := p.html()
	if err != nil {
		http.Error(w, "the page cannot be made: "+err.Error(), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", p.Code)
	h.Set("Cache-Control", "private, no-cache")
	h.Add("Vary", "Accept-Language, Cookie")
	if p.Status != http.StatusOK {
		w.WriteHeader(p.Status)
		_, _ = w.Write(body) // the client is gone
		return
	}
	h.Set("ETag", `"`+hashOf(body)+`"`)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
}

// statusOf returns the status for an error. A request without parameters is no fault of the person.
func statusOf(err error, p *page) int {
	_, reading := errors.AsType[*inbox.ReadingError](err)
	switch _, unknown := err.(api.UnknownError); {
	case unknown:
		return http.StatusNotFound
	case reading:
		return http.StatusServiceUnavailable
	case len(p.Query) > 0:
		return http.StatusBadRequest
	}
	return http.StatusInternalServerError
}

// problem makes the page that of an error.
func (p *page) problem(status int, message string) {
	p.Name, p.Status, p.Title, p.Message = "problem", status, p.Text("problem_title"), message
	if status == http.StatusNotFound {
		p.Title = p.Text("missing_title")
	}
}

func (s *site) missing(_ *http.Request, p *page) error {
	p.problem(http.StatusNotFound, p.Text("missing_page"))
	return nil
}

// html renders the page without unsafe characters.
func (p *page) html() ([]byte, error) {
	var b bytes.Buffer
	if err := pages().ExecuteTemplate(&b, p.Name, p); err != nil {
		return nil, err
	}
	return bytes.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && htmldoc.IsUnsafe(r) {
			return -1
		}
		return r
	}, b.Bytes()), nil
}

// parameters are those that links to the same page keep.
var parameters = []string{"q", "order", "cursor", "host", "trouble", "still", "lang"}

// With returns a relative address with one parameter of the request set; "" removes it.
func (p *page) With(name, value string) string {
	q := url.Values{}
	for _, k := range parameters {
		if v := typed(p, k); v != "" {
			q.Set(k, v)
		}
	}
	if q.Set(name, value); value == "" {
		q.Del(name)
	}
	return "?" + q.Encode()
}

// Here marks the page in the navigation.
func (p *page) Here(name string) template.HTMLAttr {
	if p.Name == name {
		return ` aria-current="page"`
	}
	return ""
}

// hashOf returns 16 hexadecimal digits of a hash.
func hashOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:8])
}

// Link returns an address that a page may link to; "" for everything but http and https.
func (p *page) Link(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" ||
		strings.ContainsFunc(address, htmldoc.IsUnsafe) {
		return ""
	}
	return u.String()
}

// Host returns the host of an address.
func (p *page) Host(address string) string { return urls.HostOf(address) }

// paging is the data of the links below a table.
type paging struct{ Label, Range, First, FirstName, Next, NextName string }

// Paging returns the links to other rows.
func (p *page) Paging(of api.Page, rows int) paging {
	out := paging{Label: p.Text("paging"), Range: p.Range(of, rows), FirstName: p.Text("first"),
		NextName: p.Text("next")}
	if of.Skipped > 0 {
		out.First = p.With("cursor", "")
	}
	if of.NextCursor != "" {
		out.Next = p.With("cursor", of.NextCursor)
	}
	return out
}

// Range says which rows the page has.
func (p *page) Range(of api.Page, rows int) string {
	return p.Text("range", p.Count(of.Skipped+1), p.Count(of.Skipped+rows), p.Count(of.Total), p.When(of.AsOf))
}
