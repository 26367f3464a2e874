package seeds

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"angler/crawl/auth"
	"angler/crawl/page"
	"angler/crawl/urls"
	"angler/store/records"
)

// This file counts foreign hosts linked from relevant pages: aggregation pages, and notices, which name bidding
// platforms. Links out of scope are not stored, so it parses the stored bodies again.

// Limits of one count.
const (
	maxRelevant = 20_000 // pages to read, most relevant first
	maxCounted  = 50_000 // hosts in memory; above it, hosts on few pages are dropped
	maxLinked   = 2_000  // hosts to propose
	maxSites    = 64     // distinct linking sites counted per host
	linkBatch   = 500    // rows per transaction
)

// tally counts the links to one host.
type tally struct {
	root    string
	pages   int
	sites   map[string]bool
	anchors []string
	example string
}

// LinkedSeeds proposes the hosts with links from most sites. It counts sites instead of pages, because all pages of
// a site share its footer links.
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
	v := s.classifier(o)
	for _, id := range ids {
		if ctx.Err() != nil {
			return o, ctx.Err()
		}
		begun := time.Now()
		if p, err := s.Reader.Stored(id, page.Options{}); err == nil && p != nil { // the store counts damaged bodies
			o.Asked++
			v.links(p, count)
			if len(count) > maxCounted {
				dropRare(count)
			}
		}
		job.Done.Add(1)
		if s.Jobs.Task() != "" {
			s.Rest(ctx, 9*time.Since(begun))
		}
	}
	return o, s.propose(count, o)
}

// relevant returns the aggregation pages, followed by the notices, newest first.
func (s *Suggest) relevant() []uint64 {
	ids, known := s.Decisions.Aggregations(), s.Decisions.Lists()
	var notices []uint64
	for n, err := range s.Store.Notices() {
		if err != nil {
			break // the store counts the error
		}
		if !known[n.ID] {
			notices = append(notices, n.ID)
		}
	}
	slices.Reverse(notices)
	ids = append(ids, notices...)
	return ids[:min(len(ids), maxRelevant)]
}

// links counts each host linked from a page once.
func (v *classifier) links(p *page.Page, count map[string]*tally) {
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
		if len(t.sites) < maxSites {
			t.sites[from] = true
		}
		if a := records.ClipProposal(l.Anchor); a != "" && len(t.anchors) < records.MaxExamples &&
			!slices.Contains(t.anchors, a) {
			t.anchors = append(t.anchors, a)
		}
	}
}

// dropRare drops the hosts on the fewest pages.
func dropRare(count map[string]*tally) {
	for least := 1; len(count) > maxCounted/2; least *= 2 {
		for host, t := range count {
			if t.pages <= least {
				delete(count, host)
			}
		}
	}
}

// propose stores the counts and replaces those of the previous count.
func (s *Suggest) propose(count map[string]*tally, o *SearchOutcome) error {
	hosts := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		x, y := count[a], count[b]
		return cmp.Or(cmp.Compare(len(y.sites), len(x.sites)), cmp.Compare(y.pages, x.pages), strings.Compare(a, b))
	})
	hosts = hosts[:min(len(hosts), maxLinked)]
	round := s.round()
	for part := range slices.Chunk(hosts, linkBatch) {
		err := records.ChangeProposals(s.Store, func(rows *records.ProposalRows) error {
			for _, h := range part {
				t := count[h]
				row := s.row(rows, h, t.root, round, o)
				row.Links = &records.ProposalLinks{Pages: t.pages, Sites: len(t.sites), Anchors: t.anchors,
					Example: records.ClipProposal(t.example)}
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
