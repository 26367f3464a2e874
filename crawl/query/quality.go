package query

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"

	"angler/crawl/order"
	"angler/crawl/priority"
	"angler/crawl/view"
)

// rankRounds of PageRank leave an error of d^30, .8 % at the usual damping.
const rankRounds = 30

// noticeRanks are the PageRank places of the notices at one moment: 12 bytes a
// notice. It is immutable.
type noticeRanks struct {
	of    rankStamp
	ids   []uint64  // ascending
	place []float32 // of ids, 0 … 1
}

// rankStamp says what ranks were computed from; equal stamps need no new ones.
type rankStamp struct {
	linked    int64 // pages that this process has stored with their links
	notices   int
	constants string // of the link order, the damping among them
}

func (r *noticeRanks) placeOf(id uint64) (float64, bool) {
	if r == nil {
		return 0, false
	}
	i, ok := slices.BinarySearch(r.ids, id)
	if !ok {
		return 0, false
	}
	return float64(r.place[i]), true
}

// ranking keeps the notices' ranks; one computes them at a time.
type ranking struct {
	now  atomic.Pointer[noticeRanks]
	turn chan struct{} // full while they are computed
}

// RankNotices computes the notices' PageRank if a page or a notice came since,
// reading all stored links; Notices, Notice and exports then tell qualities by
// it. It may be cancelled at any time, what was known before is kept. It reports
// whether there is anything new.
func (q *Query) RankNotices(ctx context.Context) (changed bool, err error) {
	select {
	case q.ranking.turn <- struct{}{}:
		defer func() { <-q.ranking.turn }()
	case <-ctx.Done():
		return false, ctx.Err()
	}
	set := q.Settings()
	stamp := rankStamp{q.linked.Load(), q.Store.Counts().Notices, strings.Join(set.Crawl.Constants, "\n")}
	if old := q.ranking.now.Load(); old != nil && old.of == stamp {
		return false, nil
	}
	p, err := priority.Constants(set)
	if err != nil {
		return false, err
	}
	ids, err := q.Store.NoticeIDs()
	if err != nil {
		return false, err
	}
	rank := func(uint64) float64 { return 0 }
	if len(ids) > 0 {
		var g order.Graph
		for l, err := range q.Store.Links() {
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				return false, err
			}
			g.Add(l.ID, l.Targets)
		}
		if rank, err = g.PageRank(ctx, p, rankRounds); err != nil {
			return false, err
		}
	}
	q.ranking.now.Store(&noticeRanks{of: stamp, ids: ids, place: places(ids, rank)})
	return true, nil
}

// places gives every id the share of the others that rank below it, those equal
// to it counted by half: .5 for all when all are equal.
func places(ids []uint64, rank func(uint64) float64) []float32 {
	type ranked struct {
		rank float64
		i    int
	}
	all := make([]ranked, len(ids))
	for i, id := range ids {
		all[i] = ranked{rank(id), i}
	}
	slices.SortFunc(all, func(a, b ranked) int {
		switch {
		case a.rank < b.rank:
			return -1
		case a.rank > b.rank:
			return 1
		}
		return 0
	})
	out := make([]float32, len(ids))
	for from := 0; from < len(all); {
		to := from + 1
		for to < len(all) && all[to].rank == all[from].rank {
			to++
		}
		for _, r := range all[from:to] {
			out[r.i] = .5
			if n := len(all) - 1; n > 0 {
				out[r.i] = float32(float64(from+to-1) / 2 / float64(n))
			}
		}
		from = to
	}
	return out
}

// qualities tells the quality of notices as things stand: the topic of now, and
// the ranks that RankNotices has computed.
func (q *Query) qualities() func(id uint64) *view.Quality {
	scores, ranks, t := q.Decisions.Scores(), q.ranking.now.Load(), q.Settings().Harvest.SimilarityShare
	return func(id uint64) *view.Quality {
		similarity, judged := scores.Similarity(id)
		place, ranked := ranks.placeOf(id)
		if !judged || !ranked || scores.ModelRev == 0 {
			return nil
		}
		return &view.Quality{Value: t*similarity + (1-t)*place, Similarity: similarity, PageRank: place, T: t}
	}
}
