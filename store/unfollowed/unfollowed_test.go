package unfollowed_test

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"angler/store"
	"angler/store/config"
	"angler/store/sealed"
	. "angler/store/unfollowed"
)

func TestRows(t *testing.T) {
	dir := t.TempDir()
	if err := store.Create(dir, config.Default()); err != nil {
		t.Fatal(err)
	}
	w, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	rows := store.RowsOf(w)
	db := rows.DB()
	if r, err := Of(db, 3); r != nil || err != nil {
		t.Fatalf("before the first: %v, %v", r, err)
	}
	at := time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)
	put := func(id uint64, r *Row) {
		t.Helper()
		if err := rows.Write(func(tx sealed.Tx) error { return Put(tx, id, r) }); err != nil {
			t.Fatal(err)
		}
	}
	put(9, &Row{}) // nothing to remove
	pager := Thing{Kind: "pager", Text: "共 30 页", Why: "it calls toPage(2)"}
	put(3, &Row{Seen: []Thing{pager, {Kind: "form"}, {Kind: "pager"}}, Since: at, Told: []string{"pager"}})
	r, err := Of(db, 3)
	if err != nil || r == nil || r.ID != 3 || len(r.Seen) != 3 || r.Seen[0] != pager || !r.Since.Equal(at) {
		t.Fatalf("%+v, %v", r, err)
	}
	if !r.Untold() || !reflect.DeepEqual(r.Kinds(), []string{"form", "pager"}) {
		t.Errorf("untold %v, kinds %v", r.Untold(), r.Kinds())
	}
	r.Told = r.Kinds()
	if r.Untold() {
		t.Error("all was told")
	}
	many := make([]Thing, Most+3)
	for i := range many {
		many[i] = Thing{Kind: "pager", Text: strings.Repeat("长", 400)}
	}
	put(5, &Row{Seen: many, Since: at})
	all, err := All(db)
	if err != nil || len(all) != 2 || all[0].ID != 3 || len(all[1].Seen) != Most || len(all[1].Seen[0].Text) > Longest || len(many[0].Text) != 1200 {
		t.Fatalf("%+v, %v", all, err)
	}
	put(3, &Row{})
	if r, err := Of(db, 3); r != nil || err != nil {
		t.Errorf("once nothing is missing: %+v, %v", r, err)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 1}, []byte(`{"seen":[{"kind":"pager"}],"since":"2026-11-22T08:00:00Z"}`))
	f.Add([]byte{1}, []byte(`{}`))
	f.Fuzz(func(t *testing.T, key, v []byte) {
		if r, err := Decode(key, v); err == nil && (r.ID == 0 || len(r.Seen) == 0 || len(r.Kinds()) == 0) {
			t.Fatalf("%q reads as %+v", v, r)
		}
	})
}
