package listpage

import (
	"fmt"
	"testing"
)

func TestNumbersOfDates(t *testing.T) {
	for text, want := range map[string]string{
		"公告 10/11/2026":           "10 11 2026",
		"公告31-1-2026 10:30":       "31 1 2026",
		"20.20.2020 公告 5.12.2024": "5 12 2024",
		"2026-11-20":              "0 0 0",
		"110/11/2026":             "0 0 0",
		"10/11-2026":              "0 0 0",
		"10/11/20261":             "0 0 0",
		"0/11/2026":               "0 0 0",
		"1/32/2026":               "0 0 0",
		"/1/2026":                 "0 0 0",
		"20":                      "0 0 0",
		"":                        "0 0 0",
	} {
		a, b, year := numbersOfDate(text)
		if got := fmt.Sprint(a, b, year); got != want && (year != 0 || want != "0 0 0") {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// FuzzNumbersOfDate checks that only dates are returned.
func FuzzNumbersOfDate(f *testing.F) {
	f.Add("招标公告10/11/2026")
	f.Add("20/20/2020/20-20.20")
	f.Fuzz(func(t *testing.T, s string) {
		if a, b, year := numbersOfDate(s); year != 0 && (a < 1 || b < 1 || min(a, b) > 12 || max(a, b) > 31 || year/100 != 20) {
			t.Errorf("%q: %d %d %d", s, a, b, year)
		}
	})
}
