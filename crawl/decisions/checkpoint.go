package decisions

import (
	"angler/crawl/reader"
	"angler/store"
	"angler/topic"
)

// The parts of a checkpoint that hold the words of the stored pages.
const (
	partIndex   = "index"
	partCounted = "counted" // dictionary of each page
)

// Parts returns the parts that Restore needs of a checkpoint.
func Parts(d *Decisions) []store.CheckpointPart {
	return []store.CheckpointPart{{Name: partIndex, Write: d.Index.Save},
		{Name: partCounted, Write: d.fingerprints.save}}
}

// Still calls f while no stored page is being read again.
func Still(d *Decisions, f func()) {
	d.recounting.Lock()
	defer d.recounting.Unlock()
	f()
}

// Restore adds the words of all pages in a checkpoint; it replaces calls of Counted and Uncounted.
// words is the number of words. After an error nothing is added.
func Restore(d *Decisions, part func(name string) ([]byte, error), words int) error {
	b, err := part(partCounted)
	if err != nil {
		return err
	}
	index, err := part(partIndex)
	if err != nil {
		return err
	}
	ix, err := topic.RestoreIndex(index, words)
	if err != nil {
		return err
	}
	if err := d.fingerprints.restore(b); err != nil {
		return err
	}
	d.Index = ix
	return nil
}

// Left removes a page that has no words any more: it is a redirect now.
func (d *Decisions) Left(id uint64) {
	d.Index.Remove(id)
	d.fingerprints.drop(id)
}

// Entered reports whether Counted or Uncounted added a page.
func Entered(d *Decisions, id uint64) bool { return d.fingerprints.has(id) }

// asStored updates a page without body from its rows, because its depth may have changed.
func asStored(d *Decisions, p *store.Page) {
	if doc, _, err := reader.StoredDoc(p, d.Reader.Store.TermsOf(p.ID), d.Reader.Lexicon.Len()); err == nil {
		d.Index.Add(p.ID, doc)
	}
}
