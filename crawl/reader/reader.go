// Package reader turns the bytes of a document into words for scoring: bytes → Page → words. Discovery, harvest,
// replay, recounts, samples and previews share it, so they see the same page.
//
// Reading costs one parse and one segmentation, about 400 µs per page. Read learns what the pages of a host repeat,
// and that profile changes how later pages are read. Pages read before are therefore read again from the store at
// the end of a run (Outdated). After a crash, profiles are learned again (Recover). The reading of a page thus
// depends on the set of pages, not on their order. Bodies are hostile; package page bounds their cost.
package reader

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"angler/crawl/page"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/dict"
	"angler/store"
	"angler/topic"
)

// Config holds the dependencies of a Reader.
type Config struct {
	Store    *store.Workspace
	Lexicon  *dict.Lexicon    // word numbers, shared with the topic
	Resolver *urls.Resolver   // resolves links
	Now      func() time.Time // dates far in its future are rejected
	MaxBody  func() int       // maximum bytes read of a body

	// Trace returns the encoded page.Trace kept of a page whose body was deleted; nil means none.
	Trace func(id uint64) []byte
	// Tables returns the compressed tables kept of a notice whose body was deleted, see Remains; nil means none.
	Tables func(id uint64) []byte
}

// Reader reads documents. It is safe for concurrent use.
type Reader struct {
	Config
	dict    atomic.Pointer[dict.Dict]
	samples atomic.Pointer[[]string]
	run     atomic.Uint32 // number of the active run
	hosts   hosts

	scripts scripts
}

// New returns a Reader without a dictionary. Call UseDict before counting words.
func New(c Config) *Reader {
	r := &Reader{Config: c, hosts: hosts{store: c.Store}}
	r.recallIgnored()
	return r
}

// Dict returns the dictionary that counts words.
func (r *Reader) Dict() *dict.Dict { return r.dict.Load() }

// UseDict replaces the dictionary and returns the previous one, nil the first time.
func (r *Reader) UseDict(d *dict.Dict) (before *dict.Dict) { return r.dict.Swap(d) }

// UseSamples sets the URLs of the present samples, which the reader retains. Their lists are read whole, whatever
// their host repeats, because an analyst chose them as lists.
func (r *Reader) UseSamples(urls []string) { r.samples.Store(&urls) }

func (r *Reader) isSample(url string) bool {
	all := r.samples.Load()
	return all != nil && slices.Contains(*all, url)
}

// profile returns the profile of a page's host for reading the page.
func (r *Reader) profile(url string) *page.HostProfile {
	p := r.hosts.of(urls.HostOf(url)).boiler.Profile()
	if r.isSample(url) {
		return p.WithoutLinks()
	}
	return p
}

// Reading is the result of reading one document.
type Reading struct {
	Page        *page.Page
	Doc         topic.Doc
	Fingerprint uint64 // of the dictionary that counted Doc
	Marks       pageMarks
	cut         bool // the body was truncated at its limit
}

// Terms returns the reading's words and marks, encoded for the store.
func (r *Reading) Terms() []byte {
	return appendMarks(encodeDoc(&r.Doc, r.Fingerprint), &r.Marks)
}

// Fill copies the stored properties of a parsed page into its row.
func (r *Reading) Fill(row *store.Page) {
	p := r.Page
	row.Type, row.Charset, row.Head, row.Title = uint8(p.Type), p.Charset, p.Head, p.Title
	row.Date, row.Precision, row.Beta = p.Date.Time, uint8(p.Date.Precision), p.Beta
	row.Records, row.Dated = len(p.Records), p.Dated
	row.Limits, row.Truncated = strings.Join(p.Limits, "; "), r.cut
}

// Cut marks the body as truncated at a limit.
func (r *Reading) Cut(megabytes int) {
	r.Page.Limits, r.cut = append(r.Page.Limits, fmt.Sprintf("body %d MB", megabytes)), true
}

// Visit says how a page's visit affects its host's profile.
type Visit uint8

// The visits. A host's profile is learned from pages within the depth of discoveries and stays constant during a
// harvest. An interrupted and restarted harvest therefore reads its lists like an uninterrupted one, and the order
// of readers does not matter.
const (
	Discovered Visit = iota // learned at once
	Postponed               // read by a harvest: learned at the end of the run
	Beyond                  // beyond the depth of discoveries: never learned, and not background for the topic
)

// Read reads a document fetched for the URL with this id, now or at the time in opt. The error says why it is not a
// page, for example a soft 404.
func (r *Reader) Read(id uint64, src page.Source, opt page.Options, visit Visit) (*Reading, error) {
	h := r.hosts.of(urls.HostOf(src.URL))
	host := r.profile(src.URL)
	if opt.Now.IsZero() {
		opt.Now = r.Now()
	}
	opt.Resolver, opt.Host, opt.Script = r.Resolver, host, r.script
	p, err := parsed(src, opt)
	if err != nil {
		return nil, err
	}
	if why := r.learned(h, id, p, host.Version(), visit, nil); why != "" {
		p.Limits = append(p.Limits, why)
	}
	words := r.dict.Load()
	return r.reading(p, r.Count(words, p), words.Fingerprint(), src.ContentType, visit), nil
}

