package inbox

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/RoaringBitmap/roaring/v2/roaring64"

	"angler/crawl/filter"
	"angler/crawl/view"
	"angler/store"
)

// list makes a list for a user with this name and these read marks.
func (in *Inbox) list(ctx context.Context, ask Request, name string, read map[uint64]time.Time) (*Listing, error) {
	now := in.Now()
	queries := append([]string{ask.Query}, ask.Counts...)
	filters, found, err := in.filters(ctx, queries, now)
	if err != nil {
		return nil, err
	}
	heads, err := in.heads.all(ctx, in, now)
	if err != nil {
		return nil, err
	}
	b := &Listing{Query: ask.Query, All: len(heads), Lit: filters[0].Words(), Counts: make([]int, len(ask.Counts)),
		Yields: yields(heads, now), Lists: map[uint64]*Quality{}, T: in.Settings.Now().Harvest.SimilarityShare,
		Fields: in.Facts.Set().Fields()}
	lists, listQuality := in.ListQualities()
	for _, id := range lists {
		b.Lists[id] = listQuality(id)
	}
	for i, f := range filters[1:] {
		if f == nil {
			b.Counts[i] = -1
		}
	}
	if len(heads) > 0 {
		b.Newest = heads[0].At
	}
	keep := make(map[uint64]bool, len(ask.Keep))
	for _, id := range ask.Keep {
		keep[id] = true
	}
	bonds, err := in.relate(ctx, heads)
	if err != nil {
		return nil, err
	}
	b.Kin = bonds.counts
	rows := in.rows(heads, bonds, read, ask.Since)
	var scores []float32
	b.ForMe, scores = in.forMe(name, read, heads)
	for i := range rows {
		rows[i].ForMe = -1
		if scores != nil {
			rows[i].ForMe = float64(scores[i])
		}
	}
	shown := in.shown()
	counted := make([]map[rowKey]bool, len(ask.Counts)) // keys that a list would fold
	for i := range rows {
		if i%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r := &rows[i]
		if !r.Read {
			b.Unread++
		}
		if r.New {
			b.New++
		}
		for k, f := range filters[1:] {
			if f != nil && f.Match(r) {
				if s := shown(r); s != (rowKey{}) {
					if counted[k] == nil {
						counted[k] = map[rowKey]bool{}
					} else if counted[k][s] {
						continue
					}
					counted[k][s] = true
				}
				b.Counts[k]++
			}
		}
		if filters[0].Match(r) || keep[r.ID] {
			b.Rows = append(b.Rows, *r)
		}
	}
	if len(b.Rows) == 0 && len(rows) > 0 {
		b.Why = reaches(filters[0], rows)
	}
	in.fold(b.Rows)
	return b, in.rank(b, filters[0], found)
}

// filters parses filters and searches their words. The first must be correct; nil stands for
// another incorrect one.
func (in *Inbox) filters(ctx context.Context, queries []string,
	now time.Time) ([]*filter.Filter[row], map[filter.Word]*hits, error) {
	var words []filter.Word
	for i, q := range queries { // first pass, for the words
		f, err := in.language(nil).Parse(q, now)
		if err == nil {
			words = append(words, f.Asked()...)
		} else if i == 0 {
			return nil, nil, err
		}
	}
	found, err := in.words.of(ctx, in.Find, words)
	if err != nil {
		return nil, nil, err
	}
	if found, err = in.addValueMatches(ctx, found, now); err != nil {
		return nil, nil, err
	}
	language := in.language(found)
	filters := make([]*filter.Filter[row], len(queries))
	for i, q := range queries {
		filters[i], _ = language.Parse(q, now)
	}
	return filters, found, nil
}

// rank sets the relevance of rows if the filter has words.
func (in *Inbox) rank(b *Listing, f *filter.Filter[row], found map[filter.Word]*hits) error {
	wanted := f.Wanted()
	if len(wanted) == 0 || len(b.Rows) == 0 {
		return nil
	}
	scores, err := in.Find.Rank(wanted, among(wanted, found))
	if err != nil {
		return err
	}
	b.Ranked = true
	for i := range b.Rows {
		b.Rows[i].Match = scores[b.Rows[i].ID]
	}
	return nil
}

