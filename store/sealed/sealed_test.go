package sealed

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	bolt "go.etcd.io/bbolt"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var (
	rows  = []byte("rows")
	plain = []byte("plain")
)

func key(i int) []byte { return fmt.Appendf(nil, "%08d", i) }

func open(t testing.TB, path string) *DB {
	t.Helper()
	db, err := Open(path, 0o600, Options{Plain: string(plain), Advice: "; do something"})
	must(t, err)
	t.Cleanup(func() { db.Close() })
	return db
}

// database makes two thousand rows on about thirty pages, and a value of several pages in another
// bucket.
func database(t testing.TB) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "x.db")
	db := open(t, path)
	must(t, db.Update(func(tx Tx) error {
		for _, name := range [][]byte{rows, plain} {
			if _, err := tx.Raw().CreateBucket(name); err != nil {
				return err
			}
		}
		for i := range 2000 {
			if err := tx.Bucket(rows).Put(key(i), fmt.Appendf(nil, "what row %d says, and says again: %d", i, i)); err != nil {
				return err
			}
		}
		return tx.Bucket(plain).Put([]byte("long"), make([]byte, 20_000))
	}))
	must(t, db.Update(func(tx Tx) error { return tx.Bucket(rows).Delete(key(77)) })) // frees pages
	must(t, db.Close())
	return path
}

// Inspect finds no fault in bbolt's files, and counts like bbolt.
func TestInspectAgreesWithBolt(t *testing.T) {
	path := database(t)
	for _, depth := range []Depth{Branches, Leaves} {
		r, err := Inspect(path, depth)
		must(t, err)
		if len(r.Problems) > 0 || r.Spare != "" {
			t.Errorf("depth %d: %q, %s", depth, r.Problems, r.Spare)
		}
	}
	db, err := bolt.Open(path, 0, nil)
	must(t, err)
	defer db.Close()
	must(t, db.View(func(tx *bolt.Tx) error {
		for err := range tx.Check() {
			t.Error(err)
		}
		return nil
	}))
}

// edit changes the file of a closed database.
func edit(t testing.TB, path string, f func([]byte)) {
	t.Helper()
	b, err := os.ReadFile(path)
	must(t, err)
	f(b)
	must(t, os.WriteFile(path, b, 0o600))
}

// pageOf returns the page of a row in the file.
func pageOf(t testing.TB, path string, i int) (at int) {
	t.Helper()
	edit(t, path, func(b []byte) {
		x := &file{page: int64(os.Getpagesize())}
		want := fmt.Sprintf("what row %d says, and says again: %d", i, i)
		for at = 2 * int(x.page); at < len(b); at += int(x.page) {
			if order.Uint16(b[at+8:]) == kindLeaf && order.Uint64(b[at:]) == uint64(at)/uint64(x.page) && strings.Contains(string(b[at:at+int(x.page)]), want) {
				return
			}
		}
		t.Fatal("the row is nowhere")
	})
	return at
}

// A panic or fault of bbolt becomes an error that names the file and a remedy. Rows of other pages
// stay readable.
func TestFaultsBecomeErrors(t *testing.T) {
	path := database(t)
	at := pageOf(t, path, 500)
	edit(t, path, func(b []byte) { clear(b[at : at+os.Getpagesize()]) })
	db := open(t, path)
	told := func(what string, err error) {
		t.Helper()
		if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), path) || !strings.HasSuffix(err.Error(), "; do something") {
			t.Errorf("%s: %v", what, err)
		}
	}
	write := func(i int) func(Tx) error {
		return func(tx Tx) error { return tx.Bucket(rows).Put(key(i), []byte("new")) }
	}
	told("write", db.Update(write(500)))
	told("read", db.View(func(tx Tx) error { tx.Bucket(rows).Get(key(500)); return nil }))
	told("scan", db.View(func(tx Tx) error { return tx.Bucket(rows).ForEach(func(_, _ []byte) error { return nil }) }))
	must(t, db.Update(write(1999))) // its lock is free
	must(t, db.View(func(tx Tx) error {
		if v := tx.Bucket(rows).Get(key(1999)); string(v) != "new" {
			t.Errorf("%q was written", v)
		}
		return nil
	}))
}

// A file that is truncated while open causes a fault.
func TestFileThatShrinks(t *testing.T) {
	path := database(t)
	db := open(t, path)
	must(t, os.Truncate(path, int64(2*os.Getpagesize())))
	if err := db.View(func(tx Tx) error { return tx.Bucket(rows).ForEach(func(_, _ []byte) error { return nil }) }); !errors.Is(err, ErrDamaged) {
		t.Errorf("read: %v", err)
	}
}

// A panic of a caller is not damage.
func TestPanicsOfCallersGoOn(t *testing.T) {
	db := open(t, database(t))
	for name, f := range map[string]func(func(Tx) error) error{"view": db.View, "update": db.Update} {
		func() {
			defer func() {
				if r := recover(); r != "ours" {
					t.Errorf("%s: recovered %v", name, r)
				}
			}()
			_ = f(func(Tx) error { panic("ours") })
		}()
	}
	must(t, db.Update(func(tx Tx) error { return tx.Bucket(rows).Put(key(1), []byte("x")) }))
}

