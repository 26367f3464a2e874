package recipe

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"angler/crawl/webtest/realpages"
)

var today = time.Date(2026, 7, 8, 9, 0, 0, 0, time.UTC)

const jsonRecipe = `
name = "某省政府采购网 采购公告"
seen_on = "http://h.test/list.html"
[request]
method = "POST"
url = "http://h.test/api/notices"
body = '{"pageNo":{page},"pageSize":20,"category":"cggg"}'
headers = { X-Requested-With = "XMLHttpRequest" }
page = { first = 1, step = 1, size = 20, last = "data.pages" }
[rows]
path = "data.records"
title = "title"
date = "publishDate"
url = "/detail?id={id}"
`

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func parsed(t *testing.T, text string) *Recipe {
	t.Helper()
	r, err := Parse("notices", []byte(text))
	must(t, err)
	return r
}

func read(t *testing.T, r *Recipe, body string, at listPlace) *listResult {
	t.Helper()
	res, err := r.readReply(&serverReply{URL: "http://h.test/api/notices", Status: 200, Body: []byte(body)}, at, today)
	must(t, err)
	return res
}

func TestMakeAndRead(t *testing.T) {
	r := parsed(t, jsonRecipe)
	s, err := r.build(listPlace{Page: 3}, nil, today)
	if err != nil || s.Method != "POST" || string(s.Body) != `{"pageNo":3,"pageSize":20,"category":"cggg"}` || s.ContentType != "application/json" || s.Header["X-Requested-With"] == "" {
		t.Fatalf("%+v, %v", s, err)
	}
	res := read(t, r, `{"data":{"pages":3,"records":[{"title":"<em>教学</em>设备采购公告 &amp; 更正","publishDate":1783404000000,"id":9007199254740993123}]}}`, listPlace{Page: 2})
	want := Row{Title: "教学设备采购公告 & 更正", URL: "http://h.test/detail?id=9007199254740993123", Day: "2026-07-07 14:00"}
	if len(res.Rows) != 1 || res.Rows[0].Title != want.Title || res.Rows[0].URL != want.URL || res.Rows[0].Day != want.Day {
		t.Errorf("row = %+v, want %+v", res.Rows, want)
	}
	if res.Next == nil || res.Next.Page != 3 {
		t.Errorf("page 2 of 3: next = %v, %s", res.Next, res.End)
	}
	if res = read(t, r, `{"data":{"pages":3,"records":[{"title":"教学设备","id":1}]}}`, listPlace{Page: 3}); res.Next != nil || res.End == "" {
		t.Errorf("page 3 of 3: next = %v, %q", res.Next, res.End)
	}
}

// A recipe is equal after encoding and parsing.
func TestEncode(t *testing.T) {
	r := parsed(t, jsonRecipe)
	b, err := r.Encode()
	must(t, err)
	again := parsed(t, string(b))
	c, err := again.Encode()
	if err != nil || string(b) != string(c) {
		t.Errorf("%s\nbecame\n%s", b, c)
	}
	if again.Request.Body != r.Request.Body || again.Rows.URL != r.Rows.URL || again.Name != r.Name {
		t.Errorf("%+v became %+v", r, again)
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ name, from, to, says string }{
		{"an unknown key", `method = "POST"`, "method = \"POST\"\nmehtod = 1", "unknown key request.mehtod"},
		{"no name", `name = "某省政府采购网 采购公告"`, `name = ""`, "name is empty"},
		{"another method", `"POST"`, `"DELETE"`, "GET and POST are known"},
		{"no address", `"http://h.test/api/notices"`, `"ftp://h.test/x"`, "is no http address"},
		{"a host that is filled in", `"http://h.test/api/notices"`, `"http://{page}.test/x"`, "behind the host"},
		{"a cookie", "X-Requested-With", "Cookie", "is a secret"},
		{"no title", `title = "title"`, `title = ""`, "rows.title is empty"},
		{"no address of rows", `url = "/detail?id={id}"`, ``, "neither url nor text"},
		{"a path that does more than look", `path = "data.records"`, `path = "data|@pretty"`, "a path has"},
		{"broken TOML", "[rows]", "[rows", "line 10"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(jsonRecipe, c.from) {
				t.Fatal("the recipe of the test has changed")
			}
			_, err := Parse("x", []byte(strings.Replace(jsonRecipe, c.from, c.to, 1)))
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want %q in it", err, c.says)
			}
		})
	}
}

