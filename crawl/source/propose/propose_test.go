package propose

import (
	"os"
	"strings"
	"testing"

	"angler/crawl/webtest/realpages"
)

// The same request as bash and cmd copy it.
func TestFromCURL(t *testing.T) {
	for name, text := range map[string]string{
		"bash": `curl 'http://h.test/api/list?x=1' -X 'POST' \
  -H 'Content-Type: application/json' \
  -H 'Cookie: SESSION=secret' \
  -H 'User-Agent: Mozilla/5.0' -H 'Referer: http://h.test/list.html' \
  --data-raw $'{"pageNo":1,"q":"it\'s","name":"\u91c7\u8d2d"}' --compressed`,
		"cmd": `curl ^"http://h.test/api/list?x=1^" ^
  -X ^"POST^" ^
  -H ^"Content-Type: application/json^" ^
  -b ^"SESSION=secret^" ^
  -H ^"Referer: http://h.test/list.html^" ^
  --data-raw ^"^{^\^"pageNo^\^":1,^\^"q^\^":^\^"it's^\^",^\^"name^\^":^\^"采购^\^"^}^"`,
	} {
		x, notes, err := FromCURL(text)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if x.Method != "POST" || x.URL != "http://h.test/api/list?x=1" || x.Body != `{"pageNo":1,"q":"it's","name":"采购"}` || x.SeenOn != "http://h.test/list.html" || x.Headers["Content-Type"] != "application/json" {
			t.Errorf("%s: %+v", name, x)
		}
		if len(notes) != 1 || !strings.Contains(notes[0], "Cookie") || strings.Contains(strings.Join(notes, ""), "secret") || x.Headers["Cookie"] != "" || x.Headers["User-Agent"] != "" {
			t.Errorf("%s: notes %q, headers %v", name, notes, x.Headers)
		}
	}
	// A ^ within quotes is part of the text, in either shell.
	for text, body := range map[string]string{
		`curl 'http://h.test/' --data-raw '{"sort":"^","q":"a^"}'`:                         `{"sort":"^","q":"a^"}`,
		`curl "http://h.test/" -d "{\"sort\":\"^\"}" -H 'X: ^"'`:                           `{"sort":"^"}`,
		"curl 'http://h.test/' --data-raw 'a=^\nb' \\\n -H 'Accept: *'":                    "a=^\nb",
		`curl 'http://h.test/' --data-raw $'it\'s "^"'`:                                    `it's "^"`,
		"curl \"http://h.test/\" ^\n  --data-raw \"{\"\"sort\"\":\"\"^\"\",\"\"q\"\":1}\"": `{"sort":"^","q":1}`,
		"curl ^\"http://h.test/^\" ^\n  --data-raw ^\"'^^'^\"":                             `'^'`,
	} {
		if x, _, err := FromCURL(text); err != nil || x.Body != body {
			t.Errorf("%s: %+v, %v, want %s", text, x, err, body)
		}
	}
	for _, c := range []struct{ text, says string }{
		{"wget http://h.test/", "does not begin with curl"},
		{"curl 'http://h.test/", "not closed"},
		{"curl -H", "copied only in part"},
		{"curl ftp://h.test/", "names no http address"},
		{"curl http://h.test/ -F file=@x", "uploads"},
		{"curl http://h.test/ -X DELETE", "GET or POST"},
	} {
		if _, _, err := FromCURL(c.text); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.text, err, c.says)
		}
	}
}

// Real pages that hold no rows name what brings them.
func TestDraftsOfRealPages(t *testing.T) {
	for _, c := range []struct{ file, url, asks, body string }{
		{"jl_list_page.html", "http://a.test/jyxx/x/", "/irs/front/search", `"pageNo":{page},"pageSize":10`},
		{"ggzy_gov_cn_dealList_page.html", "https://b.test/deal/dealList.html", "/information/pubTradingInfo/getTradList", ""},
		{"jsggzy_trade_shell.html", "http://c.test/jyxx/tradeInfonew.html", "/inteligentsearch/rest/esinteligentsearch/getFullTextDataNew", `"pn":{offset},"rn":{size}`},
	} {
		path, ok := realpages.Find(t, "portals", c.file)
		if !ok {
			continue
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		list := Drafts(PageOf(c.url, string(b)))
		if len(list) == 0 || !strings.Contains(list[0].Recipe.Request.URL, c.asks) || !strings.Contains(list[0].Recipe.Request.Body, c.body) {
			t.Errorf("%s: %+v", c.file, list)
		} else if c.body == "" && list[0].Recipe.Request.Fields["PAGENUMBER"] != "{page}" {
			t.Errorf("%s: %+v", c.file, list[0].Recipe.Request)
		}
	}
}

// What is signed, encrypted or behind a captcha is told of.
func TestUnreadable(t *testing.T) {
	for script, says := range map[string]string{
		`function f(page) { $.ajax({ url: "/api/list", type: "post", headers: { "portal-sign": md5(x) }, data: { pageNo: page } }); }`: "signed",
		`$.post("/api/list", { pageNo: page, size: 10 }, function (res) { var d = CryptoJS.AES.decrypt(res.data, key); });`:            "encrypted",
		`$.post("/api/list", { pageNo: page, size: 10, verifyCode: $("#code").val() }, function (res) { });`:                           "captcha",
	} {
		list := Drafts(&Page{URL: "http://h.test/list.html", Scripts: []Script{{Text: script}}})
		if len(list) == 0 || !strings.Contains(list[0].Unreadable, says) {
			t.Errorf("%s: %+v, want %q", script, list, says)
		}
	}
}

func FuzzFromCURL(f *testing.F) {
	f.Add(`curl 'http://h.test/' -H 'a: b' --data-raw $'x\u0041'`)
	f.Add("curl ^\"http://h.test/^\" ^\n -d ^\"a=1^\"")
	f.Fuzz(func(t *testing.T, s string) { _, _, _ = FromCURL(s) })
}

func FuzzDrafts(f *testing.F) {
	f.Add(`<script>var p = {pageNo: 1}; $.ajax({url: "/api/list?x=" + p.pageNo, data: JSON.stringify(p)});</script>`)
	f.Add("<script>fetch(`/a/${page}`, {method: 'POST', body: [({)]})</script>")
	f.Fuzz(func(t *testing.T, s string) { Drafts(PageOf("http://h.test/", s)) })
}

// Texts that are put together of themselves are read to an end.
func TestTextsOfThemselves(t *testing.T) {
	Drafts(&Page{URL: "http://h.test/list.html", Scripts: []Script{{Text: `var url = "/api/list?url=" + url + "&page=" + page + "&a=" + url; $.ajax({ url: url + "&url=" + url, data: { url: "x" + url, page: page } });`}}})
	Drafts(&Page{URL: "http://h.test/list.html", Scripts: []Script{{Text: `var a = "/list?b=" + b, b = "?a=" + a; $.get("/api/list?a=" + a + "&b=" + b + "&page=" + page, function (r) { });`}}})
}
