package records

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"angler/store/sealed"
)

func TestMissingEntries(t *testing.T) {
	db := open(t)
	if r, err := MissingOf(db, 3); r != nil || err != nil {
		t.Fatalf("before the first: %v, %v", r, err)
	}
	at := time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)
	put := func(id uint64, r *MissingEntries) {
		t.Helper()
		must(t, db.Write(func(tx sealed.Tx) error { return PutMissing(tx, id, r) }))
	}
	put(9, &MissingEntries{}) // nothing to remove
	pager := MissingEntry{Kind: "pager", Text: "共 30 页", Why: "it calls toPage(2)"}
	put(3, &MissingEntries{Seen: []MissingEntry{pager, {Kind: "form"}, {Kind: "pager"}}, Since: at, Told: []string{"pager"}})
	r, err := MissingOf(db, 3)
	if err != nil || r == nil || r.ID != 3 || len(r.Seen) != 3 || r.Seen[0] != pager || !r.Since.Equal(at) {
		t.Fatalf("%+v, %v", r, err)
	}
	if !reflect.DeepEqual(r.Kinds(), []string{"form", "pager"}) {
		t.Errorf("kinds %v", r.Kinds())
	}
	many := make([]MissingEntry, maxMissing+3)
	for i := range many {
		many[i] = MissingEntry{Kind: "pager", Text: strings.Repeat("长", 400)}
	}
	put(5, &MissingEntries{Seen: many, Since: at})
	all, err := AllMissing(db)
	if err != nil || len(all) != 2 || all[0].ID != 3 || len(all[1].Seen) != maxMissing || len(all[1].Seen[0].Text) > maxMissingText || len(many[0].Text) != 1200 {
		t.Fatalf("%+v, %v", all, err)
	}
	put(3, &MissingEntries{})
	if r, err := MissingOf(db, 3); r != nil || err != nil {
		t.Errorf("once nothing is missing: %+v, %v", r, err)
	}
}
