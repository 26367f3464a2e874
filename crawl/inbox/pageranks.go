package inbox

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"angler/crawl/jobs"
	"angler/crawl/linkorder"
)

// rankRounds of PageRank leave an error of d^30: .8 % at the usual damping.
const rankRounds = 30

// ranks holds the PageRanks of stored pages and the places of notices at one moment: 12 bytes per
// page, 16 per notice. It is immutable.
type ranks struct {
	of      rankVersion
	pages   []uint64  // ascending
	rank    []float32 // of pages
	notices places
}

func (r *ranks) rankOf(id uint64) float64 {
	if i, ok := slices.BinarySearch(r.pages, id); ok {
		return float64(r.rank[i])
	}
	return 0
}

// places holds the ranks of some pages relative to each other.
type places struct {
	ids         []uint64 // ascending
	rank, place []float32
}

// quality returns the quality of a page for T and its similarity; nil if it has no place.
func (p *places) quality(id uint64, t, similarity float64) *Quality {
	i, ok := slices.BinarySearch(p.ids, id)
	if !ok {
		return nil
	}
	q := Quality{Similarity: similarity, PageRank: float64(p.place[i]), Rank: float64(p.rank[i]), Among: len(p.ids)}
	return q.With(t)
}

// rankVersion identifies the input of ranks; an equal one needs no new computation.
type rankVersion struct {
	linked    int64 // pages stored with their links by this process
	notices   int
	constants string // of the link order, including the damping
}

// ranking holds the newest ranks; one goroutine at a time computes them.
type ranking struct {
	now  atomic.Pointer[ranks]
	turn *semaphore.Weighted // taken during a computation
}

// Linked records that a page was stored with its links, which outdates the ranks.
func (in *Inbox) Linked() { in.linked.Add(1) }

// RankNotices computes the PageRank of all pages from all stored links, if a page or a notice was
// added since. Lists, Notice, Explain and exports then use it for qualities. It can be cancelled at
// any time; earlier ranks stay. It reports whether the ranks changed.
func (in *Inbox) RankNotices(ctx context.Context) (changed bool, err error) {
	if err := in.ranking.turn.Acquire(ctx, 1); err != nil {
		return false, err
	}
	defer in.ranking.turn.Release(1)
	set := in.Settings.Now()
	stamp := rankVersion{in.linked.Load(), in.Store.Counts().Notices, strings.Join(set.Crawl.Constants, "\n")}
	if old := in.ranking.now.Load(); old != nil && old.of == stamp {
		return false, nil
	}
	p, err := linkorder.OrderConstants(set)
	if err != nil {
		return false, err
	}
	ids, err := in.Store.NoticeIDs()
	if err != nil {
		return false, err
	}
	var g linkorder.Graph
	var pages []uint64
	for l, err := range jobs.Until(ctx, in.Store.Links()) {
		if err != nil {
			return false, err
		}
		g.Add(l.ID, l.Targets)
		pages = append(pages, l.ID)
	}
	rank := func(uint64) float64 { return 0 }
	if len(pages) > 0 {
		if rank, err = g.PageRank(ctx, p, rankRounds); err != nil {
			return false, err
		}
	}
	next := &ranks{of: stamp, pages: pages, rank: make([]float32, len(pages)), notices: placesOf(ids, rank)}
	for i, id := range pages {
		next.rank[i] = float32(rank(id))
	}
	in.ranking.now.Store(next)
	return true, nil
}

// placesOf returns for every id the share of the others with a lower rank, equal ones counted by
// half: .5 for all if all are equal. ids must be ascending.
func placesOf(ids []uint64, rank func(uint64) float64) places {
	type ranked struct {
		rank float32
		i    int
	}
	all := make([]ranked, len(ids))
	out := places{ids, make([]float32, len(ids)), make([]float32, len(ids))}
	for i, id := range ids {
		all[i] = ranked{float32(rank(id)), i}
		out.rank[i] = all[i].rank
	}
	slices.SortFunc(all, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to].rank == all[from].rank {
			to++
		}
		for _, r := range all[from:to] {
			out.place[r.i] = .5
			if n := len(all) - 1; n > 0 {
				out.place[r.i] = float32(float64(from+to-1) / 2 / float64(n))
			}
		}
		from = to
	}
	return out
}

// Qualities returns a function for the quality of notices, with the present topic and the last
// ranks of RankNotices.
func (in *Inbox) Qualities() func(id uint64) *Quality {
	if r := in.ranking.now.Load(); r != nil {
		return in.qualityAmong(&r.notices)
	}
	return in.qualityAmong(&places{})
}

// ListQualities is Qualities for aggregation pages; ids are the known ones. It costs a sort of
// them.
func (in *Inbox) ListQualities() (ids []uint64, quality func(id uint64) *Quality) {
	r := in.ranking.now.Load()
	if r == nil {
		return nil, in.qualityAmong(&places{})
	}
	ids = slices.Clone(in.Decisions.Aggregations())
	slices.Sort(ids)
	among := placesOf(ids, r.rankOf)
	return ids, in.qualityAmong(&among)
}

func (in *Inbox) qualityAmong(p *places) func(id uint64) *Quality {
	scores, t := in.Decisions.Scores(), in.Settings.Now().Harvest.SimilarityShare
	return func(id uint64) *Quality {
		similarity, judged := scores.Similarity(id)
		if !judged || scores.ModelRev == 0 {
			return nil
		}
		return p.quality(id, t, similarity)
	}
}
