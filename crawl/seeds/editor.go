package seeds

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/crawl/fetch"
	"angler/crawl/page"
	"angler/store/records"
)

// The states of a proposal.
const (
	ProposalOpen     = "open"
	ProposalAccepted = "accepted"
	ProposalRejected = "rejected"
	ProposalCovered  = "covered" // already in scope, without a verdict
)

// Proposal is a host that may become a seed, with its evidence.
type Proposal struct {
	Host   string `json:"host"`
	URL    string `json:"url"`    // its first page, the seed
	Domain string `json:"domain"` // registrable domain
	Title  string `json:"title,omitempty"`
	State  string `json:"state"`
	Votes  int    `json:"votes"` // queries that found it, sites that link to it, lists that name it
	New    bool   `json:"new"`   // found since the last verdict
	Why    string `json:"why"`   // evidence on one line

	Search *records.ProposalSearch `json:"search,omitempty"`
	Links  *records.ProposalLinks  `json:"links,omitempty"`
	Files  []records.ProposalFile  `json:"files,omitempty"`

	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	By    string    `json:"by,omitempty"` // person of the verdict
	At    time.Time `json:"at,omitzero"`
}

// SeedEditor handles proposals for one person. It is safe for concurrent use.
type SeedEditor struct {
	*Suggest
	*decisions.Topic
}

// EditorOf returns a SeedEditor for the same person as t.
func (s *Suggest) EditorOf(t *decisions.Topic) *SeedEditor { return &SeedEditor{s, t} }

// StartSeeds starts a search in the background, which outlives the session. An event reports its result.
func (h *SeedEditor) StartSeeds(ask SearchQuestion) error {
	if err := h.May(auth.SuggestSeeds); err != nil {
		return err
	}
	set := h.Settings().Suggest
	if set.SearXNG == "" {
		return ErrNoServer
	}
	if len(ask.Words) == 0 {
		list, err := h.questions(1)
		if err != nil {
			return err
		}
		if len(list) == 0 {
			return errNothingToAsk
		}
	}
	h.Jobs.Go(func() {
		o, err := h.SearchSeeds(h.Jobs.Context, ask)
		switch {
		case h.Jobs.Context.Err() != nil:
		case errors.Is(err, context.Canceled):
			h.Events.Note("info", "the search for seeds was cancelled: %d new hosts; it goes on there next time", o.New)
		case err != nil:
			h.Events.Note("error", "searching for seeds: %v", err)
		default:
			h.Events.Note("info", "searched for seeds: %d questions, %d new hosts", o.Asked, o.New)
		}
	})
	return nil
}

// SeedQuestions returns the default queries of StartSeeds.
func (h *SeedEditor) SeedQuestions() ([]string, error) {
	return h.questions(h.Settings().Suggest.MostWords)
}

// SeedProposals returns the proposals in a state, most votes first; "" means all states.
func (h *SeedEditor) SeedProposals(state string) ([]Proposal, error) {
	rows, _, err := records.Proposals(h.Store)
	if err != nil {
		return nil, err
	}
	decided, scope := h.Decisions.State(), h.Scope()
	judged, last := decided.Proposed, decided.SeedRound()
	var out []Proposal
	for _, r := range rows {
		p := Proposal{Host: r.Host, URL: r.URL, Domain: domainOf(r.Host), Title: r.Title, State: ProposalOpen,
			Search: r.Search, Links: r.Links, Files: r.Files,
			First: r.First, Last: r.Last, New: r.Round > last}
		if v, said := judged[r.Host]; said {
			p.State, p.By, p.At, p.New = ProposalRejected, v.By, v.At, false
			if v.Accepted {
				p.State = ProposalAccepted
			}
		} else if scope.Contains(r.URL) {
			p.State, p.New = ProposalCovered, false
		}
		if state != "" && p.State != state {
			continue
		}
		p.Votes, p.Why = votes(r), why(r)
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b Proposal) int {
		return cmp.Or(cmp.Compare(b.Votes, a.Votes), cmp.Compare(best(&a), best(&b)), strings.Compare(a.Host, b.Host))
	})
	return out, nil
}

// best returns the rank of a host's best result; hosts without results come last.
func best(p *Proposal) int {
	if p.Search == nil {
		return maxResults * maxPages
	}
	return p.Search.Best
}

func votes(r *records.Proposal) int {
	n := len(r.Files)
	if r.Search != nil {
		n += r.Search.Questions
	}
	if r.Links != nil {
		n += r.Links.Sites
	}
	return n
}

// plural returns a number with a noun.
func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// why describes the evidence for a host on one line.
func why(r *records.Proposal) string {
	var out []string
	if f := r.Search; f != nil {
		out = append(out, fmt.Sprintf("found by %s (%s), %s, the best at %d", plural(f.Questions, "word"),
			strings.Join(f.Words[:min(3, len(f.Words))], " "), plural(f.Results, "result"), f.Best))
	}
	if l := r.Links; l != nil {
		out = append(out, fmt.Sprintf("linked from %s of %s: %s", plural(l.Pages, "relevant page"),
			plural(l.Sites, "site"),
			strings.Join(l.Anchors[:min(3, len(l.Anchors))], " ")))
	}
	for _, f := range r.Files {
		out = append(out, "named in "+f.Name)
	}
	if r.Agent != "" {
		out = append(out, fmt.Sprintf("proposed by %s: %s", r.Agent, r.Reason))
	}
	return strings.Join(out, "; ")
}

