package listpage_test

import (
	"fmt"
	"strings"
	"testing"
)

// Rows that state only their day take year and month from the heading above them. A number that may
// count the rows, or belongs to a calendar, is no day.
func TestDaysUnderMonths(t *testing.T) {
	entry := func(form, n, day string) string {
		return strings.NewReplacer("DAY", day, "LINK", `<a href="/info/`+n+`.htm">`, "TITLE", "东湖大学第"+n+"号设备采购公告").Replace(form)
	}
	list := func(form string, pairs ...string) string {
		var b strings.Builder
		for i := 0; i < len(pairs); i += 2 {
			b.WriteString(entry(form, pairs[i], pairs[i+1]))
		}
		return "<ul>" + b.String() + "</ul>"
	}
	const inside, before, behind, alone = "<li>LINKDAY TITLE</a></li>", "<li><span>DAY</span> LINKTITLE</a></li>",
		"<li>LINKTITLE</a> <i>DAY</i></li>", "<li>DAY LINKTITLE</a></li>"
	days := []string{"1", "28", "2", "12", "3", "12", "4", "05"}
	march := recordLines("1", "2025-02-28", "2", "2025-02-12", "3", "2025-02-12", "4", "2025-02-05")
	none := recordLines("1", "", "2", "", "3", "", "4", "")
	months := func(form, first, second string) string {
		return "<h3>" + first + "</h3>" + list(form, "1", "10", "2", "05") + "<h3>" + second + "</h3>" + list(form, "3", "28", "4", "17", "5", "02")
	}
	two := recordLines("1", "2025-03-10", "2", "2025-03-05", "3", "2025-02-28", "4", "2025-02-17", "5", "2025-02-02")
	table := "<table><tr><td colspan=2>2025年2月</td></tr>"
	for i := 0; i < len(days); i += 2 {
		table += entry("<tr><td>DAY</td><td>LINKTITLE</a></td></tr>", days[i], days[i+1])
	}
	calendar := "<table><caption>2025年2月</caption>"
	for i := range 4 {
		calendar += "<tr>"
		for d := range 7 {
			calendar += fmt.Sprintf(`<td><a href="/day/%d.htm">%[1]d</a></td>`, 7*i+d+1)
		}
		calendar += "</tr>"
	}
	for _, c := range []struct{ name, html, want string }{
		{"inside the link", "<h3>2025年2月</h3>" + list(inside, days...), march},
		{"before the link", "<h3>2025年02月份</h3>" + list(before, days...), march},
		{"a text before the link", "<p>二〇二五年二月</p>" + list(alone, days...), march},
		{"English", "<h2>February 2025</h2>" + list(inside, days...), march},
		{"behind, with a sign", "<div>2025-02</div>" + list(strings.Replace(behind, "DAY", "DAY日", 1), days...), march},
		{"in brackets", "<h3>【2025年2月】</h3>" + list(strings.Replace(alone, "DAY", "[DAY]", 1), days...), march},
		{"a table", table + "</table>", march},
		{"in wrappers", `<div class="m"><div class="h"><b>2025年2月</b></div><div class="b">` + list(before, days...) + `</div></div>`, march},
		{"two months", months(inside, "2025年3月", "2025年2月"), two},
		{"two months, before the link", months(before, "March 2025", "February 2025"), two},
		{"days that go up", "<h3>2025年2月</h3>" + list(alone, "1", "03", "2", "09", "3", "21"), recordLines("1", "2025-02-03", "2", "2025-02-09", "3", "2025-02-21")},
		{"one by one, with a sign", "<h3>2025年2月</h3>" + list(inside, "1", "3日", "2", "2日", "3", "1日"),
			recordLines("1", "2025-02-03", "2", "2025-02-02", "3", "2025-02-01")},
		{"a row with a date of its own", "<h3>2025年2月</h3>" + list(alone, "1", "2025-01-03", "2", "28", "3", "21"),
			recordLines("1", "2025-01-03", "2", "2025-02-28", "3", "2025-02-21")},

		{"numbers of rows", "<h3>2025年2月</h3>" + list(alone, "1", "1", "2", "2", "3", "3", "4", "4"), none},
		{"numbers of rows on page two", "<h3>2025年2月</h3>" + list(alone, "1", "11", "2", "12", "3", "13", "4", "14"), none},
		{"numbers of rows down", "<h3>2025年2月</h3>" + list(alone, "1", "04", "2", "03", "3", "02", "4", "01"), none},
		{"numbers in no order", "<h3>2025年2月</h3>" + list(alone, "1", "17", "2", "03", "3", "21", "4", "09"), none},
		{"no heading", list(alone, days...), none},
		{"months side by side", "<p><span>2025年2月</span><span>2025年1月</span></p>" + list(alone, days...), none},
		{"a day that the month lacks", "<h3>2025年2月</h3>" + list(alone, "1", "30", "2", "12", "3", "05"), recordLines("1", "", "2", "2025-02-12", "3", "2025-02-05")},
		{"a month ahead", "<h3>2025年9月</h3>" + list(alone, days...), none},
		{"a title that begins with a number", "<h3>2025年2月</h3>" + list("<li>LINK12个TITLE</a></li>", days...), strings.ReplaceAll(none, "东湖", "12个东湖")},
		{"points", "<h3>2025年2月</h3>" + list(strings.Replace(alone, "DAY", "DAY.", 1), days...), none},
		{"a calendar beside a list", calendar + "</table><div>" + list(behind, "1", "2025-02-28", "2", "2025-02-12", "3", "2025-02-05", "4", "2025-02-01") + "</div>",
			recordLines("1", "2025-02-28", "2", "2025-02-12", "3", "2025-02-05", "4", "2025-02-01")},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := readLines(t, c.html); got != c.want {
				t.Errorf("records\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
