// Package reader turns the bytes of a document into what is scored: bytes →
// Page → words. Discovery, harvest, replay, recounts, samples and previews all
// read through it, so that they all see the same page.
//
// Reading costs one parse and one segmentation, some 400 µs a page. Read learns
// what the pages of a host repeat, and that changes how later pages of the host
// are understood. So pages that were read before that was known are read again from
// the store when a run is over (Outdated), and after a crash what was learned is
// learned again (Recover): how a page is understood is a function of the set of
// pages, whatever the order in which they came. Bodies are hostile; package page
// bounds what they can cost.
package reader

import (
	"fmt"
	"iter"
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

// Store is what a Reader reads and writes; *store.Workspace is one.
type Store interface {
	Lookup(canonical string) (id uint64, ok bool)
	Page(id uint64) (*store.Page, error)
	Body(id uint64, limit int) ([]byte, error)
	Counted() iter.Seq2[*store.Counted, error]
	PutReread(pages []store.Reread) (kept []bool, err error)
	TermsOf(id uint64) []byte
	Host(name string) []byte
	PutHosts(map[string][]byte) error
	State(name string) []byte
	PutState(name string, v []byte) error
}

// Config is what a Reader works with.
type Config struct {
	Store    Store
	Lexicon  *dict.Lexicon    // numbers of words, shared with the topic
	Resolver *urls.Resolver   // completes links
	Now      func() time.Time // dates far after it are not believed
	MaxBody  func() int       // bytes of a body that are read

	// Trace is what is kept of a page whose body was deleted, as page.Trace writes itself;
	// nil = nothing is.
	Trace func(id uint64) []byte
	// Tables is what is kept of the page of a notice whose body was deleted, compressed, see
	// Remains; nil = nothing is.
	Tables func(id uint64) []byte
}

// Reader reads documents. It is safe for concurrent use.
type Reader struct {
	Config
	dict    atomic.Pointer[dict.Dict]
	samples atomic.Pointer[[]string]
	run     atomic.Uint32 // the number of the run that reads
	hosts   hosts

	scripts scripts
}

// New returns a Reader without a dictionary; UseDict gives it one.
func New(c Config) *Reader { return &Reader{Config: c, hosts: hosts{store: c.Store}} }

// Dict is the dictionary that words are counted by.
func (r *Reader) Dict() *dict.Dict { return r.dict.Load() }

// UseDict replaces the dictionary and returns the one before, nil the first
// time.
func (r *Reader) UseDict(d *dict.Dict) (before *dict.Dict) { return r.dict.Swap(d) }

// UseSamples names the URLs of the samples in force, which the reader keeps. Their lists
// are read whole, whatever their hosts repeat: an analyst has shown them as lists.
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

// Reading is what was understood of one document.
type Reading struct {
	Page        *page.Page
	Doc         topic.Doc
	Fingerprint uint64 // of the dictionary that counted Doc
	Marks       Marks
	cut         bool // the body ends at a bound
}

// Terms is the reading's words as the store keeps them.
func (r *Reading) Terms() []byte {
	return appendMarks(encodeDoc(&r.Doc, r.Fingerprint), &r.Marks)
}

// Fill copies what the store keeps of a parsed page into its row.
func (r *Reading) Fill(row *store.Page) {
	p := r.Page
	row.Type, row.Charset, row.Head, row.Title = uint8(p.Type), p.Charset, p.Head, p.Title
	row.Date, row.Precision, row.Beta = p.Date.Time, uint8(p.Date.Precision), p.Beta
	row.Records, row.Dated = len(p.Records), p.Dated
	row.Limits, row.Truncated = strings.Join(p.Limits, "; "), r.cut
}

// Cut notes that the body ends at a bound.
func (r *Reading) Cut(megabytes int) {
	r.Page.Limits, r.cut = append(r.Page.Limits, fmt.Sprintf("body %d MB", megabytes)), true
}

// Visit says what a page's visit means for what is learned of its host.
type Visit uint8

// The visits. What a host's pages repeat is learned from the pages within the depth
// of discoveries, and stays as it is during a harvest: so a harvest that is broken
// off and begun again reads its lists as one that was not, and who was first to read
// a page does not matter.
const (
	Discovered Visit = iota // counts among the pages of its host at once
	Postponed               // a harvest read a page that counts: it is learned when the run is over
	Beyond                  // the page lies beyond the depth of discoveries: it counts neither there nor as background
)

// Read understands a document that was fetched for the URL with an id, just now or at
// the time in opt. The error says in a few words why it is no page, a soft 404 among
// them.
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

// learned takes up what a page says of its host. why says that it stands at other
// addresses, too; "" = it does not. Which three addresses come first is chance. So that is
// only reported and decides nothing: a resumed crawl must end with the same pages.
func (r *Reader) learned(h *host, id uint64, p *page.Page, version int, visit Visit, said *page.HostSample) (why string) {
	h.note(id, version)
	switch at := sampled(id, p.URL); visit {
	case Discovered:
		h.learn(at, p, said, r.trace)
	case Postponed:
		h.postpone(at)
	}
	if said != nil {
		return h.errors.LearnSaid(p, said)
	}
	return h.errors.Learn(p)
}

// reading is what is known of a page once it was understood and counted.
func (r *Reader) reading(p *page.Page, doc topic.Doc, fingerprint uint64, contentType string, visit Visit) *Reading {
	doc.Aside = visit == Beyond
	return &Reading{Page: p, Doc: doc, Fingerprint: fingerprint,
		Marks: Marks{Run: r.run.Load(), Beyond: visit == Beyond, Plain: isPlain(contentType), Sample: r.isSample(p.URL), Asked: p.Asked}}
}

// Look parses a document that was just fetched without learning from it.
func (r *Reader) Look(src page.Source, opt page.Options) (*page.Page, error) {
	opt.Now, opt.Resolver, opt.Host, opt.Script = r.Now(), r.Resolver, r.profile(src.URL), r.script
	return page.Parse(src, opt)
}

const plainText = "text/plain"

func isPlain(contentType string) bool { return strings.HasPrefix(contentType, plainText) }

// Again understands a stored page once more, as it would be understood today, and
// counts its words by a dictionary that is loaded. It fills in row what has changed.
// nil is a page without a body.
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
	m.Asked, m.Sample = p.Asked, r.isSample(row.URL)
	if m.Run == 0 {
		m.Run = r.run.Load()
	}
	doc := r.Count(words, p)
	doc.Aside = m.Beyond
	a := &Reading{Page: p, Doc: doc, Fingerprint: words.Fingerprint(), Marks: m}
	limits := row.Limits
	a.Fill(row)
	row.Limits = limits // what was said of the visit, too
	return a, nil
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
	opt.Now, opt.Resolver, opt.Host, opt.Script = r.readAt(row), r.Resolver, r.profile(row.URL), r.script
	kind := "text/html"
	if m, ok := DecodeMarks(r.Store.TermsOf(id)); ok && m.Plain {
		kind = plainText
	}
	return &page.Source{URL: row.URL, ContentType: kind + "; charset=" + row.Charset, Body: body}, nil
}

// readAt is the time against which a stored page's dates are read: when it was
// fetched, or now if the clock was wrong then.
func (r *Reader) readAt(row *store.Page) time.Time {
	now := r.Now()
	if row.Fetched.IsZero() || revisit.Lied(row.Fetched, now) {
		return now
	}
	return row.Fetched
}

// Sample parses the kept material of a sample, which belongs to no host's pages.
func (r *Reader) Sample(s *store.Sample) (*page.Page, error) {
	body, err := store.Decompress(s.Body, r.MaxBody())
	if err != nil {
		return nil, err
	}
	return page.Parse(page.Source{URL: s.URL, ContentType: s.ContentType, Body: body}, page.Options{Now: r.Now(), Resolver: r.Resolver})
}
