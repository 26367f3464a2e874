package run

import (
	"slices"

	"angler/crawl/decisions"
	"angler/crawl/listpage"
	"angler/crawl/urls"
	"angler/store"
	rows "angler/store/unfollowed"
	"angler/topic"
)

// This file tells of lists that their server sends elsewhere, where nobody follows.

// notPublicAddress is why an address is not followed that is none of the public Internet.
const notPublicAddress = "it is no public address"

// judgeRedirect judges a page that its server sends to another address: where private says that
// it is none of the public Internet people hear of it, if the page is one that they have
// named or that a list leads to: its next page, its frame. v.Page is not looked at.
// private may take a question to a name server, so it is asked last.
func judgeRedirect(v *coverageVisit, address string, private func() error) coverageVerdict {
	if urls.HostOf(address) == urls.HostOf(v.URL.URL) || !IsReferenced(v.Store, v.State, v.URL) || private() == nil {
		if v.Known {
			return coverageVerdict{Row: &rows.Row{}}
		}
		return coverageVerdict{}
	}
	row := &rows.Row{ID: v.URL.ID, Seen: []rows.Thing{{Kind: listpage.KindBarred, Text: address, Why: notPublicAddress}}, Since: v.Now}
	if was, err := rows.Of(store.RowsOf(v.Store).DB(), v.URL.ID); err == nil && was != nil {
		row.Since, row.Told = was.Since, was.Told
	}
	out := coverageVerdict{Row: row}
	out.tell(v.State, v.URL, func(string) bool { return false })
	return out
}

// IsReferenced reports whether an address that brings no page concerns people, see IsWanted, or
// a list leads to it.
func IsReferenced(w *store.Workspace, s *decisions.State, u *store.URL) bool {
	if s == nil || s.Labels[u.ID] == topic.No {
		return false
	}
	behind := func(l store.Inlink) bool { return l.Pager && l.Relevant && s.Labels[l.Source] != topic.No }
	return IsWanted(s, u, "", nil) || slices.ContainsFunc(slices.Collect(u.Inlinks), behind) || FrameHolderOf(w, s, u).ID != 0
}
