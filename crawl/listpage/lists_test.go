package listpage_test

import (
	"fmt"
	"strings"
	"testing"
)

// Lists of one design give their records in the order of the page, and each settles its own years.
// Boxes of another design give none. Neither do teasers: a few rows of a section below a link to it.
func TestListsOfAPage(t *testing.T) {
	column := func(head string, rows ...string) string {
		return `<div class="column"><h3>` + head + `</h3><ul class="news">` + strings.Join(rows, "") + `</ul></div>`
	}
	first := column("招聘公告", listRow("1", "01-20"), listRow("2", "01-08"), listRow("3", "12-28"), listRow("4", "12-02"))
	second := column("劳务派遣", listRow("5", "03-01"), listRow("6", "02-20"), listRow("7", "02-11"), listRow("8", "01-15"), listRow("9", "01-02"))
	one := recordLines("1", "2025-01-20", "2", "2025-01-08", "3", "2024-12-28", "4", "2024-12-02")
	two := recordLines("5", "2025-03-01", "6", "2025-02-20", "7", "2025-02-11", "8", "2025-01-15", "9", "2025-01-02")
	box := func(class string, rows ...string) string {
		return `<div class="` + class + `"><ul>` + strings.Join(rows, "") + `</ul></div>`
	}
	cells := func(n, date string) string {
		return `<tr><td><a href="/info/` + n + `.htm">东湖大学第` + n + `号设备采购公告</a></td><td>` + date + `</td></tr>`
	}
	table := func(rows ...string) string { return `<div><table>` + strings.Join(rows, "") + `</table></div>` }
	var ten, more []string
	var tenSaid, moreSaid string
	for i := range 10 {
		n, m, date := fmt.Sprint(30+i), fmt.Sprint(50+i), fmt.Sprintf("2025-02-%02d", 28-i)
		ten, more = append(ten, listRow(n, date)), append(more, listRow(m, date))
		tenSaid, moreSaid = tenSaid+recordLines(n, date), moreSaid+recordLines(m, date)
	}
	linked := func(head string, rows ...string) string {
		return strings.Replace(column(head, rows...), `</h3>`, `</h3><a href="/`+head+`/list.htm">更多</a>`, 1)
	}
	few := func(from int) []string { return ten[from : from+5] }
	fewSaid := strings.Join(strings.SplitAfter(tenSaid, "\n")[:5], "")
	above := func(head string, rows ...string) string {
		return `<h3><a href="/` + head + `/list.htm">` + head + `</a></h3><ul class="news">` + strings.Join(rows, "") + `</ul>`
	}
	for _, c := range []struct{ name, html, want string }{
		{"full lists with links to more", linked("招聘公告", ten...) + linked("劳务派遣", more...), tenSaid + moreSaid},
		{"teasers with links to more", linked("招聘公告", few(0)...) + linked("劳务派遣", few(5)...), fewSaid},
		{"teasers whose headings are links", `<div>` + above("招聘公告", few(0)...) + above("劳务派遣", few(5)...) + `</div>`, fewSaid},
		{"a link to more below the rows", strings.ReplaceAll(column("招聘公告", few(0)...)+column("劳务派遣", few(5)...), `</ul>`, `</ul><p><a href="/more.htm">更多</a></p>`), fewSaid},
		{"a full list beside a teaser", linked("招聘公告", ten...) + linked("劳务派遣", more[:5]...), tenSaid},
		{"headings that lead nowhere", strings.ReplaceAll(column("招聘公告", few(0)...)+column("劳务派遣", few(5)...), `<h3>`, `<h3><a href="#"></a>`), tenSaid},
		{"a path above the first list", `<div><p><a href="/">首页</a> &gt; <a href="/hr/">人事</a> &gt; <a href="/hr/jobs/">招聘</a></p>` +
			column("招聘公告", few(0)...) + column("劳务派遣", few(5)...) + `</div>`, tenSaid},
		{"two columns", first + second, one + two},
		{"the longer one first", second + first, two + one},
		{"in two wrappers of tabs", `<div class="tab1">` + first + `</div><div class="tab2">` + second + `</div>`, one + two},
		{"tables", table(cells("1", "2025-03-02"), cells("2", "2025-03-01"), cells("3", "2025-02-27"), cells("4", "2025-02-26")) +
			`<p>其他信息</p>` + table(cells("5", "2025-03-04"), cells("6", "2025-03-03"), cells("7", "2025-01-27"), cells("8", "2025-01-26")),
			recordLines("1", "2025-03-02", "2", "2025-03-01", "3", "2025-02-27", "4", "2025-02-26", "5", "2025-03-04", "6", "2025-03-03", "7", "2025-01-27", "8", "2025-01-26")},
		{"a box of the same entries", linked("招聘公告", ten...) + linked("热点", ten...), tenSaid},
		{"a box of a few rows", second + linked("最新", listRow("11", "03-01"), listRow("12", "02-20"), listRow("13", "02-11")), two},
		{"a box of another design", box("main", listRow("5", "2025-03-01"), listRow("6", "2025-02-20"), listRow("7", "2025-02-11"), listRow("8", "2025-01-15"), listRow("9", "2025-01-02")) +
			`<div class="side">` + box("hot", listRow("11", "2025-03-01"), listRow("12", "2025-02-20"), listRow("13", "2025-02-11"), listRow("14", "2025-02-10")) + `</div>`, two},
		{"links without dates", second + column("友情链接", listRow("21", ""), listRow("22", ""), listRow("23", ""), listRow("24", "")), two},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := strings.ReplaceAll(readLines(t, c.html), "?", ""); got != c.want { // ? marks a guessed year
				t.Errorf("records\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
