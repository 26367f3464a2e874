package seeds

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"angler/crawl/decisions"
	"angler/crawl/fetch"
	"angler/crawl/jobs"
	"angler/crawl/reader"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/store/records"
)

// SuggestConfig holds the dependencies of a Suggest.
type SuggestConfig struct {
	Store     *store.Workspace
	Reader    *reader.Reader
	Decisions *decisions.Decisions
	Jobs      *jobs.Jobs
	Events    *view.EventLog
	Settings  func() *config.Settings // present settings; do not change
	Scope     func() *urls.Scope      // present scope
	Fetcher   *fetch.Fetcher          // guarded, for foreign addresses
	Limiter   *fetch.HostLimiter      // keeps the pauses of hosts
	Now       func() time.Time

	// Fetching returns a fetcher for documents of at most max bytes. server allows private addresses and ignores
	// robots.txt, for the search server.
	Fetching func(max int, server bool) (*fetch.Fetcher, error)
	// Plant adds seeds that never open a private address, and removes others from the settings.
	Plant func(add, remove []string) error

	// Rest waits like jobs.Sleep.
	Rest func(ctx context.Context, d time.Duration)
}

// Suggest proposes seeds. It is safe for concurrent use.
type Suggest struct {
	SuggestConfig
	turn     *semaphore.Weighted // taken during a search for seeds
	planting sync.Mutex          // one Settle at a time
	news     atomic.Pointer[view.SeedNews]
	rev      atomic.Uint64
}

// NewSuggest returns a Suggest. Call Load after decisions are loaded.
func NewSuggest(c SuggestConfig) *Suggest {
	if c.Rest == nil {
		c.Rest = jobs.Sleep
	}
	s := &Suggest{SuggestConfig: c, turn: semaphore.NewWeighted(1)}
	s.news.Store(&view.SeedNews{})
	return s
}

// News returns the number of open proposals. It does not block.
func (s *Suggest) News() view.SeedNews { return *s.news.Load() }

// errBusy means that another search for seeds is running.
var errBusy = errors.New("seeds are being looked for already; wait for it or cancel it")

// begin takes the turn and shows the job. The returned function ends both.
func (s *Suggest) begin(ctx context.Context, name string, total int) (context.Context,
	*jobs.BackgroundWork, func(), error) {
	if !s.turn.TryAcquire(1) {
		return nil, nil, nil, errBusy
	}
	b, ctx := s.Jobs.Background(ctx, name, total)
	s.Events.Show()
	return ctx, b, func() {
		b.End()
		s.turn.Release(1)
		s.recount()
	}, nil
}

// Load counts the proposals and applies verdicts that a killed process missed. Call it once, in the background.
func (s *Suggest) Load() {
	if !store.ReadOnly(s.Store) {
		if err := s.settle(); err != nil && s.Jobs.Context.Err() == nil {
			s.Events.Note("error", "accepted seeds: %v", err)
		}
	}
	s.recount()
}

// recount counts the open proposals for viewers.
func (s *Suggest) recount() {
	rows, questions, err := records.Proposals(s.Store)
	if err != nil {
		if s.Jobs.Context.Err() == nil {
			s.Events.Note("error", "proposed seeds: %v", err)
		}
		return
	}
	n := view.SeedNews{Rev: s.rev.Add(1), Known: len(rows)}
	state, scope := s.Decisions.State(), s.Scope()
	judged := state.SeedRound()
	for _, r := range rows {
		n.Round = max(n.Round, r.Round)
		if _, said := state.Proposed[r.Host]; said || scope.Contains(r.URL) {
			continue
		}
		n.Open++
		if r.Round > judged {
			n.New++
		}
	}
	for _, q := range questions {
		if !q.Done {
			n.Broken++
		}
	}
	s.news.Store(&n)
	s.Events.Show()
}

// addNews adds new proposals to the figures for viewers until the next recount.
func (s *Suggest) addNews(hosts int) {
	n := s.News()
	n.Known, n.Open, n.New = n.Known+hosts, n.Open+hosts, n.New+hosts
	n.Rev = s.rev.Add(1)
	s.news.Store(&n)
	s.Events.Show()
}

// SearchOutcome is the result of a search for seeds.
type SearchOutcome struct {
	New      int `json:"new"`      // hosts without an earlier proposal
	Hosts    int `json:"hosts"`    // hosts found, including known ones
	Asked    int `json:"asked"`    // queries, pages or entries processed
	Skipped  int `json:"skipped"`  // queries answered before
	Private  int `json:"private"`  // addresses outside the public internet
	Covered  int `json:"covered"`  // addresses already in scope
	Rejected int `json:"rejected"` // addresses of rejected hosts

	hosts map[string]bool
}

func (o *SearchOutcome) met(host string) {
	if o.hosts == nil {
		o.hosts = map[string]bool{}
	}
	if len(o.hosts) < records.MaxProposals {
		o.hosts[host] = true
	}
	o.Hosts = len(o.hosts)
}

// classifier classifies found addresses.
type classifier struct {
	s       *Suggest
	scope   *urls.Scope
	state   *decisions.State
	private bool
	o       *SearchOutcome
}

func (s *Suggest) classifier(o *SearchOutcome) classifier {
	return classifier{s, s.Scope(), s.Decisions.State(), s.Settings().Crawl.AllowPrivate, o}
}

// site returns the host to propose for an address; ok is false if there is nothing to propose.
func (v *classifier) site(address string) (host, root string, ok bool) {
	host, root, err := siteOf(address, v.private)
	switch {
	case errors.Is(err, errPrivate):
		v.o.Private++
		return "", "", false
	case err != nil:
		return "", "", false
	case v.scope.Contains(root):
		v.o.Covered++
		return "", "", false
	}
	if said, known := v.state.Proposed[host]; known && !said.Accepted {
		v.o.Rejected++
		return "", "", false
	}
	return host, root, true
}

// row returns the row of a host, new if there is none.
func (s *Suggest) row(rows *records.ProposalRows, host, root string, round int, o *SearchOutcome) *records.Proposal {
	o.met(host)
	r := rows.Host(host)
	if r == nil {
		r = &records.Proposal{Host: host, URL: root, First: s.Now(), Round: round}
		o.New++
	}
	r.Last = s.Now()
	return r
}

// round returns the number of the search that starts.
func (s *Suggest) round() int { return s.News().Round + 1 }

// questions returns the default queries, at most limit. Settings come first, then failed searches of people, the
// topic's words by weight (P3 2.2.1), and accepted terms.
func (s *Suggest) questions(limit int) ([]string, error) {
	set := s.Settings()
	list := slices.Clone(set.Suggest.Words)
	vain, err := records.FailedQueries(s.Store)
	if err != nil {
		return nil, err
	}
	for i := range vain {
		list = append(list, vain[i].Query)
	}
	state := s.Decisions.State()
	if m := state.Model; m != nil {
		for _, f := range m.Features(0) {
			if f.On && f.Weight > 0 {
				list = append(list, f.Word)
			}
		}
	}
	return cleanQuestions(append(list, state.Accepted...), limit), nil
}

// maxQuestion is the maximum length of a query in bytes.
const maxQuestion = 200

// cleanQuestions returns the distinct queries of a list, at most limit.
func cleanQuestions(list []string, limit int) []string {
	var out []string
	seen := map[string]bool{}
	for _, q := range list {
		q = strings.Join(strings.Fields(strings.ToValidUTF8(q, "")), " ")
		if q == "" || len(q) > maxQuestion || seen[q] || len(out) >= limit {
			continue
		}
		seen[q] = true
		out = append(out, q)
	}
	return out
}
