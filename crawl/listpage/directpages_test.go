package listpage

import "testing"

// A menu of page numbers, or the call that draws a pager, gives the address of the next page.
func TestNextPageByAddress(t *testing.T) {
	const options = `<option value="1">1</option><option value="2">2</option><option value="3">3</option></select>`
	const go2 = `<script>function turn(n){ window.location.href = "list_" + n + ".htm"; }</script>`
	const first, second = "http://h.test/gg/index.htm", "http://h.test/gg/index_1.htm"
	for _, c := range []struct {
		name, address, body, url string // url "" = no request
		page                     int
	}{
		{"menu", list, `<select onchange="location.href='list.aspx?c=7&p='+this.value">` + options, "http://h.test/gg/list.aspx?c=7&p=2", 2},
		{"menu on the second page", "http://h.test/gg/list.aspx?p=2", `<select onchange="location='list.aspx?p='+this.value">` + options, "http://h.test/gg/list.aspx?p=3", 3},
		{"menu with a function", list, go2 + `<select onchange="turn(this.options[this.selectedIndex].value)">` + options, "http://h.test/gg/list_2.htm", 2},
		{"menu of addresses", list, `<select onchange="self.location.href=options[selectedIndex].value"><option value="l1.htm">第1页<option value="l2.htm" selected>第2页<option value="l3.htm">第3页</select>`, "http://h.test/gg/l3.htm", 3},
		{"last page", list, `<select onchange="location=this.value"><option value="l1.htm">1<option value="l2.htm" selected>2</select>`, "", 0},
		{"menu of links", list, `<select onchange="window.open(this.value)"><option value="http://a.test/">甲市<option value="http://b.test/">乙市</select>`, "", 0},
		{"another host", list, `<select onchange="location=this.value"><option value="/1">1<option value="http://b.test/2">2</select>`, "", 0},
		{"quotes", list, `<select onchange="location='x?p='+this.value"><option value="1">1<option value="2'+f()+'">2</select>`, "", 0},
		{"name", first, `<script>createPageHTML(25, 0, "index", "htm");</script>`, second, 2},
		{"name of the folder", "http://h.test/gg/", `<script>createPageHTML(25, 0, "index", "htm");</script>`, second, 2},
		{"name of the second page", second, `<script>createPageHTML(25,1,'index','htm')</script>`, "http://h.test/gg/index_2.htm", 3},
		{"name of the last page", "http://h.test/gg/index_24.htm", `<script>createPageHTML(25,24,'index','htm')</script>`, "", 0},
		{"another name", first, `<script>createPageHTML(25, 1, "index", "htm");</script>`, "", 0},
		{"definition", first, `<script>function createPageHTML(n, i, name, ext) {}</script>`, "", 0},
	} {
		r, _, _ := nextRequest(c.address, "utf-8", c.body)
		if r == nil {
			r = &PageRequest{}
		}
		if r.URL != c.url || r.Page != c.page || r.Body != "" || r.Name != "" {
			t.Errorf("%s: %+v; want %s, page %d", c.name, *r, c.url, c.page)
		}
	}
}
