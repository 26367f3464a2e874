package records

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"angler/store/sealed"
)

func TestVersionsAreKeptAndBounded(t *testing.T) {
	rows := open(t)
	at := func(n int) time.Time { return time.Date(2026, 3, n, 9, 0, 0, 0, time.UTC) }
	keep := func(id uint64, n, most int) {
		must(t, rows.Write(func(tx sealed.Tx) error {
			return KeepVersion(tx, id, NoticeVersion{Until: at(n), Title: "公告", Text: fmt.Sprint("第", n, "版"), Files: []string{"a.pdf"}}, most)
		}))
	}
	numbers := func(id uint64) string {
		list, err := VersionsOf(rows, id)
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
	must(t, rows.Write(func(tx sealed.Tx) error {
		gone, next, err := PruneVersions(tx, at(7), nil, 100)
		if gone != 1 || next != nil {
			t.Errorf("%d are old, next %x", gone, next)
		}
		return err
	}))
	if numbers(7) != "" || numbers(8) == "" {
		t.Error("the wrong version went")
	}
	must(t, rows.Write(func(tx sealed.Tx) error { return DropVersions(tx, 8) }))
	if numbers(8) != "" {
		t.Error("it is still there")
	}
}

func TestLongTextsAreCut(t *testing.T) {
	rows := open(t)
	must(t, rows.Write(func(tx sealed.Tx) error {
		return KeepVersion(tx, 1, NoticeVersion{Text: strings.Repeat("甲", maxVersionText)}, 5)
	}))
	list, err := VersionsOf(rows, 1)
	must(t, err)
	if n := len(list[0].Text); n > maxVersionText || n < maxVersionText-3 {
		t.Errorf("%d bytes are kept", n)
	}
}
