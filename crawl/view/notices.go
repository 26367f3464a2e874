package view

import (
	"cmp"
	"slices"

	"angler/crawl/notices"
	"angler/store"
)

// Says returns the parts of a notice that count when two versions are compared.
func Says(n *store.Notice) notices.NoticeText {
	t := notices.NoticeText{Title: n.Title, Text: n.Text}
	for _, f := range n.Attachments {
		t.Files = append(t.Files, cmp.Or(f.Name, f.URL))
	}
	slices.Sort(t.Files)
	return t
}
