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

// This file keeps a checkpoint beside the database: what opening a workspace gathers, so
// that the next opening reads one file and the rows that were committed later. A mark in
// the database names the checkpoint that belongs to it, and each commit notes in the same
// transaction whose rows it has changed. So what is read is always of one moment, and a
// checkpoint that belongs to another moment, or to another database, has another name.

const checkpointFile = databaseFile + ".checkpoint"

// The parts of a checkpoint that are the store's; others add theirs.
const (
	partURLs  = "urls"  // heads and counts
	partSeen  = "seen"  // the filter and the keys that are not merged
	partWords = "words" // the lexicon
	partPages = "pages" // the rows of pages
	partEnd   = "end"   // nothing
)

// checkpointed is the checkpoint of a workspace.
type checkpointed struct {
	mu    sync.Mutex
	file  *CheckpointFile // nil = none
	later map[uint64]struct{}
	most  int // ids in later: with more the checkpoint is given up

	making map[uint64]struct{} // changed since one was begun that is being made; nil = none is
}

// Recall returns a part that another caller has added to the checkpoint.
func Recall(w *Workspace, part string) ([]byte, error) {
	r := &w.recalled
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file == nil {
		return nil, errNoCheckpoint
	}
	return r.file.part(part)
}

// Later returns the ids of the URLs whose rows were changed after the checkpoint of w was
// made, ascending.
func Later(w *Workspace) []uint64 {
	_, changed := w.recalled.now()
	return changed
}

// use puts another file in place, nil for none; changed are the ids that were changed
// after it was begun.
func (r *checkpointed) use(f *CheckpointFile, most int, changed []uint64) {
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

// note follows a commit that changed some rows. It needs the lock.
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

// now returns the file and what was changed later, of one moment.
func (r *checkpointed) now() (*CheckpointFile, []uint64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.file, slices.Sorted(maps.Keys(r.later))
}

// fewLater changed URLs cost an opening less than a new checkpoint costs a closing.
const fewLater = 2000

// SaveCheckpoint writes a checkpoint, with parts of others besides, unless the one that is
// there is nearly as good; it tells whether it did. each is given every page on the way,
// before the parts of others are written. Commits go on meanwhile: whose rows they change
// is noted for the new checkpoint, too. But what the parts are made from must not lag
// behind the rows that are committed when it begins, and one is made at a time.
//
// There is none of a workspace with damaged rows, because who opens it is to be told of
// them.
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
	// The one before holds until another is marked in the database. Its file is closed,
	// because some systems replace none that is open.
	last := CheckpointPart{Name: partEnd, Write: func(*bufio.Writer) error { w.recalled.close(); return nil }}
	if err = writeCheckpoint(path, name, slices.Concat([]CheckpointPart{pages}, parts, own, []CheckpointPart{last})...); err != nil {
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
	if w.Damage.Len() > 0 { // met while it was written
		return false, discard(w)
	}
	return true, nil
}

// beginCheckpoint begins to note what is changed while a checkpoint is written, and
// returns the store's parts of it as they are now; ok is false when there is to be none.
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

// made ends the noting for a checkpoint that is being made, and returns what was noted.
func (r *checkpointed) made() []uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	ids := slices.Sorted(maps.Keys(r.making))
	r.making = nil
	return ids
}

// close closes the file; who is reading it goes on in the database.
func (r *checkpointed) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.file != nil {
		r.file.Close()
	}
}

// DiscardCheckpoint gives a workspace's checkpoint up, so that the next one takes its
// place: another caller cannot use his part of it.
func DiscardCheckpoint(w *Workspace) error {
	w.committing.Lock()
	defer w.committing.Unlock()
	return discard(w)
}

func discard(w *Workspace) error {
	w.recalled.use(nil, 0, nil)
	if ReadOnly(w) {
		return nil
	}
	if err := w.db.Update(schema.Forget); err != nil {
		return w.writeError(err)
	}
	os.Remove(CheckpointPath(w.dir))
	return nil
}

// mostLater is how many changed URLs make a checkpoint worth nothing.
func mostLater(w *Workspace) int { return 10*fewLater + len(w.heads)/4 }

// CheckpointPath is the file of a workspace's checkpoint, which may be removed at any
// time.
func CheckpointPath(dir string) string { return filepath.Join(dir, checkpointFile) }

// sweepCheckpoints removes what processes have left that were killed while they wrote one.
func sweepCheckpoints(dir string) {
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		if strings.HasPrefix(f.Name(), checkpointFile+".") {
			os.Remove(filepath.Join(dir, f.Name()))
		}
	}
}

// mark begins the notes for a checkpoint.
func mark(tx sealed.Tx, name []byte) error {
	if err := schema.Forget(tx); err != nil {
		return err
	}
	if _, err := tx.Raw().CreateBucket(schema.Later); err != nil {
		return err
	}
	return tx.Bucket(schema.Meta).Put(schema.KeyCheckpoint, append(make([]byte, 0, len(name)+sealed.Size), name...))
}

// note writes down whose rows a commit changes. A checkpoint that would be worth nothing
// any more is given up.
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

// noted follows the commit.
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

// counted are the counts of a workspace at one moment.
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

// readLater reads the notes. counts are those after the last of them.
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

// CheckLater says what is wrong with a row of the bucket Later.
func CheckLater(_, v []byte) error {
	r := reader{b: v}
	for r.counts(); len(r.b) > 0; {
		r.uvarint()
	}
	return r.err
}

// pageRows yields the rows of all pages as they lie in the database, after each.
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
