package article

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
		{"months", "2024年5-6月", ""},
		{"Chinese numerals", "二〇二四年五月六日", "2024-05-06"},
		{"a circle for zero", "二○二四年十二月廿九日", "2024-12-29"},
		{"letters for zero", "二OO九年十月卅一日", "2009-10-31"},
		{"a digit for zero", "二0二四年一月三十日", "2024-01-30"},
		{"first month", "二零二四年元月二十一日", "2024-01-21"},
		{"a tenth", "日期：二〇二四年十月十日（盖章）", "2024-10-10"},
		{"full-width digits", "２０２４年５月６日", "2024-05-06"},
		{"full-width digits and hyphens", "２０２４－０５－０６", "2024-05-06"},
		{"two-digit year", "24年5月6日", "2024-05-06"},
		{"year of the Republic", "民國113年5月6日", "2024-05-06"},
		{"year of the Republic, in numerals", "中華民國一一三年五月六日", "2024-05-06"},
		{"year of the Republic, without its name", "113年5月6日", "2024-05-06"},
		{"year of the Republic, with dots", "民国113.05.06", "2024-05-06"},
		{"Reiwa", "令和6年5月6日", "2024-05-06"},
		{"first year of Reiwa", "令和元年5月6日", "2019-05-06"},
		{"Heisei", "平成31年4月30日", "2019-04-30"},
		{"weekday between", "2024年5月6日（星期一）上午9时30分", "2024-05-06 09:30"},
		{"weekday without brackets", "2024-05-06 周一 14:05", "2024-05-06 14:05"},
		{"English weekday", "Mon, 6 May 2024 10:30:00 +0000", "2024-05-06 18:30"},
		{"end of the day", "2024-05-06 24:00", "2024-05-06 23:59"},
		{"afternoon", "2024年5月6日下午2点半", "2024-05-06 14:30"},
		{"a point behind a short month", "Nov. 20, 2023", "2023-11-20"},
		{"quarters of an hour", "2024年5月6日下午3点3刻", "2024-05-06 15:45"},
		{"a quarter in Chinese numerals", "2024年5月6日上午九时一刻", "2024-05-06 09:15"},
		{"share in numerals", "一百二十三人", ""},
		{"chapter", "二〇二四年第一季度", ""},
		{"two-digit year without a list", "24-05-06", ""},
		{"nothing", "没有日期", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, from, to, ok := FindDate(c.in, now)
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
		{"month before year", "05 2024 12", ""},
		{"day below year and month", "2024/05 06", "2024-05-06"},
		{"day above slashes", "06 2024/05", "2024-05-06"},
		{"day above a month in front", "06 05/2024", "2024-05-06"},
		{"day above a month with its sign", "06 5月 2024", "2024-05-06"},
		{"day above a month without a year", "06 5月", "2024?-05-06"},
		{"day, weekday, month", "06 周一 2024-05", "2024-05-06"},
		{"day, time, month", "06 10:30 2024-05", "2024-05-06"},
		{"day with its sign", "06日 2024年05月", "2024-05-06"},
		{"year above month and day", "2024 05-06", "2024-05-06"},
		{"year with its sign above month and day", "2024年 05/06", "2024-05-06"},
		{"three elements", "2024 05 06", "2024-05-06"},
		{"month above day in English", "Mar 09, 2025", "2025-03-09"},
		{"English month alone", "May 2024", "2024-05"},
		{"two-digit year", "24-05-06", "2024-05-06"},
		{"two-digit year in brackets", "[24.05.06]", "2024-05-06"},
		{"two-digit year of the last century", "98/05/06", "1998-05-06"},
		{"two-digit year behind", "28/02/25", "2025-02-28"},
		{"year of the Republic", "113/05/06", "2024-05-06"},
		{"dots, the day first", "16.05.2024", "2024-05-16"},
		{"Chinese numerals", "三月一日", "2025?-03-01"},
		{"month", "2025-02", "2025-02"},
		{"month with signs", "2025年2月", "2025-02"},
		{"month in front", "02/2025", "2025-02"},
		{"month, and a date behind it", "2025-02 发布 2025-03-04", "2025-03-04"},
		{"number and date", "3 2025-03-04", "2025-03-04"},
		{"two numbers and a date", "3 12 2025-03-04", "2025-03-04"},
		{"project of a year", "编号2024-05", ""},
		{"pager", "1/2", ""},
		{"pager with two digits", "第 01/12 页", ""},
		{"chapter", "1.2", ""},
		{"score", "合同3-2号", ""},
		{"time only", "10:30", ""},
		{"range of pages", "共12-15条", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d, _, _, _ := FindShortDate(c.in, now); d.String() != c.want {
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
	for _, s := range []string{"2024-05-06 10:30", "2024年5月6日", "12 2024-05", "May 6, 2024", "20240506T101010Z", "5/6/2024 9:1 PM", "2024-5-6T1:2:3.4+0800", "[05-12]", "3月1日", "二〇二五年十月廿九日（星期三）下午2点半", "民國114年3月9日", "令和元年5月1日", "09 周一 2025/03", "２５．３．９", "2025-03", "Mar 9", "24:00"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for as := inText; as <= inField; as++ {
			now := testNow
			if as == inField {
				now = time.Time{}
			}
			d, from, to, ok := scan(s, now, as)
			if ok != !d.IsZero() {
				t.Fatalf("%q: ok %v, date %s", s, ok, d)
			}
			if ok && (from < 0 || from >= to || to > len(s) || d.Time.After(now.Add(DateHorizon)) && as != inField || d.Time.Year() < 1979 || d.Time.Year() > 2050) {
				t.Fatalf("%q: %s at %d:%d", s, d, from, to)
			}
		}
		urlDate("http://a.test/"+s, testNow)
		if strings.Count(s, "\n") < 50 {
			labelledDate(s, dateLabels[:], testNow)
		}
	})
}

// Deadlines, openings and other dates are no date of publication.
func TestPublishedText(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"a deadline", "某某采购公告\n投标截止时间：2025年7月18日9时30分\n", ""},
		{"a deadline in a sentence", "某某采购公告\n供应商应于2025年7月18日9时30分（北京时间）前递交响应文件。\n", ""},
		{"an opening", "某某采购公告\n开标时间：2025-07-18 09:30\n开标地点：三楼", ""},
		{"an opening under its heading", "某某采购公告\n五、开启\n时间：\n2025-08-11 09:00\n（北京时间）\n地点：三楼", ""},
		{"a label on the line above", "某某采购公告\n四、提交投标文件截止时间、开标时间和地点\n2025-08-19 09:00\n（北京时间）", ""},
		{"an amended deadline", "某某更正公告\n原截止时间：2025-07-01 09:30，现变更为：2025-07-18 09:30\n", ""},
		{"before and after", "某某更正公告\n更正前：2025-07-01\n更正后：2025-07-18\n", ""},
		{"the end of a span", "某某采购公告\n获取文件：2025-07-01至2025-07-08\n", ""},
		{"an earlier notice's", "某某成交公告\n本项目招标公告日期：2025年6月1日\n", ""},
		{"a label", "某某采购公告\n投标截止时间：2025-07-18 09:30\n发布时间：2025-06-27 10:00\n", "2025-06-27 10:00"},
		{"signed", "某某采购公告\n开标时间：2025-07-18 09:30\n东湖大学\n2025年6月27日\n", "2025-06-27"},
		{"signed and sealed", "某某采购公告\n开标时间：2025-07-18 09:30\n东湖大学\n2025年6月27日（盖章）", "2025-06-27"},
		{"in its head", "某某采购公告\n来源：东湖大学 2025-06-27 浏览 23 次\n投标截止时间：2025-07-18 09:30\n" + strings.Repeat("正文，没有日期。\n", 40), "2025-06-27"},
		{"a colon on a line of its own", "某某采购公告\n投标截止时间为\n：\n2025年08月10日 09:30\n。", ""},
		{"a meeting", "关于开会的通知\n时间：2025-06-27 09:00\n地点：三楼", ""},
		{"a meeting by its label", "关于开会的通知\n会议时间：2025-06-27 09:00", ""},
		{"two-digit year behind a label", "某某采购公告\n发布日期：25-06-27\n", "2025-06-27"},
		{"two-digit year in its head", "某某采购公告\n| 25-06-27 | 大 中 小\n本公告自2025年7月1日起执行。\n", "2025-06-27"},
		{"none", "某某采购公告\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d, ok := PublicationDateOfText(c.in, testNow); d.String() != c.want || ok != (c.want != "") {
				t.Errorf("%q, want %q", d, c.want)
			}
		})
	}
}

