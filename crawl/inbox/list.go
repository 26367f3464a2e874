package inbox

import (
	"context"
	"maps"
	"math/bits"
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
	m := in.rowMaker(heads, bonds, read)
	rows := make([]row, len(heads))
	var scores []float32
	b.ForMe, scores = in.forMe(name, read, heads)
	for i, h := range heads {
		m.fill(&rows[i], h, everyPart)
		rows[i].New = !ask.Since.IsZero() && h.At.After(ask.Since)
		if scores != nil {
			rows[i].ForMe = float64(scores[i])
		}
	}
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
				if s := m.key(r); s != (rowKey{}) {
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
		b.Why = filters[0].Reaches(func(yield func(*row) bool) {
			for i := range rows {
				if !yield(&rows[i]) {
					return
				}
			}
		})
	}
	fold(len(b.Rows), func(i int) rowKey { return m.key(&b.Rows[i]) }, func(i int) uint64 { return b.Rows[i].ID },
		func(i, at int) { b.Rows[i].Under, b.Rows[at].Copies = b.Rows[at].ID, b.Rows[at].Copies+1 })
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
	if found, err = in.addValueMatches(ctx, found); err != nil {
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
		b.Rows[i].Match = scores.Of(b.Rows[i].ID)
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

// fold calls under for each of n rows with the key of another one, and with the row of that key that was found first.
// It looks in a map for the few keys only that several rows may have.
func fold(n int, key func(i int) rowKey, id func(i int) uint64, under func(i, first int)) {
	shift := min(58, 60-bits.Len(uint(n))) // two sets with 16 to 32 places for each row
	once, again := make([]uint64, 1<<(58-shift)), make([]uint64, 1<<(58-shift))
	place := func(k rowKey) (word int, bit uint64) {
		hash := (k.n ^ uint64(k.what)<<56) * 0x9e3779b97f4a7c15 >> shift
		return int(hash / 64), 1 << (hash % 64)
	}
	for i := range n {
		if k := key(i); k != (rowKey{}) {
			word, bit := place(k)
			again[word] |= once[word] & bit
			once[word] |= bit
		}
	}
	first := map[rowKey]int{}
	for pass := range 2 {
		for i := range n {
			k := key(i)
			if word, bit := place(k); k == (rowKey{}) || again[word]&bit == 0 {
				continue
			}
			at, known := first[k]
			if pass == 1 && at != i {
				under(i, at)
			}
			if pass == 0 && (!known || id(i) < id(at)) {
				first[k] = i
			}
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
