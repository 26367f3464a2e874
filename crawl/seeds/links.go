package seeds

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"angler/crawl/auth"
	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/store/records"
)

// This file counts the hosts outside of the crawl that relevant pages link to: the
// aggregation pages, and the notices, which name the platforms where one may take part.
// Links out of the scope are not stored, so the stored bodies are read again.

// Bounds of one counting.
const (
	mostRelevant = 20_000 // pages that are read, the most relevant first
	mostCounted  = 50_000 // hosts in memory; of more, those that one page names go
	mostLinked   = 2_000  // hosts that are proposed
	mostSites    = 64     // sites that are told apart for one host
	linkBatch    = 500    // rows of one transaction
)

// tally counts one host.
type tally struct {
	root    string
	pages   int
	sites   map[string]bool
	anchors []string
	example string
}

// LinkedSeeds counts the hosts that relevant pages link to and proposes the most linked: those
// that most sites link to, because every page of a site has the same links at its foot.
func (s *SeedEditor) LinkedSeeds(ctx context.Context) (*SearchOutcome, error) {
	if err := s.May(auth.SuggestSeeds); err != nil {
		return nil, err
	}
	ids := s.relevant()
	ctx, job, end, err := s.begin(ctx, "counting linked hosts", len(ids))
	if err != nil {
		return nil, err
	}
	defer end()
	o := &SearchOutcome{}
	count := map[string]*tally{}
	v := s.sieve(o)
	for _, id := range ids {
		if ctx.Err() != nil {
			return o, ctx.Err()
		}
		begun := time.Now()
		if p, err := s.Reader.Stored(id, page.Options{}); err == nil && p != nil { // damaged ones were counted by the store
			o.Asked++
			v.links(p, count)
			if len(count) > mostCounted {
				thin(count)
			}
		}
		job.Done.Add(1)
		if s.Jobs.Task() != "" {
			s.Rest(ctx, 9*time.Since(begun))
		}
	}
	return o, s.propose(count, o)
}

// relevant are the aggregation pages, and behind them the notices, newest first.
func (s *Suggest) relevant() []uint64 {
	ids := s.Decisions.Aggregations()
	known := make(map[uint64]bool, len(ids))
	for _, id := range ids {
		known[id] = true
	}
	var notices []uint64
	for n, err := range s.Store.Notices() {
		if err != nil {
			break // the store has counted it
		}
		if !known[n.ID] {
			notices = append(notices, n.ID)
		}
	}
	slices.Reverse(notices)
	ids = append(ids, notices...)
	return ids[:min(len(ids), mostRelevant)]
}

// links counts the hosts that a page links to, each once.
func (v *sieve) links(p *page.Page, count map[string]*tally) {
	own, _, err := siteOf(p.URL, true)
	if err != nil {
		return
	}
	from, seen := domainOf(own), map[string]bool{own: true}
	for i := range p.Links {
		l := &p.Links[i]
		if l.URL == "" {
			continue
		}
		name := urls.HostOf(l.URL)
		if seen[name] {
			continue
		}
		seen[name] = true
		host, root, ok := v.site(l.URL)
		if !ok || host != name && seen[host] {
			continue
		}
		seen[host] = true
		t := count[host]
		if t == nil {
			t = &tally{root: root, sites: map[string]bool{}, example: p.URL}
			count[host] = t
		}
		t.pages++
		if len(t.sites) < mostSites {
			t.sites[from] = true
		}
		if a := records.ClipProposal(l.Anchor); a != "" && len(t.anchors) < records.MaxExamples && !slices.Contains(t.anchors, a) {
			t.anchors = append(t.anchors, a)
		}
	}
}

// thin forgets the hosts that one page alone names.
func thin(count map[string]*tally) {
	for least := 1; len(count) > mostCounted/2; least *= 2 {
		for host, t := range count {
			if t.pages <= least {
				delete(count, host)
			}
		}
	}
}

// propose writes what was counted: it takes the place of the counting before.
func (s *Suggest) propose(count map[string]*tally, o *SearchOutcome) error {
	hosts := make([]string, 0, len(count))
	for h := range count {
		hosts = append(hosts, h)
	}
	slices.SortFunc(hosts, func(a, b string) int {
		x, y := count[a], count[b]
		return cmp.Or(cmp.Compare(len(y.sites), len(x.sites)), cmp.Compare(y.pages, x.pages), strings.Compare(a, b))
	})
	hosts = hosts[:min(len(hosts), mostLinked)]
	round := s.round()
	for part := range slices.Chunk(hosts, linkBatch) {
		err := records.ChangeProposals(s.Store, func(rows *records.ProposalRows) error {
			for _, h := range part {
				t := count[h]
				row := s.row(rows, h, t.root, round, o)
				row.Links = &records.ProposalLinks{Pages: t.pages, Sites: len(t.sites), Anchors: t.anchors, Example: records.ClipProposal(t.example)}
				if row.Looked.IsZero() && len(t.anchors) > 0 {
					row.Title = t.anchors[0]
				}
				if err := rows.Put(row); err != nil {
					return err
				}
			}
			return nil
		})
		if errors.Is(err, records.ErrProposalsFull) {
			s.Events.Note("warn", "%v", err)
			return nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}
