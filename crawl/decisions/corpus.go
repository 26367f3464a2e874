package decisions

import (
	"encoding/binary"

	"angler/crawl/page"
	"angler/store/config"
)

// source is one page or notice of a corpus. Its revision changes with its text.
type source struct{ id, revision uint64 }

// sources lists the pages or notices of a corpus.
func (v *Vocabulary) sources(corpus string) (list []source, err error) {
	if corpus == config.CorpusNotices {
		for n, err := range v.decisions.Store.Notices() {
			if err != nil {
				return nil, err
			}
			list = append(list, source{n.ID, uint64(n.FirstSeen.UnixNano()) ^ uint64(len(n.Title)+len(n.Text))})
		}
		return list, nil
	}
	for p, err := range v.decisions.Store.Pages() {
		if err != nil {
			return nil, err
		}
		if p.Status == 200 && (corpus != config.CorpusLists || page.Type(p.Type) == page.List) {
			list = append(list, source{p.ID, binary.BigEndian.Uint64(p.Hash[:])})
		}
	}
	return list, nil
}

// text returns the text of a page (all visible text) or notice (title and main text); "" if it
// cannot be read any more.
func (v *Vocabulary) text(corpus string, id uint64) string {
	if corpus == config.CorpusNotices {
		n, err := v.decisions.Store.Notice(id)
		if err != nil || n == nil {
			return ""
		}
		return n.Title + "\n" + n.Text
	}
	p, err := v.decisions.Reader.Stored(id, page.Options{})
	if err != nil || p == nil {
		return ""
	}
	return p.Text
}
