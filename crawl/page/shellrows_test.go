package page

import (
	"encoding/json"
	"fmt"
	"html"
	"strings"
	"testing"
)

// Rows of a list that stand elsewhere in the page are read like shown ones.
func TestShellRows(t *testing.T) {
	row := func(i int) string {
		return fmt.Sprintf(`<li><a href="/info/%d.htm">清溪镇中心小学第%d号采购公告</a><span>2026-05-%02d</span></li>`, i, i, i)
	}
	rows, written, records := "", "", ""
	var data []map[string]string
	for i := 10; i < 22; i++ {
		rows += row(i)
		written += "document.write('" + row(i) + "');"
		records += "<record><![CDATA[" + row(i) + "]]></record>"
		data = append(data, map[string]string{"title": fmt.Sprintf("清溪镇中心小学第%d号采购公告", i), "date": fmt.Sprintf("2026-05-%02d", i),
			"url": fmt.Sprintf("/info/%d.htm", i)})
	}
	array, _ := json.Marshal(data)
	xml := `<datastore><totalrecord>354</totalrecord><totalpage>30</totalpage><recordset>` + records + `</recordset></datastore>`
	menu := ""
	for i := range 8 {
		menu += fmt.Sprintf(`<a href="/c%d.htm">栏目%d</a> `, i, i)
	}
	for name, body := range map[string]string{
		"xml":            `<div id=list><script type="text/xml">` + xml + `</script></div>`,
		"xml, long menu": strings.Repeat("<p>"+menu+"</p>", 30) + `<div id=list><script type="text/xml">` + xml + `</script></div>`,
		"written":        "<ul><script>" + written + "</script></ul>",
		"textarea":       `<textarea style="display:none">` + html.EscapeString("<ul>"+rows+"</ul>") + `</textarea>`,
		"template":       "<template><ul>" + rows + "</ul></template>",
		"array":          `<div id=list></div><script>var rows = ` + string(array) + `;</script>`,
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

// A page that shows its list, or a text, keeps what it shows.
func TestRowsThatAreNotShown(t *testing.T) {
	hidden, shown := "", ""
	for i := range 9 {
		hidden += fmt.Sprintf(`<li><a href="/old/%d.htm">旧的采购公告第%d号</a></li>`, i, i)
		shown += fmt.Sprintf(`<li><a href="/new/%d.htm">新的采购公告第%d号</a></li>`, i, i)
	}
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
