package page

import (
	"strings"
	"sync"

	"angler/crawl/urls"
)

// ErrorPages recognises a host's error page by its content: the same short page
// at several addresses. It catches what Soft404 has no words for: another
// language, a login form, a picture. One belongs to one host. The zero value is
// ready; it is safe for concurrent use and holds some 50 bytes for every short
// page, at most 150 KB.
//
// The first addresses of an error page are taken for pages: only the third shows
// what it is. Empty lists may look alike, too, and nothing is lost with them.
type ErrorPages struct {
	mu   sync.Mutex
	seen map[uint64]sameText
}

// sameText holds the addresses at which one text was met.
type sameText struct {
	urls [sameURLs]uint64
	n    int32
}

const (
	sameURLs     = 3    // addresses from which a text is an error page
	maxSameTexts = 2048 // texts remembered
)

// Learn takes note of a page and tells whether its text has now been met at
// three addresses or more, "" if not. Text, links and <title> must be equal but
// for digits and lines that name the address. Lists, front pages and pages of
// more than 400 characters of their own are passed over.
func (e *ErrorPages) Learn(p *Page) (reason string) {
	if !p.maybeError() {
		return ""
	}
	return e.met(p.URL, fingerprint(p))
}

// maybeError reports whether a page is so short that it may be an error page.
func (p *Page) maybeError() bool {
	return p.Dated == 0 && p.Type != List && !IsHomePage(p.URL) && p.ownChars() <= errorChars
}

// met takes note of a text at an address.
func (e *ErrorPages) met(address string, text uint64) (reason string) {
	url := hashText(address)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.seen == nil {
		e.seen = make(map[uint64]sameText)
	}
	s, known := e.seen[text]
	if !known && len(e.seen) >= maxSameTexts {
		e.forget()
	}
	for i := range s.n {
		if s.urls[i] == url {
			url = 0
		}
	}
	if url != 0 && s.n < sameURLs {
		s.urls[s.n] = url
		s.n++
		e.seen[text] = s
	}
	if s.n < sameURLs {
		return ""
	}
	return "the same page stands at other addresses of its host"
}

// forget drops the texts met at one address, and if that is not enough all.
func (e *ErrorPages) forget() {
	for k, s := range e.seen {
		if s.n < 2 {
			delete(e.seen, k)
		}
	}
	if len(e.seen) > maxSameTexts/2 {
		clear(e.seen)
	}
}

// fingerprint is a hash of what a page shows: its text, links and <title>
// without digits (times, request numbers) and without the lines that repeat the
// address.
func fingerprint(p *Page) uint64 {
	path := p.URL
	if i := strings.Index(path, "://"); i >= 0 {
		path = strings.TrimPrefix(path[i+3:], urls.HostOf(p.URL))
	}
	h := hashUnnumbered(p.Head)
	for line := range strings.SplitSeq(p.Text, "\n") {
		if len(path) < 2 || !strings.Contains(line, path) {
			h = h*1099511628211 ^ hashUnnumbered(line)
		}
	}
	for i := range p.Links {
		if u := p.Links[i].URL; len(path) < 2 || !strings.Contains(u, path) {
			h = h*1099511628211 ^ hashText(u)
		}
	}
	return h
}

// hashUnnumbered is hashText without the digits.
func hashUnnumbered(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != ' ' && (c < '0' || c > '9') {
			h = (h ^ uint64(c)) * 1099511628211
		}
	}
	return h
}
