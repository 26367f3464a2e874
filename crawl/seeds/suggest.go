package seeds

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

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

// SuggestConfig is what a Suggest works with.
type SuggestConfig struct {
	Store     *store.Workspace
	Reader    *reader.Reader
	Decisions *decisions.Decisions
	Jobs      *jobs.Jobs
	Events    *view.EventLog
	Settings  func() *config.Settings // in force; not to be written to
	Scope     func() *urls.Scope      // in force
	Fetcher   *fetch.Fetcher          // guarded, for what others name
	Limiter   *fetch.HostLimiter      // keeps the pauses of hosts
	Now       func() time.Time

	// Fetching makes a fetcher for documents of at most max bytes. With server it is for
	// the search server: private addresses are allowed, and robots.txt is not asked.
	Fetching func(max int, server bool) (*fetch.Fetcher, error)
	// Plant makes addresses seeds that never open a private address, and takes others out
	// of the settings.
	Plant func(add, remove []string) error

	// Rest waits, as jobs.Sleep does.
	Rest func(ctx context.Context, d time.Duration)
}

// Suggest proposes seeds. It is safe for concurrent use.
type Suggest struct {
	SuggestConfig
	turn     chan struct{} // full during a search for seeds
	planting sync.Mutex    // one taking up of verdicts at a time
	news     atomic.Pointer[view.SeedNews]
	rev      atomic.Uint64
}

// NewSuggest returns a Suggest. Load follows when the decisions are there.
func NewSuggest(c SuggestConfig) *Suggest {
	if c.Rest == nil {
		c.Rest = jobs.Sleep
	}
	s := &Suggest{SuggestConfig: c, turn: make(chan struct{}, 1)}
	s.news.Store(&view.SeedNews{})
	return s
}

// News tells how many proposals are open. It returns at once.
func (s *Suggest) News() view.SeedNews { return *s.news.Load() }

// errBusy says that another search for seeds is under way.
var errBusy = errors.New("seeds are being looked for already; wait for it or cancel it")

// begin takes the turn and shows the work; what it returns ends both.
func (s *Suggest) begin(ctx context.Context, name string, total int) (context.Context, *jobs.BackgroundWork, func(), error) {
	select {
	case s.turn <- struct{}{}:
	default:
		return nil, nil, nil, errBusy
	}
	b, ctx := s.Jobs.Background(ctx, name, total)
	s.Events.Show()
	return ctx, b, func() {
		b.End()
		<-s.turn
		s.recount()
	}, nil
}

// Load counts what is proposed and makes up for verdicts that a killed process did not
// take up. It is called once, in the background.
func (s *Suggest) Load() {
	if !store.ReadOnly(s.Store) {
		if err := s.Settle(); err != nil && s.Jobs.Context.Err() == nil {
			s.Events.Note("error", "accepted seeds: %v", err)
		}
	}
	s.recount()
}

// recount counts the open proposals and tells viewers.
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
	judged := 0
	for _, v := range state.Proposed {
		judged = max(judged, v.Round)
	}
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

// grew tells viewers of so many new proposals, until they are recounted.
func (s *Suggest) grew(hosts int) {
	n := s.News()
	n.Known, n.Open, n.New = n.Known+hosts, n.Open+hosts, n.New+hosts
	n.Rev = s.rev.Add(1)
	s.news.Store(&n)
	s.Events.Show()
}

// SearchOutcome is what a look for seeds has found.
type SearchOutcome struct {
	New      int `json:"new"`      // hosts without an earlier proposal
	Hosts    int `json:"hosts"`    // that were found, known ones among them
	Asked    int `json:"asked"`    // questions, pages or entries that were looked at
	Skipped  int `json:"skipped"`  // questions that had been answered before
	Private  int `json:"private"`  // addresses that are not of the public internet
	Covered  int `json:"covered"`  // addresses that belong to the crawl already
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

// sieve says what an address that was found is.
type sieve struct {
	s       *Suggest
	scope   *urls.Scope
	state   *decisions.State
	private bool
	o       *SearchOutcome
}

func (s *Suggest) sieve(o *SearchOutcome) sieve {
	return sieve{s, s.Scope(), s.Decisions.State(), s.Settings().Crawl.AllowPrivate, o}
}

// site returns the host that an address proposes; ok is false for one that proposes none.
func (v *sieve) site(address string) (host, root string, ok bool) {
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

// row returns the row of a host, made now if there is none.
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

// round is the number of the look for seeds that begins.
func (s *Suggest) round() int { return s.News().Round + 1 }

// questions are what is searched for by default, the first words first:
// those of the settings, what people looked for in vain, the words of the topic by their
// weight (P3 2.2.1), accepted terms. There are at most most.
func (s *Suggest) questions(most int) ([]string, error) {
	set := s.Settings()
	list := slices.Clone(set.Suggest.Words)
	vain, err := s.vain()
	if err != nil {
		return nil, err
	}
	list = append(list, vain...)
	state := s.Decisions.State()
	if m := state.Model; m != nil {
		for _, f := range m.Features(0) {
			if f.On && f.Weight > 0 {
				list = append(list, f.Word)
			}
		}
	}
	return tidy(append(list, state.Accepted...), most), nil
}

// longestQuestion bounds a question, in bytes.
const longestQuestion = 200

// tidy returns the different questions of a list, at most most.
func tidy(list []string, most int) []string {
	var out []string
	seen := map[string]bool{}
	for _, q := range list {
		q = strings.Join(strings.Fields(strings.ToValidUTF8(q, "")), " ")
		if q == "" || len(q) > longestQuestion || seen[q] || len(out) >= most {
			continue
		}
		seen[q] = true
		out = append(out, q)
	}
	return out
}
