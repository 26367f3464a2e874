package query

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"angler/crawl/decisions"
	"angler/crawl/jobs"
	"angler/crawl/urls"
	"angler/store"
)

// Limits of the tree.
const (
	maxDepth    = 4    // levels of a branch, including the host
	maxSections = 200  // displayed sections of a branch
	maxBranches = 1e5  // branches; URLs of further ones count in the parent
	maxRows     = 5000 // rows of Stored
)

// node is a branch during counting.
type node struct {
	Branch
	sections map[string]*node
}

// overviewBuilder builds a SiteOverview.
type overviewBuilder struct {
	s     *Survey
	now   time.Time
	hosts map[string]*node
	nodes int
	at    []*node // by id: the lowest branch of a URL
	fails map[string]*failure
	state *decisions.State
}

type failure struct {
	Failure
	hosts map[string]struct{}
}

// Land reads every known URL once.
func (s *Survey) Land(ctx context.Context) (*SiteOverview, error) {
	m := &overviewBuilder{s: s, now: s.Now(), hosts: map[string]*node{}, at: make([]*node, s.Store.Counts().URLs+1),
		fails: map[string]*failure{}, state: s.Decisions.State()}
	for u, err := range jobs.Until(ctx, s.Store.URLs()) {
		if err != nil {
			return nil, err
		}
		m.url(u)
	}
	lists := s.Decisions.Aggregations()
	notices, err := s.Store.NoticeIDs()
	if err != nil {
		return nil, err
	}
	for _, id := range lists {
		if b := m.of(id); b != nil {
			b.Lists++
		}
	}
	for _, id := range notices {
		if b := m.of(id); b != nil {
			b.Notices++
		}
	}
	land := &SiteOverview{At: m.now}
	if err := m.visits(ctx, land); err != nil {
		return nil, err
	}
	for _, h := range m.hosts {
		land.Hosts = append(land.Hosts, m.settle(h))
	}
	byURLs(land.Hosts)
	for _, f := range m.fails {
		f.Hosts = len(f.hosts)
		land.Failures = append(land.Failures, f.Failure)
	}
	slices.SortFunc(land.Failures, func(a, b Failure) int {
		return cmp.Or(cmp.Compare(b.N, a.N), strings.Compare(a.Reason, b.Reason))
	})
	return land, nil
}

func (m *overviewBuilder) of(id uint64) *node {
	if id < uint64(len(m.at)) {
		return m.at[id]
	}
	return nil
}

// url adds a URL to its lowest branch and to the failures.
func (m *overviewBuilder) url(u *store.URL) {
	var b *node
	kids := m.hosts
	for prefix := range urls.Sections(u.URL, maxDepth) {
		next := kids[prefix]
		if next == nil {
			if b != nil && m.nodes >= maxBranches {
				break
			}
			m.nodes++
			name := prefix
			if b != nil {
				name = prefix[len(b.Prefix):]
			}
			next = &node{Branch: Branch{Prefix: strings.Clone(prefix),
				Name: strings.TrimSuffix(strings.Clone(name), "/")},
				sections: map[string]*node{}}
			if b != nil {
				next.Name += "/"
			}
			kids[next.Prefix] = next
		}
		b, kids = next, next.sections
	}
	if b == nil {
		return
	}
	for uint64(len(m.at)) <= u.ID {
		m.at = append(m.at, nil)
	}
	m.at[u.ID] = b
	b.URLs++
	switch u.State {
	case store.Waiting, store.Processing:
		b.Waiting++
	case store.Exception:
		b.Dead++
	}
	if u.Troubled() {
		m.fail(u)
	}
}

func (m *overviewBuilder) fail(u *store.URL) {
	reason := string(cmp.Or(u.Failure.Kind, store.FailedUnknown))
	f := m.fails[reason]
	if f == nil {
		f = &failure{Failure: Failure{Reason: reason, URL: u.URL}, hosts: map[string]struct{}{}}
		m.fails[reason] = f
	}
	f.N++
	if u.State != store.Exception {
		f.Waits++
	}
	f.hosts[urls.HostOf(u.URL)] = struct{}{}
	if len(m.state.Rules) > 0 && m.state.Muted(u.URL) {
		f.Muted++
	}
	if !u.Retry.IsZero() && (f.Next.IsZero() || u.Retry.Before(f.Next)) {
		f.Next = u.Retry
	}
}

