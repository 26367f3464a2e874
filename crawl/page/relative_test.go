package page

import (
	"strings"
	"testing"
	"time"
)

func TestRelativeDates(t *testing.T) {
	now := time.Date(2025, 3, 1, 1, 30, 20, 0, shanghai)
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
			if d, ok := findRelative(c.in, now); d.String() != c.want || ok != (c.want != "") {
				t.Errorf("%q: %s, want %s", c.in, d, c.want)
			}
		})
	}
	if d, ok := (&tree{}).relativeDate(0, time.Time{}); ok {
		t.Errorf("without a clock: %s", d)
	}
}

// A list whose items are dated by distance is a list like any other.
func TestRelativeDatesOfRecords(t *testing.T) {
	var b strings.Builder
	b.WriteString("<ul>")
	for _, when := range []string{"5分钟前", "3小时前", "昨天", "昨天 09:10"} {
		b.WriteString(`<li><a href="/` + when + `.htm">关于某某设备采购项目的公告（` + when + `）</a><span>` + when + `</span></li>`)
	}
	now := time.Date(2025, 3, 12, 12, 0, 0, 0, shanghai)
	p := parse(t, b.String(), Options{Now: now})
	var got []string
	for _, r := range p.Records {
		got = append(got, r.Date.String())
	}
	if s := strings.Join(got, ", "); p.Type != List || s != "2025-03-12 11:55, 2025-03-12, 2025-03-11, 2025-03-11 09:10" {
		t.Errorf("%s with %s", p.Type, s)
	}
}

// Links of a GBK page send their query in GBK.
func TestQueryInThePagesCharset(t *testing.T) {
	p, err := Parse(Source{URL: "http://a.test/", ContentType: "text/html; charset=gbk", Body: []byte("<p>\xd5\xd0\xb1\xea\xb9\xab\xb8\xe6<a href='s.asp?q=\xd5\xd0\xb1\xea'>x</a>")}, Options{Now: benchNow})
	if err != nil || len(p.Links) != 1 || p.Links[0].URL != "http://a.test/s.asp?q=%D5%D0%B1%EA" {
		t.Errorf("%v, %+v", err, p)
	}
}
