package seeds

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"angler/crawl/auth"
	"angler/crawl/fetch"
	"angler/crawl/page"
	"angler/crawl/sitemap"
	"angler/store/records"
)

// This file takes hosts out of lists that people have: OPML, RSS and Atom, sitemaps and
// their indexes, lines of addresses, and web pages of links. All but the last are read by
// package sitemap, by a tokenizer that expands no entity and builds no tree: a library
// for feeds would bring a parser of trees, and reads no sitemap.

// Bounds of one list.
const (
	mostList   = 64 << 20 // bytes of a file
	mostLoaded = 16 << 20 // bytes of a reply
	mostNested = 50       // sitemaps of an index that are read
	mostHops   = 5        // redirects
)

// outside completes relative addresses in a file that has none of its own: they lead
// nowhere.
const outside = "http://list.invalid/"

// ListSeeds proposes the hosts that a list names: an http address, or a file of this
// machine.
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
		if body, err = fetch.ReadFile(addressOrFile, mostList); err == nil {
			err = l.read(ctx, body, "", outside, true)
		}
	}
	if err != nil {
		return o, err
	}
	job.Done.Add(1)
	return o, l.propose()
}

// entry is a host of a list.
type entry struct {
	root, text string
	n          int
}

// list is one list under way.
type list struct {
	s     *Suggest
	o     *SearchOutcome
	name  string
	found map[string]*entry
	order []string
}

// load fetches a list; with nested an index is followed.
func (l *list) load(ctx context.Context, address string, nested bool) error {
	f, err := l.s.Fetching(mostLoaded, false)
	if err != nil {
		return err
	}
	defer f.Close()
	res, err := f.Follow(ctx, fetch.Request{URL: address}, mostHops)
	if err != nil {
		return err
	}
	if res.Status != 200 {
		return fmt.Errorf("%s answers with status %d; check the address", address, res.Status)
	}
	if res.Truncated {
		l.s.Events.Note("warn", "the list %s is longer than %d MB; the rest of it is not read", address, mostLoaded>>20)
	}
	return l.read(ctx, res.Body, res.ContentType, res.URL, nested)
}

func (l *list) read(ctx context.Context, body []byte, contentType, base string, nested bool) error {
	m, err := sitemap.Parse(body, contentType, base, sitemap.Limits{Bytes: mostList})
	if errors.Is(err, sitemap.ErrNotSitemap) {
		return l.readPage(body, contentType, base, err)
	}
	if err != nil {
		return err
	}
	v := l.s.sieve(l.o)
	for _, e := range m.URLs {
		l.add(&v, e.URL, e.Title)
	}
	for i, u := range m.Index {
		l.add(&v, u, "")
		if nested && i < mostNested && base != outside {
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

// readPage takes the links of a web page: a directory of sites.
func (l *list) readPage(body []byte, contentType, base string, no error) error {
	text := strings.ToLower(string(body[:min(len(body), 4096)]))
	if !strings.Contains(text, "<html") && !strings.Contains(text, "<!doctype html") && !strings.Contains(text, "<a ") {
		return fmt.Errorf("%s is no list of sites (%w): give OPML, RSS or Atom, a sitemap, a web page with links, or lines of addresses", l.name, no)
	}
	if contentType == "" {
		contentType = "text/html"
	}
	p, err := page.Parse(page.Source{URL: base, ContentType: contentType, Body: body}, page.Options{Now: l.s.Now()})
	if err != nil {
		return fmt.Errorf("%s: %w", l.name, err)
	}
	v := l.s.sieve(l.o)
	for i := range p.Links {
		if u := p.Links[i].URL; u != "" {
			l.add(&v, u, p.Links[i].Anchor)
		}
	}
	return nil
}

func (l *list) add(v *sieve, address, text string) {
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

// propose writes what the list names. The same list again takes the place of what it
// named before.
func (l *list) propose() error {
	round := l.s.round()
	full := false
	err := records.ChangeProposals(l.s.Store, func(rows *records.ProposalRows) error {
		for _, host := range l.order {
			e := l.found[host]
			row := l.s.row(rows, host, e.root, round, l.o)
			at := -1
			for i := range row.Files {
				if row.Files[i].Name == l.name {
					at = i
				}
			}
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
