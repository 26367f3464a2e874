package query

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"angler/crawl/listpage"
	"angler/crawl/reader"
	"angler/crawl/run"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	"angler/topic"
)

// This file reports lists with content that could not be followed.

// hidden returns alarms for pages that are not lists only because their entries are unreadable, and that matter to
// people.
func (h *ListHealth) hidden(
	ctx context.Context, missing map[uint64][]listpage.MissingEntries, lists []uint64,
) (out []view.ListAlarm, err error) {
	var ids []uint64
	for _, id := range slices.Sorted(maps.Keys(missing)) {
		if _, looked := slices.BinarySearch(lists, id); !looked {
			ids = append(ids, id)
		}
	}
	known := map[uint64]*store.URL{}
	if err := h.Store.EachURL(ids, func(u *store.URL) {
		row := *u
		known[u.ID] = &row
	}); err != nil {
		return nil, err
	}
	state := h.Decisions.State()
	err = h.Store.EachPage(ids, func(row *store.Page) {
		u := known[row.ID]
		sent := row.Location != "" // redirected by its server: the page has no content
		if u == nil || ctx.Err() != nil || sent && !run.IsReferenced(h.Store, state, u) || !sent &&
			!run.IsWanted(state, u, row.Head, h.wordsOf(row)) {
			return
		}
		title := cmp.Or(row.Title, row.Head)
		if sent && u.Source != 0 {
			title = h.titleOf(u.Source)
		}
		out = append(out, view.ListAlarm{ID: row.ID, URL: row.URL, Title: title, Host: urls.HostOf(row.URL),
			Kind:    view.ListUnfollowed,
			Entries: row.Records, Seen: row.Fetched, Unfollowed: missing[row.ID]})
	})
	return out, cmp.Or(err, ctx.Err())
}

// dropRecipeLists removes the pages whose lists a recipe reads.
func (h *ListHealth) dropRecipeLists(missing map[uint64][]listpage.MissingEntries) error {
	if len(missing) == 0 {
		return nil
	}
	return h.Store.EachURL(slices.Sorted(maps.Keys(missing)), func(u *store.URL) {
		if h.Recipes.Reads(u.URL) {
			delete(missing, u.ID)
		}
	})
}

// wordsOf returns a page's words; nil if they are not counted.
func (h *ListHealth) wordsOf(row *store.Page) *topic.Doc {
	terms := h.Store.TermsOf(row.ID)
	if len(terms) == 0 {
		return nil
	}
	d, _, err := reader.StoredDoc(row, terms, h.Reader.Lexicon.Len())
	if err != nil {
		return nil
	}
	return &d
}

// titleOf returns a page's title; "" if unknown.
func (h *ListHealth) titleOf(id uint64) string {
	row, err := h.Store.Page(id)
	if err != nil || row == nil {
		return ""
	}
	return cmp.Or(row.Title, row.Head)
}
