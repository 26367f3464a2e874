package versions_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"angler/store"
	"angler/store/config"
	"angler/store/sealed"
	"angler/store/versions"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestVersionsAreKeptAndBounded(t *testing.T) {
	dir := t.TempDir()
	must(t, store.Create(dir, config.Default()))
	w, err := store.Open(dir)
	must(t, err)
	defer w.Close()
	rows := store.RowsOf(w)
	at := func(n int) time.Time { return time.Date(2026, 3, n, 9, 0, 0, 0, time.UTC) }
	keep := func(id uint64, n, most int) {
		must(t, rows.Write(func(tx sealed.Tx) error {
			return versions.Keep(tx, id, versions.Version{Until: at(n), Title: "公告", Text: fmt.Sprint("第", n, "版"), Files: []string{"a.pdf"}}, most)
		}))
	}
	numbers := func(id uint64) string {
		list, err := versions.Of(rows.DB(), id)
		must(t, err)
		var out []string
		for _, v := range list {
			out = append(out, fmt.Sprint(v.Number, v.Text, v.Until.Day()))
		}
		return strings.Join(out, " ")
	}
	if got := numbers(7); got != "" {
		t.Errorf("a workspace without versions has %q", got)
	}
	for n := 1; n <= 5; n++ {
		keep(7, n, 3)
	}
	keep(8, 9, 3)
	if got, want := numbers(7), "3 第3版 3 4 第4版 4 5 第5版 5"; strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(want, " ", "") {
		t.Errorf("kept %q, want %q", got, want)
	}
	keep(7, 6, 1)
	if got := strings.ReplaceAll(numbers(7), " ", ""); got != "6第6版6" {
		t.Errorf("with room for one: %q", got)
	}
	if v, n, size, err := versions.Total(rows.DB()); err != nil || v != 2 || n != 2 || size < 60 {
		t.Errorf("%d versions of %d notices, %d bytes, %v", v, n, size, err)
	}
	must(t, rows.Write(func(tx sealed.Tx) error {
		gone, next, err := versions.Prune(tx, at(7), nil, 100)
		if gone != 1 || next != nil {
			t.Errorf("%d are old, next %x", gone, next)
		}
		return err
	}))
	if numbers(7) != "" || numbers(8) == "" {
		t.Error("the wrong version went")
	}
	must(t, rows.Write(func(tx sealed.Tx) error { return versions.Drop(tx, 8) }))
	if numbers(8) != "" {
		t.Error("it is still there")
	}
}

func TestLongTextsAreCut(t *testing.T) {
	dir := t.TempDir()
	must(t, store.Create(dir, config.Default()))
	w, err := store.Open(dir)
	must(t, err)
	defer w.Close()
	rows := store.RowsOf(w)
	must(t, rows.Write(func(tx sealed.Tx) error {
		return versions.Keep(tx, 1, versions.Version{Text: strings.Repeat("甲", versions.MaxText)}, 5)
	}))
	list, err := versions.Of(rows.DB(), 1)
	must(t, err)
	if n := len(list[0].Text); n > versions.MaxText || n < versions.MaxText-3 {
		t.Errorf("%d bytes are kept", n)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add([]byte("aaaaaaaabbbb"), []byte{2, 4, '{', '}'})
	f.Fuzz(func(_ *testing.T, k, v []byte) { versions.Check(k, v) })
}
