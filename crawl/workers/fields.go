package workers

import (
	"encoding/binary"
	"maps"
	"slices"

	"angler/crawl/article"
	"angler/crawl/fetch"
	"angler/crawl/htmldoc"
	"angler/crawl/listpage"
	"angler/crawl/page"
	"angler/crawl/reader"
	"angler/crawl/urls"
	"angler/store"
)

// This file defines the fields of each message in order. A new field needs a new wireProtocol.

func (c *codec) job(j *pageJob) {
	c.uint(&j.Lease)
	c.request(&j.Request)
	c.address(&j.Address, false)
	text(c, &j.Host, maxShort)
	c.bool(&j.Page)
	c.key((*[16]byte)(&j.Known))
	c.time(&j.Now)
	c.uint(&j.Words)
	c.frame(&j.Frame)
	optional(c, &j.Notice, c.announced)
}

func (c *codec) announced(a *page.Announced) {
	text(c, &a.Method, 40)
	number(c, &a.Marks, 0, 1<<31-1)
	number(c, &a.LinkChars, 0, 1<<31-1)
	text(c, &a.Title, maxAddress)
	c.date(&a.Date)
}

// notice encodes a notice without Notice.As, which the caller knows.
func (c *codec) notice(n *page.Notice) {
	copiedText(c, &n.Title, maxAddress)
	c.date(&n.Date)
	copiedText(c, &n.Main, maxResultExtra)
	copiedText(c, &n.MainMethod, 40)
	list(c, &n.Attachments, maxRows, func(a *article.Attachment) {
		copiedText(c, &a.Name, maxAddress)
		c.copiedAddress(&a.URL)
		number(c, &a.Class, 0, int64(urls.Style))
	})
	for _, heard := range []*[2][]uint32{&n.HostDependencies.Links, &n.HostDependencies.Lines} {
		for i := range heard {
			list(c, &heard[i], page.MaxHostDependencies, func(h *uint32) { number(c, h, 0, 1<<32-1) })
		}
	}
	copiedText(c, &n.HostDependencies.Tail, maxShort)
	c.bool(&n.HostDependencies.Truncated)
}

func (c *codec) key(v *[16]byte) {
	b := v[:]
	if c.writing {
		c.b = append(c.b, b...)
		return
	}
	if len(c.b) < len(b) {
		c.fail("a key is cut off")
		return
	}
	copy(b, c.b)
	c.b = c.b[len(b):]
}

func (c *codec) request(r *fetch.Request) {
	c.address(&r.URL, false)
	text(c, &r.ETag, maxShort)
	text(c, &r.LastModified, maxShort)
	text(c, &r.Method, 8)
	c.raw(&r.Body, fetch.MaxRequestBody)
	text(c, &r.ContentType, maxShort)
	c.bool(&r.Parts)
	type field struct{ name, value string }
	var header []field
	for _, name := range slices.Sorted(maps.Keys(r.Header)) {
		header = append(header, field{name, r.Header[name]})
	}
	list(c, &header, 100, func(f *field) {
		text(c, &f.name, maxShort)
		text(c, &f.value, maxAddress)
	})
	if c.writing || len(header) == 0 {
		return
	}
	r.Header = make(map[string]string, len(header))
	for _, f := range header {
		r.Header[f.name] = f.value
	}
}

// frame encodes the host profile of a job. Only the owner sends it.
func (c *codec) frame(f *reader.Frame) {
	c.raw(&f.Profile, maxJob)
	number(c, &f.Version, 0, 1<<40)
}

func (c *codec) result(r *jobResult) {
	c.uint(&r.Lease)
	text(c, &r.Receipt, maxShort)
	if optional(c, &r.Response, c.response); r.Response == nil {
		if c.bool(&r.Left); !r.Left {
			c.report(&r.Failed)
		}
	}
	if optional(c, &r.Draft, c.draft); r.Draft != nil && r.Response == nil {
		c.fail("a page without an answer")
	}
	c.span(&r.Host.CrawlDelay)
	c.ip(&r.Host.Address)
	list(c, &r.Host.Sitemaps, 200, func(s *string) { copiedText(c, s, maxAddress) })
}

func (c *codec) report(r *fetch.Report) {
	text(c, &r.Kind, 40)
	text(c, &r.Under, 40)
	text(c, &r.Cause, maxShort)
	c.bool(&r.NoSuchHost)
	c.span(&r.RetryAfter)
	if !c.writing && c.err == nil {
		if _, err := r.Error(""); err != nil {
			c.fail("%v", err)
		}
	}
}

func (c *codec) response(r *fetch.Response) {
	c.address(&r.URL, false)
	number(c, &r.Status, 0, 999)
	text(c, &r.ContentType, maxShort)
	text(c, &r.ETag, maxShort)
	text(c, &r.LastModified, maxShort)
	c.span(&r.RetryAfter)
	text(c, &r.Location, maxAddress)
	c.bool(&r.Truncated)
	text(c, &r.Partial, maxShort)
	c.span(&r.Took)
	if !c.writing && c.err == nil {
		if err := r.Believable(); err != nil {
			c.fail("%v", err)
		}
	}
}

