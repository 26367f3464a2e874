package dates

import (
	"strings"
	"testing"
	"time"
)

var testNow = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func TestFindDate(t *testing.T) {
	now := time.Date(2025, 3, 12, 9, 0, 0, 0, Shanghai)
	for _, c := range []struct{ name, in, want string }{
		{"hyphens", "发布时间：2024-05-06", "2024-05-06"},
		{"one digit", "2024-5-6", "2024-05-06"},
		{"Chinese", "2024年5月6日", "2024-05-06"},
		{"Chinese with spaces", "2024 年 5 月 6 日", "2024-05-06"},
		{"dots", "[2024.05.06]", "2024-05-06"},
		{"slashes", "2024/05/06", "2024-05-06"},
		{"wide hyphens", "2024－05－06", "2024-05-06"},
		{"compact", "t20240506_1.html", ""},
		{"compact alone", "日期 20240506 ", "2024-05-06"},
		{"minute", "2024-05-06 17:30", "2024-05-06 17:30"},
		{"second", "2024-05-06 17:30:59", "2024-05-06 17:30"},
		{"Chinese time", "2024年5月6日 9时30分", "2024-05-06 09:30"},
		{"ISO with zone", "2024-05-06T01:30:00+00:00", "2024-05-06 09:30"},
		{"ISO in UTC", "2024-05-06T20:30:00.123Z", "2024-05-07 04:30"},
		{"ISO at home", "2024-05-06T20:30:00+08:00", "2024-05-06 20:30"},
		{"English", "May 6, 2024", "2024-05-06"},
		{"English, day first", "6th May 2024", "2024-05-06"},
		{"month first", "5/6/2024 9:23:57 PM", "2024-05-06 21:23"},
		{"tomorrow is a date", "2025-03-13", "2025-03-13"},
		{"next month is none", "2025-04-13", ""},
		{"a deadline does not hide the date behind it", "截止2025-06-01，发布2025-03-01", "2025-03-01"},
		{"13th month", "2024-13-06", ""},
		{"30 February", "2024-02-30", ""},
		{"29 February", "2024-02-29", "2024-02-29"},
		{"29 February of another year", "2023-02-29", ""},
		{"pager", "1/2", ""},
		{"telephone", "010-2024-0506", ""},
		{"part of a longer number", "12024-05-067", ""},
		{"month only", "2024年5月", ""},
		{"nothing", "没有日期", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, from, to, ok := Find(c.in, now)
			if d.String() != c.want || ok != (c.want != "") {
				t.Fatalf("Find(%q) = %s, want %s", c.in, d, c.want)
			}
			if ok && (from < 0 || to > len(c.in) || from >= to) {
				t.Fatalf("found at %d:%d", from, to)
			}
		})
	}
}

func TestListDates(t *testing.T) {
	now := time.Date(2025, 3, 12, 9, 0, 0, 0, Shanghai)
	for _, c := range []struct{ name, in, want string }{
		{"month and day", "05-12", "2024?-05-12"},
		{"month and day of this year", "[03-10]", "2025?-03-10"},
		{"Chinese", "3月1日", "2025?-03-01"},
		{"day over month", "12 2024-05", "2024-05-12"},
		{"day over Chinese month", "12 2024年05月", "2024-05-12"},
		{"month before day", "2024-05 12", "2024-05-12"},
		{"month, day, year", "05-12 2024", "2024-05-12"},
		{"pager", "1/2", ""},
		{"pager with two digits", "第 01/12 页", ""},
		{"chapter", "1.2", ""},
		{"score", "合同3-2号", ""},
		{"time only", "10:30", ""},
		{"range of pages", "共12-15条", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d, _, _, _ := FindShort(c.in, now); d.String() != c.want {
				t.Errorf("FindShort(%q) = %s, want %s", c.in, d, c.want)
			}
		})
	}
}

func TestURLDate(t *testing.T) {
	for url, want := range map[string]string{
		"http://a.test/2024/05/06/x.html":              "2024-05-06",
		"http://a.test/202405/t20240506_123.html":      "2024-05-06",
		"http://a.test/2024-05/06/c_1.htm":             "2024-05-06",
		"http://a.test/2024/0506/c1.htm":               "2024-05-06",
		"http://a.test/info/1023/1260.htm":             "",
		"http://a.test/9b/4c/c24267a328605/page.htm":   "",
		"http://a.test/2024/05/x.htm":                  "",
		"http://20240506.test/":                        "",
		"http://a.test/info/20241399/x.htm":            "",
		"http://a.test/art/2024/5/6/art_1_1.html":      "2024-05-06",
		"http://a.test/xxgk/202405/20240506102030.htm": "2024-05-06",
	} {
		d, _ := urlDate(url, testNow)
		if d.String() != want {
			t.Errorf("urlDate(%q) = %s, want %s", url, d, want)
		}
	}
}

func FuzzFindDate(f *testing.F) {
	for _, s := range []string{"2024-05-06 10:30", "2024年5月6日", "12 2024-05", "May 6, 2024", "20240506T101010Z", "5/6/2024 9:1 PM", "2024-5-6T1:2:3.4+0800", "[05-12]", "3月1日"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, short := range []bool{false, true} {
			d, from, to, ok := scan(s, testNow, short)
			if ok != !d.IsZero() {
				t.Fatalf("%q: ok %v, date %s", s, ok, d)
			}
			if ok && (from < 0 || from >= to || to > len(s) || d.Time.After(testNow.Add(Horizon)) || d.Time.Year() < 1979) {
				t.Fatalf("%q: %s at %d:%d", s, d, from, to)
			}
		}
		urlDate("http://a.test/"+s, testNow)
		if strings.Count(s, "\n") < 50 {
			labelled(s, testNow)
		}
	})
}