func TestDates(t *testing.T) {
	r := parsed(t, jsonRecipe)
	for in, want := range map[string]string{
		`"2026-07-07"`: "2026-07-07", `"2026.07.07 15:27:37"`: "2026-07-07 15:27", `"2026/7/7"`: "2026-07-07", `"2026年7月7日"`: "2026-07-07", `"20260707152737"`: "2026-07-07 15:27",
		`"20260707"`: "2026-07-07", `1783353600`: "2026-07-07", `1783353600000`: "2026-07-07", `"1783353600000"`: "2026-07-07", `"2026-07-07T02:30:00.000+0000"`: "2026-07-07 10:30",
		`"2026-07-07T02:30:00Z"`: "2026-07-07 10:30", `"2026-07-07 00:00:00"`: "2026-07-07", `"/Date(1783353600000+0800)/"`: "2026-07-07",
		`0`: "", `""`: "", `null`: "", `"1970-01-01"`: "", `"soon"`: "", `[]`: "", `1.7833536e12`: "2026-07-07",
	} {
		res := read(t, r, `{"data":{"records":[{"title":"设备采购","id":1,"publishDate":`+in+`}]}}`, FirstPage)
		if got := res.Rows[0].Day; got != want {
			t.Errorf("%s = %q, want %q", in, got, want)
		}
	}
}

func TestURLs(t *testing.T) {
	for _, c := range []struct{ url, row, want string }{
		{"linkurl", `"linkurl":"/jyxx/003/a.html"`, "http://h.test/jyxx/003/a.html"},
		{"linkurl", `"linkurl":""`, ""},
		{"linkurl", `"linkurl":"javascript:void(0)"`, ""},
		{"linkurl", `"linkurl":"http://other.test/x?a=1&amp;b=2"`, "http://other.test/x?a=1&b=2"},
		{"http://h.test/d/{cat}/{date:20060102}/{guid}.html", `"cat":"003001","guid":"a-b","publishDate":"2026-07-06"`, "http://h.test/d/003001/20260706/a-b.html"},
		{"http://h.test/d?id={id}&r={region}", `"id":12345678901234567890,"region":"a&b c"`, "http://h.test/d?id=12345678901234567890&r=a%26b+c"},
		{"http://h.test/d?id={id}&r={region}", `"id":1`, ""},
		{"{host}/x/{id}", `"host":"http://h.test/y","id":1`, "http://h.test/y/x/1"},
		{"_source.url", `"_source":{"url":"a.html"}`, "http://h.test/api/a.html"},
	} {
		r := parsed(t, strings.Replace(jsonRecipe, "/detail?id={id}", c.url, 1))
		res, err := r.readReply(&serverReply{URL: "http://h.test/api/notices", Status: 200, Body: []byte(`{"data":{"records":[{"title":"设备采购",` + c.row + `}]}}`)}, FirstPage, today)
		got := ""
		if err == nil {
			got = res.Rows[0].URL
		}
		if got != c.want {
			t.Errorf("%s of %s = %q, %v, want %q", c.url, c.row, got, err, c.want)
		}
	}
	r := parsed(t, jsonRecipe+"\n[[rows.rewrite]]\nfrom = '/a/'\nto = '/b/'\n")
	r.Rows.URL = "url"
	if got := read(t, r, `{"data":{"records":[{"title":"设备采购","url":"/information/a/1.html"}]}}`, FirstPage).Rows[0].URL; got != "http://h.test/information/b/1.html" {
		t.Errorf("rewritten: %s", got)
	}
}

