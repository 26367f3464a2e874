package web

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"

	"angler/crawl"
	"angler/crawl/api"
	"angler/crawl/demo/demotest"
	"angler/crawl/fields"
	"angler/crawl/htmldoc"
	"angler/crawl/inbox"
	"angler/crawl/notices"
	"angler/crawl/view"
	"angler/store"
	"angler/store/records"
	"angler/topic"
	"angler/tui/i18n"
)

// opened serves the pages of a workspace.
func opened(t testing.TB, dir string) http.Handler {
	t.Helper()
	s, err := api.Open(t.Context(), dir)
	must(t, err)
	t.Cleanup(func() { demotest.Close(t, s) })
	zh, err := i18n.Pick("zh", nil)
	must(t, err)
	return New(s, Options{Chinese: zh.Line})
}

// read reads the fields of stored notices as a workbench does, decides with f, and closes the workspace.
func read(t testing.TB, dir string, f func(e *crawl.Engine)) {
	t.Helper()
	e := demotest.Engine(t, dir, crawl.Options{By: "wang", Search: true})
	if p := e.SearchReady(t.Context()); !p.Ready {
		t.Fatal(p)
	}
	if f != nil {
		f(e)
	}
	demotest.Close(t, e)
}

// crawled serves the small demo web after a discovery.
func crawled(t testing.TB) http.Handler {
	t.Helper()
	dir := t.TempDir()
	b := demotest.Crawled(t, dir, crawl.Options{By: "wang", Search: true}, 3)
	b.SearchReady(t.Context())
	return opened(t, dir)
}

// get asks for a path; header holds names and values in turn.
func get(t testing.TB, h http.Handler, method, path string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(method, "http://angler.test/", nil)
	r.URL.Path, r.URL.RawQuery, _ = strings.Cut(path, "?")
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

// page asks for a page, which must have a status, and returns its HTML and its text.
func pageOf(t testing.TB, h http.Handler, path string, status int, header ...string) (body, text string) {
	t.Helper()
	resp := get(t, h, http.MethodGet, path, header...)
	b, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != status {
		t.Fatalf("%s: status %d, %v:\n%s", path, resp.StatusCode, err, b)
	}
	if csp := resp.Header.Get("Content-Security-Policy"); csp != policy {
		t.Errorf("%s: policy %q", path, csp)
	}
	doc, err := html.Parse(strings.NewReader(string(b)))
	must(t, err)
	var out strings.Builder
	for n := range doc.Descendants() {
		switch {
		case n.Type == html.TextNode:
			out.WriteString(n.Data)
		case n.Type != html.ElementNode:
		case slices.Contains([]string{"script", "style", "img", "iframe", "object", "base"}, n.Data):
			t.Errorf("%s: element %s", path, n.Data)
		default:
			for _, a := range n.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "style" {
					t.Errorf("%s: attribute %s of %s", path, a.Key, n.Data)
				}
				outside := strings.Contains(a.Val, "://")
				if a.Key == "href" && outside && (!strings.HasPrefix(a.Val, "http") ||
					!slices.Contains(n.Attr, html.Attribute{Key: "rel", Val: "noreferrer noopener"})) {
					t.Errorf("%s: the link %s %v", path, a.Val, n.Attr)
				}
			}
		}
	}
	return string(b), out.String()
}

// holds fails the test unless a text has all parts.
func holds(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%s lacks %q:\n%s", what, p, text)
		}
	}
}

var tagless = regexp.MustCompile(`\s+`)

