package listpage_test

import (
	"strings"
	"testing"
)

// Every list of a page is a list: lists of one design give their records in the order of
// the page, and each settles its own years. Boxes of another design stay out.
func TestListsOfAPage(t *testing.T) {
	column := func(head string, rows ...string) string {
		return `<div class="column"><h3>` + head + `</h3><a href="/` + head + `/list.htm">更多</a><ul class="news">` + strings.Join(rows, "") + `</ul></div>`
	}
	first := column("招聘公告", row("1", "01-20"), row("2", "01-08"), row("3", "12-28"), row("4", "12-02"))
	second := column("劳务派遣", row("5", "03-01"), row("6", "02-20"), row("7", "02-11"), row("8", "01-15"), row("9", "01-02"))
	one := said("1", "2025-01-20", "2", "2025-01-08", "3", "2024-12-28", "4", "2024-12-02")
	two := said("5", "2025-03-01", "6", "2025-02-20", "7", "2025-02-11", "8", "2025-01-15", "9", "2025-01-02")
	box := func(class string, rows ...string) string {
		return `<div class="` + class + `"><ul>` + strings.Join(rows, "") + `</ul></div>`
	}
	cells := func(n, date string) string {
		return `<tr><td><a href="/info/` + n + `.htm">东湖大学第` + n + `号设备采购公告</a></td><td>` + date + `</td></tr>`
	}
	table := func(rows ...string) string { return `<div><table>` + strings.Join(rows, "") + `</table></div>` }
	for _, c := range []struct{ name, html, want string }{
		{"two columns", first + second, one + two},
		{"the longer one first", second + first, two + one},
		{"in two wrappers of tabs", `<div class="tab1">` + first + `</div><div class="tab2">` + second + `</div>`, one + two},
		{"tables", table(cells("1", "2025-03-02"), cells("2", "2025-03-01"), cells("3", "2025-02-27"), cells("4", "2025-02-26")) +
			`<p>其他信息</p>` + table(cells("5", "2025-03-04"), cells("6", "2025-03-03"), cells("7", "2025-01-27"), cells("8", "2025-01-26")),
			said("1", "2025-03-02", "2", "2025-03-01", "3", "2025-02-27", "4", "2025-02-26", "5", "2025-03-04", "6", "2025-03-03", "7", "2025-01-27", "8", "2025-01-26")},
		{"a box of the same entries", second + column("热点", row("5", "03-01"), row("6", "02-20"), row("7", "02-11"), row("8", "01-15")), two},
		{"a box of a few rows", second + column("最新", row("11", "03-01"), row("12", "02-20"), row("13", "02-11")), two},
		{"a box of another design", box("main", row("5", "2025-03-01"), row("6", "2025-02-20"), row("7", "2025-02-11"), row("8", "2025-01-15"), row("9", "2025-01-02")) +
			`<div class="side">` + box("hot", row("11", "2025-03-01"), row("12", "2025-02-20"), row("13", "2025-02-11"), row("14", "2025-02-10")) + `</div>`, two},
		{"links without dates", second + column("友情链接", row("21", ""), row("22", ""), row("23", ""), row("24", "")), two},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.ReplaceAll(read(t, c.html), "?", ""); got != c.want { // ? marks a guessed year
				t.Errorf("records\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
