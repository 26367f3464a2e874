package page

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// Boilerplate is what the pages of one host repeat, learned while crawling:
// lines of text (menus, footers), links, and the ending of titles. It is of use
// after some 20 pages, keeps at most some 1 MB a host, and is safe for concurrent
// use.
//
// The danger: a list's newest records stand on its front page, too. So a target
// only counts as repeated if it is on more than 4 pages and more than 10 % of
// them, and a line if it is on more than 4 and more than 5 %.
type Boilerplate struct {
	mu      sync.RWMutex
	pages   int
	lines   map[uint64]int32
	targets map[uint64]int32
	tails   map[string]int32
	tail    string // the ending most titles share, with its joint: "-某某大学"
}

const (
	learnLines   = 400    // lines of a page that are learned
	learnTargets = 400    // links of a page that are learned
	learnEntries = 20_000 // entries of a table; the rare ones go when it is full
	usablePages  = 20
)

// learning is the scratch space of Learn: the lines and targets of one page,
// without repetitions.
type learning struct{ lines, targets map[uint64]struct{} }

var learnings = sync.Pool{New: func() any {
	return &learning{make(map[uint64]struct{}, 128), make(map[uint64]struct{}, 64)}
}}

// Learn adds a page of the host. Learning a page twice counts it twice.
func (b *Boilerplate) Learn(p *Page) {
	l := learnings.Get().(*learning)
	defer learnings.Put(l)
	clear(l.lines)
	clear(l.targets)
	lines, targets := l.lines, l.targets
	for s := range strings.SplitSeq(p.Text, "\n") {
		if len(lines) >= learnLines {
			break
		}
		if len(s) > 3 {
			lines[hashText(s)] = struct{}{}
		}
	}
	for i := range p.Links {
		if len(targets) >= learnTargets {
			break
		}
		if u := p.Links[i].URL; u != "" {
			targets[hashLink(u, p.Links[i].Anchor)] = struct{}{}
		}
	}
	tails := titleTails(p.Head)
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.lines == nil {
		b.lines, b.targets, b.tails = map[uint64]int32{}, map[uint64]int32{}, map[string]int32{}
	}
	b.pages++
	for h := range lines {
		b.lines[h]++
	}
	for h := range targets {
		b.targets[h]++
	}
	for _, s := range tails {
		b.tails[s]++
		// the longest ending that most pages share
		if n := b.tails[s]; int(n)*2 > b.pages && (int(b.tails[b.tail])*2 <= b.pages || len(s) > len(b.tail)) {
			b.tail = strings.Clone(s)
		}
	}
	sweep(b.lines, learnEntries)
	sweep(b.targets, learnEntries)
	sweep(b.tails, 2_000)
}

// sweep drops the rarest entries of a table that has outgrown max.
func sweep[K comparable](m map[K]int32, max int) {
	for floor := int32(1); len(m) > max || floor > 1 && len(m) > max/2; floor *= 2 {
		for k, n := range m {
			if n <= floor {
				delete(m, k)
			}
		}
	}
}

// Pages returns how many pages were learned.
func (b *Boilerplate) Pages() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return b.pages
}

// threshold returns above which count something is repeated, if one page in so
// many may have it by chance. ok is false until enough pages were learned.
func (b *Boilerplate) threshold(oneIn int) (count int32, ok bool) {
	return int32(max(4, b.pages/oneIn)), b.pages >= usablePages
}

// RepeatedLink reports whether a canonical URL is linked under one name from
// more than max(4, 10 %) of the host's pages. The name counts, because a site's
// files may all be handed out by one address.
func (b *Boilerplate) RepeatedLink(url, anchor string) bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	floor, ok := b.threshold(10)
	return ok && b.targets[hashLink(url, anchor)] > floor
}

// RepeatedText reports whether every line of a text stands on more than
// max(4, 5 %) of the host's pages.
func (b *Boilerplate) RepeatedText(text string) bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	floor, ok := b.threshold(20)
	if !ok {
		return false
	}
	known := false
	for s := range strings.SplitSeq(text, "\n") {
		if len(s) > 3 {
			if b.lines[hashText(s)] <= floor {
				return false
			}
			known = true
		}
	}
	return known
}

// titleTail returns the ending, joint included, that most titles of the host
// share, "" when there is none.
func (b *Boilerplate) titleTail() string {
	b.mu.RLock()
	defer b.mu.RUnlock()
	if b.pages < 5 {
		return ""
	}
	return b.tail
}

// titleTails returns the endings of a <title> from each of its last three
// joints on.
func titleTails(head string) []string {
	var out []string
	for i := len(head); i > 0 && len(out) < 3; {
		_, n := utf8.DecodeLastRuneInString(head[:i])
		i -= n
		if i > 0 && joint(head[i:i+n]) {
			for i > 0 && (head[i-1] == ' ' || head[i-1] == '-' || head[i-1] == '_') {
				i--
			}
			if i > 0 {
				out = append(out, head[i:])
			}
		}
	}
	return out
}

// joint tells whether a character joins the parts of a <title>.
func joint(s string) bool {
	switch s {
	case "-", "_", "|", "｜", "–", "—", "»", ">", "·", "－":
		return true
	}
	return false
}

// hashLink hashes a target with its name.
func hashLink(url, anchor string) uint64 { return hashText(url)*1099511628211 ^ hashText(anchor) }

// hashText is FNV-1a over the bytes of a text that are no space.
func hashText(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		if s[i] != ' ' {
			h = (h ^ uint64(s[i])) * 1099511628211
		}
	}
	return h
}
