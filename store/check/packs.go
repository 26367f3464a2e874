package check

import (
	"bytes"

	"angler/store/packs"
	"angler/store/sealed"
)

// checkPacks looks whether packs of bodies have their seals and their tables, hold
// something, and whether their holes are counted. Bodies were compared with their pages
// already, wherever they lie.
func (k *checker) checkPacks() error {
	err := k.scan(packs.Bucket, func(key []byte, err error) {
		k.report(packs.Bucket, "seals it again; bodies in it that are damaged are fetched again", func(tx sealed.Tx) error { return packs.Mend(tx.Bucket(packs.Bucket), key) },
			"%s is damaged: %v", name(packs.Bucket, key), err)
	}, func(b sealed.Bucket, key, v []byte) error {
		key = bytes.Clone(key)
		entries, err := packs.Entries(key, v)
		whole := 0
		for _, e := range entries {
			whole += e.Size()
		}
		holes, counted := whole-k.packed.Of(key), 0
		if spent := b.Beside(packs.Spent); !spent.Missing() {
			counted = packs.Holes(spent.Get(key))
		}
		switch {
		case err != nil:
			k.report(packs.Bucket, "removes it; the bodies in it are fetched again", deleting(packs.Bucket, key), "%s is damaged: %v", name(packs.Bucket, key), err)
		case whole == 0: // it keeps others apart
		case holes == whole:
			k.report(packs.Bucket, "removes it", deleting(packs.Bucket, key), "%s holds nothing that is in use", name(packs.Bucket, key))
		case holes != counted:
			k.report(packs.Bucket, "counts them", func(tx sealed.Tx) error { return packs.PutHoles(tx, key, holes) },
				"%s has %d bytes of holes, counted %d", name(packs.Bucket, key), holes, counted)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return k.scan(packs.Spent, k.remove(packs.Spent), func(b sealed.Bucket, key, _ []byte) error {
		if in := b.Beside(packs.Bucket); in.Missing() || in.Bucket.Get(key) == nil {
			k.report(packs.Spent, "removes the row", deleting(packs.Spent, bytes.Clone(key)), "%s is of no pack", name(packs.Spent, key))
		}
		return nil
	})
}
