package article

import (
	"testing"
	"time"
)

func TestRelativeDates(t *testing.T) {
	now := time.Date(2025, 3, 1, 1, 30, 20, 0, Shanghai)
	for _, c := range []struct{ name, in, want string }{
		{"minutes", "5分钟前", "2025-03-01 01:25"},
		{"hours, over midnight", "3小时前", "2025-02-28"},
		{"days", "2 天前", "2025-02-27"},
		{"weeks", "1周前", "2025-02-22"},
		{"just now", "刚刚", "2025-03-01 01:30"},
		{"yesterday, over the month", "昨天", "2025-02-28"},
		{"yesterday with a time", "昨天 10:30", "2025-02-28 10:30"},
		{"today", "[今天 00:15]", "2025-03-01 00:15"},
		{"the day before", "前天", "2025-02-27"},
		{"label", "发布于 3小时前", "2025-02-28"},
		{"source in front", "新华网 5分钟前", "2025-03-01 01:25"},
		{"months", "1个月前", "2025-02"},
		{"half a year", "半年前", "2024-09"},
		{"half an hour", "半小时前", "2025-03-01 01:00"},
		{"years", "2年前", "2023-03"},
		{"two days", "两天前", "2025-02-27"},
		{"numerals", "三天前", "2025-02-26"},
		{"English", "2 hours ago", "2025-02-28"},
		{"one in English", "an hour ago", "2025-03-01"},
		{"months in English", "3 months ago", "2024-12"},
		{"yesterday in English", "Yesterday", "2025-02-28"},
		{"today without a space", "今天00:20", "2025-03-01 00:20"},
		{"three days", "大前天", "2025-02-26"},
		{"no count", "几天前", ""},
		{"sentence", "昨天我们学校举行了运动会", ""},
		{"deadline", "请于开标3天前提交", ""},
		{"before", "投标截止前", ""},
		{"other unit", "3个人", ""},
		{"clock only", "10:30", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d, ok := RelativeDate(c.in, now); d.String() != c.want || ok != (c.want != "") {
				t.Errorf("%q: %s, want %s", c.in, d, c.want)
			}
		})
	}
}
