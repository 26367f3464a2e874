package inbox

import (
	"cmp"
	"context"
	"slices"

	"angler/store"
)

// Select calls f for each of some notices as they are stored, in the order given, or,
// when ids is nil, for all that a filter lets pass, by date, newest first, then by URL. It holds
// no transaction while f works. What a slow f misses is nothing: the list was made
// before.
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
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if n == nil {
			continue // damaged; the store has counted it
		}
		if err := f(n); err != nil {
			return err
		}
	}
	return nil
}
