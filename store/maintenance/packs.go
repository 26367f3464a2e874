package maintenance

import (
	"bytes"

	"angler/store"
	"angler/store/sealed"
)

// checkPacks checks the checksums and tables of packs of bodies, that they are not empty, and that
// their holes are counted. Bodies themselves were compared with their pages before.
func (k *checker) checkPacks() error {
	err := k.scan(store.PackBucket, func(key []byte, err error) {
		k.report(store.PackBucket, "seals it again; bodies in it that are damaged are fetched again",
			func(tx sealed.Tx) error { return store.MendPacks(tx.Bucket(store.PackBucket), key) },
			"%s is damaged: %v", name(store.PackBucket, key), err)
	}, func(b sealed.Bucket, key, v []byte) error {
		key = bytes.Clone(key)
		entries, err := store.PackEntries(key, v)
		whole := 0
		for _, e := range entries {
			whole += e.Size()
		}
		holes, counted := whole-k.packed.Of(key), 0
		if spent := b.Beside(store.SpentPacks); !spent.Missing() {
			counted = store.PackHoles(spent.Get(key))
		}
		switch {
		case err != nil:
			k.report(store.PackBucket, "removes it; the bodies in it are fetched again",
				deleting(store.PackBucket, key), "%s is damaged: %v", name(store.PackBucket, key), err)
		case whole == 0: // an empty pack that separates others
		case holes == whole:
			k.report(store.PackBucket, "removes it", deleting(store.PackBucket, key), "%s holds nothing that is in use",
				name(store.PackBucket, key))
		case holes != counted:
			k.report(store.PackBucket, "counts them",
				func(tx sealed.Tx) error { return store.PutPackHoles(tx, key, holes) },
				"%s has %d bytes of holes, counted %d", name(store.PackBucket, key), holes, counted)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return k.scan(store.SpentPacks, k.remove(store.SpentPacks), func(b sealed.Bucket, key, _ []byte) error {
		if in := b.Beside(store.PackBucket); in.Missing() || in.Bucket.Get(key) == nil {
			k.report(store.SpentPacks, "removes the row", deleting(store.SpentPacks, bytes.Clone(key)),
				"%s is of no pack", name(store.SpentPacks, key))
		}
		return nil
	})
}
