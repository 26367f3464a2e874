package page

import (
	"math/bits"
	"slices"

	"angler/crawl/htmldoc"
)

// This file tells which pages of a host would be read otherwise now than when they
// were read.

// Version counts the verdicts that have changed since Settled. Whatever is read
// from now on is read under this version or a later one.
func (b *Boilerplate) Version() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return len(b.log)
}

// Changes are the verdicts that differ between two moments.
type Changes struct {
	tail    bool
	targets []change // each target once
}

// Changes returns what is otherwise now than for a page whose reading began at one
// version and ended at another. Verdicts that changed while it was read may have
// been given before or after: they count as changed.
func (b *Boilerplate) Changes(began, ended int) Changes {
	b.mu.RLock()
	defer b.mu.RUnlock()
	began = min(max(began, 0), len(b.log))
	ended = min(max(ended, began), len(b.log))
	var c Changes
	flipped := make(map[uint32]bool, len(b.log)-began)
	for i, x := range b.log[began:] {
		switch during := i < ended-began; {
		case x.tail && during:
			c.tail = true
		case x.tail:
			c.tail = c.tail || x.was != b.tail && !slices.ContainsFunc(b.log[ended:began+i], func(y change) bool { return y.tail })
		case during:
			c.targets = append(c.targets, x)
		default:
			flipped[x.target] = !flipped[x.target]
		}
	}
	floor := b.verdicts()
	for h, yes := range flipped {
		if yes { // an odd number of times
			c.targets = append(c.targets, change{target: h, repeated: floor.repeated(b.targets[h])})
		}
	}
	return c
}

// Touch reports whether a page that has asked may be read otherwise. It may say
// yes for nothing, never no.
func (c *Changes) Touch(asked Asked) bool {
	if c.tail {
		return true
	}
	for _, x := range c.targets {
		if x.repeated && asked.Contending.has(x.target) || !x.repeated && asked.Links.has(x.target) {
			return true
		}
	}
	return false
}

// Settled says that all pages are read as the verdicts are now: versions count from
// 0 again.
func (b *Boilerplate) Settled() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.log = nil
}

// Fill reads the pages of a sample that was read from the store, so that it can
// learn on. read gives what is learned of a stored page, nil for one that is there no
// more. Learn and Fill must not be called at the same time.
func (b *Boilerplate) Fill(read func(id uint64) *Trace) {
	b.mu.RLock()
	pages := make([]SampledPage, len(b.pages))
	for i := range b.pages {
		pages[i] = b.pages[i].SampledPage
	}
	b.mu.RUnlock()
	b.Relearn(pages, read)
}

// Relearn replaces what was learned by what these pages say. Those with the
// smallest keys are the sample; the others are not read. read is as for Fill.
func (b *Boilerplate) Relearn(pages []SampledPage, read func(id uint64) *Trace) {
	next := new(Boilerplate)
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
	was, is := b.verdicts(), next.verdicts()
	for h, n := range b.targets {
		if was.repeated(n) != is.repeated(next.targets[h]) {
			b.log = append(b.log, change{target: h, repeated: is.repeated(next.targets[h])})
		}
	}
	for h, n := range next.targets {
		if _, known := b.targets[h]; !known && is.repeated(n) {
			b.log = append(b.log, change{target: h, repeated: true})
		}
	}
	if b.tail != next.tail {
		b.log = append(b.log, change{tail: true, was: b.tail})
	}
	b.written.Store(nil)
	b.pages, b.thin, b.lines, b.targets, b.tails, b.tail = next.pages, false, next.lines, next.targets, next.tails, next.tail
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
