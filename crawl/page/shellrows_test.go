package page

import (
	"html"
	"strings"
	"testing"
)

// Rows of a list in the data of an element are records.
func TestShellRows(t *testing.T) {
	const row = `<li><a href="/info/%d.htm">清溪镇中心小学第%[1]d号采购公告</a><span>2026-05-%[1]d</span></li>`
	array := strings.TrimSuffix(repeated(`{"title":"清溪镇中心小学第%d号采购公告","date":"2026-05-%[1]d","url":"/info/%[1]d.htm"},`, 10, 22), ",")
	xml := `<datastore><totalrecord>354</totalrecord><totalpage>30</totalpage><recordset>` +
		repeated("<record><![CDATA["+row+"]]></record>", 10, 22) + `</recordset></datastore>`
	rows, menu := repeated(row, 10, 22), repeated(`<a href="/c%d.htm">栏目%[1]d</a> `, 0, 8)
	for name, body := range map[string]string{
		"xml":            `<div id=list><script type="text/xml">` + xml + `</script></div>`,
		"xml, long menu": strings.Repeat("<p>"+menu+"</p>", 30) + `<div id=list><script type="text/xml">` + xml + `</script></div>`,
		"written":        "<ul><script>" + repeated("document.write('"+row+"');", 10, 22) + "</script></ul>",
		"textarea":       `<textarea style="display:none">` + html.EscapeString("<ul>"+rows+"</ul>") + `</textarea>`,
		"template":       "<template><ul>" + rows + "</ul></template>",
		"array":          `<div id=list></div><script>var rows = [` + array + `];</script>`,
	} {
		p := readShell(t, "采购公告", "<div>"+menu+"</div>"+body)
		if p.Type != List || len(p.Records) != 12 || p.Dated != 12 {
			t.Errorf("%s: %v, %d records, %d dated", name, p.Type, len(p.Records), p.Dated)
			continue
		}
		if r := p.Records[11]; r.URL != "http://school.test/info/21.htm" || r.Title != "清溪镇中心小学第21号采购公告" || r.Date.String() != "2026-05-21" {
			t.Errorf("%s: %+v", name, r)
		}
		if all := "共354条"; strings.Contains(p.Text, all) != strings.Contains(name, "xml") || strings.Contains(name, "xml") && len(p.Unfollowed) == 0 {
			t.Errorf("%s: unfollowed %+v", name, p.Unfollowed)
		}
	}
}

// A page with a visible list or text ignores a carried list.
func TestRowsThatAreNotShown(t *testing.T) {
	hidden := repeated(`<li><a href="/old/%d.htm">旧的采购公告第%[1]d号</a></li>`, 0, 9)
	shown := repeated(`<li><a href="/new/%d.htm">新的采购公告第%[1]d号</a></li>`, 0, 9)
	template := "<template>" + hidden + "</template>"
	for name, body := range map[string]string{
		"list":     "<ul>" + shown + "</ul>" + template,
		"text":     "<h1>" + shellTitle + "</h1>" + shellBody + template,
		"menu":     `<script>var menu='<a href="/a">首页</a><a href="/b">机构</a><a href="/c">公开</a>'</script>`,
		"template": `<template>` + strings.ReplaceAll(hidden, "第", "{{n}}") + `</template>`,
	} {
		p := readShell(t, shellTitle, body)
		for _, l := range p.Links {
			if strings.Contains(l.URL, "/old/") || strings.HasSuffix(l.URL, "/a") {
				t.Errorf("%s: the page links to %s", name, l.URL)
			}
		}
	}
}
