package run

import (
	"slices"

	"angler/crawl/decisions"
	"angler/crawl/listpage"
	"angler/store"
	"angler/store/records"
	"angler/topic"
)

// FrameHolder is the page in whose frame a list stands. Analysts see, name and label this page. The
// zero value means none.
type FrameHolder struct {
	ID  uint64
	URL string
}

// maxPageClimb bounds the steps from a page of a list back to its first page.
const maxPageClimb = 20

// FrameHolderOf returns the page whose frame holds a page or the first page of its list, from the
// stored inlinks. It skips holders with the label no, and returns none if there is no other. It
// costs one small read for each link that may be a frame's and for each earlier page of the list.
func FrameHolderOf(w *store.Workspace, s *decisions.State, u *store.URL) FrameHolder {
	for range maxPageClimb {
		var first uint64 // link towards page 1 of the list
		for l := range u.Inlinks {
			if l.Anchor == "" && (s == nil || s.Labels[l.Source] != topic.No) && frames(w, l.Source, u.URL) {
				if by, err := w.URL(l.Source); err == nil && by != nil {
					return FrameHolder{by.ID, by.URL}
				}
			}
			if first == 0 && l.Pager {
				first = l.Source
			}
		}
		if first == 0 || first == u.ID {
			break
		}
		before, err := w.URL(first)
		if err != nil || before == nil {
			break
		}
		u = before
	}
	return FrameHolder{}
}

// frames reports whether the stored row of a page names address as the frame of its list.
func frames(w *store.Workspace, id uint64, address string) bool {
	row, err := records.MissingOf(w, id)
	return err == nil && row != nil && slices.ContainsFunc(row.Seen,
		func(x records.MissingEntry) bool { return x.Kind == listpage.KindFrame && x.Text == address })
}

// FrameOf returns the address of the frame that holds a page's list; "" if there is none.
func FrameOf(seen []listpage.MissingEntries) string {
	for i := range seen {
		if x := &seen[i]; x.Kind == listpage.KindFrame {
			return x.Text
		}
	}
	return ""
}
