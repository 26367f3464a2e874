package maintenance

import (
	"strings"
	"testing"

	"angler/store"
	"angler/store/schema"
	"angler/store/sealed"
)

// Faults of packs are reported and repaired, and cost only the pages whose bodies they changed.
func TestDamagedPacks(t *testing.T) {
	first := func(tx sealed.Tx) (key, row []byte) {
		b := tx.Bucket(store.PackBucket)
		k, v := b.Cursor().First()
		return append([]byte(nil), k...), append(append([]byte(nil), v...), 0, 0, 0, 0)
	}
	for name, c := range map[string]struct {
		harm func(tx sealed.Tx) error
		says string
		lost int // pages to be fetched again; -1: all in the pack
	}{
		"a byte of a body": {func(tx sealed.Tx) error {
			k, row := first(tx)
			row[len(row)-300] ^= 1
			return tx.Raw().Bucket(store.PackBucket).Put(k, row)
		}, "is damaged", 1},
		"the seal": {func(tx sealed.Tx) error {
			k, row := first(tx)
			row[len(row)-1] ^= 1
			return tx.Raw().Bucket(store.PackBucket).Put(k, row)
		}, "its checksum is wrong", 0},
		"the table": {func(tx sealed.Tx) error {
			k, row := first(tx)
			row = row[:len(row)-4]
			row[0] = 0xff
			return tx.Bucket(store.PackBucket).Put(k, row)
		}, "does not decode", -1},
		"the pack is gone": {func(tx sealed.Tx) error {
			k, _ := first(tx)
			return tx.Bucket(store.PackBucket).Delete(k)
		}, "is lost", -1},
		"holes that are none": {func(tx sealed.Tx) error {
			k, _ := first(tx)
			return store.PutPackHoles(tx, k, 77)
		}, "counted 77", 0},
		"a pack of nobody": {func(tx sealed.Tx) error {
			return tx.Bucket(store.PackBucket).Put(schema.IDKey(1<<40), []byte{1, 5, 2, 'a', 'b'})
		}, "holds nothing that is in use", 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := crawled(t)
			w, err := store.Open(dir)
			must(t, err)
			before, in := w.Counts(), 0
			must(t, w.View(func(tx sealed.Tx) error {
				k, row := first(tx)
				entries, err := store.PackEntries(k, row[:len(row)-4])
				in = len(entries)
				return err
			}))
			if in < 10 {
				t.Fatalf("the first pack holds %d bodies", in)
			}
			must(t, w.Write(func(tx sealed.Tx) error {
				if tx.Bucket(store.SpentPacks).Missing() {
					if _, err := tx.Raw().CreateBucket(store.SpentPacks); err != nil {
						return err
					}
				}
				return c.harm(tx)
			}))
			found, err := Checker{Workspace: w}.Repair()
			must(t, err)
			told := ""
			for _, p := range found.Problems {
				told += p.Text + "\n"
			}
			if !strings.Contains(told, c.says) {
				t.Errorf("it says %q, not %q", told, c.says)
			}
			must(t, w.Close())
			w, err = store.Open(dir)
			must(t, err)
			defer w.Close()
			want := c.lost
			if want < 0 {
				want = in
			}
			if lost := before.Pages - w.Counts().Pages; lost != want {
				t.Errorf("%d pages are to be fetched again, want %d\n%s", lost, want, told)
			}
			if problems, err := CheckQuickly(w); err != nil || len(problems) > 0 {
				t.Errorf("after the repair: %v, %v", problems, err)
			}
		})
	}
}
