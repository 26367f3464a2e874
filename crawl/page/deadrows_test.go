package page

import (
	"strings"
	"testing"
)

// TestDeadRows parses lists whose rows have titles and dates and lead nowhere.
func TestDeadRows(t *testing.T) {
	menu := strings.Repeat(`<li><a href="/a/b/index.html">科研工作简介</a></li>`, 20)
	row := func(href, rest string) string {
		return `<tr><td><a href="` + href + `">青松县医院呼吸机采购公告</a></td><td>` + rest + `</td></tr>`
	}
	for name, c := range map[string]struct {
		rows string
		want Type
	}{
		"scripts that do nothing":  {strings.Repeat(row("javascript:;", "14-04-29"), 3), List},
		"void":                     {strings.Repeat(row("JavaScript:void(0)", "2024-04-29"), 3), List},
		"marks":                    {strings.Repeat(row("#", "2024-04-29"), 4), List},
		"two rows":                 {strings.Repeat(row("#", "2024-04-29"), 2), Hub},
		"rows without dates":       {strings.Repeat(row("#", "热点"), 9), Hub},
		"rows with much else":      {strings.Repeat(row("#", "2024-04-29"+strings.Repeat("供应商须知", 9)), 9), Detail},
		"tabs that scripts change": {strings.Repeat(`<li><a href="#">采购公告一览</a></li>`, 9), Hub},
	} {
		t.Run(name, func(t *testing.T) {
			p := parse(t, "<html><title>通知公告</title><ul>"+menu+"</ul><table>"+c.rows+"</table>", Options{})
			if p.Type != c.want || c.want == List && len(p.Records) > 0 {
				t.Errorf("%s with %d records, want %s", p.Type, len(p.Records), c.want)
			}
		})
	}
}

// TestTitleIsNoText parses a notice whose text is a picture.
func TestTitleIsNoText(t *testing.T) {
	const title = "青松县医院呼吸机采购结果公示"
	p := parse(t, "<html><title>"+title+"</title><h1>"+title+`</h1><p>2024-04-29</p><div><img src="/1.jpg"></div>`, Options{Main: "auto"})
	if p.Title != title || p.Main != "" && strings.Contains(p.Main, title) {
		t.Errorf("title %q, text %q", p.Title, p.Main)
	}
}
