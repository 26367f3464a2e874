package check

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"angler/store"
	"angler/store/modes"
	"angler/store/schema"
	"angler/store/sealed"
)

// File looks at the pages of a workspace's database without bbolt, which
// trusts them: its length, and whether they form trees. It says what is wrong,
// and how many pages it has read. It works on a file that Open refuses. A
// workspace in use is ErrLocked.
func File(dir string) (problems []Problem, pages uint64, err error) {
	free, err := keepOut(dir)
	if err != nil {
		return nil, 0, err
	}
	defer free()
	r, err := sealed.Inspect(store.DatabasePath(dir), sealed.Leaves)
	if err != nil {
		return nil, 0, fmt.Errorf("cannot read %s (%v)", store.DatabasePath(dir), err)
	}
	return append(pageProblems(r), bucketProblems(r)...), r.Pages, nil
}

// bucketProblems compares the names of buckets. One of them is missing from the
// oldest workspaces.
func bucketProblems(r *sealed.Report) (problems []Problem) {
	known := append(store.Buckets(), whereNeeded...)
	for _, name := range r.Buckets {
		if !slices.ContainsFunc(known, func(b []byte) bool { return string(b) == name }) {
			problems = append(problems, Problem{Text: fmt.Sprintf("there is a bucket %q, which no workspace has", name), Repairs: salvages})
		}
	}
	for _, b := range store.Buckets() {
		if !bytes.Equal(b, store.BucketState) && !slices.Contains(r.Buckets, string(b)) {
			problems = append(problems, Problem{Text: fmt.Sprintf("bucket %s is missing", b), Repairs: salvages})
		}
	}
	return problems
}

const salvages = "copies every row that can be read into a new database, and keeps the old one beside it"

func pageProblems(r *sealed.Report) (problems []Problem) {
	for _, text := range r.Problems {
		problems = append(problems, Problem{Text: text, Repairs: salvages})
	}
	if r.More > 0 {
		problems = append(problems, Problem{Text: fmt.Sprintf("%d more pages", r.More), Repairs: salvages})
	}
	if r.Spare != "" {
		problems = append(problems, Problem{Text: r.Spare, Repairs: salvages})
	}
	return problems
}

// keepOut keeps others from writing the database until free is called, which may be
// twice.
func keepOut(dir string) (free func() error, err error) {
	if st, err := os.Stat(store.DatabasePath(dir)); err != nil || st.Size() == 0 {
		return func() error { return nil }, nil
	}
	db, err := bolt.Open(store.DatabasePath(dir), 0, &bolt.Options{ReadOnly: true, Timeout: store.LockWait})
	switch {
	case errors.Is(err, berrors.ErrTimeout):
		return nil, fmt.Errorf("%s: %w by %s", dir, store.ErrLocked, store.InTheWay(dir))
	case err != nil:
		return func() error { return nil }, nil // what bbolt does not open nobody has open
	}
	return db.Close, nil
}

// Salvaged says what Salvage brought home, and where the old file is.
type Salvaged struct {
	sealed.Salvaged
	Old string
}

// Salvage replaces a database whose pages are damaged by a new one with all rows
// that can still be read. Rows may be missing from it: Checker.Repair follows.
func Salvage(dir string) (*Salvaged, error) {
	free, err := keepOut(dir)
	if err != nil {
		return nil, err
	}
	defer free()
	path := store.DatabasePath(dir)
	made := path + ".salvaged"
	if err := os.RemoveAll(made); err != nil {
		return nil, fmt.Errorf("cannot remove %s (%v); remove it by hand", made, err)
	}
	var names []string
	for _, b := range append(store.Buckets(), whereNeeded...) {
		names = append(names, string(b))
	}
	older := func(_ string, key, v []byte) bool {
		return bytes.Equal(key, store.KeySchema) && len(v) == 4 && binary.BigEndian.Uint32(v) < schema.Sealed || bytes.Equal(key, store.KeySealing)
	}
	s, err := sealed.Salvage(path, made, names, string(store.BucketBodies), older)
	if err == nil && s.Rows == 0 {
		os.Remove(made)
		return nil, fmt.Errorf("%s: %w (no row can be read from it any more); put a backup back: angler restore FILE %s --force", path, store.ErrDamaged, dir)
	}
	if err == nil {
		err = complete(made)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot save the rows of %s in %s: %w", path, made, err)
	}
	os.Remove(store.CheckpointPath(dir)) // it is of rows that may be lost
	old := path + ".damaged"
	for i := 2; ; i++ {
		if _, err := os.Lstat(old); err != nil {
			break
		}
		old = fmt.Sprintf("%s.damaged-%d", path, i)
	}
	if os.Link(path, old) != nil { // with a link there is a database at every moment
		if err := modes.Rename(path, old, free); err != nil {
			return nil, fmt.Errorf("cannot move %s aside (%v)", path, err)
		}
	}
	if err := modes.Rename(made, path, free); err != nil {
		return nil, fmt.Errorf("cannot put %s in place (%v); rename it by hand", made, err)
	}
	_ = modes.SyncFolder(filepath.Dir(path)) // names that a crash of the machine brings back are both of whole files
	return &Salvaged{*s, old}, nil
}

// complete gives a database of saved rows what it cannot be opened without, and
// has its keys compared with its URLs at the next opening.
func complete(path string) error {
	db, err := sealed.Open(path, 0, sealed.Options{Plain: string(store.BucketBodies), Bare: string(store.KeySchema)})
	if err != nil {
		return err
	}
	err = db.Update(func(tx sealed.Tx) error {
		meta := tx.Bucket(store.BucketMeta)
		if tx.Raw().Bucket(store.BucketMeta).Get(store.KeySchema) == nil && meta.Get(store.KeySealed) == nil { // one alone tells the upgrade from where
			if err := store.PutSchema(tx); err != nil {
				return err
			}
		}
		if v, err := meta.Look(store.KeySealed); v == nil && err == nil {
			return nil // of an older schema: keys are merged as it says
		}
		return meta.Put(store.KeyMerged, store.IDKey(0))
	})
	return errors.Join(err, db.Close())
}
