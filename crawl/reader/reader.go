// Package reader turns the bytes of a document into what is scored: bytes →
// Page → words. Discovery, harvest, replay, recounts, samples and previews all
// read through it, so that they all see the same page.
//
// Reading costs one parse and one segmentation, some 400 µs a page. Read learns
// what the pages of a host repeat, and that changes how later pages of the host
// are understood. So only Read learns, and only on a first visit. Bodies are
// hostile; package page bounds what they can cost.
package reader

import (
	"fmt"
	"sync/atomic"
	"time"

	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/dict"
	"angler/store"
	"angler/topic"
)

// Store is what a Reader reads and writes; *store.Workspace is one.
type Store interface {
	Page(id uint64) (*store.Page, error)
	Body(id uint64, limit int) ([]byte, error)
	Host(name string) []byte
	PutHosts(map[string][]byte) error
}

// Config is what a Reader works with.
type Config struct {
	Store    Store
	Lexicon  *dict.Lexicon    // numbers of words, shared with the topic
	Resolver *urls.Resolver   // completes links
	Now      func() time.Time // dates far after it are not believed
	MaxBody  func() int       // bytes of a body that are read
}

// Reader reads documents. It is safe for concurrent use.
type Reader struct {
	Config
	dict  atomic.Pointer[dict.Dict]
	hosts hosts
}

// New returns a Reader without a dictionary; UseDict gives it one.
func New(c Config) *Reader { return &Reader{Config: c, hosts: hosts{store: c.Store}} }

// Dict is the dictionary that words are counted by.
func (r *Reader) Dict() *dict.Dict { return r.dict.Load() }

// UseDict replaces the dictionary and returns the one before, nil the first
// time.
func (r *Reader) UseDict(d *dict.Dict) (before *dict.Dict) { return r.dict.Swap(d) }

// Reading is what was understood of one document.
type Reading struct {
	Page        *page.Page
	Doc         topic.Doc
	Fingerprint uint64 // of the dictionary that counted Doc
}

// Terms is the reading's words as the store keeps them.
func (r *Reading) Terms() []byte { return EncodeDoc(&r.Doc, r.Fingerprint) }

// Read understands a document that was just fetched. first tells that it was
// never stored: then its host is learned from. The error says in a few words why
// it is no page, a soft 404 among them.
func (r *Reader) Read(src page.Source, opt page.Options, first bool) (*Reading, error) {
	h := r.hosts.of(urls.HostOf(src.URL))
	opt.Now, opt.Resolver, opt.Host = r.Now(), r.Resolver, &h.boiler
	p, err := page.Parse(src, opt)
	if err != nil {
		return nil, fmt.Errorf("no page: %w", err)
	}
	if why := p.Soft404(); why != "" {
		return nil, fmt.Errorf("soft 404: %s", why)
	}
	if first {
		h.boiler.Learn(p) // a revisit says nothing new about repetition
	}
	// Which three addresses come first is chance. So this is only reported and
	// decides nothing: a resumed crawl must end with the same pages.
	if why := h.errors.Learn(p); why != "" {
		p.Limits = append(p.Limits, why)
	}
	words := r.dict.Load()
	return &Reading{Page: p, Doc: r.Count(words, p), Fingerprint: words.Fingerprint()}, nil
}

// Stored parses a page again from its stored body; nil when there is none.
func (r *Reader) Stored(id uint64, opt page.Options) (*page.Page, error) {
	src, err := r.Source(id, &opt)
	if err != nil || src == nil {
		return nil, err
	}
	return page.Parse(*src, opt)
}

// Source reads the stored bytes of a page and completes the options for parsing
// them; nil when there are none.
func (r *Reader) Source(id uint64, opt *page.Options) (*page.Source, error) {
	row, err := r.Store.Page(id)
	if err != nil || row == nil {
		return nil, err
	}
	body, err := r.Store.Body(id, r.MaxBody())
	if err != nil || body == nil {
		return nil, err
	}
	opt.Now, opt.Resolver, opt.Host = r.Now(), r.Resolver, &r.hosts.of(urls.HostOf(row.URL)).boiler
	return &page.Source{URL: row.URL, ContentType: "text/html; charset=" + row.Charset, Body: body}, nil
}

// Sample parses the kept material of a sample, which belongs to no host's pages.
func (r *Reader) Sample(s *store.Sample) (*page.Page, error) {
	body, err := store.Decompress(s.Body, r.MaxBody())
	if err != nil {
		return nil, err
	}
	return page.Parse(page.Source{URL: s.URL, ContentType: s.ContentType, Body: body}, page.Options{Now: r.Now(), Resolver: r.Resolver})
}

// Save stores what was learned of hosts since the last time.
func (r *Reader) Save() error { return r.hosts.save() }
