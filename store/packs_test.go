package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	bolt "go.etcd.io/bbolt"

	"angler/store/sealed"
)

var bodies = []byte("bodies")

func openPacks(t *testing.T) *sealed.DB {
	t.Helper()
	db, err := sealed.Open(filepath.Join(t.TempDir(), "packs.db"), 0o600, sealed.Options{Plain: string(bodies)})
	must(t, err)
	t.Cleanup(func() { db.Close() })
	writePacks(t, db, func(tx sealed.Tx) error { _, err := tx.Raw().CreateBucket(bodies); return err })
	return db
}

func writePacks(t *testing.T, db *sealed.DB, f func(sealed.Tx) error) {
	t.Helper()
	must(t, db.Update(f))
}

func packKey(n uint64) []byte { return binary.BigEndian.AppendUint64(nil, n) }

// packBody returns a value like a body: its first byte is not packForm.
func packBody(id, version uint64, size int) []byte {
	v := make([]byte, max(size, 1))
	rng := rand.New(rand.NewPCG(id, version))
	for i := range v {
		v[i] = byte(rng.Uint32())
	}
	v[0] = 2
	return v
}

// looked compares all values with the expected ones, and the used bytes of packs with the counted
// holes.
func looked(t *testing.T, db *sealed.DB, want map[uint64][]byte) (inPacks, whole int) {
	t.Helper()
	err := db.View(func(tx sealed.Tx) error {
		b := tx.Bucket(bodies)
		var used packTally
		for id, v := range want {
			got, err := lookPacked(b, packKey(id))
			if err != nil || !bytes.Equal(got, v) {
				return fmt.Errorf("value %d: %d bytes, %v; want %d", id, len(got), err, len(v))
			}
			row := b.Get(packKey(id))
			used.met(row)
			if len(row) > 0 && row[0] == packForm {
				inPacks++
			}
		}
		p := tx.Bucket(packBucket)
		if p.Missing() {
			return nil
		}
		return p.ForEach(func(k, v []byte) error {
			entries, err := packEntries(k, v)
			if err != nil {
				return err
			}
			size := 0
			for _, e := range entries {
				size += e.size()
			}
			holes := 0
			if s := tx.Bucket(spentPacks); !s.Missing() {
				holes = packHoles(s.Get(k))
			}
			if size-used.of(k) != holes {
				return fmt.Errorf("pack %x has %d bytes, %d in use, %d counted as holes", k, size, used.of(k), holes)
			}
			if size > 0 && holes*half >= size {
				return fmt.Errorf("pack %x of %d bytes is kept with %d bytes of holes", k, size, holes)
			}
			whole += size
			return nil
		})
	})
	must(t, err)
	return inPacks, whole
}

// After random changes in batches of any size every value is found, and packs hold little unused
// space.
func TestValuesAreFound(t *testing.T) {
	db := openPacks(t)
	rng := rand.New(rand.NewPCG(3, 5))
	want := map[uint64][]byte{}
	var batch packBatch
	for round := range uint64(60) {
		writePacks(t, db, func(tx sealed.Tx) error {
			batch.begin()
			n := 1 + rng.IntN(3)
			if round%3 == 0 {
				n = 20 + rng.IntN(150)
			}
			for range n {
				id := uint64(rng.IntN(900))
				size := 200 + rng.IntN(9000)
				switch rng.IntN(30) {
				case 0:
					size = 100 << 10
				case 1:
					want[id] = []byte{}
					batch.add(id, []byte{})
					continue
				}
				v := packBody(id, round, size)
				want[id] = v
				batch.add(id, append(make([]byte, 0, len(v)+4), v...))
			}
			return batch.Write(tx.Bucket(bodies), half)
		})
		looked(t, db, want)
	}
	if n, whole := looked(t, db, want); n < 300 || whole == 0 {
		t.Errorf("%d values of %d lie in packs", n, len(want))
	}
	for id := range want {
		writePacks(t, db, func(tx sealed.Tx) error { return deletePacked(tx.Bucket(bodies), packKey(id)) })
		if delete(want, id); len(want)%50 == 0 {
			looked(t, db, want)
		}
	}
	if _, whole := looked(t, db, want); whole != 0 {
		t.Errorf("%d bytes are kept of nothing", whole)
	}
}