func TestWrapped(t *testing.T) {
	row := `{\"Table\":[{\"title\":\"设备采购\",\"id\":7}],\"total\":1}`
	for name, c := range map[string]struct{ unwrap, body string }{
		"in return":    {`["return"]`, `{"return":"` + row + `"}`},
		"twice":        {`["content","custom"]`, `{"code":200,"content":"{\"custom\":\"` + strings.ReplaceAll(row, `\"`, `\\\"`) + `\"}"}`},
		"JSONP":        {`["return"]`, `result({"return":"` + row + `"});`},
		"guarded":      {`["return"]`, "/**/ typeof jQ === 'function' && jQ({\"return\":\"" + row + "\"});"},
		"no text":      {`["return"]`, `{"return":{"Table":[{"title":"设备采购","id":7}]}}`},
		"a text whole": {`["@this"]`, `"` + row + `"`},
	} {
		r := parsed(t, strings.Replace(jsonRecipe, `path = "data.records"`, "path = \"Table\"\nunwrap = "+c.unwrap, 1))
		res, err := r.readReply(&serverReply{URL: "http://h.test/x", Status: 200, Body: []byte(c.body)}, FirstPage, today)
		if err != nil || len(res.Rows) != 1 || res.Rows[0].Title != "设备采购" {
			t.Errorf("%s: %+v, %v", name, res, err)
		}
	}
}

// An unfit reply is described.
func TestUnfit(t *testing.T) {
	r := parsed(t, jsonRecipe)
	for name, c := range map[string]struct {
		body   string
		status int
		kind   string
		says   string
	}{
		"another shape":       {`{"data":{"list":[{"title":"a"}]}}`, 200, Gone, "it has data.list (1 rows)"},
		"another type":        {`{"data":{"records":"none"}}`, 200, OtherType, "is a text instead of an array"},
		"renamed fields":      {`{"data":{"records":[{"name":"a","id":1}]}}`, 200, Gone, "a row has name, id"},
		"no ids":              {`{"data":{"records":[{"title":"设备","uid":1}]}}`, 200, Gone, "a row has title, uid"},
		"cut":                 {`{"data":{"records":[{"title":"设备采购","id":1},{"ti`, 200, Broken, "ends in the middle"},
		"HTML":                {`<html><title>统一登录</title>`, 200, OtherType, "a page called 统一登录"},
		"empty":               {``, 200, OtherType, "the reply is empty"},
		"no rows":             {`{"data":{"records":[]}}`, 200, NoRows, "no rows"},
		"nested":              {strings.Repeat(`{"data":`, 10_000), 200, Broken, "nested deeper"},
		"nested arrays":       {strings.Repeat(`[`, 10_000) + strings.Repeat(`]`, 10_000), 200, Broken, "nested deeper"},
		"nothing":             {`null`, 200, Gone, "has no data.records"},
		"refused in words":    {`{"code":401,"msg":"token 已过期"}`, 200, Refused, "token 已过期"},
		"refused by status":   {`{"msg":"请登录"}`, 403, Refused, "请登录"},
		"gone":                {`<title>Not Found</title>`, 404, Gone, "status 404"},
		"encrypted":           {`{"Data":"` + strings.Repeat("QUJD", 200) + `"}`, 200, Protected, "encrypted"},
		"a text of a refusal": {`{"data":null,"message":"访问过于频繁"}`, 200, Gone, "访问过于频繁"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := r.readReply(&serverReply{URL: "http://h.test/x", Status: c.status, Body: []byte(c.body)}, FirstPage, today)
			var u *unfit
			if !errors.As(err, &u) || u.Kind != c.kind || !strings.Contains(u.What, c.says) {
				t.Errorf("%v, want kind %s and %q", err, c.kind, c.says)
			}
		})
	}
	if _, err := r.readReply(&serverReply{URL: "http://h.test/x", Status: 200, Body: []byte(`{"data":`), Truncated: true}, FirstPage, today); err == nil || !strings.Contains(err.Error(), "max_body_mb") {
		t.Errorf("a reply that was cut: %v", err)
	}
}