func TestPagesOfACrawl(t *testing.T) {
	h := crawled(t)
	body, text := pageOf(t, h, "/", 200)
	holds(t, "the inbox", text, "Inbox", "Title", "Buyer", "Budget (¥)", "Deadline", "Region", "Score", "New today",
		"1–", " of ")
	id := regexp.MustCompile(`href="/notices/(\d+)"`).FindStringSubmatch(body)
	if id == nil {
		t.Fatal(body)
	}
	_, zh := pageOf(t, h, "/", 200, "Accept-Language", "zh-CN,zh;q=0.9,en;q=0.8")
	holds(t, "the Chinese inbox", zh, "收件箱", "标题", "采购人", "预算（万元）", "今日新增", "本周截止")
	body, text = pageOf(t, h, "/notices/"+id[1], 200)
	holds(t, "a notice", text, "Fields", "Read at", "Certainty", "Text", "Origin", "Open the source")
	holds(t, "a notice", body, `rel="noreferrer noopener"`, `href="/notices/`+id[1]+`.md"`)
	_, text = pageOf(t, h, "/lists", 200)
	holds(t, "the lists", text, "Health", "Entries", "Notices", "Visited")
	_, text = pageOf(t, h, "/lists?host=nowhere", 200)
	holds(t, "no lists", text, "No list matches")
	body, text = pageOf(t, h, "/run", 200)
	holds(t, "the run", text, "idle", "Discovery", "Fetched", "Recent runs", "finished", "wang")
	if strings.Contains(body, `http-equiv="refresh"`) {
		t.Error("a page reloads itself without a run")
	}
	for _, path := range []string{"/", "/notices/" + id[1], "/lists", "/run"} {
		if body, _ := pageOf(t, h, path, 200); !strings.Contains(body, `<form class="leave" method="post" action="/logout">`) {
			t.Errorf("%s has no button to log out", path)
		}
	}
}

// The page of a run under way loads itself again, unless it is told not to.
func TestRunUnderWay(t *testing.T) {
	dir := demotest.Stored(t, demotest.Tender(1))
	e := demotest.Engine(t, dir, crawl.Options{By: "wang"})
	if _, err := records.BeginRun(e.Workspace(), &records.Run{Task: view.Harvest, By: "wang", Start: time.Now(), Seen: time.Now(),
		Fetched: 1234, Notices: 56, Kinds: map[string]int{"http 403": 7}}); err != nil {
		t.Fatal(err)
	}
	h := opened(t, dir)
	body, text := pageOf(t, h, "/run", 200)
	holds(t, "the run", text, "running", "Harvest", "1,234", "56", "Refused needs a person7", "under way", "Stop reloading")
	holds(t, "the run", body, `<meta http-equiv="refresh" content="10">`)
	if body, text = pageOf(t, h, "/run?still=1", 200); strings.Contains(body, "http-equiv") ||
		!strings.Contains(text, "Reload by itself") {
		t.Errorf("the page reloads itself:\n%s", body)
	}
}

func TestInbox(t *testing.T) {
	var list []store.Notice
	for i := range 90 {
		list = append(list, demotest.Tender(i))
	}
	dir := demotest.Stored(t, list...)
	read(t, dir, func(e *crawl.Engine) {
		must(t, e.Inbox.Star([]uint64{list[3].ID}, true))
	})
	h := opened(t, dir)
	seen, path := map[string]bool{}, "/?order=date"
	for n := 0; path != ""; n++ {
		body, text := pageOf(t, h, path, 200)
		holds(t, path, tagless.ReplaceAllString(text, " "), fmt.Sprintf("%d–%d of 90", 40*n+1, min(40*n+40, 90)))
		for _, m := range regexp.MustCompile(`"/notices/(\d+)"`).FindAllStringSubmatch(body, -1) {
			if seen[m[1]] {
				t.Errorf("notice %s is on two pages", m[1])
			}
			seen[m[1]] = true
		}
		path = ""
		if m := regexp.MustCompile(`<a href="(\?[^"]+)" rel="next"`).FindStringSubmatch(body); m != nil {
			path = "/" + html.UnescapeString(m[1])
		}
	}
	if len(seen) != 90 {
		t.Errorf("%d notices on all pages", len(seen))
	}
	_, text := pageOf(t, h, "/?q="+url.QueryEscape("is:starred"), 200)
	holds(t, "a filter", tagless.ReplaceAllString(text, " "), "1–1 of 1", demotest.Thing(3), "★", "130,000",
		"2026-12-04 09:30", "海州大学")
	_, text = pageOf(t, h, "/?q=绿化无人机", 200)
	holds(t, "an empty answer", text, "No notice matches")

	body, text := pageOf(t, h, "/?q="+url.QueryEscape(`设备 colour:red <b>`), 400)
	holds(t, "a mistake", text, "The filter has a mistake.", "“colour:red” at 4", "no field colour")
	holds(t, "a mistake", body, `value="设备 colour:red &lt;b&gt;"`, "设备 <mark>colour:red</mark> &lt;b&gt;",
		`aria-invalid="true"`)
	_, text = pageOf(t, h, "/?lang=zh&q="+url.QueryEscape(`设备 colour:red`), 400)
	holds(t, "a mistake", text, "筛选条件有误", "第 4 字", "没有字段 colour")
	_, text = pageOf(t, h, "/?lang=zh&q="+url.QueryEscape(`"设备`), 400)
	holds(t, "an open quote", text, "引号未闭合")
	_, text = pageOf(t, h, "/?q="+strings.Repeat("x", 9000), 400)
	holds(t, "a long filter", text, "at most 2000")
}