func (c *codec) draft(d *reader.Draft) {
	none := d.None.Error() // truncated as in the store
	text(c, &none, maxShort)
	d.None = store.ReadFailure(none)
	number(c, &d.Version, 0, 1<<40)
	optional(c, &d.Page, func(p *page.Page) {
		c.uint(&d.Fingerprint)
		c.page(p)
		list(c, &d.Said.Lines, page.MaxLines, func(h *uint32) { number(c, h, 0, 1<<32-1) })
		c.uint(&d.Said.Error)
		c.bool(&d.Said.Short)
		c.words(&d.Full)
		c.words(&d.List)
		optional(c, &d.Notice, c.notice)
	})
	if (d.Page != nil) == (none != "") {
		c.fail("a page and why it is none")
	}
}

// words encodes dictionary words of 2 to 32 runes. Words in the reader's lexicon become their numbers.
func (c *codec) words(v *[]reader.Word) {
	each := func(lookup func([]byte) (uint32, bool)) {
		list(c, v, maxWords, func(w *reader.Word) { c.word(w, lookup) })
	}
	if c.known == nil {
		each(func([]byte) (uint32, bool) { return 0, false })
		return
	}
	c.known.Lookups(each)
}

func (c *codec) word(w *reader.Word, lookup func([]byte) (uint32, bool)) {
	if n, size := binary.Uvarint(c.b); !c.writing && size > 0 && n > 0 && n <= uint64(len(c.b)-size) {
		if id, ok := lookup(c.b[size:][:n]); ok {
			w.ID, w.Known, c.b = id, true, c.b[size+int(n):]
			number(c, &w.N, 1, 1<<32-1)
			return
		}
	}
	copiedText(c, &w.Text, maxWord)
	number(c, &w.N, 1, 1<<32-1)
	if w.Text == "" {
		c.fail("a word without letters")
	}
}

const (
	maxWords = 1 << 20
	maxWord  = 4 * 32
	maxRows  = 1 << 17 // links, blocks, records; package page has its own limit
)

// page encodes a page without its text and without optional parts.
func (c *codec) page(p *page.Page) {
	c.address(&p.URL, false)
	text(c, &p.Charset, 64)
	text(c, &p.Head, maxAddress)
	text(c, &p.Title, maxAddress)
	text(c, &p.TitleWhy, maxShort)
	c.date(&p.Date)
	text(c, &p.DateWhy, maxShort)
	number(c, &p.Type, 0, int64(page.Hub))
	c.share(&p.Beta)
	list(c, &p.Blocks, maxRows, c.block)
	for i := range p.Blocks {
		if int(p.Blocks[i].Parent) >= i {
			c.fail("a block within a later one")
		}
	}
	list(c, &p.Links, maxRows, func(l *htmldoc.Link) { c.link(l, len(p.Blocks)) })
	list(c, &p.Records, maxRows, func(r *listpage.Record) {
		text(c, &r.Title, maxAddress)
		c.address(&r.URL, true)
		c.date(&r.Date)
		number(c, &r.Link, -1, int64(len(p.Links))-1)
	})
	number(c, &p.Dated, 0, int64(len(p.Records)))
	c.raw((*[]byte)(&p.Queries.Links), 1<<10)
	c.raw((*[]byte)(&p.Queries.Contending), 1<<10)
	list(c, &p.Scripts, 1<<10, c.copiedAddress)
	list(c, &p.Turns, 1<<10, c.turn)
	text(c, &p.Moved, maxAddress)
	text(c, &p.MovedError, maxShort)
	list(c, &p.Unfollowed, 1<<10, func(u *listpage.MissingEntries) {
		text(c, &u.Kind, 40)
		text(c, &u.Text, maxShort)
		text(c, &u.Why, maxShort)
		text(c, &u.Help, maxShort)
	})
	list(c, &p.Limits, 100, func(s *string) { text(c, s, maxShort) })
}

func (c *codec) date(d *article.Date) {
	c.time(&d.Time)
	number(c, &d.Precision, 0, int64(article.Month))
}

func (c *codec) block(b *htmldoc.Block) {
	text(c, &b.Path, maxShort)
	number(c, &b.Parent, -1, maxRows)
	number(c, &b.Chars, 0, 1<<31-1)
	number(c, &b.LinkChars, 0, 1<<31-1)
	number(c, &b.Links, 0, 1<<31-1)
	c.bool(&b.Special)
	c.bool(&b.Noise)
}

// link encodes a link. It sends Href only for a link without a URL.
func (c *codec) link(l *htmldoc.Link, blocks int) {
	c.address(&l.URL, true)
	if l.URL == "" {
		text(c, &l.Href, maxAddress)
	}
	text(c, &l.Anchor, maxShort)
	number(c, &l.Block, -1, int64(blocks)-1)
	number(c, &l.Class, 0, int64(urls.Style))
	c.bool(&l.Pager)
	c.bool(&l.Hidden)
	c.uint(&l.Tags)
}

func (c *codec) turn(t *listpage.PageRequest) {
	c.address(&t.URL, false)
	text(c, &t.Method, 8)
	text(c, &t.Body, fetch.MaxRequestBody)
	text(c, &t.ContentType, maxShort)
	number(c, &t.Page, 0, 1<<31-1)
	text(c, &t.Name, maxShort)
	text(c, &t.Source, 40)
	c.bool(&t.Expires)
}
