package recipe

import "testing"

// reply holds rows without addresses.
const reply = `{"rows":[{"id":"a7","kind":"03","title":"教学楼空调采购项目公开招标公告","day":"2026-07-07"},{"id":"a8","kind":"03","title":"实验室显微镜采购项目公开招标公告","day":"2026-07-06"},{"id":"b9","kind":"04","title":"图书馆家具采购项目中标结果公告","day":"2026-07-05"}]}`

// TestRowAddresses finds how the address of a row is built in the links of a rendered page,
// and in the scripts of a page that came as it is.
func TestRowAddresses(t *testing.T) {
	rendered := func(a, b, c string) string {
		return "<ul><li><a " + a + ">教学楼空调采购项目公开招标公告</a></li><li><a " + b + "><b>03</b> 实验室显微镜采购项目公开招标公告</a></li><li><a " + c + ">图书馆家具采购项目中标结果公告</a></li></ul>"
	}
	for name, c := range map[string]struct{ page, want string }{
		"links":             {rendered(`href="/show/a7.html"`, `href="/show/a8.html"`, `href="/show/b9.html"`), "/show/{id}.html"},
		"two fields":        {rendered(`href="d?k=03&amp;id=a7"`, `href="d?k=03&amp;id=a8"`, `href="d?k=04&amp;id=b9"`), "d?k={kind}&id={id}"},
		"a part of a word":  {rendered(`href="/s03/a7.html"`, `href="/s03/a8.html"`, `href="/s03/b9.html"`), "/s03/{id}.html"},
		"calls":             {rendered(`onclick="go(this,'a7')"`, `onclick="go(this,'a8')"`, `onclick="go(this,'b9')"`) + `<script>function go(e, id) { window.open("/show?id=" + encodeURIComponent(id)); }</script>`, "/show?id={id}"},
		"other links":       {rendered(`href="/x/1"`, `href="/x/2"`, `href="/x/3"`), ""},
		"a script":          {`<script>function draw(r) { return '<a href="/show/' + r.id + '.html">' + r.title + '</a>'; }</script>`, "/show/{id}.html"},
		"a variable":        {`<script>function draw(row) { var root = "/gg/", url = root + row.kind + "/" + row.id; return '<a href="' + url + '">'; }</script>`, "/gg/{kind}/{id}"},
		"a template":        {`<script type="text/html"><a href="/show/{{d.id}}.html">{{d.title}}</a></script>`, "/show/{id}.html"},
		"a window":          {"<script>function open2(row) { window.open(`/show/${row.id}.html`); }</script>", "/show/{id}.html"},
		"a handler":         {`<script>function go(id) { location.href = "/show/" + id; } h += '<a href="#" onclick="go(\'' + r.id + '\')">';</script>`, "/show/{id}"},
		"an unknown field":  {`<script>h += '<a href="/show/' + r.guid + '.html">';</script>`, ""},
		"no page, no links": {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			x := &Exchange{URL: "http://h.test/api?page=1", SeenOn: "http://h.test/list.html", Reply: []byte(reply)}
			x.readPage(x.SeenOn, c.page)
			r, notes, err := fromExchange(x)
			must(t, err)
			guess := len(notes) > 0 && isGuess(notes[len(notes)-1])
			if c.want == "" && !guess || c.want != "" && (guess || r.Rows.URL != c.want) {
				t.Errorf("rows.url = %s, %q, want %s", r.Rows.URL, notes, c.want)
			}
		})
	}
}

// TestTokensOfAPage reads values again that the page hands out.
func TestTokensOfAPage(t *testing.T) {
	const page = `<meta name="_csrf" content="m-123456"><input type="hidden" id="key" value="i+123456"><script>var config = { siteGuid: "g-123456" };</script>`
	x := &Exchange{URL: "http://h.test/api?token=i%2B123456", SeenOn: "http://h.test/list.html", Reply: []byte(reply), Method: "POST",
		Headers: map[string]string{"x-csrf-token": "m-123456", "x-other": "m-123456"}, Body: `{"pageNo":1,"siteGuid":"g-123456","nonce":"n-123456"}`}
	x.readPage(x.SeenOn, page)
	r, _, err := fromExchange(x)
	must(t, err)
	q := &r.Request
	if q.Headers["x-csrf-token"] != "{x_csrf_token}" || q.Headers["x-other"] != "m-123456" || q.URL != "http://h.test/api?token={token}" || q.Body != `{"pageNo":{page},"siteGuid":"{siteGuid}","nonce":"n-123456"}` {
		t.Errorf("%+v, tokens %+v", q, r.Tokens)
	}
	tokens := map[string]string{}
	must(t, r.readTokens(x.SeenOn, []byte(page), tokens))
	sent, err := r.build(FirstPage, tokens, today)
	if err != nil || sent.URL != x.URL || string(sent.Body) != x.Body || sent.Header["x-csrf-token"] != "m-123456" {
		t.Errorf("%+v, %v", sent, err)
	}
}

func FuzzPage(f *testing.F) {
	f.Add(`<a href="/show/a7">教学楼空调采购项目公开招标公告</a><script>var u = "/a?b=" + u + r.id; h += '<a href="' + u + '" onclick="go(\'' + r.id + '\')">';</script>`)
	f.Add("<script src=a.js></script><input value=token1><script>window.open(`/a/${r.id}`); f({token: \"token1\"})</script>{{id}}")
	f.Fuzz(func(t *testing.T, page string) {
		x := &Exchange{URL: "http://h.test/api?page=1&token=token1", SeenOn: "http://h.test/list.html", Reply: []byte(reply)}
		x.readPage(x.SeenOn, page)
		_, _, _ = fromExchange(x)
	})
}
