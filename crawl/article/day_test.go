package article

import (
	"testing"
	"time"
)

func TestMonthHeading(t *testing.T) {
	for in, want := range map[string]string{
		"2026年3月": "2026-03", " 2026年03月份 ": "2026-03", "二〇二六年三月": "2026-03", "2026-03": "2026-03", "March 2026": "2026-03",
		"[2026/12]": "2026-12", "民国115年3月": "2026-03", "2026年": "", "3月": "", "2026年3月5日": "", "2026年3月公告": "", "公告 2026年3月": "", "": "",
	} {
		if d, ok := MonthHeading(in); d.String() != want || ok != (want != "") {
			t.Errorf("MonthHeading(%q) = %s, %v, want %q", in, d, ok, want)
		}
	}
}

func TestLeadingDay(t *testing.T) {
	for _, c := range []struct {
		in    string
		day   int
		rest  string
		named bool
	}{
		{"05", 5, "", false}, {"5 采购公告", 5, "采购公告", false}, {"[05]采购公告", 5, "采购公告", false}, {"12日采购公告", 12, "采购公告", true},
		{"3号 采购公告", 3, "采购公告", true}, {"5th call", 5, "call", true}, {"五日 采购公告", 5, "采购公告", true}, {"21 | 采购公告", 21, "采购公告", false},
		{"5、采购公告", 0, "", false}, {"5.采购公告", 0, "", false}, {"5台显微镜", 0, "", false}, {"32 采购公告", 0, "", false}, {"0 采购公告", 0, "", false},
		{"2026 采购公告", 0, "", false}, {"一 采购公告", 0, "", false}, {"05-12", 0, "", false}, {"采购公告", 0, "", false}, {"", 0, "", false},
	} {
		day, end, named, ok := LeadingDay(c.in)
		if day != c.day || named != c.named || ok != (c.day > 0) || ok && c.in[end:] != c.rest {
			t.Errorf("LeadingDay(%q) = %d, %d, %v, %v", c.in, day, end, named, ok)
		}
	}
}

func TestDayOf(t *testing.T) {
	month, _ := MonthHeading("2026年2月")
	now := time.Date(2026, 2, 10, 9, 0, 0, 0, Shanghai)
	for day, want := range map[int]string{5: "2026-02-05", 11: "2026-02-11", 20: "", 29: "", 0: ""} {
		if d, ok := DayOf(month, day, now); d.String() != want || ok != (want != "") {
			t.Errorf("day %d is %s, %v, want %q", day, d, ok, want)
		}
	}
	if d, ok := DayOf(month, 28, time.Time{}); !ok || d.String() != "2026-02-28" {
		t.Errorf("without a clock: %s, %v", d, ok)
	}
}

func FuzzLeadingDay(f *testing.F) {
	for _, s := range []string{"05 title", "[5] title", "5日", "5th of", "（五日）", "2026年3月", "March 2026", "31\n|", "\xe6\x97"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if day, end, _, ok := LeadingDay(s); ok && (day < 1 || day > 31 || end < 1 || end > len(s)) {
			t.Fatalf("LeadingDay(%q) = %d, %d", s, day, end)
		}
		if m, ok := MonthHeading(s); ok && (m.Precision != Month || m.Time.Year() < 1980 || m.Time.Year() > 2049) {
			t.Fatalf("MonthHeading(%q) = %+v", s, m)
		}
	})
}
