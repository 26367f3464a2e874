package page

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// Boilerplate learns what the pages of one host repeat: lines of text (menus,
// footers), links, and the ending of titles. A HostProfile says what it has learned.
//
// It learns from a sample of the host's pages, those whose keys are the smallest; a key
// is a hash of the page's URL. At fixed points, whenever the sample has doubled, and when
// Judge is called, it makes a new profile from the whole sample. So the profile after
// Judge is a function of the set of pages alone, whatever the order they came in, and
// stored pages give the same at the price of the sample. Version and Since tell which
// pages would be read otherwise now; to judge all pages alike, read those again.
//
// A host costs some 200 KB while it learns, some KB otherwise; a profile of 128 pages
// takes about 1 ms. Boilerplate is safe for concurrent use. The zero value has learned
// nothing.
type Boilerplate struct {
	now atomic.Pointer[HostProfile] // in force; nil = nothing is known

	mu      sync.Mutex     // guards what follows
	pages   []sampled      // ascending keys
	thin    bool           // read from the store: the pages' own lines and targets are not in memory
	changed int            // pages that came or changed since the last profile was made
	next    int            // the number of them that is the next fixed point
	past    []*HostProfile // in force before, since Settled, by version
}

// sampled is one page of the sample.
type sampled struct {
	SampledPage
	Trace
}

// SampledPage names a page of the sample.
type SampledPage struct {
	Key uint64 // a hash of its URL
	ID  uint64 // the caller's
}

const (
	sampleSize   = 128 // pages
	learnLines   = 400 // lines of a page that are learned
	learnTargets = 400 // links of a page that are learned
	usablePages  = 10
	usableTail   = 5 // pages from which the ending of titles is read, and the first fixed point
)

// learning is the scratch space of Learn: the lines and targets of one page,
// without repetitions.
type learning struct{ lines, targets map[uint32]struct{} }

var learnings = sync.Pool{New: func() any {
	return &learning{make(map[uint32]struct{}, 128), make(map[uint32]struct{}, 64)}
}}

// Wants reports whether Learn would take up a page: because it belongs to the
// sample now. ready is false when the sample must be filled before, see Fill.
func (b *Boilerplate) Wants(key uint64) (wanted, ready bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i, known := b.find(key)
	return known || i < sampleSize, !b.thin
}

func (b *Boilerplate) find(key uint64) (int, bool) {
	return slices.BinarySearchFunc(b.pages, key, func(s sampled, k uint64) int { return cmp.Compare(s.Key, k) })
}

// Learn takes up a page of the host if it belongs to the sample. A page with a
// known key replaces the one before. It must not be called while Wants says that
// the sample is not ready.
func (b *Boilerplate) Learn(at SampledPage, p *Page) { b.learn(at, p, nil) }

// learn is Learn; said stands for the page's text, nil = the page has it.
func (b *Boilerplate) learn(at SampledPage, p *Page, said *HostSample) {
	if wanted, _ := b.Wants(at.Key); !wanted {
		return
	}
	s := sampled{at, *traceOf(p, said)}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.take(s)
	if b.changed >= max(b.next, usableTail) {
		b.judge()
	}
}

// traceOf is Page.Trace; said stands for the page's text, nil = it has it.
func traceOf(p *Page, said *HostSample) *Trace {
	l := learnings.Get().(*learning)
	defer learnings.Put(l)
	clear(l.lines)
	clear(l.targets)
	s := &Trace{head: hashLine(p.Head)}
	if said != nil {
		s.lines = saidLines(l, said)
	} else {
		s.lines = linesOf(l, p.Text)
	}
	for i := range p.Links {
		if len(s.targets) >= learnTargets {
			break
		}
		if u := p.Links[i].URL; u != "" {
			s.targets = addNew(l.targets, s.targets, hashLink(u, p.Links[i].Anchor))
		}
	}
	for _, t := range titleTails(p.Head) {
		s.tails = append(s.tails, strings.Clone(t))
	}
	return s
}

// linesOf are the first lines of a text, each once.
func linesOf(l *learning, text string) (lines []uint32) {
	for line := range strings.SplitSeq(text, "\n") {
		if len(lines) >= learnLines {
			break
		}
		if len(line) > 3 {
			lines = addNew(l.lines, lines, hashLine(line))
		}
	}
	return lines
}

func addNew(seen map[uint32]struct{}, all []uint32, h uint32) []uint32 {
	if _, ok := seen[h]; ok {
		return all
	}
	seen[h] = struct{}{}
	return append(all, h)
}

// take enters a page into the sample and lets the one go that it displaces. The
// lock is held.
func (b *Boilerplate) take(s sampled) {
	i, known := b.find(s.Key)
	switch {
	case known && b.pages[i].same(&s.Trace):
		b.pages[i].ID = s.ID
		return
	case known:
		b.pages[i] = s
	case i >= sampleSize:
		return // another came in meanwhile
	default:
		b.pages = slices.Insert(b.pages, i, s)
		b.pages = slices.Delete(b.pages, min(len(b.pages), sampleSize), len(b.pages))
	}
	b.changed++
}

// Judge makes the profile of the sample as it is now.
func (b *Boilerplate) Judge() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changed > 0 {
		b.judge()
	}
}

// judge is Judge; the lock is held.
func (b *Boilerplate) judge() {
	b.changed, b.next = 0, len(b.pages)
	before := b.Profile()
	p := profileOf(b.pages)
	if slices.Equal(p.lines, before.lines) && slices.Equal(p.targets, before.targets) && p.tail == before.tail {
		return
	}
	b.past = append(b.past, before)
	p.version = len(b.past)
	b.now.Store(p)
}

// Pages returns how many pages the sample has.
func (b *Boilerplate) Pages() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.pages)
}

// Profile returns the current profile of the host, never nil.
func (b *Boilerplate) Profile() *HostProfile {
	if p := b.now.Load(); p != nil {
		return p
	}
	return new(HostProfile)
}

// titleTails returns the endings of a <title> from each of its last three
// joints on.
func titleTails(head string) []string {
	var out []string
	for i := len(head); i > 0 && len(out) < traceTails; {
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

// joint reports whether a character joins the parts of a <title>.
func joint(s string) bool {
	switch s {
	case "-", "_", "|", "｜", "–", "—", "»", ">", "·", "－":
		return true
	}
	return false
}

// hashLink hashes a target with its name.
func hashLink(url, anchor string) uint32 {
	return fold(hashText(url)*1099511628211 ^ hashText(anchor))
}

// hashLine hashes a line of text.
func hashLine(s string) uint32 { return fold(hashText(s)) }

func fold(h uint64) uint32 { return uint32(h ^ h>>32) }

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