// A changed row is skipped and counted once.
func TestChangedRowIsLeftOut(t *testing.T) {
	path := database(t)
	at := pageOf(t, path, 500)
	edit(t, path, func(b []byte) {
		i := strings.Index(string(b[at:]), "what row 500 says")
		b[at+i] = 'W'
	})
	db := open(t, path)
	for range 2 {
		must(t, db.View(func(tx Tx) error {
			b, n := tx.Bucket(rows), 0
			must(t, b.ForEach(func(_, _ []byte) error { n++; return nil }))
			c := b.Cursor()
			for k, _ := c.Last(); k != nil; k, _ = c.Prev() {
				n--
			}
			if n != 0 || b.Get(key(500)) != nil || b.Get(key(501)) == nil {
				t.Errorf("forwards and backwards differ by %d rows", n)
			}
			if _, err := b.Look(key(500)); !errors.Is(err, ErrSeal) {
				t.Errorf("the row: %v", err)
			}
			return nil
		}))
	}
	if got := db.Tally.String(); db.Tally.Len() != 1 || got != "1 row is damaged and left out (1 of rows)" {
		t.Errorf("tally: %s", got)
	}
}

// ReadRows reads the rows that the tree still reaches, with the checksum of their bucket.
func TestReadRowsOfADamagedTree(t *testing.T) {
	path := database(t)
	read := func() (n int) {
		must(t, ReadRows(path, "rows", func(k, v []byte) error {
			if n++; !strings.HasPrefix(string(v), "what row ") {
				t.Errorf("%q says %q", k, v)
			}
			return nil
		}))
		return n
	}
	if n := read(); n != 1999 {
		t.Errorf("%d rows of a sound file", n)
	}
	at, onPage := pageOf(t, path, 500), 0
	edit(t, path, func(b []byte) {
		onPage = int(order.Uint16(b[at+10:]))
		clear(b[at : at+os.Getpagesize()])
	})
	if n := read(); n != 1999-onPage || onPage < 10 {
		t.Errorf("%d rows without the %d of a page", n, onPage)
	}
	if r, err := Inspect(path, Leaves); err != nil || len(r.Problems) == 0 {
		t.Errorf("nothing found, %v", err)
	}
	stop := errors.New("stop")
	if err := ReadRows(path, "rows", func(_, _ []byte) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("the error of the caller: %v", err)
	}
	edit(t, path, func(b []byte) { clear(b[2*os.Getpagesize():]) })
	if n := read(); n != 0 {
		t.Errorf("%d rows without a tree", n)
	}
}

// A tree whose branch leads back to itself causes no loop.
func TestCircles(t *testing.T) {
	path := database(t)
	edit(t, path, func(b []byte) {
		for at := 2 * os.Getpagesize(); at < len(b); at += os.Getpagesize() {
			if order.Uint16(b[at+8:]) == kindBranch && order.Uint64(b[at:]) == uint64(at/os.Getpagesize()) {
				order.PutUint64(b[at+headerBytes+8:], uint64(at/os.Getpagesize()))
			}
		}
	})
	if _, err := Open(path, 0o600, Options{}); !errors.Is(err, ErrDamaged) {
		t.Errorf("opened: %v", err)
	}
	if r, err := Inspect(path, Leaves); err != nil || len(r.Problems) == 0 {
		t.Errorf("nothing found, %v", err)
	}
}

// After random writes and deletions a sound file is found sound.
func TestSoundFilesAreFoundSound(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db := open(t, path)
	must(t, db.Update(func(tx Tx) error { _, err := tx.Raw().CreateBucket(rows); return err }))
	rnd := rand.New(rand.NewPCG(5, 6))
	for round := range 120 {
		spread := 1 + rnd.IntN(20_000)
		must(t, db.Update(func(tx Tx) error {
			b := tx.Bucket(rows)
			b.FillPercent = .1 + .9*rnd.Float64()
			for range rnd.IntN(800) {
				k := key(rnd.IntN(spread))
				if round%3 == 2 {
					if err := b.Delete(k); err != nil {
						return err
					}
				} else if err := b.Put(k, make([]byte, rnd.IntN(1+rnd.IntN(3000)))); err != nil {
					return err
				}
			}
			return nil
		}))
		for _, depth := range []Depth{Branches, Leaves} {
			r, err := Inspect(path, depth)
			must(t, err)
			if len(r.Problems) > 0 || r.Spare != "" {
				t.Fatalf("round %d, depth %d: %q %s", round, depth, r.Problems, r.Spare)
			}
		}
	}
}

// A missing bucket reads as empty; rows that do not decode are counted.
func TestMissingBucketsAndRowsThatDoNotDecode(t *testing.T) {
	db := open(t, database(t))
	text := func(_, v []byte) (*string, error) {
		s := string(v)
		if strings.Contains(s, " 500 ") {
			return nil, errors.New("it does not decode")
		}
		return &s, nil
	}
	must(t, db.View(func(tx Tx) error {
		none := tx.Bucket([]byte("none"))
		k, _ := none.Cursor().Last()
		if !none.Missing() || k != nil || Find(none, key(1), text) != nil || len(Scan(none, nil, text)) > 0 {
			t.Error("a missing bucket has rows")
		}
		b := tx.Bucket(rows)
		if s := Find(b, key(501), text); s == nil || !strings.HasPrefix(*s, "what row 501 ") || Find(b, key(500), text) != nil {
			t.Errorf("found %v", s)
		}
		if all := Scan(b, nil, text); len(all) != 1998 {
			t.Errorf("%d rows, want 1999 without one", len(all))
		}
		return nil
	}))
	if db.Tally.Len() != 1 {
		t.Errorf("tally: %s", &db.Tally)
	}
	must(t, db.Update(func(tx Tx) error { return tx.Bucket([]byte("none")).Delete(key(1)) }))
}
