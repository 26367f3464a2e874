package page

import (
	"strings"
	"sync"

	"angler/crawl/urls"
)

// ErrorPages recognises the error page of one host by its content: the same short page
// at several addresses. It finds error pages that Soft404 has no words for: another
// language, a login form, a picture. The zero value is ready and safe for concurrent use.
// It needs some 50 bytes for every short page, at most 150 KB.
//
// ErrorPages reports an error page from its third address on. It may also report empty lists,
// which hold nothing of value.
type ErrorPages struct {
	mu    sync.Mutex
	texts map[uint64]sameText
}

// sameText holds hashes of the addresses of one text.
type sameText struct {
	urls [minSameURLs]uint64
	n    int32
}

const (
	minSameURLs  = 3    // addresses of an error page, at least
	maxSameTexts = 2048 // texts in memory, at most
)

// Learn records a page and returns a reason if its content has three or more addresses, ""
// otherwise. Text, links and <title> must be equal except for digits and lines that contain
// the address. It ignores lists, home pages and pages of more than 400 characters outside
// links. sample replaces the page's text; nil means that the page has its text.
func (e *ErrorPages) Learn(p *Page, sample *HostSample) (reason string) {
	switch {
	case sample == nil && p.maybeError():
		return e.record(p.URL, fingerprint(p))
	case sample != nil && sample.Short:
		return e.record(p.URL, sample.Error)
	}
	return ""
}

// maybeError reports whether a page is no list or home page and short enough for an error page.
func (p *Page) maybeError() bool {
	return p.Dated == 0 && p.Type != List && !IsHomePage(p.URL) && p.ownChars() <= maxErrorChars
}

// record adds an address to those of a text, and returns the reason of Learn.
func (e *ErrorPages) record(address string, text uint64) (reason string) {
	url := hashText(address)
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.texts == nil {
		e.texts = make(map[uint64]sameText)
	}
	s, known := e.texts[text]
	if !known && len(e.texts) >= maxSameTexts {
		e.evict()
	}
	for i := range s.n {
		if s.urls[i] == url {
			url = 0
		}
	}
	if url != 0 && s.n < minSameURLs {
		s.urls[s.n] = url
		s.n++
		e.texts[text] = s
	}
	if s.n < minSameURLs {
		return ""
	}
	return "the same page stands at other addresses of its host"
}

// evict deletes the texts with one address. If more than half of the room is still used, it
// deletes all texts.
func (e *ErrorPages) evict() {
	for k, s := range e.texts {
		if s.n < 2 {
			delete(e.texts, k)
		}
	}
	if len(e.texts) > maxSameTexts/2 {
		clear(e.texts)
	}
}

// fingerprint hashes the text, links and <title> of a page without digits (times, request
// numbers), and without lines and links that contain the path of its address.
func fingerprint(p *Page) uint64 {
	path := p.URL
	if i := strings.Index(path, "://"); i >= 0 {
		path = strings.TrimPrefix(path[i+3:], urls.HostOf(p.URL))
	}
	h := hashUnnumbered(p.Head)
	for line := range strings.SplitSeq(p.Text, "\n") {
		if len(path) < 2 || !strings.Contains(line, path) {
			h = h*fnvPrime ^ hashUnnumbered(line)
		}
	}
	for i := range p.Links {
		if u := p.Links[i].URL; len(path) < 2 || !strings.Contains(u, path) {
			h = h*fnvPrime ^ hashText(u)
		}
	}
	return h
}

// hashUnnumbered is hashText without digits.
func hashUnnumbered(s string) uint64 {
	h := uint64(fnvSeed)
	for i := 0; i < len(s); i++ {
		if c := s[i]; c != ' ' && (c < '0' || c > '9') {
			h = (h ^ uint64(c)) * fnvPrime
		}
	}
	return h
}
