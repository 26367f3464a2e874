package search

import (
	"context"

	"github.com/RoaringBitmap/roaring/v2/roaring64"

	"angler/crawl/filter"
)

// Holding returns, for each word, the ids of the notices that hold it in address, title, text,
// documents or values, as filter.Word.In defines.
func (s *Search) Holding(ctx context.Context, words []filter.Word) ([]*roaring64.Bitmap, error) {
	if err := s.loadValues(ctx); err != nil {
		return nil, err
	}
	m := s.state()
	defer m.close()
	found := make([]*roaring64.Bitmap, len(words))
	var everywhere []int // words to search in all notices
	for i, w := range words {
		found[i] = roaring64.New()
		if m.ix == nil {
			everywhere = append(everywhere, i)
			continue
		}
		unsure, ok, err := m.ix.candidates(ctx, s.known(w), w, found[i])
		if err != nil {
			return nil, s.broken(err)
		}
		if !ok {
			everywhere = append(everywhere, i)
			continue
		}
		if unsure.IsEmpty() {
			continue
		}
		if err := s.scan(ctx, unsure.ToArray(), words[i:i+1], func(_ int, id uint64) { found[i].Add(id) }); err != nil {
			return nil, err
		}
	}
	if len(everywhere) > 0 {
		some := make([]filter.Word, len(everywhere))
		for k, i := range everywhere {
			some[k] = words[i]
		}
		if err := s.scan(ctx, nil, some, func(k int, id uint64) { found[everywhere[k]].Add(id) }); err != nil {
			return nil, err
		}
	}
	for id, n := range m.waiting {
		if n = s.read(id, n); n == nil {
			continue
		}
		documents, err := s.documentsOf(n)
		if err != nil {
			return nil, err
		}
		for i, w := range words {
			if heldBy(n, documents, s.valuesOf(id), w) {
				found[i].Add(id)
			} else {
				found[i].Remove(id)
			}
		}
	}
	return found, nil
}

// known reports whether the word as a dictionary word proves that the text holds it literally.
func (s *Search) known(w filter.Word) bool { return w.Near == 0 && hanOnly(w.Text) }

// candidates adds to sure the notices that hold the word, and returns those that may hold it. ok is
// false if the index cannot answer.
func (s *snapshot) candidates(ctx context.Context, known bool, w filter.Word, sure *roaring64.Bitmap) (
	unsure *roaring64.Bitmap, ok bool, err error,
) {
	ways := [][]string{{}} // every text with the word has at least one of these sets of grams
	whole := false
	if w.Near == 0 {
		ways[0], whole = gramsOf(w.Text)
	} else {
		ways = ways[:0]
		for _, p := range pieces(w.Text, w.Near+1) {
			grams, _ := gramsOf(p)
			ways = append(ways, grams)
		}
	}
	for _, grams := range ways {
		if len(grams) == 0 {
			return nil, false, nil
		}
	}
	unsure = roaring64.New()
	for _, grams := range ways {
		all, err := s.holding(ctx, gramField, grams)
		if err != nil {
			return nil, false, err
		}
		unsure.Or(all)
	}
	switch {
	case whole:
		sure.Or(unsure)
	case known:
		certain, err := s.holding(ctx, wordField, []string{w.Text})
		if err != nil {
			return nil, false, err
		}
		sure.Or(certain)
	}
	unsure.AndNot(sure)
	return unsure, true, nil
}