func TestBrokenRequests(t *testing.T) {
	dir := demotest.Stored(t, demotest.Tender(1))
	read(t, dir, nil)
	h := opened(t, dir)
	for path, c := range map[string]struct {
		status int
		says   string
	}{
		"/nowhere":                          {404, "no such page"},
		"/notices/":                         {404, "no such page"},
		"/notices/0":                        {404, "no such page"},
		"/notices/x":                        {404, "no such page"},
		"/notices/5.md":                     {404, "no such page"},
		"/notices/-1":                       {404, "no such page"},
		"/notices/99999999999999999999":     {404, "no such page"},
		"/notices/1152921504606846976":      {404, "id of no notice"},
		"/notices/1/2":                      {404, "no such page"},
		"/?cursor=☃":                        {400, "no longer there"},
		"/lists?cursor=AAAA":                {400, "no longer there"},
		"/?order=size":                      {400, "none of relevance, date"},
		"/?q=%zz":                           {400, "damaged"},
		"/lists?host=a;b":                   {400, "damaged"},
		"/style/0123456789abcdef.css":       {404, "no such page"},
		"/?q=a&q=b&lang=xx&order=&unknown":  {200, "No notice matches"},
		"/lists?host=%ff%00&trouble":        {200, "No list matches"},
		"/?lang=" + strings.Repeat("z", 99): {200, "1–1 of 1"},
	} {
		_, text := pageOf(t, h, path, c.status)
		holds(t, path, text, c.says)
	}
	if resp := get(t, h, http.MethodPost, "/"); resp.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST is answered with %d", resp.StatusCode)
	}
	_, text := pageOf(t, h, "/nowhere", 404, "Accept-Language", "zh")
	holds(t, "a missing page", text, "没有这个页面")
}

func TestEmptyWorkspace(t *testing.T) {
	h := opened(t, demotest.Stored(t))
	_, text := pageOf(t, h, "/", 200)
	holds(t, "the inbox", text, "There are no notices yet")
	_, text = pageOf(t, h, "/run", 200)
	holds(t, "the run", text, "idle")
	pageOf(t, h, "/lists", 200)
}

func TestLogin(t *testing.T) {
	h := opened(t, demotest.Stored(t))
	body, text := pageOf(t, h, "/login", 200)
	holds(t, "the form", body, `method="post" action="/login"`, `name="token" type="password"`)
	if strings.Contains(text, "not valid") || strings.Contains(body, "/logout") {
		t.Error(text)
	}
	body, text = pageOf(t, h, "/login?failed=1", 200)
	holds(t, "a refusal", text, "This token is not valid")
	holds(t, "a refusal", body, `aria-describedby="fault"`)
}

