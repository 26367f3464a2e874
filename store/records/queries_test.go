package records

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestFailedQueries(t *testing.T) {
	w := open(t)
	if rows, err := FailedQueries(w); err != nil || len(rows) != 0 {
		t.Fatalf("before the first: %v, %v", rows, err)
	}
	at := time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)
	ask := func(q string, n int) {
		t.Helper()
		must(t, QueryFailed(w, q, "wang", at.Add(time.Duration(n)*time.Minute)))
	}
	ask("显微镜", 1)
	ask(" 显微镜 ", 2)
	ask("深海  钻井", 3)
	ask("", 4)
	ask(strings.Repeat("长", 100), 5)
	rows, err := FailedQueries(w)
	if err != nil || len(rows) != 2 || rows[0].Query != "显微镜" || rows[0].Times != 2 || !rows[0].Last.Equal(at.Add(2*time.Minute)) || rows[1].Query != "深海 钻井" {
		t.Errorf("%+v, %v", rows, err)
	}
	for i := range maxQueries + 20 {
		ask(fmt.Sprintf("问题%d", i), 10+i)
	}
	rows, err = FailedQueries(w)
	if err != nil || len(rows) != maxQueries {
		t.Errorf("%d are kept, %v", len(rows), err)
	}
	for _, r := range rows {
		if r.Query == "显微镜" {
			t.Error("what was asked longest ago is kept")
		}
	}
	must(t, ForgetQuery(w, "问题100"))
	if rows, _ := FailedQueries(w); len(rows) != maxQueries-1 {
		t.Errorf("%d are kept", len(rows))
	}
}
