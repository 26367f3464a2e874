package page

import (
	"math/bits"

	"angler/crawl/htmldoc"
)

// This file tells which pages of a host would be read otherwise now than when they
// were read.

// Changes holds the differences between two profiles.
type Changes struct {
	tail    bool
	targets []targetChange
}

type targetChange struct {
	target   uint32
	repeated bool // the host repeats the link now, and did not before
}

// Since returns the lines, links and title endings that differ from a version.
func (b *Boilerplate) Since(version int) Changes {
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
			if !has(x.against, h) {
				c.targets = append(c.targets, targetChange{h, x.repeated})
			}
		}
	}
	return c
}

// Touch reports whether a page that has asked may be read otherwise. It may say
// yes for nothing, never no.
func (c *Changes) Touch(asked Asked) bool {
	for _, x := range c.targets {
		if x.repeated && asked.Contending.has(x.target) || !x.repeated && asked.Links.has(x.target) {
			return true
		}
	}
	return c.tail
}

// Settled says that all pages are read as the profile is now: versions count from
// 0 again.
func (b *Boilerplate) Settled() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.past) > 0 {
		p := b.Profile()
		b.now.Store(&HostProfile{lines: p.lines, targets: p.targets, tail: p.tail})
		b.past = nil
	}
}

// Fill reads the pages of a sample that was read from the store, so that it can
// learn on. read gives what is learned of a stored page, nil for one that is there no
// more. Learn and Fill must not be called at the same time.
func (b *Boilerplate) Fill(read func(id uint64) *Trace) {
	b.mu.Lock()
	pages := make([]SampledPage, len(b.pages))
	for i := range b.pages {
		pages[i] = b.pages[i].SampledPage
	}
	b.mu.Unlock()
	b.refill(pages, read, false)
}

// Relearn replaces what was learned by what these pages say. Those with the
// smallest keys are the sample; the others are not read. read is as for Fill.
func (b *Boilerplate) Relearn(pages []SampledPage, read func(id uint64) *Trace) {
	b.refill(pages, read, true)
}

func (b *Boilerplate) refill(pages []SampledPage, read func(id uint64) *Trace, judge bool) {
	var next Boilerplate
	for _, at := range pages {
		if wanted, _ := next.Wants(at.Key); !wanted {
			continue
		}
		if t := read(at.ID); t != nil {
			next.take(sampled{at, *t})
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	judge = judge || len(next.pages) < len(b.pages)
	b.pages, b.thin = next.pages, false
	if judge {
		b.judge()
	}
}

// Asked is what the reading of a page may have asked of its host: whether it repeats
// the page's links. One that is repeated no more may bring a group of links back
// into the choice of records, so all links count. One that is repeated now only
// takes from a group, which matters if the group may have been chosen.
type Asked struct {
	Links      LinkSet // all
	Contending LinkSet // of the groups that were chosen, or could be
}

// LinkSet is a set of links as a Bloom filter: a bit of each half of a link's hash,
// eight to sixteen bits a link, 1 024 at most. Of a hundred links that are not
// among up to 120 it takes one to six for its own.
type LinkSet []byte

const maxLinkSet = 128 // bytes

// asked gathers what the choice of the page's records has asked.
func (a *analysis) asked(p *Page) Asked {
	contending := a.list.Contending()
	all, some := sizeOf(len(p.Links)), sizeOf(len(contending))
	room := make([]byte, all+some)
	set := Asked{Links: room[:all:all], Contending: room[all:]}
	for i := range p.Links {
		set.Links.add(&p.Links[i])
	}
	for _, i := range contending {
		set.Contending.add(&p.Links[i])
	}
	return set
}

// sizeOf is how many bytes a set of n links takes.
func sizeOf(n int) int {
	if n == 0 {
		return 0
	}
	return min(maxLinkSet, 1<<bits.Len(uint(n-1)))
}

func (s LinkSet) add(l *htmldoc.Link) {
	if l.URL == "" {
		return
	}
	x, y := s.places(hashLink(l.URL, l.Anchor))
	s[x>>3] |= 1 << (x & 7)
	s[y>>3] |= 1 << (y & 7)
}

// places are the bits of a link.
func (s LinkSet) places(h uint32) (x, y int) {
	mask := len(s)<<3 - 1
	return int(h) & mask, int(h>>16) & mask
}

func (s LinkSet) has(h uint32) bool {
	if len(s) == 0 {
		return false
	}
	if len(s)&(len(s)-1) != 0 {
		return true // damaged: nothing is known of its links
	}
	x, y := s.places(h)
	return s[x>>3]&(1<<(x&7)) != 0 && s[y>>3]&(1<<(y&7)) != 0
}
