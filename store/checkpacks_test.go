package store

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"angler/store/schema"
	"angler/store/sealed"
)

// packedPages commits thirty pages at once, so that packs hold their bodies.
func packedPages(t *testing.T, w *Workspace) {
	t.Helper()
	rnd := rand.New(rand.NewPCG(3, 4))
	var captures []*Capture
	for i := range 30 {
		body := make([]byte, 2000+rnd.IntN(9000))
		for j := range body {
			body[j] = byte(rnd.Uint32())
		}
		u := seed(t, w, fmt.Sprintf("http://a.test/%d", i))[0].Row
		captures = append(captures, &Capture{ID: u.ID, State: Complete, Body: Compress(body), Terms: []byte(Uncounted),
			Page: &Page{URL: u.URL, Status: 200, Hash: KeyOf(body)}})
	}
	_, err := w.Commit(nil, captures)
	must(t, err)
}

// Faults of packs are reported and repaired, and cost only the pages whose bodies they changed.
func TestDamagedPacks(t *testing.T) {
	first := func(tx sealed.Tx) (key, row []byte) {
		b := tx.Bucket(packBucket)
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
			return tx.Raw().Bucket(packBucket).Put(k, row)
		}, "is damaged", 1},
		"the seal": {func(tx sealed.Tx) error {
			k, row := first(tx)
			row[len(row)-1] ^= 1
			return tx.Raw().Bucket(packBucket).Put(k, row)
		}, "its checksum is wrong", 0},
		"the table": {func(tx sealed.Tx) error {
			k, row := first(tx)
			row = row[:len(row)-4]
			row[0] = 0xff
			return tx.Bucket(packBucket).Put(k, row)
		}, "does not decode", -1},
		"the pack is gone": {func(tx sealed.Tx) error {
			k, _ := first(tx)
			return tx.Bucket(packBucket).Delete(k)
		}, "is lost", -1},
		"holes that are none": {func(tx sealed.Tx) error {
			k, _ := first(tx)
			return putPackHoles(tx, k, 77)
		}, "counted 77", 0},
		"a pack of nobody": {func(tx sealed.Tx) error {
			return tx.Bucket(packBucket).Put(schema.IDKey(1<<40), []byte{1, 5, 2, 'a', 'b'})
		}, "holds nothing that is in use", 0},
	} {
		t.Run(name, func(t *testing.T) {
			w, dir := create(t)
			packedPages(t, w)
			before, in := w.Counts(), 0
			must(t, w.View(func(tx sealed.Tx) error {
				k, row := first(tx)
				entries, err := packEntries(k, row[:len(row)-4])
				in = len(entries)
				return err
			}))
			if in < 10 {
				t.Fatalf("the first pack holds %d bodies", in)
			}
			must(t, w.Write(func(tx sealed.Tx) error {
				if tx.Bucket(spentPacks).Missing() {
					if _, err := tx.Raw().CreateBucket(spentPacks); err != nil {
						return err
					}
				}
				return c.harm(tx)
			}))
			found, err := repaired(w)
			must(t, err)
			told := fmt.Sprint(found)
			if !strings.Contains(told, c.says) {
				t.Errorf("it says %q, not %q", told, c.says)
			}
			must(t, w.Close())
			w = open(t, dir)
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