func TestStops(t *testing.T) {
	page := `{"data":{"total":45,"records":[{"title":"设备采购","id":1,"publishDate":"2026-03-01"}]}}`
	for _, c := range []struct {
		name, add string
		page      int
		goes      bool
	}{
		{"by total, page 2 of 3", "total", 2, true},
		{"by total, page 3 of 3", "total", 3, false},
		{"by pages", "[stop]\npages = 2", 2, false},
		{"older than a day", "[stop]\nolder = '2026-04-01'", 1, false},
		{"older than days", "[stop]\nolder = '30d'", 1, false},
		{"young enough", "[stop]\nolder = '2026-01-01'", 1, true},
	} {
		text := jsonRecipe + c.add
		if c.add == "total" {
			text = strings.Replace(jsonRecipe, `last = "data.pages"`, `total = "data.total"`, 1)
		}
		r := parsed(t, text)
		if res := read(t, r, page, listPlace{Page: c.page}); (res.Next != nil) != c.goes || (res.End == "") != c.goes {
			t.Errorf("%s: next %v, %q", c.name, res.Next, res.End)
		}
	}
	if res := read(t, parsed(t, jsonRecipe), `{"data":{"records":[]}}`, listPlace{Page: 4}); res.Next != nil || res.End != "an empty page" {
		t.Errorf("an empty page: %+v", res)
	}
}

// Lists with at most 1,000 rows are read day by day.
func TestSlices(t *testing.T) {
	r := parsed(t, strings.Replace(jsonRecipe, `"category":"cggg"`, `"begin":"{from}","end":"{to:2006-01-02 15:04:05}"`, 1)+"[slice]\ndays = 1\nback = 3\nformat = '2006-01-02'\n")
	s, err := r.build(FirstPage, nil, today)
	if err != nil || !strings.Contains(string(s.Body), `"begin":"2026-07-08","end":"2026-07-08 23:59:59"`) {
		t.Fatalf("%+v, %v", s, err)
	}
	full := `{"data":{"pages":2,"records":[{"title":"设备采购","id":1}]}}`
	var places []string
	for at := (listPlace{Page: 1}); len(places) < 20; {
		places = append(places, r.Address(at))
		place, ok := placeOf(r.Address(at))
		if !ok || r.local(place.At) != at {
			t.Fatalf("%s is read as %+v, %v, want %+v", r.Address(at), place, ok, at)
		}
		res := read(t, r, full, at)
		if res.Next == nil {
			break
		}
		at = *res.Next
	}
	want := "http://h.test/api/notices#recipe:notices:page=1 http://h.test/api/notices#recipe:notices:page=2 " +
		"http://h.test/api/notices#recipe:notices:from=2026-07-07:page=1 http://h.test/api/notices#recipe:notices:from=2026-07-07:page=2 " +
		"http://h.test/api/notices#recipe:notices:from=2026-07-06:page=1 http://h.test/api/notices#recipe:notices:from=2026-07-06:page=2"
	if got := strings.Join(places, " "); got != want {
		t.Errorf("places %s\nwant %s", got, want)
	}
}

func TestTokens(t *testing.T) {
	text := strings.Replace(jsonRecipe, `"category":"cggg"`, `"csrf":"{csrf}","key":"{key}"`, 1) +
		"[[token]]\nname = 'csrf'\nselector = 'input[name=_csrf]'\n[[token]]\nname = 'key'\nregex = 'var key\\s*=\\s*\"([^\"]+)\"'\n"
	r := parsed(t, text)
	if _, err := r.build(FirstPage, nil, today); err == nil {
		t.Error("a request without its token was made")
	}
	tokens := map[string]string{}
	if err := r.readTokens("http://h.test/list.html", []byte(`<input type="hidden" name="_csrf" value="a&quot;b"><script>var key = "k-1";</script>`), tokens); err != nil {
		t.Fatal(err)
	}
	s, err := r.build(FirstPage, tokens, today)
	if err != nil || !strings.Contains(string(s.Body), `"csrf":"a\"b","key":"k-1"`) {
		t.Errorf("%+v, %v", s, err)
	}
	var u *unfit
	if err := r.readTokens("http://h.test/list.html", []byte(`<p>maintenance`), tokens); !errors.As(err, &u) {
		t.Errorf("a page without the token: %v", err)
	}
}

