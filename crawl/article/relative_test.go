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