// The parameter chooses the language, a cookie keeps it, else the browser's preference counts.
func TestLanguage(t *testing.T) {
	h := opened(t, demotest.Stored(t))
	for _, c := range []struct{ path, cookie, accept, want string }{
		{"/login", "", "", "en"},
		{"/login", "", "zh-CN,zh;q=0.9", "zh-Hans"},
		{"/login", "", "en-GB,zh;q=0.5", "en"},
		{"/login", "", "fr,zh-Hans;q=0.8,en;q=0.1", "zh-Hans"},
		{"/login", "", strings.Repeat("a-", 5000) + ";q=9", "en"},
		{"/login", "lang=zh", "en", "zh-Hans"},
		{"/login", "lang=<script>", "", "en"},
		{"/login?lang=en", "lang=zh", "zh", "en"},
		{"/login?lang=zh", "", "en", "zh-Hans"},
	} {
		resp := get(t, h, http.MethodGet, c.path, "Cookie", c.cookie, "Accept-Language", c.accept)
		if got := resp.Header.Get("Content-Language"); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
		cookies := resp.Cookies()
		if strings.Contains(c.path, "lang=") != (len(cookies) == 1) {
			t.Errorf("%+v sets %v", c, cookies)
		}
		for _, k := range cookies {
			if !k.HttpOnly || k.SameSite != http.SameSiteLaxMode || k.Name != "lang" {
				t.Errorf("%+v sets %v", c, k)
			}
		}
	}
	body, _ := pageOf(t, h, "/?q=x&lang=zh", 200)
	holds(t, "the switch keeps the filter", body, `href="?lang=en&amp;q=x"`)
}

func TestCaching(t *testing.T) {
	h := opened(t, demotest.Stored(t))
	body, _ := pageOf(t, h, "/login", 200)
	path := regexp.MustCompile(`href="(/style/[0-9a-f]{16}\.css)"`).FindStringSubmatch(body)
	if path == nil {
		t.Fatal(body)
	}
	css := get(t, h, http.MethodGet, path[1])
	if b, _ := io.ReadAll(css.Body); css.StatusCode != 200 || string(b) != string(style) ||
		!strings.Contains(css.Header.Get("Cache-Control"), "immutable") ||
		css.Header.Get("Content-Type") != "text/css; charset=utf-8" {
		t.Errorf("%d %v", css.StatusCode, css.Header)
	}
	first := get(t, h, http.MethodGet, "/login")
	tag := first.Header.Get("ETag")
	if tag == "" || first.Header.Get("Cache-Control") != "private, no-cache" {
		t.Errorf("%v", first.Header)
	}
	again := get(t, h, http.MethodGet, "/login", "If-None-Match", tag)
	if b, _ := io.ReadAll(again.Body); again.StatusCode != http.StatusNotModified || len(b) > 0 {
		t.Errorf("status %d with %d bytes", again.StatusCode, len(b))
	}
	if zh := get(t, h, http.MethodGet, "/login?lang=zh", "If-None-Match", tag); zh.StatusCode != 200 {
		t.Errorf("the other language has the same tag: %d", zh.StatusCode)
	}
	for _, path := range []string{"/", "/login", "/nowhere"} {
		head, full := get(t, h, http.MethodHead, path), get(t, h, http.MethodGet, path)
		if head.StatusCode != full.StatusCode || head.Header.Get("ETag") != full.Header.Get("ETag") ||
			head.Header.Get("Content-Length") != full.Header.Get("Content-Length") ||
			head.Header.Get("X-Content-Type-Options") != "nosniff" || head.Header.Get("Referrer-Policy") != "no-referrer" {
			t.Errorf("HEAD %s: %d %v", path, head.StatusCode, head.Header)
		}
	}
}

// evil is a notice that tries to write into the page that shows it.
func evil() store.Notice {
	n := demotest.Tender(1)
	n.URL = `http://h1.test/1.htm?a="><script>x()</script>`
	n.Title = "招标<script>x()</script>\" onmouseover=\"x()\u202e\x1b[31m\u2066 {{.}} &lt;img src=x onerror=x()>"
	n.Text = "正文</div></main><script>x()</script>\n采购人：<iframe src=javascript:x()>大学\n甲\t<img src=x onerror=x()>\n乙\t丙\u200b\x00\u202e完"
	n.Attachments = []store.Attachment{{URL: "javascript:x()", Name: "附件<svg/onload=x()>"},
		{URL: "data:text/html,<script>x()</script>", Name: "b"}, {URL: "http://h1.test/a.pdf", Name: "c\u202efdp.exe"}}
	n.Source = "javascript:x()//<script>"
	return n
}

