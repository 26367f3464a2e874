package proposals

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"angler/store"
	"angler/store/config"
)

func TestRows(t *testing.T) {
	dir := t.TempDir()
	set := config.Default()
	set.Seeds = []string{"http://a.test/"}
	if err := store.Create(dir, set); err != nil {
		t.Fatal(err)
	}
	w, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if rows, questions, err := Read(w); err != nil || len(rows)+len(questions) != 0 {
		t.Fatalf("before the first: %v, %v, %v", rows, questions, err)
	}
	at := time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)
	full := 0
	if err := Change(w, func(r *Rows) error {
		for i := range Most + 3 {
			switch err := r.Put(&Row{Host: fmt.Sprintf("h%d.example.com", i), URL: "http://x/"}); {
			case errors.Is(err, ErrFull):
				full++
			case err != nil:
				return err
			}
		}
		for i := range MostQuestions + 3 {
			if i%1000 != 0 && i < MostQuestions-1 { // the newest, and some before
				continue
			}
			if err := r.PutQuestion(&Question{Text: fmt.Sprintf("q%d", i), At: at.Add(time.Duration(i) * time.Minute)}); err != nil {
				return err
			}
		}
		return r.Put(&Row{Host: "h1.example.com", URL: "http://y/", Title: "again"}) // a known one fits in
	}); err != nil {
		t.Fatal(err)
	}
	rows, questions, err := Read(w)
	if err != nil || len(rows) != Most || full != 3 || len(questions) != 9 {
		t.Errorf("%d rows, %d refused, %d questions, %v", len(rows), full, len(questions), err)
	}
	if err := Change(w, func(r *Rows) error {
		if row := r.Host("h1.example.com"); row == nil || row.Title != "again" {
			t.Errorf("%+v", row)
		}
		if q := r.question("q1000"); q == nil || !q.At.Equal(at.Add(1000*time.Minute)) {
			t.Errorf("%+v", q)
		}
		if r.Host("none") != nil || r.question("none") != nil {
			t.Error("what is not there is found")
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

func FuzzClip(f *testing.F) {
	f.Add("招标\n公告 \xff")
	f.Add(strings.Repeat("长", 500))
	f.Fuzz(func(t *testing.T, s string) {
		if got := Clip(s); len(got) > Longest || !utf8.ValidString(got) || strings.ContainsAny(got, "\r\n\t") {
			t.Fatalf("%q", got)
		}
	})
}
