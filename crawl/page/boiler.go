package page

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// Boilerplate is what the pages of one host repeat: lines of text (menus,
// footers), links, and the ending of titles. It is of use after ten pages.
//
// It is learned from a sample of the host's pages, those whose keys are the
// smallest; a key is a hash of the page's URL. So what it says is a function of
// the set of pages alone, whatever the order they came in, and it can be learned
// again from stored pages at the price of the sample. While pages come in, its
// answers change. Version and Changes tell which pages would be read otherwise
// now; to judge all pages alike, read those again.
//
// The danger: a list's newest records stand on its front page, too. So a target
// only counts as repeated if it is on more than 4 pages and more than 10 % of
// them, and a line if it is on more than 4 and more than 5 %.
//
// A host costs some 200 KB while it learns, some KB otherwise. Boilerplate is safe
// for concurrent use. The zero value has learned nothing.
type Boilerplate struct {
	mu      sync.RWMutex
	pages   []sampled // ascending keys
	thin    bool      // read from the store: the pages' own lines and targets are not in memory
	lines   map[uint32]int32
	targets map[uint32]int32
	tails   map[string]int32
	tail    string   // the ending that most titles share, with its joint: "-某某大学"
	log     []change // verdicts that changed since Settled

	written atomic.Pointer[[]byte] // as Verdicts wrote them last; nil = one is another since
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

// change is a verdict that is another now: on a link, or on the ending of titles.
type change struct {
	target   uint32
	repeated bool   // the host repeats the link now, and did not before
	tail     bool   // it is the ending that changed
	was      string // the ending before
}

const (
	sampleSize   = 128 // pages
	learnLines   = 400 // lines of a page that are learned
	learnTargets = 400 // links of a page that are learned
	usablePages  = 10
	usableTail   = 5 // pages from which the ending of titles is told
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
	b.mu.RLock()
	defer b.mu.RUnlock()
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
}

// traceOf is Page.Trace; said stands for the page's text, nil = it has it.
func traceOf(p *Page, said *HostSample) *Trace {
	l := learnings.Get().(*learning)
	defer learnings.Put(l)
	clear(l.lines)
	clear(l.targets)
	s := new(Trace)
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
	if !known && i >= sampleSize {
		return // another came in meanwhile
	}
	if b.lines == nil {
		b.lines, b.targets, b.tails = map[uint32]int32{}, map[uint32]int32{}, map[string]int32{}
	}
	changes, before, linesBefore := len(b.log), b.verdicts(), b.lineVerdicts()
	var gone sampled
	switch {
	case known:
		gone, b.pages[i] = b.pages[i], s
	default:
		b.pages = slices.Insert(b.pages, i, s)
		if n := len(b.pages); n > sampleSize {
			gone = b.pages[n-1]
			b.pages = slices.Delete(b.pages, n-1, n)
		}
	}
	after, linesAfter := b.verdicts(), b.lineVerdicts()
	crossed := false
	count(b.lines, gone.lines, s.lines, linesAfter.count, func(uint32) { crossed = true })
	if after == before {
		// A target that came and went may be met twice: the second time nothing has changed.
		count(b.targets, gone.targets, s.targets, after.count, func(h uint32) {
			if after.ok {
				b.log = append(b.log, change{target: h, repeated: after.repeated(b.targets[h])})
			}
		})
	} else {
		b.recount(gone.targets, s.targets, before, after)
	}
	count(b.tails, gone.tails, s.tails, 0, func(string) {})
	b.retail()
	if crossed || linesAfter != linesBefore || len(b.log) > changes {
		b.written.Store(nil)
	}
}

// recount is count for targets whose floor is another now: the verdict may have changed on
// any of them.
func (b *Boilerplate) recount(gone, came []uint32, before, after floor) {
	was := map[uint32]struct{}{}
	for h, n := range b.targets {
		if before.repeated(n) {
			was[h] = struct{}{}
		}
	}
	count(b.targets, gone, came, after.count, func(uint32) {})
	for h, n := range b.targets {
		_, yes := was[h]
		if now := after.repeated(n); now != yes {
			b.log = append(b.log, change{target: h, repeated: now})
		}
		delete(was, h)
	}
	for h := range was { // on no page any more
		b.log = append(b.log, change{target: h})
	}
}

// count brings a table up to date: what a page that left held is taken off, what
// one that came holds is added. crossed is told each key whose number has just passed the
// floor, up or down.
func count[K comparable](m map[K]int32, gone, came []K, floor int32, crossed func(K)) {
	for _, k := range came {
		n := m[k] + 1
		m[k] = n
		if n == floor+1 {
			crossed(k)
		}
	}
	for _, k := range gone {
		n := m[k] - 1
		if n > 0 {
			m[k] = n
		} else {
			delete(m, k)
		}
		if n == floor {
			crossed(k)
		}
	}
}

// retail finds the longest ending that more than half of the titles share. The
// lock is held.
func (b *Boilerplate) retail() {
	tail := ""
	if len(b.pages) >= usableTail {
		for s, n := range b.tails {
			if int(n)*2 > len(b.pages) && (len(s) > len(tail) || len(s) == len(tail) && s < tail) {
				tail = s
			}
		}
	}
	if tail != b.tail {
		b.log = append(b.log, change{tail: true, was: b.tail})
		b.tail = tail
	}
}

// floor is the count above which something is repeated.
type floor struct {
	count int32
	ok    bool // false until enough pages were learned
}

// above is the floor when one page in so many may hold a thing by chance. The lock
// is held.
func (b *Boilerplate) above(oneIn int) floor {
	return floor{int32(max(4, len(b.pages)/oneIn)), len(b.pages) >= usablePages}
}

// verdicts is the floor of links, lineVerdicts that of lines.
func (b *Boilerplate) verdicts() floor     { return b.above(10) }
func (b *Boilerplate) lineVerdicts() floor { return b.above(20) }

func (f floor) repeated(n int32) bool { return f.ok && n > f.count }

// Pages returns how many pages the sample has.
func (b *Boilerplate) Pages() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return len(b.pages)
}

// RepeatedLink reports whether a canonical URL is linked under one name from
// more than max(4, 10 %) of the host's pages. The name counts, because a site's
// files may all be handed out by one address.
func (b *Boilerplate) RepeatedLink(url, anchor string) bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	f := b.verdicts()
	return f.ok && f.repeated(b.targets[hashLink(url, anchor)])
}

// RepeatedText reports whether every line of a text stands on more than
// max(4, 5 %) of the host's pages.
func (b *Boilerplate) RepeatedText(text string) bool { return b.repeatedText(text, nil) }

// repeatedText is RepeatedText that writes down what it looks up: lines that are not
// repeated, and that are. nil = it does not.
func (b *Boilerplate) repeatedText(text string, heard *[2][]uint32) bool {
	b.mu.RLock()
	defer b.mu.RUnlock()
	f := b.lineVerdicts()
	if !f.ok && heard == nil {
		return false
	}
	known := false
	for s := range strings.SplitSeq(text, "\n") {
		if len(s) > 3 {
			h := hashLine(s)
			yes := f.repeated(b.lines[h])
			if heard != nil {
				heard[truth(yes)] = append(heard[truth(yes)], h)
			}
			if !yes {
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
	return b.tail
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

// joint tells whether a character joins the parts of a <title>.
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
