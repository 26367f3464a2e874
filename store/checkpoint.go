package store

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"angler/store/schema"
	"angler/store/sealed"
)

// This file keeps a checkpoint beside the database. It holds the data that opening a workspace
// gathers, so that the next opening reads one file and the rows committed later. A mark in the
// database names its checkpoint. Each commit notes in its transaction whose rows it has changed, so
// both parts describe one moment. A checkpoint of another moment or database has another name.

const checkpointFile = databaseFile + ".checkpoint"

// Parts of a checkpoint that belong to the store; callers add their own.
const (
	partURLs  = "urls"  // heads and counts
	partSeen  = "seen"  // the filter and the unmerged keys
	partWords = "words" // the lexicon
	partPages = "pages" // the rows of pages
	partEnd   = "end"   // empty
)

// checkpointed is the checkpoint of a workspace.
type checkpointed struct {
	mu    sync.Mutex
	file  *checkpointReader // nil: no checkpoint
	later map[uint64]struct{}
	most  int // bound of ids in later; above it the checkpoint is given up

	making map[uint64]struct{} // ids changed since a new checkpoint was begun; nil: none is being written
}

// Recall returns a part that a caller has added to the checkpoint.
func Recall(w *Workspace, part string) ([]byte, error) {
	r := &w.recalled
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return nil, errNoCheckpoint
	}
	return r.file.part(part)
}

// Later returns the ids of the URLs whose rows changed after the checkpoint of w was made,
// ascending.
func Later(w *Workspace) []uint64 {
	_, changed := w.recalled.now()
	return changed
}

// use replaces the file; nil means none. changed holds the ids that changed after the file was
// begun.
func (r *checkpointed) use(f *checkpointReader, most int, changed []uint64) {
	r.close()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.file, r.later, r.most = f, nil, most
	if f != nil {
		r.later = make(map[uint64]struct{}, len(changed))
		for _, id := range changed {
			r.later[id] = struct{}{}
		}
	}
}

// note records the rows that a commit changed. The caller holds the lock.
func (r *checkpointed) note(changed []uint64) {
	for _, of := range []map[uint64]struct{}{r.later, r.making} {
		if of == nil {
			continue
		}
		for _, id := range changed {
			of[id] = struct{}{}
		}
	}
}

// now returns the file and the ids changed later, of one moment.
func (r *checkpointed) now() (*checkpointReader, []uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.file, slices.Sorted(maps.Keys(r.later))
}

// fewLater is the number of changed URLs up to which a new checkpoint costs more than it saves.
const fewLater = 2000

// SaveCheckpoint writes a checkpoint with the parts of callers, and reports whether it did. It
// writes none if the stored one is nearly as good. each gets every page before the parts of callers
// are written. Commits may go on: the new checkpoint notes their rows. The sources of the parts
// must not lag behind the rows committed at the beginning. Only one checkpoint is made at a time.
//
// A workspace with damaged rows gets none, so that the next opening reports the damage.
func SaveCheckpoint(w *Workspace, each func(*Page), parts ...CheckpointPart) (saved bool, err error) {
	own, ok, err := beginCheckpoint(w)
	if err != nil || !ok {
		return false, err
	}
	defer w.recalled.made()
	var name checkpointName
	if _, err := rand.Read(name[:]); err != nil {
		return false, err
	}
	pages := CheckpointPart{Name: partPages, Write: func(out *bufio.Writer) error { return writeCheckpointRows(out, pageRows(w, each)) }}
	path := CheckpointPath(w.dir)
	// The old checkpoint is valid until the database names another. Its file is closed first, because
	// some systems cannot replace an open file.
	last := CheckpointPart{Name: partEnd, Write: func(*bufio.Writer) error { w.recalled.close(); return nil }}
	if err = writeCheckpoint(path, name, slices.Concat([]CheckpointPart{pages}, parts, own,
		[]CheckpointPart{last})...); err != nil {
		return false, err
	}
	f, err := openCheckpoint(path, name)
	if err != nil {
		return false, err
	}
	w.committing.Lock()
	defer w.committing.Unlock()
	changed := w.recalled.made()
	err = w.db.Update(func(tx sealed.Tx) error {
		if err := mark(tx, name[:]); err != nil {
			return err
		}
		return putNote(tx, appendCounts(w, nil, nil), changed)
	})
	if err != nil {
		f.Close()
		return false, w.writeError(err)
	}
	w.recalled.use(f, mostLater(w), changed)
	if w.Damage.Len() > 0 { // damage found while writing
		return false, discard(w, nil)
	}
	return true, nil
}

// beginCheckpoint starts to note changes while a checkpoint is written, and returns the store's
// parts as they are now. ok is false if no checkpoint is to be written.
func beginCheckpoint(w *Workspace) (own []CheckpointPart, ok bool, err error) {
	w.committing.Lock()
	defer w.committing.Unlock()
	r := &w.recalled
	r.mu.Lock()
	ok = r.making == nil && (r.file == nil || len(r.later) >= fewLater)
	r.mu.Unlock()
	if !ok || ReadOnly(w) || w.repaired || w.Damage.String() != "" {
		return nil, false, nil
	}
	var urls, known bytes.Buffer
	saveURLs(w, &urls)
	if err := w.seen.save(&known); err != nil {
		return nil, false, err
	}
	words := w.nwords
	r.mu.Lock()
	r.making = map[uint64]struct{}{}
	r.mu.Unlock()
	whole := func(b *bytes.Buffer) func(*bufio.Writer) error {
		return func(out *bufio.Writer) error { _, err := out.Write(b.Bytes()); return err }
	}
	return []CheckpointPart{{Name: partURLs, Write: whole(&urls)}, {Name: partSeen, Write: whole(&known)},
		{Name: partWords, Write: func(out *bufio.Writer) error { return saveWords(w, out, words) }}}, true, nil
}

