package urls

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Reason is a filter's verdict on one link.
type Reason uint8

// The verdicts; everything but Accepted keeps a link out of the frontier.
// Links to resources are kept with their class, only not crawled (P3).
const (
	Accepted Reason = iota
	OutOfScope
	NotHTTP
	Empty
	Malformed
	ImageLink
	AnimationLink
	StyleLink
	DocumentLink
	ArchiveLink
	MediaLink
	SoftwareLink
	TooLong
	TooDeep
	Trap
	Crowded        // too many URLs of its host wait
	SitemapBound   // a sitemap that is nested too deep, or one too many of its host
	BelowRelevance // worth less than the link order asks for (P3's threshold)
	reasons
)

var reasonNames = [reasons]string{"accepted", "out of scope", "not http", "empty", "malformed", "image", "animation", "style",
	"document", "archive", "media", "software", "too long", "too deep", "trap", "too many on one host", "too many sitemaps", "below relevance"}

// String returns the verdict in lower-case English.
func (r Reason) String() string {
	if r < reasons {
		return reasonNames[r]
	}
	return "unknown"
}

// MarshalText writes the verdict by name.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

var classReasons = [...]Reason{Document: DocumentLink, Image: ImageLink, Animation: AnimationLink,
	Software: SoftwareLink, Media: MediaLink, Archive: ArchiveLink, Style: StyleLink}

// Limits bounds what a filter lets pass. A zero field means its default.
type Limits struct {
	Length   int              // longest URL in bytes; default 1 024
	Segments int              // most path segments; default 16
	Repeats  int              // most times one segment may stand in a path, or one name in a query; default 3
	Variants int              // most parameter variants of one path; default 200
	Calendar int              // most pages of one calendar; default 40
	Classes  []Class          // resource classes that are crawled like pages
	Now      func() time.Time // for calendars that run into the future; default time.Now
}

// Filter decides which links enter the frontier and counts every verdict. It
// is safe for concurrent use; a verdict costs some 0.6 µs, a URL with
// parameters 0.9 µs. The traps keep at most some 16 MB.
type Filter struct {
	scope  atomic.Pointer[Scope] // nil: everything is in scope
	limits Limits
	crawl  [len(classNames)]bool
	counts [reasons]atomic.Int64
	crowds waitingCounts
	mu     sync.Mutex
	traps  traps
}

// NewFilter returns a filter over scope (nil: everything is in scope).
func NewFilter(scope *Scope, limits Limits) *Filter {
	def := func(p *int, v int) {
		if *p <= 0 {
			*p = v
		}
	}
	def(&limits.Length, 1024)
	def(&limits.Segments, 16)
	def(&limits.Repeats, 3)
	def(&limits.Variants, 200)
	def(&limits.Calendar, 40)
	if limits.Now == nil {
		limits.Now = time.Now
	}
	f := &Filter{limits: limits}
	f.scope.Store(scope)
	f.crawl[Page] = true
	for _, c := range limits.Classes {
		if int(c) < len(f.crawl) {
			f.crawl[c] = true
		}
	}
	return f
}

// Rescope puts another scope in force (nil: everything is in scope). What the
// filter knows of traps and its counts stay. A Check under way may still use
// the scope before.
func (f *Filter) Rescope(scope *Scope) { f.scope.Store(scope) }

// Check returns the verdict on a canonical URL of the given class and counts
// it; an Address is judged by its URL. A URL that was accepted once is accepted again while it is in scope, and once
// it is stored, while its host is crowded, too.
func (f *Filter) Check(canonical string, class Class) Reason {
	canonical = Bare(canonical)
	r := f.verdict(canonical, class)
	if r == Accepted && f.crowds.refuses(canonical) {
		r = Crowded
	}
	f.counts[r].Add(1)
	return r
}

// Refuse counts n links that were refused for a reason that the filter cannot see.
func (f *Filter) Refuse(r Reason, n int) { f.counts[r].Add(int64(n)) }

// unfetchable counts a link that has no URL: err is what Resolver.Resolve
// returned for it.
func (f *Filter) unfetchable(err error) Reason {
	r := Malformed
	switch {
	case errors.Is(err, errEmpty):
		r = Empty
	case errors.Is(err, errScheme):
		r = NotHTTP
	}
	f.counts[r].Add(1)
	return r
}

// UnfetchableHref is Unfetchable for a link that is only known as written.
func (f *Filter) UnfetchableHref(href string) Reason {
	err := fetchable(trim(href))
	if err == nil {
		err = errMalformed
	}
	return f.unfetchable(err)
}

// Prime tells the filter of a URL that was accepted in an earlier run, so that
// a restart neither refuses it nor admits as many variants again.
func (f *Filter) Prime(canonical string) {
	f.mu.Lock()
	f.traps.admit(Bare(canonical), &f.limits, true)
	f.mu.Unlock()
}

// ReasonCount is how often a verdict was given.
type ReasonCount struct {
	Reason Reason
	N      int64
}

// Counts returns every verdict with its count, in the order of the constants.
func (f *Filter) Counts() []ReasonCount {
	out := make([]ReasonCount, reasons)
	for i := range out {
		out[i] = ReasonCount{Reason(i), f.counts[i].Load()}
	}
	return out
}

func (f *Filter) verdict(canonical string, class Class) Reason {
	if canonical == "" {
		return Empty
	}
	if !strings.HasPrefix(canonical, "http://") && !strings.HasPrefix(canonical, "https://") {
		return NotHTTP
	}
	if len(canonical) > f.limits.Length {
		return TooLong
	}
	if scope := f.scope.Load(); scope != nil && !scope.Contains(canonical) {
		return OutOfScope
	}
	if int(class) < len(f.crawl) && !f.crawl[class] {
		return classReasons[class]
	}
	path := pathOf(canonical)
	segments, repeats := shape(path)
	if segments > f.limits.Segments {
		return TooDeep
	}
	if repeats > f.limits.Repeats {
		return Trap
	}
	calendar := isCalendar(path)
	if !calendar && strings.IndexByte(canonical, '?') < 0 {
		return Accepted
	}
	if _, query, _ := strings.Cut(canonical, "?"); repeatedName(query) > f.limits.Repeats {
		return Trap
	}
	if calendarYear(canonical, calendar, f.limits.Now) {
		return Trap
	}
	f.mu.Lock()
	ok := f.traps.admit(canonical, &f.limits, false)
	f.mu.Unlock()
	if !ok {
		return Trap
	}
	return Accepted
}