func TestHostileNotice(t *testing.T) {
	n := evil()
	list := []store.Notice{n}
	dir := demotest.Stored(t, list...)
	read(t, dir, nil)
	h := opened(t, dir)
	id := fmt.Sprint(list[0].ID)
	for _, path := range []string{"/", "/notices/" + id, "/notices/" + id + "?lang=zh", "/lists?host=" +
		url.QueryEscape(`"><script>x()</script>`), "/?q=" + url.QueryEscape(`招标 "><script>x()</script>"`), "/?q=招标"} {
		body, text := pageOf(t, h, path, 200)
		for _, bad := range []string{"<script", "<img", "<iframe", "<svg", "javascript:x()\"", `href="data:`} {
			if strings.Contains(strings.ToLower(body), bad) {
				t.Errorf("%s holds %s:\n%s", path, bad, body)
			}
		}
		for _, r := range text {
			if r != '\n' && r != '\t' && htmldoc.IsUnsafe(r) {
				t.Errorf("%s: %U is left", path, r)
			}
		}
	}
	_, text := pageOf(t, h, "/notices/"+id, 200)
	holds(t, "the notice", text, "<script>x()</script>", "{{.}}", "附件<svg/onload=x()>", "<img src=x onerror=x()>", "丙完")
}

// A notice shows where its fields were read, and who corrected one.
func TestNoticeWithCorrection(t *testing.T) {
	list := []store.Notice{demotest.Tender(1)}
	list[0].Text += "\n包号\t预算\n一\t5万元\n" + strings.Repeat("评标办法为综合评分法。\n", 2000) + "终"
	dir := demotest.Stored(t, list...)
	read(t, dir, func(e *crawl.Engine) {
		must(t, e.Facts.SetValue(list[0].ID, "buyer", "海州学院"))
	})
	h := opened(t, dir)
	path := fmt.Sprintf("/notices/%d", list[0].ID)
	body, text := pageOf(t, h, path, 200)
	holds(t, "the notice", text, "HZ2026-00001", "a line of the text · behind “项目编号”", "2026-12-02 09:30", "¥110,000",
		"Corrections", "corrected by a person", "wang")
	holds(t, "the notice", body, "<del>海州大学</del> → <ins>海州学院</ins>", "<td>一</td><td>5万元</td>")
	_, zh := pageOf(t, h, path+"?lang=zh", 200)
	holds(t, "the notice", zh, "项目编号", "正文中的一行 · “项目编号”之后", "110,000 元（11.00 万元）", "更正记录", "人工更正")
	more := regexp.MustCompile(`<a href="(\?cursor=[^"]+)" rel="next"`).FindStringSubmatch(body)
	if more == nil {
		t.Fatal("a long text has no continuation")
	}
	for range 9 {
		body, text = pageOf(t, h, path+html.UnescapeString(more[1]), 200)
		if more = regexp.MustCompile(`<a href="(\?cursor=[^"]+)" rel="next"`).FindStringSubmatch(body); more == nil {
			break
		}
	}
	holds(t, "the end of the text", text, "终", "To the beginning")
}

// Each text that pages use is in the catalogue in both languages, and no other.
func TestTexts(t *testing.T) {
	var texts map[string][]string
	must(t, json.Unmarshal(textsFile, &texts))
	used := map[string]bool{}
	source := pagesFile
	for _, name := range []string{"web.go", "pages.go", "text.go"} {
		b, err := os.ReadFile(name)
		must(t, err)
		source += string(b)
	}
	for _, m := range regexp.MustCompile(`(?:Text[ (]|add\(|(?:true|false): )"([a-z_]+)"`).FindAllStringSubmatch(source, -1) {
		used[m[1]] = true
	}
	for kind, values := range named {
		if !strings.Contains(source, `Named "`+kind+`"`) && !strings.Contains(source, `Named("`+kind+`"`) {
			t.Errorf("no page names a %s", kind)
		}
		for _, v := range values {
			used[kind+"_"+v] = true
		}
	}
	for _, m := range regexp.MustCompile(`Named[ (]"([a-z_]+)"`).FindAllStringSubmatch(source, -1) {
		if named[m[1]] == nil {
			t.Errorf("the values of %s are unknown", m[1])
		}
	}
	verbs := regexp.MustCompile(`%[sd]`)
	for _, id := range slices.Sorted(maps.Keys(texts)) {
		all := texts[id]
		if !used[id] {
			t.Errorf("no page uses %s", id)
		}
		if len(all) != 2 || all[0] == "" || all[1] == "" ||
			id != "yuan_wan" && !slices.Equal(verbs.FindAllString(all[0], -1), verbs.FindAllString(all[1], -1)) {
			t.Errorf("%s: %q", id, all)
		}
		delete(used, id)
	}
	for id := range used {
		t.Errorf("the catalogue lacks %s", id)
	}
	if keys := regexp.MustCompile(`(?m)^"([^"]+)": `).FindAllStringSubmatch(string(textsFile), -1); !slices.IsSortedFunc(keys,
		func(a, b []string) int { return strings.Compare(a[1], b[1]) }) || len(keys) != len(texts) {
		t.Error("the catalogue is not sorted")
	}
}

