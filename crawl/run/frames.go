package run

import (
	"slices"

	"angler/crawl/decisions"
	"angler/crawl/listpage"
	"angler/store"
	"angler/store/records"
	"angler/topic"
)

// FrameHolder is the page in whose frame a list stands: the one that people know, name and
// label. The zero value is none.
type FrameHolder struct {
	ID  uint64
	URL string
}

// behindMost bounds the pages of a list that are climbed to its first one.
const behindMost = 20

// FrameHolderOf is the holder of a page, or of the list behind whose first page it stands, by
// what is stored of the pages that link to it; none when people have said that it is no
// list. It takes a small read for each link that may be a frame's, and for each page of
// the list before it.
func FrameHolderOf(w *store.Workspace, s *decisions.State, u *store.URL) FrameHolder {
	for range behindMost {
		var first uint64 // leads towards page 1 of the list
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

// frames reports whether a page shows its list in a frame of an address.
func frames(w *store.Workspace, id uint64, address string) bool {
	row, err := records.MissingOf(w, id)
	return err == nil && row != nil && slices.ContainsFunc(row.Seen, func(x records.MissingEntry) bool { return x.Kind == listpage.KindFrame && x.Text == address })
}

// FrameOf is the address of the frame in which a list stands, by what its page shows; ""
// for none.
func FrameOf(seen []listpage.MissingEntries) string {
	for i := range seen {
		if x := &seen[i]; x.Kind == listpage.KindFrame {
			return x.Text
		}
	}
	return ""
}