func TestFragments(t *testing.T) {
	r := parsed(t, "name='a'\n[request]\nurl='http://h.test/list?page={page}'\n[rows]\nhtml='data.html'\n")
	res := read(t, r, `{"data":{"html":"<ul><li><a href='/a/1.html' title='教学设备采购公告（一）'>教学设备…</a><span>2026-07-07</span></li><li><a href='2.html'>实验室改造工程公告</a><em>07-06</em></li></ul><a href='?page=2'>下页</a>"}}`, FirstPage)
	if len(res.Rows) != 2 || res.Rows[0].Title != "教学设备采购公告（一）" || res.Rows[0].URL != "http://h.test/a/1.html" || res.Rows[0].Day != "2026-07-07" || res.Rows[1].Day == "" {
		t.Errorf("%+v", res.Rows)
	}
	r = parsed(t, "name='a'\n[request]\nurl='http://h.test/list?page={page}'\n[rows]\nhtml='@this'\nurl='/d/{2}.html?t={1}'\n")
	res = read(t, r, `<table><tr><td onclick="show(this);open2('03','b7')">教学设备采购公告（一）</td><td>2026-07-07</td></tr><tr><td><a href="javascript:open2('04', 'b8')">实验室改造工程公告</a></td><td>2026-07-06</td></tr></table>`, FirstPage)
	if len(res.Rows) != 2 || res.Rows[0].URL != "http://h.test/d/b7.html?t=03" || res.Rows[1].URL != "http://h.test/d/b8.html?t=04" || res.Rows[1].Day != "2026-07-06" {
		t.Errorf("%+v", res.Rows)
	}
}

// Rows that hold their notice link to a page made from the list.
func TestHeldRows(t *testing.T) {
	r := parsed(t, strings.Replace(jsonRecipe, `url = "/detail?id={id}"`, "text = 'content'\nkey = 'id'", 1))
	res := read(t, r, `{"data":{"pages":2,"records":[{"title":"教学设备采购公告","publishDate":"2026-07-07","id":"7/8","content":"<p>一、项目名称</p></script><script>x"}]}}`, FirstPage)
	list := r.html(res)
	for _, want := range []string{`href="http://h.test/api/notices#recipe:notices:row=`, "2026-07-07", nextHref} {
		if !strings.Contains(string(list), want) {
			t.Errorf("%q is missing in %s", want, list)
		}
	}
	place, ok := placeOf(r.rowAddress(res.Rows[0].Key))
	if !ok || place.ID != "notices" {
		t.Fatalf("%+v", place)
	}
	page, ok := pageInRow(list, place.Row)
	if !ok || !strings.Contains(string(page), "<p>一、项目名称</p>") || !strings.Contains(string(page), "2026-07-07") {
		t.Errorf("%s, %v", page, ok)
	}
	if _, ok := pageInRow(list, "9"); ok {
		t.Error("a row that is not there was found")
	}
}

func TestRealReplies(t *testing.T) {
	for _, c := range []struct {
		file, body, says string
		rows             int
	}{
		{"jsggzy_list.json", `{"pn":0,"rn":20}`, "{offset}", 3},
		{"ggzy_gov_cn_getTradList.json", "DEAL_TIME=02&PAGENUMBER=1", "{page}", 20},
	} {
		path, ok := realpages.Find(t, "portals", c.file)
		if !ok {
			continue
		}
		b, err := os.ReadFile(path)
		must(t, err)
		x := &Exchange{URL: "http://h.test/x", Method: "POST", Body: c.body, Reply: b}
		r, notes, err := fromExchange(x)
		if err != nil || len(notes) > 0 {
			t.Fatalf("%s: %v, %v", c.file, notes, err)
		}
		res, err := r.readReply(&serverReply{URL: x.URL, Status: 200, Body: b}, FirstPage, today)
		if err != nil || len(res.Rows) < c.rows || res.Total == 0 || res.Next == nil {
			t.Fatalf("%s: %+v, %v", c.file, res, err)
		}
		for _, row := range res.Rows {
			if row.Day == "" || row.URL == "" || len([]rune(row.Title)) < 8 {
				t.Errorf("%s: row %+v", c.file, row)
			}
		}
		if e, _ := r.Encode(); !strings.Contains(string(e), c.says) {
			t.Errorf("%s: the page is not in\n%s", c.file, e)
		}
	}
}