// learned records a page in its host's profile. why reports that the page also exists at other addresses; "" means
// it does not. Which three addresses come first is random, so why is only reported. It must not decide anything,
// because a resumed crawl must end with the same pages.
func (r *Reader) learned(h *host, id uint64, p *page.Page, version int, visit Visit,
	said *page.HostSample) (why string) {
	h.note(id, version)
	switch at := sampled(id, p.URL); visit {
	case Discovered:
		h.learn(at, p, said, r.trace)
	case Postponed:
		h.postpone(at)
	}
	return h.errors.Learn(p, said)
}

// reading builds a Reading from a parsed and counted page.
func (r *Reader) reading(p *page.Page, doc topic.Doc, fingerprint uint64, contentType string, visit Visit) *Reading {
	doc.Aside = visit == Beyond
	return &Reading{Page: p, Doc: doc, Fingerprint: fingerprint,
		Marks: pageMarks{Run: r.run.Load(), Beyond: visit == Beyond, Plain: isPlain(contentType),
			Sample: r.isSample(p.URL), Asked: p.Queries}}
}

// Look parses a document without learning from it.
func (r *Reader) Look(src page.Source, opt page.Options) (*page.Page, error) {
	opt.Now, opt.Resolver, opt.Host, opt.Script = r.Now(), r.Resolver, r.profile(src.URL), r.script
	return page.Parse(src, opt)
}

const plainText = "text/plain"

func isPlain(contentType string) bool { return strings.HasPrefix(contentType, plainText) }

// Again reads a stored page with today's host profile and a loaded dictionary. It updates row. A nil Reading means
// the page has no body.
func (r *Reader) Again(words *dict.Dict, row *store.Page) (*Reading, error) {
	m, _ := DecodeMarks(r.Store.TermsOf(row.ID))
	var opt page.Options
	src, err := r.Source(row.ID, &opt)
	if err != nil || src == nil {
		return nil, err
	}
	p, err := page.Parse(*src, opt)
	if err != nil {
		return nil, err
	}
	r.hosts.of(urls.HostOf(row.URL)).note(row.ID, opt.Host.Version())
	m.Asked, m.Sample = p.Queries, r.isSample(row.URL)
	if m.Run == 0 {
		m.Run = r.run.Load()
	}
	doc := r.Count(words, p)
	doc.Aside = m.Beyond
	a := &Reading{Page: p, Doc: doc, Fingerprint: words.Fingerprint(), Marks: m}
	limits := row.Limits
	a.Fill(row)
	row.Limits = limits // keeps messages about the visit
	return a, nil
}

// Stored parses a page from its stored body; nil if there is no body.
func (r *Reader) Stored(id uint64, opt page.Options) (*page.Page, error) {
	src, err := r.Source(id, &opt)
	if err != nil || src == nil {
		return nil, err
	}
	return page.Parse(*src, opt)
}

// Source returns the stored body of a page and completes the options for parsing it; nil if there is no body.
func (r *Reader) Source(id uint64, opt *page.Options) (*page.Source, error) {
	row, err := r.Store.Page(id)
	if err != nil || row == nil {
		return nil, err
	}
	body, err := r.Store.Body(id, r.MaxBody())
	if err != nil || body == nil {
		return nil, err
	}
	opt.Now, opt.Resolver, opt.Host, opt.Script = r.readAt(row), r.Resolver, r.profile(row.URL), r.script
	kind := "text/html"
	if m, ok := DecodeMarks(r.Store.TermsOf(id)); ok && m.Plain {
		kind = plainText
	}
	return &page.Source{URL: row.URL, ContentType: kind + "; charset=" + row.Charset, Body: body}, nil
}

// readAt returns the reference time for a stored page's dates: its fetch time, or now if the clock was wrong then.
func (r *Reader) readAt(row *store.Page) time.Time {
	now := r.Now()
	if row.Fetched.IsZero() || revisit.Lied(row.Fetched, now) {
		return now
	}
	return row.Fetched
}

// Sample parses the stored body of a sample, which belongs to no host's pages.
func (r *Reader) Sample(s *store.Sample) (*page.Page, error) {
	body, err := store.Decompress(s.Body, r.MaxBody())
	if err != nil {
		return nil, err
	}
	return page.Parse(page.Source{URL: s.URL, ContentType: s.ContentType, Body: body},
		page.Options{Now: r.Now(), Resolver: r.Resolver})
}
