package page

import (
	"math/bits"

	"angler/crawl/htmldoc"
)

// This file finds the pages of a host that the current profile would parse differently than the
// profile at the time of their parse.

// Changes holds the differences between two profiles of a host.
type Changes struct {
	tail    bool
	targets []targetChange
}

type targetChange struct {
	target   uint32
	repeated bool // true for a link that became repeated, false for one that no longer is
}

// ChangesSince returns the links and the title ending that differ between a version of the
// profile and the current one.
func (b *Boilerplate) ChangesSince(version int) Changes {
	b.mu.Lock()
	defer b.mu.Unlock()
	if version >= len(b.past) {
		return Changes{}
	}
	was, now := b.past[max(version, 0)], b.Profile()
	c := Changes{tail: was.tail != now.tail}
	for _, x := range [...]struct {
		of, against []uint32
		repeated    bool
	}{{was.targets, now.targets, false}, {now.targets, was.targets, true}} {
		for _, h := range x.of {
			if !containsHash(x.against, h) {
				c.targets = append(c.targets, targetChange{h, x.repeated})
			}
		}
	}
	return c
}

// Affects reports whether the changes may alter the parse of a page with these queries. It has
// false positives and no false negatives.
func (c *Changes) Affects(queries ProfileQueries) bool {
	for _, x := range c.targets {
		if x.repeated && queries.Contending.contains(x.target) || !x.repeated && queries.Links.contains(x.target) {
			return true
		}
	}
	return c.tail
}

// ResetVersions makes the current profile version 0 and deletes the earlier ones. It is called
// when all pages have been parsed with the current profile.
func (b *Boilerplate) ResetVersions() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.past) > 0 {
		p := b.Profile()
		b.current.Store(&HostProfile{lines: p.lines, targets: p.targets, tail: p.tail})
		b.past = nil
	}
}

// Fill loads the traces of the pages of a stored sample, so that Learn can continue. read
// returns the trace of a stored page, nil if the page was deleted. Learn and Fill must not run
// concurrently.
func (b *Boilerplate) Fill(read func(id uint64) *Trace) {
	b.mu.Lock()
	pages := make([]SampledPage, len(b.pages))
	for i := range b.pages {
		pages[i] = b.pages[i].SampledPage
	}
	b.mu.Unlock()
	b.refill(pages, read, false)
}

// Relearn replaces the sample and the profile by those of the given pages. It reads only the
// pages with the smallest keys. read is as for Fill.
func (b *Boilerplate) Relearn(pages []SampledPage, read func(id uint64) *Trace) {
	b.refill(pages, read, true)
}

func (b *Boilerplate) refill(pages []SampledPage, read func(id uint64) *Trace, update bool) {
	var next Boilerplate
	for _, at := range pages {
		if wanted, _ := next.Wants(at.Key); wanted {
			if t := read(at.ID); t != nil {
				next.insert(sampled{at, *t})
			}
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	update = update || len(next.pages) < len(b.pages)
	b.pages, b.unfilled = next.pages, false
	if update {
		b.updateProfile()
	}
}

// ProfileQueries holds the links for which the parse of a page depends on HostProfile.RepeatedLink.
// A link that is no longer repeated may return a group of links to the choice of records, so Links
// holds all of them. A link that became repeated only leaves its group. That matters only for the
// groups in Contending.
type ProfileQueries struct {
	Links      LinkSet // all links of the page
	Contending LinkSet // links of the record groups that were chosen or could be
}

// LinkSet is a Bloom filter of links. It has eight to sixteen bits a link, 1024 at most, and sets
// one bit for each half of a link's hash. Up to 120 links cause 1 to 6 % false positives.
type LinkSet []byte

const maxLinkSet = 128 // bytes

// profileQueries returns the links whose repetition the choice of the page's records depends on.
func (a *analysis) profileQueries(p *Page) ProfileQueries {
	contending := a.list.Contending()
	all, some := linkSetSize(len(p.Links)), linkSetSize(len(contending))
	room := make([]byte, all+some)
	set := ProfileQueries{Links: room[:all:all], Contending: room[all:]}
	for i := range p.Links {
		set.Links.add(&p.Links[i])
	}
	for _, i := range contending {
		set.Contending.add(&p.Links[i])
	}
	return set
}

// linkSetSize returns the bytes of a set of n links: 0, or a power of two up to maxLinkSet.
func linkSetSize(n int) int {
	if n == 0 {
		return 0
	}
	return min(maxLinkSet, 1<<bits.Len(uint(n-1)))
}

func (s LinkSet) add(l *htmldoc.Link) {
	if l.URL == "" {
		return
	}
	x, y := s.bitPositions(hashLink(l.URL, l.Anchor))
	s[x>>3] |= 1 << (x & 7)
	s[y>>3] |= 1 << (y & 7)
}

// bitPositions returns the two bits of a link with hash h.
func (s LinkSet) bitPositions(h uint32) (x, y int) {
	mask := len(s)<<3 - 1
	return int(h) & mask, int(h>>16) & mask
}

func (s LinkSet) contains(h uint32) bool {
	if len(s) == 0 {
		return false
	}
	if len(s)&(len(s)-1) != 0 {
		return true // damaged: the set may have held any link
	}
	x, y := s.bitPositions(h)
	return s[x>>3]&(1<<(x&7)) != 0 && s[y>>3]&(1<<(y&7)) != 0
}
