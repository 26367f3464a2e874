package store

import (
	"bufio"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"angler/store/checkpoint"
	"angler/store/sealed"
)

// This file keeps a checkpoint beside the database: what opening a workspace gathers, so
// that the next opening reads one file and the rows that were committed later. A mark in
// the database names the checkpoint that belongs to it, and each commit notes in the same
// transaction whose rows it has changed. So what is read is always of one moment, and a
// checkpoint that belongs to another moment, or to another database, has another name.

const checkpointFile = databaseFile + ".checkpoint"

var (
	// keyCheckpoint holds the name of the checkpoint; without it there is none, and
	// nothing is noted.
	keyCheckpoint = []byte("checkpoint")
	// bucketLater: number of a commit since the checkpoint → the ids of URLs whose rows in
	// urls, pages or terms it has changed, and the counts after it.
	bucketLater = []byte("later")
)

// The parts of a checkpoint that are the store's; others add theirs.
const (
	partURLs  = "urls"  // heads and counts
	partSeen  = "seen"  // the filter and the keys that are not merged
	partWords = "words" // the lexicon
	partPages = "pages" // the rows of pages
)

// checkpointed is the checkpoint of a workspace.
type checkpointed struct {
	mu    sync.Mutex
	file  *checkpoint.File // nil = none
	later map[uint64]struct{}
	most  int // ids in later: with more the checkpoint is given up
}

// Recall returns a part that somebody else has added to the checkpoint.
func Recall(w *Workspace, part string) ([]byte, error) {
	r := &w.recalled
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return nil, checkpoint.ErrNone
	}
	return r.file.Part(part)
}

// Later returns the ids of the URLs whose rows were changed after the checkpoint of w was
// made, ascending.
func Later(w *Workspace) []uint64 { return w.recalled.ids() }

func (r *checkpointed) ids() []uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Sorted(maps.Keys(r.later))
}

// use puts another file in place, nil for none.
func (r *checkpointed) use(f *checkpoint.File, most int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file != nil {
		r.file.Close() // who is reading it goes on in the database
	}
	r.file, r.later, r.most = f, map[uint64]struct{}{}, most
}

// fewLater changed URLs cost an opening less than a new checkpoint costs a closing.
const fewLater = 2000

// SaveCheckpoint writes a checkpoint, with parts of others besides, unless the one that is
// there is nearly as good; it tells whether it did. Nothing may run that will enter pages
// in what the parts are made from. Commits wait meanwhile. There is none of a workspace with
// damaged rows, because who opens it is to be told of them.
func SaveCheckpoint(w *Workspace, parts ...checkpoint.Part) (saved bool, err error) {
	w.committing.Lock()
	defer w.committing.Unlock()
	r := &w.recalled
	if ReadOnly(w) || w.repaired || w.Damage.String() != "" || r.file != nil && len(r.later) < fewLater {
		return false, nil
	}
	var name checkpoint.Name
	if _, err := rand.Read(name[:]); err != nil {
		return false, err
	}
	path := CheckpointPath(w.dir)
	err = checkpoint.Write(path, name, append(parts,
		checkpoint.Part{Name: partURLs, Write: w.saveURLs},
		checkpoint.Part{Name: partSeen, Write: w.seen.write},
		checkpoint.Part{Name: partWords, Write: w.saveWords},
		checkpoint.Part{Name: partPages, Write: func(out *bufio.Writer) error { return checkpoint.WriteRows(out, w.pageRows()) }})...)
	if err != nil {
		return false, err // the one before holds
	}
	var f *checkpoint.File
	if err = w.db.Update(func(tx sealed.Tx) error { return mark(tx, name[:]) }); err == nil {
		f, err = checkpoint.Open(path, name)
	}
	r.use(f, w.mostLater())
	return err == nil, err
}

// mostLater is how many changed URLs make a checkpoint worth nothing.
func (w *Workspace) mostLater() int { return 10*fewLater + len(w.heads)/4 }

// CheckpointPath is the file of a workspace's checkpoint, which may be removed at any
// time.
func CheckpointPath(dir string) string { return filepath.Join(dir, checkpointFile) }

