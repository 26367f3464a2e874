package check

import (
	"encoding/binary"
	"errors"
	"io"
	"strings"
	"testing"

	"angler/store"
	"angler/store/runs"
	"angler/store/schema"
	"angler/store/sealed"
)

// A damaged row of the history is told, moved aside by a repair, and the other
// rows stay; a file whose pages are damaged gives its history on to the new one.
func TestTheHistoryOfTheRunsIsCheckedAndKept(t *testing.T) {
	dir := workspace(t)
	w, err := store.Open(dir)
	must(t, err)
	must(t, store.RowsOf(w).Write(func(tx sealed.Tx) error {
		return tx.Bucket(runs.Bucket).Put(store.IDKey(2), []byte(`{"id":2}`))
	}))
	found, err := Checker{Workspace: w}.Repair()
	must(t, err)
	if len(found.Problems) != 1 || !strings.Contains(found.Problems[0].Text, "runs 2 is damaged") {
		t.Fatalf("found %q", found.Problems)
	}
	must(t, w.Close())
	if problems, _, err := File(dir); err != nil || len(problems) > 0 {
		t.Fatalf("the file: %v %q", err, problems)
	}
	_, err = Salvage(dir)
	must(t, err)
	w, err = store.Open(dir)
	must(t, err)
	defer w.Close()
	rows, err := runs.List(w, 0, 10)
	must(t, err)
	if len(rows) != 4 || rows[0].ID != 5 || rows[0].Fetched != 120 {
		t.Errorf("%d rows after the repair and a salvage, the newest %+v", len(rows), rows[0])
	}
	if problems, err := Look(w); err != nil || len(problems) > 0 {
		t.Errorf("after all: %v %q", err, problems)
	}
}

// A salvage that finds one of the two rows of the schema leaves the upgrade to the
// next opening.
func TestASalvageKeepsTheSchemaThatIsLeft(t *testing.T) {
	dir := workspace(t)
	w, err := store.Open(dir)
	must(t, err)
	must(t, store.RowsOf(w).Write(func(tx sealed.Tx) error {
		return errors.Join(tx.Bucket(store.BucketMeta).Put(store.KeySealed, binary.BigEndian.AppendUint32(nil, schema.Sealed)),
			tx.Raw().Bucket(store.BucketMeta).Delete(store.KeySchema))
	}))
	must(t, w.Close())
	_, err = Salvage(dir)
	must(t, err)
	src, err := store.OpenSource(dir)
	must(t, err)
	defer src.Close()
	must(t, src.Copy(func(_ int64, version int, _ io.WriterTo) error {
		if version != schema.Sealed {
			t.Errorf("schema %d after the salvage, %d before", version, schema.Sealed)
		}
		return nil
	}))
}
