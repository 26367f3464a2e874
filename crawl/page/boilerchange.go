package page

import "math/bits"

// This file tells which pages of a host would be read otherwise now than when they
// were read.

// Version counts the verdicts that have changed since Settled. Whatever is read
// from now on is read under this version or a later one.
func (b *Boilerplate) Version() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return len(b.log)
}

// Changed reports whether a page with these links, read at a version, may be read
// otherwise now. It may say yes for nothing, never no.
func (b *Boilerplate) Changed(version int, links LinkSet) bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, c := range b.log[min(max(version, 0), len(b.log)):] {
		if c.tail || links.has(c.target) {
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
// learn on. read gives a stored page, nil for one that is there no more. Learn and
// Fill must not be called at the same time.
func (b *Boilerplate) Fill(read func(id uint64) *Page) {
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
func (b *Boilerplate) Relearn(pages []SampledPage, read func(id uint64) *Page) {
	next := new(Boilerplate)
	for _, at := range pages {
		if wanted, _ := next.Wants(at.Key); !wanted {
			continue
		}
		if p := read(at.ID); p != nil {
			next.take(sample(at, p))
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	was, is := b.verdicts(), next.verdicts()
	for h, n := range b.targets {
		if was.repeated(n) != is.repeated(next.targets[h]) {
			b.log = append(b.log, change{target: h})
		}
	}
	for h, n := range next.targets {
		if _, known := b.targets[h]; !known && is.repeated(n) {
			b.log = append(b.log, change{target: h})
		}
	}
	if b.tail != next.tail {
		b.log = append(b.log, change{tail: true})
	}
	b.pages, b.thin, b.lines, b.targets, b.tails, b.tail = next.pages, false, next.lines, next.targets, next.tails, next.tail
}

// LinkSet is the links of a page as a Bloom filter: a bit of each half of a link's
// hash, eight to sixteen bits a link, 1 024 at most. Of a hundred links that a
// page of up to 120 does not have it takes one to six for its own.
type LinkSet []byte

const maxLinkSet = 128 // bytes

// LinksOf is the LinkSet of a page; nil when it has no links.
func LinksOf(p *Page) LinkSet {
	if len(p.Links) == 0 {
		return nil
	}
	s := make(LinkSet, min(maxLinkSet, 1<<bits.Len(uint(len(p.Links)-1))))
	for i := range p.Links {
		if u := p.Links[i].URL; u != "" {
			x, y := s.places(hashLink(u, p.Links[i].Anchor))
			s[x>>3] |= 1 << (x & 7)
			s[y>>3] |= 1 << (y & 7)
		}
	}
	return s
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
