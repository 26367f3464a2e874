package page

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// Boilerplate learns the lines of text (menus, footers), links and title endings that the
// pages of one host repeat. A HostProfile holds the result.
//
// It learns from a sample: the pages with the smallest keys. A key is a hash of the page's URL.
// UpdateProfile makes a new profile from the whole sample. Learn does so whenever the sample
// has doubled. The profile after UpdateProfile depends on the set of pages alone, not on their
// order. ChangesSince finds the pages that the current profile would parse differently.
//
// A host needs some 200 KB while it learns, and some KB otherwise. A profile of 128 pages
// takes about 1 ms. Boilerplate is safe for concurrent use. The zero value is ready.
type Boilerplate struct {
	current atomic.Pointer[HostProfile] // nil means an empty profile

	mu         sync.Mutex     // guards the fields below
	pages      []sampled      // ascending keys
	unfilled   bool           // after UnmarshalBinary: pages holds no traces yet
	changed    int            // pages added or changed since the last profile was made
	nextUpdate int            // the value of changed at which Learn makes a profile
	past       []*HostProfile // earlier profiles since ResetVersions, by version
}

// sampled is one page of the sample.
type sampled struct {
	SampledPage
	Trace
}

// SampledPage identifies a page of the sample.
type SampledPage struct {
	Key uint64 // a hash of its URL
	ID  uint64 // the caller's
}

const (
	sampleSize      = 128 // pages, at most
	learnLines      = 400 // distinct lines of a page, at most
	learnTargets    = 400 // distinct links of a page, at most
	minProfilePages = 10  // pages of a profile with lines and links, at least
	minTailPages    = 5   // pages of a profile with a title ending, at least; the first profile is made then
)

// traceScratch is the scratch space of traceOf: the distinct lines and targets of one page.
type traceScratch struct{ lines, targets map[uint32]struct{} }

var traceScratches = sync.Pool{New: func() any {
	return &traceScratch{make(map[uint32]struct{}, 128), make(map[uint32]struct{}, 64)}
}}

// Wants reports whether a page with this key belongs to the sample now. If ready is false,
// Fill must run before Learn.
func (b *Boilerplate) Wants(key uint64) (wanted, ready bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i, known := b.find(key)
	return known || i < sampleSize, !b.unfilled
}

func (b *Boilerplate) find(key uint64) (int, bool) {
	return slices.BinarySearchFunc(b.pages, key, func(s sampled, k uint64) int { return cmp.Compare(s.Key, k) })
}

// Learn adds a page of the host if it belongs to the sample. It replaces a page with the same
// key. sample replaces the page's text; nil means that the page has its text. Learn must not be
// called while Wants reports that the sample is not ready.
func (b *Boilerplate) Learn(id SampledPage, p *Page, sample *HostSample) {
	if wanted, _ := b.Wants(id.Key); !wanted {
		return
	}
	s := sampled{id, *traceOf(p, sample)}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.insert(s)
	if b.changed >= max(b.nextUpdate, minTailPages) {
		b.updateProfile()
	}
}

// traceOf returns the trace of a page. sample replaces the page's text; nil means that the page
// has its text.
func traceOf(p *Page, sample *HostSample) *Trace {
	l := traceScratches.Get().(*traceScratch)
	defer traceScratches.Put(l)
	clear(l.lines)
	clear(l.targets)
	s := &Trace{head: hashLine(p.Head)}
	if sample != nil {
		s.lines = sampleLines(l, sample)
	} else {
		s.lines = lineHashes(l, p.Text)
	}
	for i := range p.Links {
		if len(s.targets) >= learnTargets {
			break
		}
		if u := p.Links[i].URL; u != "" {
			s.targets = appendNew(l.targets, s.targets, hashLink(u, p.Links[i].Anchor))
		}
	}
	for _, t := range titleTails(p.Head) {
		s.tails = append(s.tails, strings.Clone(t))
	}
	return s
}

// lineHashes returns the hashes of the first learnLines distinct lines of a text.
func lineHashes(l *traceScratch, text string) (lines []uint32) {
	for line := range strings.SplitSeq(text, "\n") {
		if len(lines) >= learnLines {
			break
		}
		if len(line) > 3 {
			lines = appendNew(l.lines, lines, hashLine(line))
		}
	}
	return lines
}

func appendNew(seen map[uint32]struct{}, hashes []uint32, h uint32) []uint32 {
	if _, ok := seen[h]; ok {
		return hashes
	}
	seen[h] = struct{}{}
	return append(hashes, h)
}

// insert adds a page to the sample, or replaces the page with the same key. It deletes the page
// with the largest key if the sample is full. The caller holds the lock.
func (b *Boilerplate) insert(s sampled) {
	i, known := b.find(s.Key)
	switch {
	case known && b.pages[i].same(&s.Trace):
		b.pages[i].ID = s.ID
		return
	case known:
		b.pages[i] = s
	case i >= sampleSize:
		return // a concurrent Learn filled the sample
	default:
		b.pages = slices.Insert(b.pages, i, s)
		b.pages = slices.Delete(b.pages, min(len(b.pages), sampleSize), len(b.pages))
	}
	b.changed++
}

// UpdateProfile makes a profile of the sample if the sample has changed since the last one.
func (b *Boilerplate) UpdateProfile() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.changed > 0 {
		b.updateProfile()
	}
}

// updateProfile makes a profile of the sample. The caller holds the lock.
func (b *Boilerplate) updateProfile() {
	b.changed, b.nextUpdate = 0, len(b.pages)
	before := b.Profile()
	p := profileOf(b.pages)
	if slices.Equal(p.lines, before.lines) && slices.Equal(p.targets, before.targets) && p.tail == before.tail {
		return
	}
	b.past = append(b.past, before)
	p.version = len(b.past)
	b.current.Store(p)
}

// Pages returns the number of pages in the sample.
func (b *Boilerplate) Pages() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.pages)
}

// Profile returns the current profile of the host, never nil.
func (b *Boilerplate) Profile() *HostProfile {
	if p := b.current.Load(); p != nil {
		return p
	}
	return new(HostProfile)
}

// titleTails returns the endings of a <title> that begin at its last joints, the shortest
// first, at most traceTails.
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

// hashLink hashes a URL together with its anchor text.
func hashLink(url, anchor string) uint32 {
	return foldHash(hashText(url)*fnvPrime ^ hashText(anchor))
}

// hashLine hashes a line of text.
func hashLine(s string) uint32 { return foldHash(hashText(s)) }

func foldHash(h uint64) uint32 { return uint32(h ^ h>>32) }

// fnvSeed and fnvPrime are the constants of FNV-1a.
const (
	fnvSeed  = 14695981039346656037
	fnvPrime = 1099511628211
)

// hashText is FNV-1a over the bytes of a text without its spaces.
func hashText(s string) uint64 {
	h := uint64(fnvSeed)
	for i := 0; i < len(s); i++ {
		if s[i] != ' ' {
			h = (h ^ uint64(s[i])) * fnvPrime
		}
	}
	return h
}
