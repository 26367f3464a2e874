package seeds

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"angler/crawl/auth"
	"angler/crawl/fetch"
	"angler/crawl/page"
	"angler/crawl/sitemap"
	"angler/store/records"
)

// This file extracts hosts from lists: OPML, RSS and Atom, sitemaps and their indexes, lines of addresses, and web
// pages with links. Package sitemap reads all but the last with a tokenizer that builds no tree and expands no
// entity. A feed library would parse trees and read no sitemaps.

// Limits of one list.
const (
	maxList   = 64 << 20 // bytes of a file
	maxReply  = 16 << 20 // bytes of a reply
	maxNested = 50       // sitemaps read of an index
	maxHops   = 5        // redirects
)

// noBase is the base of relative addresses in a file without an address; they are dropped.
const noBase = "http://list.invalid/"

// ListSeeds proposes the hosts in a list: an http address, or a local file.
func (s *SeedEditor) ListSeeds(ctx context.Context, addressOrFile string) (*SearchOutcome, error) {
	if err := s.May(auth.SuggestSeeds); err != nil {
		return nil, err
	}
	if !s.Opens(addressOrFile) {
		return nil, errors.New("over SSH a list of sites has an address, not a file")
	}
	o := &SearchOutcome{}
	remote := strings.HasPrefix(addressOrFile, "http://") || strings.HasPrefix(addressOrFile, "https://")
	l := list{s: s.Suggest, o: o, name: filepath.Base(addressOrFile), found: map[string]*entry{}}
	ctx, job, end, err := s.begin(ctx, "reading a list of sites", 1)
	if err != nil {
		return nil, err
	}
	defer end()
	if remote {
		l.name = records.ClipProposal(addressOrFile)
		err = l.load(ctx, addressOrFile, true)
	} else {
		var body []byte
		if body, err = fetch.ReadFile(addressOrFile, maxList); err == nil {
			err = l.read(ctx, body, "", noBase, true)
		}
	}
	if err != nil {
		return o, err
	}
	job.Done.Add(1)
	return o, l.propose()
}

// entry is a host in a list.
type entry struct {
	root, text string
	n          int
}

// list is a list being read.
type list struct {
	s     *Suggest
	o     *SearchOutcome
	name  string
	found map[string]*entry
	order []string
}

// load fetches a list. nested follows an index.
func (l *list) load(ctx context.Context, address string, nested bool) error {
	f, err := l.s.Fetching(maxReply, false)
	if err != nil {
		return err
	}
	defer f.Close()
	res, err := f.Follow(ctx, fetch.Request{URL: address}, maxHops)
	if err != nil {
		return err
	}
	if res.Status != 200 {
		return fmt.Errorf("%s answers with status %d; check the address", address, res.Status)
	}
	if res.Truncated {
		l.s.Events.Note("warn", "the list %s is longer than %d MB; the rest of it is not read", address, maxReply>>20)
	}
	return l.read(ctx, res.Body, res.ContentType, res.URL, nested)
}

func (l *list) read(ctx context.Context, body []byte, contentType, base string, nested bool) error {
	m, err := sitemap.Parse(body, contentType, base, sitemap.Limits{Bytes: maxList})
	if errors.Is(err, sitemap.ErrNotSitemap) {
		return l.readPage(body, contentType, base, err)
	}
	if err != nil {
		return err
	}
	v := l.s.classifier(l.o)
	for _, e := range m.URLs {
		l.add(&v, e.URL, e.Title)
	}
	for i, u := range m.Index {
		l.add(&v, u, "")
		if nested && i < maxNested && base != noBase {
			if err := l.load(ctx, u, false); err != nil {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				l.s.Events.Note("warn", "a part of the list %s: %v", l.name, err)
			}
		}
	}
	return nil
}

// readPage reads the links of a web page, such as a directory of sites.
func (l *list) readPage(body []byte, contentType, base string, no error) error {
	text := strings.ToLower(string(body[:min(len(body), 4096)]))
	if !strings.Contains(text, "<html") && !strings.Contains(text, "<!doctype html") && !strings.Contains(text, "<a ") {
		return fmt.Errorf(
			"%s is no list of sites (%w): give OPML, RSS or Atom, a sitemap, a web page with links, or lines of addresses",
			l.name, no)
	}
	if contentType == "" {
		contentType = "text/html"
	}
	p, err := page.Parse(page.Source{URL: base, ContentType: contentType, Body: body}, page.Options{Now: l.s.Now()})
	if err != nil {
		return fmt.Errorf("%s: %w", l.name, err)
	}
	v := l.s.classifier(l.o)
	for i := range p.Links {
		if u := p.Links[i].URL; u != "" {
			l.add(&v, u, p.Links[i].Anchor)
		}
	}
	return nil
}

func (l *list) add(v *classifier, address, text string) {
	l.o.Asked++
	host, root, ok := v.site(address)
	if !ok {
		return
	}
	e := l.found[host]
	if e == nil {
		if len(l.found) >= records.MaxProposals {
			return
		}
		e = &entry{root: root}
		l.found[host] = e
		l.order = append(l.order, host)
	}
	if e.n++; e.text == "" {
		e.text = records.ClipProposal(text)
	}
}

// propose stores the hosts of a list. They replace those of an earlier list with this name.
func (l *list) propose() error {
	round := l.s.round()
	full := false
	err := records.ChangeProposals(l.s.Store, func(rows *records.ProposalRows) error {
		for _, host := range l.order {
			e := l.found[host]
			row := l.s.row(rows, host, e.root, round, l.o)
			at := slices.IndexFunc(row.Files, func(f records.ProposalFile) bool { return f.Name == l.name })
			f := records.ProposalFile{Name: l.name, Entries: e.n, Text: e.text}
			switch {
			case at >= 0:
				row.Files[at] = f
			case len(row.Files) < records.MaxExamples:
				row.Files = append(row.Files, f)
			}
			if row.Title == "" {
				row.Title = e.text
			}
			if err := rows.Put(row); errors.Is(err, records.ErrProposalsFull) {
				full = true
			} else if err != nil {
				return err
			}
		}
		return nil
	})
	if full {
		l.s.Events.Note("warn", "%v", records.ErrProposalsFull)
	}
	return err
}