// A transaction that is rolled back changes nothing, including the notes of the batch.
func TestRolledBack(t *testing.T) {
	db := openPacks(t)
	want := map[uint64][]byte{}
	var batch packBatch
	fill := func(tx sealed.Tx, version uint64, keep bool) error {
		batch.begin()
		for id := range uint64(60) {
			v := packBody(id, version, 4000)
			batch.add(id, append(make([]byte, 0, len(v)+4), v...))
			if keep {
				want[id] = v
			}
		}
		return batch.Write(tx.Bucket(bodies), half)
	}
	writePacks(t, db, func(tx sealed.Tx) error { return fill(tx, 1, true) })
	no := errors.New("no")
	if err := db.Update(func(tx sealed.Tx) error { return errors.Join(fill(tx, 2, false), no) }); !errors.Is(err, no) {
		t.Fatal(err)
	}
	looked(t, db, want)
	writePacks(t, db, func(tx sealed.Tx) error { return fill(tx, 3, true) })
	looked(t, db, want)
}

// Appending packs rewrites no earlier ones: a transaction writes little more than its new bytes, by
// bbolt's count of written pages.
func TestPacksAreWrittenOnce(t *testing.T) {
	db := openPacks(t)
	var batch packBatch
	file := func() int64 {
		st, err := os.Stat(db.Path())
		must(t, err)
		return st.Size()
	}
	came, wrote := 0, int64(0)
	for round := range uint64(40) {
		var raw *bolt.Tx
		writePacks(t, db, func(tx sealed.Tx) error {
			raw = tx.Raw()
			batch.begin()
			for i := range uint64(40) {
				v := packBody(i, round, 5000)
				came += len(v)
				batch.add(round*40+i, append(make([]byte, 0, len(v)+4), v...))
			}
			return batch.Write(tx.Bucket(bodies), half)
		})
		s := raw.Stats()
		wrote += s.PageAlloc
	}
	if float64(wrote) > 1.25*float64(came) {
		t.Errorf("%d bytes were written for %d", wrote, came)
	}
	if size := file(); size > int64(2*came) {
		t.Errorf("the file has %d bytes for %d", size, came)
	}
}

// Kinds of damage are distinguished: a place without its pack, a table that does not decode.
func TestDamage(t *testing.T) {
	db := openPacks(t)
	var batch packBatch
	writePacks(t, db, func(tx sealed.Tx) error {
		batch.begin()
		for id := range uint64(30) {
			batch.add(id, packBody(id, 1, 4000))
		}
		return batch.Write(tx.Bucket(bodies), half)
	})
	writePacks(t, db, func(tx sealed.Tx) error { return tx.Bucket(packBucket).Delete(packKey(1)) })
	err := db.View(func(tx sealed.Tx) error { _, err := lookPacked(tx.Bucket(bodies), packKey(3)); return err })
	if !errors.Is(err, errPack) {
		t.Errorf("a value without its pack: %v", err)
	}
	for name, row := range map[string][]byte{
		"cut off": {packForm, 1}, "far away": append([]byte{packForm, 1}, 0xff, 0xff, 0xff, 0x7f, 1), "more than a place": {packForm, 1, 1, 1, 1},
	} {
		writePacks(t, db, func(tx sealed.Tx) error { return tx.Bucket(bodies).Put(packKey(99), row) })
		err := db.View(func(tx sealed.Tx) error {
			v, err := lookPacked(tx.Bucket(bodies), packKey(99))
			if err == nil && len(v) > 0 && v[0] != packForm {
				t.Errorf("%s: it gives %d bytes", name, len(v))
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
}

func FuzzEntries(f *testing.F) {
	f.Add(append([]byte{1, 7, 3}, "abc"...))
	f.Add([]byte{0})
	f.Add([]byte{2, 1, 1, 2, 0xff, 0xff, 0xff, 0xff, 0x0f, 'a'})
	f.Fuzz(func(t *testing.T, v []byte) {
		entries, err := packEntries(packKey(5), v)
		size := 0
		for _, e := range entries {
			size += e.size()
		}
		if err == nil && size > len(v) {
			t.Errorf("%d bytes of values in %d", size, len(v))
		}
	})
}
