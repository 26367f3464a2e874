package inbox

import (
	"cmp"
	"context"
	"slices"

	"angler/store"
)

// Select calls f for the stored notices with the given ids, in that order. If ids is nil, it takes
// all notices that a filter selects, newest date first, then by URL. It holds no transaction while
// f runs. The ids are fixed before the first call, so a slow f misses none.
func (h *Session) Select(ctx context.Context, ids []uint64, query string, f func(*store.Notice) error) error {
	if ids == nil {
		b, err := h.List(ctx, Request{Query: query})
		if err != nil {
			return err
		}
		slices.SortFunc(b.Rows, func(a, b ListedNotice) int {
			return cmp.Or(b.Shown().Compare(a.Shown()), b.Date.Time.Compare(a.Date.Time), cmp.Compare(a.URL, b.URL))
		})
		for _, r := range b.Rows {
			ids = append(ids, r.ID)
		}
	}
	for _, id := range ids {
		n, err := h.Store.Notice(id)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		if n == nil {
			continue // damaged; the store counts it
		}
		if err := f(n); err != nil {
			return err
		}
	}
	return nil
}