// visits adds the stored pages by the time of their last visit.
func (m *overviewBuilder) visits(ctx context.Context, land *SiteOverview) error {
	type visit struct {
		b  *node
		at int64
	}
	var all []visit
	for p, err := range jobs.Until(ctx, m.s.Store.Pages()) {
		if err != nil {
			return err
		}
		b := m.of(p.ID)
		if b == nil {
			continue
		}
		b.Pages++
		if p.Fetched.IsZero() || p.Fetched.After(m.now) { // the clock was wrong
			continue
		}
		all = append(all, visit{b, p.Fetched.UnixNano()})
	}
	if len(all) == 0 {
		return nil
	}
	from, to := all[0].at, all[0].at
	for _, v := range all {
		from, to = min(from, v.at), max(to, v.at)
	}
	land.From, land.To = time.Unix(0, from), time.Unix(0, to)
	for _, v := range all {
		v.b.Spark[int(float64(v.at-from)/float64(max(1, to-from))*(SparkSpans-.001))]++
	}
	return nil
}

// settle sums up a branch with its sections.
func (m *overviewBuilder) settle(x *node) *Branch {
	b := &x.Branch
	for _, k := range slices.Collect(maps.Values(x.sections)) {
		c := m.settle(k)
		b.URLs, b.Pages, b.Waiting, b.Dead = b.URLs+c.URLs, b.Pages+c.Pages, b.Waiting+c.Waiting, b.Dead+c.Dead
		b.Lists, b.Notices = b.Lists+c.Lists, b.Notices+c.Notices
		for i := range c.Spark {
			b.Spark[i] += c.Spark[i]
		}
		if c.URLs > 1 {
			b.Kids = append(b.Kids, c)
		}
	}
	byURLs(b.Kids)
	b.Kids = b.Kids[:min(len(b.Kids), maxSections)]
	for i := range m.state.Rules {
		if r := &m.state.Rules[i]; r.Branch == b.Prefix && (r.Action != decisions.Delay || m.now.Before(r.Until)) {
			b.Rule, b.Until = r.Action, r.Until
		}
	}
	if host, rest, _ := strings.Cut(b.Prefix, "/"); rest == "" {
		if own, ok := m.s.Settings.Now().Host[host]; ok {
			b.Own = own.Has()
		}
	}
	return b
}

func byURLs(list []*Branch) {
	slices.SortFunc(list, func(a, b *Branch) int {
		return cmp.Or(cmp.Compare(b.URLs, a.URLs), strings.Compare(a.Prefix, b.Prefix))
	})
}

// Branch is a host or a section of it, with everything below. It is shared: do not change it.
type Branch struct {
	Prefix  string // host/ or host/path/, without the scheme
	Name    string // the host, or the last part of the prefix
	URLs    int    // known URLs
	Pages   int    // stored pages
	Waiting int
	Dead    int // URLs in state exception
	Lists   int // aggregation pages
	Notices int
	Spark   [SparkSpans]int // pages by last visit, in equal spans of the workspace's life
	Rule    string          // effect of this branch's own rule, see decisions; "" = none
	Until   time.Time       // end of a delay
	Own     []string        // of a host: names of its own settings, without values
	Kids    []*Branch       // sections with the most URLs first
}

// SparkSpans is the number of spans in Branch.Spark.
const SparkSpans = 12

// NoReason is the Reason of a Failure with an unknown cause.
const NoReason = string(store.FailedUnknown)

// Failure groups URLs without a page by cause.
type Failure struct {
	Reason string // the kind of cause: dns, HTTP status 403 …
	N      int    // failed URLs: exceptions, as in Counts, and those in Waits
	Waits  int    // of N: waiting for the next attempt
	Hosts  int
	Muted  int // of N: below a muted branch
	Next   time.Time
	URL    string // one of the URLs
}

// SiteOverview holds all known URLs by branch and by failure.
type SiteOverview struct {
	At       time.Time
	From, To time.Time // first and last visit, the range of Spark
	Hosts    []*Branch
	Failures []Failure // most URLs first
}
