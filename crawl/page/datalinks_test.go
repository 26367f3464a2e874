package page

import "testing"

// Rows with their address in a data attribute are records.
func TestRowsWithDataAddresses(t *testing.T) {
	for _, row := range []string{
		`<li data-url="/info/%d.htm"><p>清溪镇中心小学第%[1]d号采购公告</p><span>2026-05-%[1]d</span></li>`,
		`<li><a href="javascript:;" data-href="/info/%d.htm">清溪镇中心小学第%[1]d号采购公告</a><span>2026-05-%[1]d</span></li>`,
		`<tr data-link="/info/%d.htm"><td>清溪镇中心小学第%[1]d号采购公告</td><td>2026-05-%[1]d</td></tr>`,
	} {
		rows := repeated(row, 10, 16)
		if row[1] == 't' {
			rows = "<table>" + rows + "</table>"
		}
		p := readShell(t, "采购公告", `<div><a href="/">首页</a></div>`+rows)
		if p.Type != List || len(p.Records) != 6 || p.Records[5].URL != "http://school.test/info/15.htm" || p.Records[5].Date.String() != "2026-05-15" {
			t.Errorf("%s: %v, %+v", row, p.Type, p.Records)
		}
	}
	p := readShell(t, shellTitle, `<h1>`+shellTitle+`</h1>`+shellBody+`<a class=share href="http://a.test/share" data-url="/info/17.htm">分享</a><ul><li data-link="share'+x">微信</li></ul>`)
	if len(p.Links) != 1 || p.Links[0].URL != "http://a.test/share" {
		t.Errorf("links %+v", p.Links)
	}
}
