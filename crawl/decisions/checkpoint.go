package decisions

import (
	"angler/crawl/reader"
	"angler/store"
	"angler/topic"
)

// The parts of a checkpoint that hold the words of the stored pages.
const (
	partIndex   = "index"
	partCounted = "counted" // by which dictionary each page was counted
)

// Parts are what Restore needs of a checkpoint.
func Parts(d *Decisions) []store.CheckpointPart {
	return []store.CheckpointPart{{Name: partIndex, Write: d.Index.Save}, {Name: partCounted, Write: d.fingerprints.save}}
}

// Still calls f while no stored page is read again.
func Still(d *Decisions, f func()) {
	d.recounting.Lock()
	defer d.recounting.Unlock()
	f()
}

// Restore enters the words of all pages that a checkpoint holds, in place of Counted and
// Uncounted for each. words is how many there are. After an error nothing is entered.
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

// Left takes a page out that has no words any more: it is a redirect now.
func (d *Decisions) Left(id uint64) {
	d.Index.Remove(id)
	d.fingerprints.drop(id)
}

// Entered reports whether a page was entered by Counted or Uncounted.
func Entered(d *Decisions, id uint64) bool { return d.fingerprints.has(id) }

// asStored enters a page that has no body any more as its rows have it, because they may
// say otherwise than before how deep it lies.
func asStored(d *Decisions, p *store.Page) {
	if doc, _, err := reader.StoredDoc(p, d.Reader.Store.TermsOf(p.ID), d.Reader.Lexicon.Len()); err == nil {
		d.Index.Add(p.ID, doc)
	}
}