// mark begins the notes for a checkpoint; nil ends them.
func mark(tx sealed.Tx, name []byte) error {
	if tx.Raw().Bucket(bucketLater) != nil {
		if err := tx.Raw().DeleteBucket(bucketLater); err != nil {
			return err
		}
	}
	meta := tx.Bucket(bucketMeta)
	for _, k := range [][]byte{keySeen, keySeenN} {
		if err := meta.Delete(k); err != nil {
			return err
		}
	}
	if name == nil {
		return meta.Delete(keyCheckpoint)
	}
	if _, err := tx.Raw().CreateBucket(bucketLater); err != nil {
		return err
	}
	return meta.Put(keyCheckpoint, append(make([]byte, 0, len(name)+sealed.Size), name...))
}

// Forget gives a workspace's checkpoint up, in a transaction that changes rows without a
// note.
func Forget(tx sealed.Tx) error { return mark(tx, nil) }

// note writes down whose rows a commit changes. A checkpoint that would be worth nothing
// any more is given up.
func (c *commit) note() error {
	r := &c.w.recalled
	if r.file == nil {
		return nil
	}
	for id := range c.heads {
		c.changed = append(c.changed, id)
	}
	slices.Sort(c.changed)
	c.changed = slices.Compact(c.changed)
	if len(r.later)+len(c.changed) > r.most {
		c.giveUp = true
		return mark(c.tx, nil)
	}
	b := c.tx.Bucket(bucketLater)
	n, err := b.NextSequence()
	if err != nil {
		return err
	}
	b.FillPercent = 0.9
	row := c.w.appendCounts(make([]byte, 0, 64+2*len(c.changed)), c)
	last := uint64(0)
	for _, id := range c.changed {
		row = binary.AppendUvarint(row, id-last)
		last = id
	}
	return b.Put(idKey(n), row)
}

// noted follows the commit.
func (c *commit) noted() {
	r := &c.w.recalled
	if c.giveUp {
		r.use(nil, 0)
		os.Remove(CheckpointPath(c.w.dir))
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file != nil {
		for _, id := range c.changed {
			r.later[id] = struct{}{}
		}
	}
}

// counted are the counts of a workspace at one moment.
type counted struct {
	last                 uint64
	states               [numStates]int
	pages, notes, nwords int
}

// appendCounts writes the counts, after c if it is not nil.
func (w *Workspace) appendCounts(b []byte, c *commit) []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	if c == nil {
		c = &commit{}
	}
	last := w.last.Load()
	for id := range c.heads {
		last = max(last, id)
	}
	b = binary.AppendUvarint(b, last)
	for s, n := range w.counts {
		b = binary.AppendUvarint(b, uint64(n+c.delta[s]))
	}
	for _, n := range [...]int{w.pages + c.pages, w.notes + c.notes, w.nwords + c.nwords} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b
}

func (r *reader) counts() (c counted) {
	c.last = r.uvarint()
	for s := range c.states {
		c.states[s] = int(r.uvarint())
	}
	c.pages, c.notes, c.nwords = int(r.uvarint()), int(r.uvarint()), int(r.uvarint())
	return c
}

// readLater reads the notes. counts are those after the last of them.
func readLater(tx sealed.Tx, counts *counted) (later map[uint64]struct{}, err error) {
	later = map[uint64]struct{}{}
	c := tx.Bucket(bucketLater).Cursor()
	c.Each = func(_ []byte, bad error) { err = errors.Join(err, bad) }
	for k, v := c.First(); k != nil && err == nil; k, v = c.Next() {
		r := reader{b: v}
		*counts = r.counts()
		for id := uint64(0); len(r.b) > 0; {
			id += r.uvarint()
			later[id] = struct{}{}
		}
		err = r.err
	}
	return later, err
}

// CheckLater says what is wrong with a row of the bucket Later.
func CheckLater(_, v []byte) error {
	r := reader{b: v}
	for r.counts(); len(r.b) > 0; {
		r.uvarint()
	}
	return r.err
}

// pageRows yields the rows of all pages as they lie in the database.
func (w *Workspace) pageRows() iter.Seq2[checkpoint.Row, error] {
	return func(yield func(checkpoint.Row, error) bool) {
		for p, err := range w.Pages() {
			if err != nil {
				yield(checkpoint.Row{}, err)
				return
			}
			if !yield(checkpoint.Row{ID: p.ID, Value: appendPage(nil, p)}, nil) {
				return
			}
		}
	}
}
