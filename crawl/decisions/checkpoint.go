package decisions

import (
	"angler/store/checkpoint"
	"angler/topic"
)

// The parts of a checkpoint that hold the words of the stored pages.
const (
	partIndex   = "index"
	partCounted = "counted" // by which dictionary each page was counted
)

// Parts are what Restore needs of a checkpoint.
func Parts(d *Decisions) []checkpoint.Part {
	return []checkpoint.Part{{Name: partIndex, Write: d.Index.Save}, {Name: partCounted, Write: d.fingerprints.save}}
}

// Restore enters the words of all pages that a checkpoint holds, in place of Counted and
// Uncounted for each. words is how many there are.
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

// Leave takes a page out that a checkpoint may have held and that has no words now.
func Leave(d *Decisions, id uint64) {
	d.Index.Remove(id)
	d.fingerprints.drop(id)
}

// Entered reports whether a page was entered by Counted or Uncounted.
func Entered(d *Decisions, id uint64) bool { return d.fingerprints.has(id) }