// AcceptSeeds makes hosts seeds; one undo reverts it. It returns the number of new verdicts.
func (h *SeedEditor) AcceptSeeds(hosts []string) (int, error) {
	return h.judge(auth.AcceptSeeds, hosts)
}

// RejectSeeds rejects hosts for good; one undo reverts it. It returns the number of new verdicts.
func (h *SeedEditor) RejectSeeds(hosts []string) (int, error) {
	return h.judge(auth.RejectSeeds, hosts)
}

func (h *SeedEditor) judge(do auth.Action, hosts []string) (int, error) {
	if err := h.May(do); err != nil {
		return 0, err
	}
	rows, _, err := records.Proposals(h.Store)
	if err != nil {
		return 0, err
	}
	known := make(map[string]string, len(rows))
	for _, r := range rows {
		known[r.Host] = r.URL
	}
	var list []decisions.SeedChoice
	for _, name := range hosts {
		host := name
		if known[host] == "" {
			if host, _, err = siteOf(withScheme(name), true); err != nil || known[host] == "" {
				return 0, fmt.Errorf("%.200s is not proposed; angler seeds list DIR shows what is", name)
			}
		}
		list = append(list, decisions.SeedChoice{Host: host, URL: known[host]})
	}
	return h.JudgeSeeds(list, do == auth.AcceptSeeds, h.News().Round)
}

// settle makes the seeds of the settings match the verdicts. Accepted hosts become seeds; hosts whose acceptance was
// undone are removed. A seed that a person removed by hand stays removed.
func (s *Suggest) settle() error {
	s.planting.Lock()
	defer s.planting.Unlock()
	rows, _, err := records.Proposals(s.Store)
	if err != nil {
		return err
	}
	state := s.Decisions.State().Proposed
	var add, remove []string
	want := map[string]string{}
	for _, r := range rows {
		v, said := state[r.Host]
		switch accepted := said && v.Accepted; {
		case accepted && r.Seed == "":
			add = append(add, v.URL)
			want[r.Host] = v.URL
		case !accepted && r.Seed != "":
			remove = append(remove, r.Seed)
			want[r.Host] = ""
		}
	}
	if len(want) == 0 {
		return nil
	}
	// Change the settings first. If the process is killed in between, Settle repeats the change.
	if err := s.Plant(add, remove); err != nil {
		return err
	}
	return records.ChangeProposals(s.Store, func(rows *records.ProposalRows) error {
		for host, seed := range want {
			r := rows.Host(host)
			if r == nil {
				continue
			}
			r.Seed = seed
			if err := rows.Put(r); err != nil {
				return err
			}
		}
		return nil
	})
}

// Decided applies new verdicts on proposals.
func (s *Suggest) Decided() error {
	err := s.settle()
	s.recount()
	return err
}

// FirstLook describes the first page of a proposed site.
type FirstLook struct {
	URL     string // its final address
	Status  int    // HTTP status
	Title   string
	Type    string   // page.Type
	Records int      // list entries on it
	Score   float64  // similarity to the topic
	Scored  bool     // a topic exists
	Links   []string // first link texts
}

// maxAnchors is the maximum number of link texts.
const maxAnchors = 40

// LookAt fetches the first page of a proposed site, with all rules for fetches.
func (h *SeedEditor) LookAt(ctx context.Context, address string) (*FirstLook, error) {
	if err := h.May(auth.SuggestSeeds); err != nil {
		return nil, err
	}
	res, err := h.Fetcher.Follow(ctx, fetch.Request{URL: address, Parts: true}, maxHops)
	if err != nil {
		return nil, err
	}
	g := &FirstLook{URL: res.URL, Status: res.Status}
	if res.Status != 200 {
		return g, nil
	}
	p, err := page.Parse(page.Source{URL: res.URL, ContentType: res.ContentType, Body: res.Body},
		page.Options{Now: h.Now()})
	if err != nil {
		return nil, fmt.Errorf("no page: %w", err)
	}
	g.Title, g.Type, g.Records = records.ClipProposal(cmp.Or(p.Head, p.Title)), p.Type.String(), len(p.Records)
	if m := h.Decisions.State().Model; m != nil {
		select {
		case <-h.Reader.Dict().Ready():
			g.Score, g.Scored = m.Anchor(h.Reader.Vector(p.Head+" "+p.Text)), true
		default:
		}
	}
	seen := map[string]bool{}
	for i := range p.Links {
		if a := records.ClipProposal(p.Links[i].Anchor); a != "" && !seen[a] && len(g.Links) < maxAnchors {
			seen[a] = true
			g.Links = append(g.Links, a)
		}
	}
	return g, h.titled(address, g.Title)
}

// titled stores the title of a site's first page.
func (h *SeedEditor) titled(address, title string) error {
	host, _, err := siteOf(address, true)
	if err != nil || title == "" {
		return nil
	}
	err = records.ChangeProposals(h.Store, func(rows *records.ProposalRows) error {
		r := rows.Host(host)
		if r == nil || r.Title == title {
			return nil
		}
		r.Title, r.Looked = title, h.Now()
		return rows.Put(r)
	})
	if err == nil {
		h.addNews(0)
	}
	return err
}
