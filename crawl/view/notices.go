package view

import (
	"cmp"
	"slices"

	"angler/crawl/notices"
	"angler/store"
)

// Says is what of a notice counts when it is compared with another version.
func Says(n *store.Notice) notices.NoticeText {
	t := notices.NoticeText{Title: n.Title, Text: n.Text}
	for _, f := range n.Attachments {
		t.Files = append(t.Files, cmp.Or(f.Name, f.URL))
	}
	slices.Sort(t.Files)
	return t
}