// made stops the notes for the new checkpoint and returns them.
func (r *checkpointed) made() []uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	ids := slices.Sorted(maps.Keys(r.making))
	r.making = nil
	return ids
}

// close closes the file; readers continue in the database.
func (r *checkpointed) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file != nil {
		r.file.Close()
	}
}

// DiscardCheckpoint drops the checkpoint of a workspace because a caller cannot use its part. The
// next one replaces it.
func DiscardCheckpoint(w *Workspace) error {
	w.committing.Lock()
	defer w.committing.Unlock()
	return discard(w, nil)
}

// discard drops the checkpoint in one transaction with a change; nil means none.
func discard(w *Workspace, change func(sealed.Tx) error) error {
	w.recalled.use(nil, 0, nil)
	if ReadOnly(w) {
		return nil
	}
	err := w.db.Update(func(tx sealed.Tx) error {
		if change != nil {
			if err := change(tx); err != nil {
				return err
			}
		}
		return schema.Forget(tx)
	})
	if err != nil {
		return w.writeError(err)
	}
	os.Remove(CheckpointPath(w.dir))
	return nil
}

// mostLater is the number of changed URLs at which a checkpoint is worthless.
func mostLater(w *Workspace) int { return 10*fewLater + len(w.heads)/4 }

// CheckpointPath is the checkpoint file of a workspace. It may be deleted at any time.
func CheckpointPath(dir string) string { return filepath.Join(dir, checkpointFile) }

// sweepCheckpoints removes temporary files of processes that were killed while writing one.
func sweepCheckpoints(dir string) {
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		if strings.HasPrefix(f.Name(), checkpointFile+".") {
			os.Remove(filepath.Join(dir, f.Name()))
		}
	}
}

// mark starts the notes for a checkpoint.
func mark(tx sealed.Tx, name []byte) error {
	if err := schema.Forget(tx); err != nil {
		return err
	}
	if _, err := tx.Raw().CreateBucket(schema.Later); err != nil {
		return err
	}
	return tx.Bucket(schema.Meta).Put(schema.KeyCheckpoint, append(make([]byte, 0, len(name)+sealed.Size), name...))
}

// note stores whose rows a commit changes. It gives up a checkpoint that has become worthless.
func (c *commit) note() error {
	r := &c.w.recalled
	r.mu.Lock()
	file, later, making := r.file, len(r.later), r.making != nil
	r.mu.Unlock()
	if file == nil && !making {
		return nil
	}
	for id := range c.heads {
		c.changed = append(c.changed, id)
	}
	slices.Sort(c.changed)
	c.changed = slices.Compact(c.changed)
	switch {
	case file == nil:
		return nil
	case later+len(c.changed) > r.most:
		c.giveUp = true
		return schema.Forget(c.tx)
	}
	return putNote(c.tx, appendCounts(c.w, make([]byte, 0, 64+2*len(c.changed)), c), c.changed)
}

// putNote appends a row to the bucket Later: counts, and ids in ascending order.
func putNote(tx sealed.Tx, row []byte, changed []uint64) error {
	b := tx.Bucket(schema.Later)
	n, err := b.NextSequence()
	if err != nil {
		return err
	}
	b.FillPercent = 0.9
	last := uint64(0)
	for _, id := range changed {
		row = binary.AppendUvarint(row, id-last)
		last = id
	}
	return b.Put(schema.IDKey(n), row)
}

// noted runs after the commit.
func (c *commit) noted() {
	r := &c.w.recalled
	if c.giveUp {
		r.use(nil, 0, nil)
		os.Remove(CheckpointPath(c.w.dir))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.note(c.changed)
}

// counted holds the counts of a workspace at one moment.
type counted struct {
	last                 uint64
	states               [numStates]int
	pages, notes, nwords int
}

// appendCounts writes the counts, after c if it is not nil.
func appendCounts(w *Workspace, b []byte, c *commit) []byte {
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
	count := func() int {
		n := r.uvarint()
		if n > 1<<40 {
			r.fail()
			return 0
		}
		return int(n)
	}
	c.last = r.uvarint()
	for s := range c.states {
		c.states[s] = count()
	}
	c.pages, c.notes, c.nwords = count(), count(), count()
	return c
}

// readLater reads the notes. counts are the counts after the last note.
func readLater(tx sealed.Tx, counts *counted) (later map[uint64]struct{}, err error) {
	later = map[uint64]struct{}{}
	c := tx.Bucket(schema.Later).Cursor()
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

// checkLater reports what is wrong with a row of the bucket Later.
func checkLater(_, v []byte) error {
	r := reader{b: v}
	for r.counts(); len(r.b) > 0; {
		r.uvarint()
	}
	return r.err
}

// pageRows yields the rows of all pages as stored, after each has seen them.
func pageRows(w *Workspace, each func(*Page)) iter.Seq2[checkpointRow, error] {
	return func(yield func(checkpointRow, error) bool) {
		for p, err := range w.Pages() {
			if err != nil {
				yield(checkpointRow{}, err)
				return
			}
			each(p)
			if !yield(checkpointRow{ID: p.ID, Value: appendPage(nil, p)}, nil) {
				return
			}
		}
	}
}
