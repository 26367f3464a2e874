package records

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestProposals(t *testing.T) {
	w := open(t)
	if rows, questions, err := Proposals(w); err != nil || len(rows)+len(questions) != 0 {
		t.Fatalf("before the first: %v, %v, %v", rows, questions, err)
	}
	at := time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)
	full := 0
	must(t, ChangeProposals(w, func(r *ProposalRows) error {
		for i := range MaxProposals + 3 {
			switch err := r.Put(&Proposal{Host: fmt.Sprintf("h%d.example.com", i), URL: "http://x/"}); {
			case errors.Is(err, ErrProposalsFull):
				full++
			case err != nil:
				return err
			}
		}
		for i := range maxQuestions + 3 {
			if i%1000 != 0 && i < maxQuestions-1 { // the newest, and some before
				continue
			}
			if err := r.PutQuestion(&Question{Text: fmt.Sprintf("q%d", i), At: at.Add(time.Duration(i) * time.Minute)}); err != nil {
				return err
			}
		}
		return r.Put(&Proposal{Host: "h1.example.com", URL: "http://y/", Title: "again"}) // a known one fits in
	}))
	rows, questions, err := Proposals(w)
	if err != nil || len(rows) != MaxProposals || full != 3 || len(questions) != 9 {
		t.Errorf("%d rows, %d refused, %d questions, %v", len(rows), full, len(questions), err)
	}
	must(t, ChangeProposals(w, func(r *ProposalRows) error {
		if row := r.Host("h1.example.com"); row == nil || row.Title != "again" {
			t.Errorf("%+v", row)
		}
		if q := r.questions.get("q1000"); q == nil || !q.At.Equal(at.Add(1000*time.Minute)) {
			t.Errorf("%+v", q)
		}
		if r.Host("none") != nil || r.questions.get("none") != nil {
			t.Error("what is not there is found")
		}
		return nil
	}))
}

func FuzzClipProposal(f *testing.F) {
	f.Add("招标\n公告 \xff")
	f.Add(strings.Repeat("长", 500))
	f.Fuzz(func(t *testing.T, s string) {
		if got := ClipProposal(s); len(got) > MaxProposalText || !utf8.ValidString(got) || strings.ContainsAny(got, "\r\n\t") {
			t.Fatalf("%q", got)
		}
	})
}