// BenchmarkInbox makes the first page of many notices.
func BenchmarkInbox(b *testing.B) {
	dir, list := demotest.Many(b)
	read(b, dir, nil)
	h := opened(b, dir)
	for _, path := range []string{"/", "/?q=" + url.QueryEscape("budget>100w due<7d"), "/?q=" + url.QueryEscape("物理学院 显微镜"),
		fmt.Sprintf("/notices/%d", list[len(list)/2].ID), "/run"} {
		b.Run(path, func(b *testing.B) {
			var took []time.Duration
			size := 0
			get(b, h, http.MethodGet, path) // the first question about notices relates all of them
			for b.Loop() {
				begun := time.Now()
				resp := get(b, h, http.MethodGet, path, "Accept-Language", "zh")
				took = append(took, time.Since(begun))
				body, _ := io.ReadAll(resp.Body)
				if size = len(body); resp.StatusCode != 200 {
					b.Fatalf("%d:\n%s", resp.StatusCode, body)
				}
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
			b.ReportMetric(float64(size)/1000, "KB")
		})
	}
}

// named lists the values that have texts, by kind.
var named = map[string][]string{
	"health": {"ok", view.ListLogin, view.ListMoved, view.ListEmpty, view.ListFails, view.ListStale, view.ListPager,
		view.ListUnfollowed},
	"state":   {string(view.Idle), string(view.Running), string(view.Paused), string(view.Draining)},
	"task":    {view.Discovery, view.Look, view.Harvest},
	"failure": {view.Gone, view.Refused, view.Faulty, view.Unreachable, view.Barred, view.NoPage},
	"end": {records.RunFinished, records.RunStopped, records.RunKilled, records.RunOutage, records.RunFailed,
		"open"},
	"verdict": {string(topic.Yes), string(topic.No), string(topic.Unsure)},
	"stage": {notices.Intended.String(), notices.Tendered.String(), notices.Corrected.String(),
		notices.Stopped.String(), notices.Nominated.String(), notices.Awarded.String(), notices.Contracted.String()},
	"place": {string(fields.FromTable), string(fields.FromLine), string(fields.FromSentence), string(fields.FromTitle),
		string(fields.FromAttachment), string(fields.FromNames), string(fields.FromPerson)},
}

// While the notices are read after opening, the page tells how far that is, and loads again.
func TestStillReading(t *testing.T) {
	s := &site{speeches: speeches(nil), now: time.Now}
	for read, texts := range map[int]map[string]string{
		3000:    {"en": "still being read: 3000 of 100000", "zh": "正在读取公告：3000 / 100000"},
		100_000: {"en": "100000 notices are read; their copies and projects", "zh": "已读取 100000 条公告"},
	} {
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Security-Policy", policy)
			s.serve(w, r, func(*http.Request, *page) error { return &inbox.ReadingError{Read: read, All: 100_000} })
		})
		for language, want := range texts {
			body, text := pageOf(t, h, "/", http.StatusServiceUnavailable, "Accept-Language", language)
			if !strings.Contains(text, want) || !strings.Contains(body, `http-equiv="refresh"`) {
				t.Errorf("%s: %s", language, body)
			}
		}
	}
}

// must fails the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
