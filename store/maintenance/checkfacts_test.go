package maintenance

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"angler/store"
	"angler/store/records"
	"angler/store/schema"
	"angler/store/sealed"
)

// A damaged row of facts, and one of a deleted notice, are reported and removed by a repair, so
// that the notices are read again; other rows stay.
func TestTheValuesOfNoticesAreChecked(t *testing.T) {
	dir := crawled(t)
	w, err := store.Open(dir)
	must(t, err)
	count := func() (rows int) {
		must(t, records.ScanFacts(context.Background(), w, func(p records.FactsPlace) error {
			if p.Row != nil {
				rows++
			}
			return nil
		}))
		return rows
	}
	was := count()
	var first uint64
	must(t, records.ScanFacts(context.Background(), w, func(p records.FactsPlace) error {
		if first == 0 && p.Row != nil {
			first = p.ID
		}
		return nil
	}))
	gone := &records.Facts{ID: 999_999}
	must(t, records.PutFacts(w, []*records.Facts{gone}))
	if n := count(); n != was {
		t.Fatalf("the row of a notice that is not stored was kept: %d rows, %d before", n, was)
	}
	must(t, w.Write(func(tx sealed.Tx) error {
		b := tx.Bucket(records.FactsBucket)
		return b.Put(schema.IDKey(gone.ID), bytes.Clone(b.Get(schema.IDKey(first))))
	}))
	must(t, w.Write(func(tx sealed.Tx) error {
		return tx.Bucket(records.FactsBucket).Put(schema.IDKey(first), []byte{77})
	}))
	found, err := store.Checker{Workspace: w}.Repair()
	must(t, err)
	text := ""
	for _, p := range found.Problems {
		text += p.Text + "\n"
	}
	if len(found.Problems) != 2 || !strings.Contains(text, "it does not decode") || !strings.Contains(text, "there is no such notice") {
		t.Fatalf("found %q", text)
	}
	must(t, w.Close())
	w, err = store.Open(dir)
	must(t, err)
	defer w.Close()
	if n := count(); was == 0 || n != was-1 {
		t.Errorf("%d rows after the repair, %d before", n, was)
	}
	if problems, err := store.CheckQuickly(w); err != nil || len(problems) > 0 {
		t.Errorf("after the repair: %v %q", err, problems)
	}
}
