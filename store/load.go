package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	bolt "go.etcd.io/bbolt"

	"angler/store/modes"
	"angler/store/schema"
	"angler/store/sealed"
)

// openDatabase opens or makes the database of a workspace. Bodies have no checksum of their own:
// the hash in the page's row covers them. The schema has none, because programs of any schema read
// it.
func openDatabase(dir string) (*sealed.DB, error) { return openSealed(dir, bolt.Options{}) }

func openSealed(dir string, o bolt.Options) (*sealed.DB, error) {
	return openFile(DatabasePath(dir), dir, o)
}

// openFile opens a database at path. Errors name the database of the workspace dir, with advice; ""
// means none.
func openFile(path, dir string, o bolt.Options) (*sealed.DB, error) {
	o.Timeout, o.FreelistType = LockWait, bolt.FreelistMapType
	options := sealed.Options{Options: o, Plain: string(schema.Bodies), Bare: string(schema.KeySchema)}
	if dir != "" {
		options.Name, options.Advice = DatabasePath(dir), advice(dir)
	}
	return sealed.Open(path, modes.File, options)
}

// DatabasePath is the file of a workspace's database.
func DatabasePath(dir string) string { return filepath.Join(dir, databaseFile) }

// load checks the schema, returns leases and fills the memory. A URL whose row is damaged or
// missing counts as fetched at the depth of a seed, so it needs no work. With whole, load uses the
// checkpoint only if all of its rows are sound.
func (w *Workspace) load(whole bool) error {
	if err := schema.Upgrade(w.db); err != nil {
		return err
	}
	w.Recalled = w.db.View(func(tx sealed.Tx) error { return recall(w, tx) })
	if w.Recalled == nil && whole {
		w.Recalled = verifyAll(w)
	}
	if w.Recalled != nil {
		if err := loadRows(w); err != nil {
			return err
		}
	}
	trimMapping(w.db, few)
	if !ReadOnly(w) {
		sweepCheckpoints(w.dir)
	}
	leased, reset, void := leased(w), false, false
	err := w.db.View(func(tx sealed.Tx) error {
		reset = tx.Bucket(schema.URLs).Sequence() != w.last.Load()
		void = w.Recalled != nil && tx.Bucket(schema.Meta).Get(schema.KeyCheckpoint) != nil
		return nil
	})
	if err != nil || len(leased) == 0 && !reset && !void || ReadOnly(w) {
		return err
	}
	err = w.db.Update(func(tx sealed.Tx) error {
		if reset {
			if err := tx.Bucket(schema.URLs).SetSequence(w.last.Load()); err != nil {
				return err
			}
		}
		if void {
			if err := schema.Forget(tx); err != nil {
				return err
			}
		}
		for _, id := range leased {
			if err := setState(tx, id, Waiting); err != nil {
				return err
			}
		}
		if w.Recalled != nil || len(leased) == 0 {
			return nil
		}
		return putNote(tx, appendCounts(w, nil, nil), leased)
	})
	if err == nil && w.Recalled == nil {
		w.recalled.mu.Lock()
		w.recalled.note(leased)
		w.recalled.mu.Unlock()
	}
	return err
}

// loadRows reads the row of every URL, without a checkpoint.
func loadRows(w *Workspace) error {
	w.recalled.use(nil, 0, nil)
	w.known, w.counts = nil, [numStates]int{}
	var counting sync.WaitGroup
	var uncounted error
	var pages, notes, nwords int
	counting.Go(func() {
		uncounted = w.db.View(func(tx sealed.Tx) error {
			pages, notes, nwords = keys(tx, schema.Pages), keys(tx, schema.Notices), wordCount(tx, 0)
			return nil
		})
	})
	err := w.db.View(func(tx sealed.Tx) error {
		last := schema.LastID(tx)
		w.last.Store(last)
		urls := tx.Bucket(schema.URLs)
		w.heads = make([]head, last+1)
		for i := range w.heads {
			w.heads[i] = lostHead
		}
		err := urls.ForEach(func(k, v []byte) error {
			id, h, err := knownHead(k, v, last)
			if err != nil {
				urls.Spoiled(k, err)
				return nil
			}
			w.counts[h.state]++
			w.heads[id] = h
			return nil
		})
		if err != nil {
			return err
		}
		w.seen = loadSeen(tx, w.set.Store, w.Counts().URLs)
		return nil
	})
	counting.Wait() // before any write: a reader would make the file grow
	w.pages, w.notes, w.nwords = pages, notes, nwords
	return errors.Join(err, uncounted)
}

// leased sets the URLs leased by a killed process to waiting, and returns them.
func leased(w *Workspace) (ids []uint64) {
	for id := range w.heads {
		if h := &w.heads[id]; h.state == Processing {
			h.state = Waiting
			ids = append(ids, uint64(id))
		}
	}
	w.counts[Waiting] += len(ids)
	w.counts[Processing] -= len(ids)
	return ids
}

// lostHead replaces a URL whose row is damaged or missing.
var lostHead = head{state: Complete, inlinks: maxInlinks}

// knownHead reads the head of a URL's row; its id must not exceed last.
func knownHead(k, v []byte, last uint64) (id uint64, h head, err error) {
	if id, err = boundID(k, last); err == nil {
		h, err = urlHead(v)
	}
	return id, h, err
}

// boundID returns the id in a key; an id above last was never assigned and is an error.
func boundID(k []byte, last uint64) (uint64, error) {
	if len(k) != 8 {
		return 0, fmt.Errorf("its key of %d bytes is no id", len(k))
	}
	if id := schema.KeyID(k); id > 0 && id <= last {
		return id, nil
	}
	return 0, fmt.Errorf("its id %d was never given away, the last is %d", schema.KeyID(k), last)
}

// keys counts the sound rows of a bucket.
func keys(tx sealed.Tx, bucket []byte) (n int) {
	c := tx.Bucket(bucket).Cursor()
	for k, _ := c.First(); k != nil; k, _ = c.Next() {
		n++
	}
	return n
}

// wordCount returns how many words have a number. Damaged rows keep their numbers, so that no other
// word gets them, unless their keys are unreadable.
//
// The first words are known and are not read.
func wordCount(tx sealed.Tx, first int) int {
	number := func(k []byte) int {
		if len(k) != 4 {
			return -1
		}
		return int(binary.BigEndian.Uint32(k))
	}
	words := tx.Bucket(schema.Words)
	n := first
	c := words.Cursor()
	for k, _ := c.Seek(binary.BigEndian.AppendUint32(nil, uint32(first))); k != nil; k, _ = c.Next() {
		n++
	}
	if k, _ := words.Bucket.Cursor().Last(); number(k) < n+1<<12 {
		return number(k) + 1
	}
	k, _ := words.Cursor().Last()
	return number(k) + 1
}

func (w *Workspace) setHead(id uint64, h head) {
	for uint64(len(w.heads)) <= id {
		w.heads = append(w.heads, lostHead)
	}
	w.heads[id] = h
}

// setState rewrites the state byte of one URL.
func setState(tx sealed.Tx, id uint64, s state) error {
	b := tx.Bucket(schema.URLs)
	v := b.Get(schema.IDKey(id))
	if len(v) == 0 {
		return fmt.Errorf("url %d: %w", id, errRow)
	}
	row := append(make([]byte, 0, len(v)+sealed.Size), v...)
	row[0] = byte(s)
	return b.Put(schema.IDKey(id), row)
}
