package maintenance

import (
	"strings"
	"testing"

	"angler/store"
	"angler/store/records"
	"angler/store/schema"
	"angler/store/sealed"
)

// A damaged row of the history is reported and moved aside by a repair, and the other rows stay.
func TestTheHistoryOfTheRunsIsCheckedAndKept(t *testing.T) {
	dir := crawled(t)
	w, err := store.Open(dir)
	must(t, err)
	must(t, w.Write(func(tx sealed.Tx) error {
		return tx.Bucket(records.RunsBucket).Put(schema.IDKey(2), []byte(`{"id":2}`))
	}))
	found, err := store.Checker{Workspace: w}.Repair()
	must(t, err)
	if len(found.Problems) != 1 || !strings.Contains(found.Problems[0].Text, "runs 2 is damaged") {
		t.Fatalf("found %q", found.Problems)
	}
	must(t, w.Close())
	if file, err := store.CheckFile(dir); err != nil || len(file.Problems) > 0 {
		t.Fatalf("the file: %v %+v", err, file)
	}
	w, err = store.Open(dir)
	must(t, err)
	defer w.Close()
	rows, err := records.Runs(w, 0, 10)
	must(t, err)
	if len(rows) != 4 || rows[0].ID != 5 || rows[0].Fetched != 120 {
		t.Errorf("%d rows after the repair, the newest %+v", len(rows), rows[0])
	}
	if problems, err := store.CheckQuickly(w); err != nil || len(problems) > 0 {
		t.Errorf("after all: %v %q", err, problems)
	}
}