// among returns the notices that hold all words.
func among(wanted []filter.Word, found map[filter.Word]*hits) *roaring64.Bitmap {
	var out *roaring64.Bitmap
	for _, w := range wanted {
		if ids := found[w].all(); out == nil {
			out = ids
		} else {
			out.And(ids)
		}
	}
	return out
}

// rows makes the rows of all heads, with the decisions and scores of one moment.
func (in *Inbox) rows(heads []*NoticeHead, known *relatedNotices, read map[uint64]time.Time, since time.Time) []row {
	marks, quality := in.Decisions.State().Remarks, in.Qualities()
	names := sitesOf(heads)
	rows := make([]row, len(heads))
	for i, h := range heads {
		site, cut := names.of(h)
		rows[i] = row{NoticeHead: h, Site: site, Cut: cut, New: !since.IsZero() && h.At.After(since),
			Marks: marks[h.ID], Quality: quality(h.ID)}
		known.fill(&rows[i])
		rows[i].Read = readSomewhere(read, &rows[i])
		in.modelSaid(&rows[i])
	}
	return rows
}

func reaches(f *filter.Filter[row], rows []row) []TermMatches {
	var out []TermMatches
	for _, r := range f.Reaches(func(yield func(*row) bool) {
		for i := range rows {
			if !yield(&rows[i]) {
				return
			}
		}
	}) {
		out = append(out, TermMatches{Term: r.Term, Alone: r.Alone, Without: r.Without, Least: r.Least, Most: r.Most,
			Values: r.Values})
	}
	return out
}

// rowKey is the key that equal rows share; the zero value equals no other.
type rowKey struct {
	what byte
	n    uint64
}

// shown returns a function for the keys of rows. Rows share a key if they are copies, or have equal
// texts while nothing more is known, or if the topic index knows their pages as equal. A detached
// notice equals no other.
func (in *Inbox) shown() func(*row) rowKey {
	scores := in.Decisions.Scores()
	return func(r *row) rowKey {
		switch {
		case r.Marks.IsApart():
			return rowKey{}
		case r.Group != nil:
			return rowKey{'k', r.Group.IDs[0]}
		case r.Same != 0:
			return rowKey{'t', r.Same}
		}
		if n := scores.Same(r.ID); n != 0 {
			return rowKey{'p', n}
		}
		return rowKey{}
	}
}

// fold puts equal rows under the one that was found first.
func (in *Inbox) fold(rows []row) {
	key := in.shown()
	first := make(map[rowKey]int, len(rows))
	keys := make([]rowKey, len(rows))
	for i := range rows {
		k := key(&rows[i])
		if keys[i] = k; k == (rowKey{}) {
			continue
		}
		if at, ok := first[k]; !ok || rows[i].ID < rows[at].ID {
			first[k] = i
		}
	}
	for i := range rows {
		if at, ok := first[keys[i]]; ok && at != i {
			rows[i].Under = rows[at].ID
			rows[at].Copies++
		}
	}
}

// yields counts the notices of every list. Entries in a frame count for the page in the frame and
// for the page that holds it.
func yields(heads []*NoticeHead, now time.Time) map[uint64]ListYield {
	out := map[uint64]ListYield{}
	for _, h := range heads {
		for _, id := range [...]uint64{h.SourceID, h.FrameID} {
			if id == 0 {
				continue
			}
			y := out[id]
			y.Notices++
			if view.Today(h.At, now) {
				y.New++
			}
			out[id] = y
		}
	}
	return out
}

// setBehind sets the page that each page of a list follows: the first one whose pager leads to it.
func setBehind(s *store.Workspace, out map[uint64]ListYield) error {
	ids := slices.Collect(maps.Keys(out))
	for len(ids) > 0 {
		id := ids[len(ids)-1]
		ids = ids[:len(ids)-1]
		u, err := s.URL(id)
		if err != nil {
			return err
		}
		first := behind(u)
		if first == 0 {
			continue
		}
		y := out[id]
		y.Behind = first
		out[id] = y
		if _, known := out[first]; !known {
			out[first] = ListYield{}
			ids = append(ids, first)
		}
	}
	return nil
}

// behind returns the page whose pager leads to a URL, from the first such inlink; 0 = none.
func behind(u *store.URL) uint64 {
	if u == nil {
		return 0
	}
	for l := range u.Inlinks {
		if l.Pager {
			return l.Source
		}
	}
	return 0
}