func FuzzPublishedText(f *testing.F) {
	for _, s := range []string{"投标截止时间：2025年7月18日", "a\n：\n2025-01-02（盖章）", "时间\n:\n2025-01-02前", "至2025-01-02\n2025-01-03止", "（2025-01-02"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if d, ok := PublicationDateOfText(s, testNow); ok == d.IsZero() {
			t.Fatalf("%q: ok %v, date %s", s, ok, d)
		}
		onlyOtherDates(s, Date{Time: testNow, Precision: Day}, testNow)
	})
}

func TestSettledDatesKeepTheirSeconds(t *testing.T) {
	guessed := Date{Time: time.Date(2026, 5, 6, 9, 30, 15, 0, Shanghai), Precision: MinuteGuessed}
	want := Date{Time: time.Date(2024, 5, 6, 9, 30, 15, 0, Shanghai), Precision: Minute}
	if got := SettleDateByYear(guessed, 2024, testNow); got != want {
		t.Errorf("by the year of a heading: %v, want %v", got, want)
	}
	stated := Date{Time: time.Date(2024, 5, 6, 0, 0, 0, 0, Shanghai), Precision: Day}
	if got := SettleDateByPage(guessed, stated, testNow); got != want {
		t.Errorf("by the date of the page: %v, want %v", got, want)
	}
}
