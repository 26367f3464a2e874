package webtest

import (
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// parse decodes a page by its meta tag and parses it.
func parse(t *testing.T, address string, res response) (root *html.Node, declared string) {
	t.Helper()
	m := regexp.MustCompile(`(?i)charset="?([a-z0-9-]+)`).FindSubmatch(res.Body)
	if m == nil {
		t.Fatalf("%s declares no charset", address)
	}
	declared = string(m[1])
	body := string(res.Body)
	if declared == "gbk" || declared == "gb2312" {
		var err error
		if body, err = simplifiedchinese.GB18030.NewDecoder().String(body); err != nil {
			t.Fatalf("%s: %v", address, err)
		}
	}
	if strings.ContainsRune(body, '\uFFFD') {
		t.Fatalf("%s: garbled after decoding as %s", address, declared)
	}
	root, err := html.Parse(strings.NewReader(body))
	if err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	return root, declared
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode && d.Parent.Data != "script" {
			b.WriteString(d.Data)
		}
	}
	return strings.TrimSpace(b.String())
}

func elements(root *html.Node, match func(*html.Node) bool) []*html.Node {
	var out []*html.Node
	for d := range root.Descendants() {
		if d.Type == html.ElementNode && match(d) {
			out = append(out, d)
		}
	}
	return out
}

func hasClass(class string) func(*html.Node) bool {
	return func(n *html.Node) bool { return slices.Contains(strings.Fields(attr(n, "class")), class) }
}

// Every link of every demo page leads to its stated target: a page, a redirect to a page, a file, or an
// intentionally broken link. The seeds reach every page.
func TestLinksLeadSomewhere(t *testing.T) {
	w := demo(t, Options{Seed: 1})
	missing := map[string]bool{}
	for truth := range w.Truths() {
		missing[truth.URL] = true
	}
	queue := append([]string(nil), w.Seeds()...)
	seen := map[string]bool{}
	for _, s := range queue {
		seen[s] = true
	}
	kinds := map[string]int{}
	steps := 0 // into endless chains
	for len(queue) > 0 {
		address := queue[0]
		queue = queue[1:]
		host, path := split(address)
		res := w.Page(host, path)
		delete(missing, address)
		base, err := url.Parse(address)
		must(t, err)
		var links []string
		switch {
		case res.Location != "":
			kinds["redirect"]++
			links = []string{res.Location}
		case res.Status == http.StatusNotFound:
			if !strings.Contains(path, "/gone/") {
				t.Errorf("%s is linked and does not exist", address)
			}
			kinds["broken"]++
		case res.Status == http.StatusInternalServerError:
			kinds["error"]++
		case res.Status != http.StatusOK:
			t.Fatalf("%s: status %d", address, res.Status)
		case !strings.HasPrefix(res.ContentType, "text/html"):
			kinds[res.ContentType]++
		case strings.Contains(path, "/ys/"):
			kinds["odd"]++
		default:
			truth, ok := w.Truth(address)
			if !ok {
				t.Fatalf("%s is a page without truth", address)
			}
			if truth.Trap {
				if steps++; steps > 40 {
					continue
				}
			}
			kinds["page"]++
			root, _ := parse(t, address, res)
			for _, n := range elements(root, func(n *html.Node) bool { return attr(n, "href") != "" || attr(n, "src") != "" }) {
				links = append(links, attr(n, "href")+attr(n, "src"))
			}
		}
		for _, l := range links {
			if strings.HasPrefix(l, "javascript:") || strings.HasPrefix(l, "mailto:") || strings.HasPrefix(l, "/_visitcount") {
				continue
			}
			to, err := base.Parse(l)
			if err != nil {
				t.Fatalf("%s: link %q: %v", address, l, err)
			}
			to.Fragment = ""
			if to := to.String(); !seen[to] {
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}
	for address := range missing {
		t.Errorf("%s cannot be reached", address)
		if len(missing) > 20 {
			t.Fatalf("and %d more", len(missing)-1)
		}
	}
	for _, kind := range []string{"redirect", "broken", "error", "odd", "application/pdf", "application/msword", fileTypes[".docx"], fileTypes[".xlsx"]} {
		if kinds[kind] == 0 {
			t.Errorf("no link leads to %s", kind)
		}
	}
	if steps <= 40 {
		t.Errorf("the endless chains ended after %d steps", steps)
	}
	t.Logf("%v", kinds)
}

// Truth agrees with the HTML.
func TestTruthStandsInTheHTML(t *testing.T) {
	w := demo(t, Options{Seed: 4})
	charsets := map[string]int{}
	hidden, cut, lists, n := 0, 0, 0, 0
	for truth := range w.Truths() {
		host, path := split(truth.URL)
		n++
		if strings.HasPrefix(path, "/ys/") || truth.Type == "detail" && n%3 != 0 { // every third is enough
			continue
		}
		root, declared := parse(t, truth.URL, w.Page(host, path))
		charsets[declared]++
		if gbk := declared == "gbk" || declared == "gb2312"; gbk != (truth.Charset == "gb18030") {
			t.Errorf("%s declares %s, truth says %s", truth.URL, declared, truth.Charset)
		}
		titles := elements(root, func(n *html.Node) bool { return n.Data == "title" })
		if len(titles) != 1 || !strings.Contains(textOf(titles[0]), truth.Title) {
			t.Errorf("%s: <title> lacks %q", truth.URL, truth.Title)
		}
		switch truth.Type {
		case "list":
			lists++
			h, c := checkRecords(t, root, truth)
			hidden, cut = hidden+h, cut+c
		case "detail":
			checkDetail(t, root, truth)
		}
	}
	for _, c := range []string{"utf-8", "gbk", "gb2312"} {
		if charsets[c] < 150 {
			t.Errorf("%d pages declare %s", charsets[c], c)
		}
	}
	if hidden == 0 || cut == 0 {
		t.Errorf("%d hidden records and %d cut anchors on %d lists", hidden, cut, lists)
	}
}

func checkRecords(t *testing.T, root *html.Node, truth Truth) (hidden, cut int) {
	t.Helper()
	base, err := url.Parse(truth.URL)
	must(t, err)
	items := elements(root, func(n *html.Node) bool {
		return n.Data == "li" && strings.HasPrefix(attr(n, "id"), "line_") ||
			n.Data == "tr" && n.Parent.Parent.Data == "table" && hasClass("wp_article_list_table")(n.Parent.Parent)
	})
	if len(items) != len(truth.Records) {
		t.Errorf("%s shows %d records, truth has %d", truth.URL, len(items), len(truth.Records))
		return
	}
	day := regexp.MustCompile(`(\d{4})\D(\d\d)\D(\d\d)`)
	for i, n := range items {
		want := truth.Records[i]
		a := elements(n, func(n *html.Node) bool { return n.Data == "a" })[0]
		to, err := base.Parse(attr(a, "href"))
		must(t, err)
		anchor := textOf(a)
		if strings.HasSuffix(anchor, "...") {
			cut++
			anchor = anchor[:len(anchor)-3]
		}
		date := ""
		if m := day.FindStringSubmatch(strings.ReplaceAll(textOf(n), anchor, "")); m != nil {
			date = m[1] + "-" + m[2] + "-" + m[3]
		}
		if to.String() != want.URL || attr(a, "title") != want.Title || !strings.HasPrefix(want.Title, anchor) || date != want.Date {
			t.Errorf("%s record %d: %s %q %q %s, want %+v", truth.URL, i, to, attr(a, "title"), anchor, date, want)
		}
		if strings.Contains(attr(n, "style"), "display:none") {
			hidden++
		}
	}
	return hidden, cut
}

func checkDetail(t *testing.T, root *html.Node, truth Truth) {
	t.Helper()
	whole := textOf(root)
	if !strings.Contains(whole, "发布时间："+truth.Date) {
		t.Errorf("%s lacks its date %s", truth.URL, truth.Date)
	}
	content := elements(root, func(n *html.Node) bool {
		return hasClass("v_news_content")(n) || hasClass("wp_articlecontent")(n)
	})
	if len(content) != 1 {
		t.Fatalf("%s has %d articles", truth.URL, len(content))
	}
	squeeze := strings.NewReplacer("\n", "", "\t", "")
	got, want := squeeze.Replace(textOf(content[0])), squeeze.Replace(truth.Text)
	for _, a := range truth.Attachments { // WebPlus has them inside the article
		got = strings.Replace(got, a.Name, "", 1)
	}
	if got != want {
		t.Errorf("%s\n got %q\nwant %q", truth.URL, got, want)
	}
	base, _ := url.Parse(truth.URL)
	var links []string
	for _, a := range elements(root, func(n *html.Node) bool { return n.Data == "a" }) {
		if to, err := base.Parse(attr(a, "href")); err == nil {
			links = append(links, textOf(a)+" "+to.String())
		}
	}
	for _, a := range truth.Attachments {
		if !slices.Contains(links, a.Name+" "+a.URL) {
			t.Errorf("%s lacks the attachment %+v", truth.URL, a)
		}
	}
}

func TestOddPages(t *testing.T) {
	w := demo(t, Options{Seed: 1})
	const host = "www.linlan.test"
	for name, c := range map[string]struct {
		path   string
		status int
		has    string
	}{
		"escape sequences":         {"/ys/1.htm", 200, "\x1b]0;owned\x07"},
		"very long title":          {"/ys/2.htm", 200, strings.Repeat("关于进一步加强和改进超长标题管理工作的补充通知的说明", 200)},
		"empty":                    {"/ys/3.htm", 200, ""},
		"declared UTF-8, sent GBK": {"/ys/4.htm", 200, wrongTitle[gbkText]},
		"not HTML":                 {"/ys/5.htm", 200, "\x89PNG"},
		"server error":             {"/ys/6.htm", 500, "500"},
		"deep":                     {"/ys/7.htm", 200, strings.Repeat("<div>", 3000)},
		"cut off":                  {"/ys/8.htm", 200, "没有结束"},
		"calendar, far away":       {"/calendar.jsp?y=2026&m=7", 404, "404"},
	} {
		res := w.Page(host, c.path)
		if res.Status != c.status || !strings.Contains(string(res.Body), c.has) {
			t.Errorf("%s: status %d, %d bytes", name, res.Status, len(res.Body))
		}
	}
	if n := len(w.Page(host, "/ys/3.htm").Body); n != 0 {
		t.Errorf("the empty page has %d bytes", n)
	}
}

func TestRobotsAndSitemaps(t *testing.T) {
	w := demo(t, Options{Seed: 1})
	kinds := map[string]int{}
	for _, host := range w.Hosts() {
		res := w.Page(host, "/robots.txt")
		body := string(res.Body)
		switch {
		case res.Status != 200:
			t.Errorf("%s: status %d", host, res.Status)
		case res.ContentType != "text/plain":
			kinds["html"]++
			continue
		case !strings.Contains(body, "Disallow: /admin/"):
			t.Errorf("%s: %q", host, body)
		case strings.Contains(body, "Crawl-delay:"):
			kinds["delay"]++
		}
		if _, address, ok := strings.Cut(body, "Sitemap: "); ok {
			kinds["sitemap"]++
			mapHost, path := split(strings.TrimSpace(address))
			sm := w.Page(mapHost, path)
			locs := regexp.MustCompile(`<loc>(.*?)</loc>`).FindAllStringSubmatch(string(sm.Body), -1)
			for _, l := range locs {
				if truth, ok := w.Truth(l[1]); !ok || truth.URL != l[1] {
					t.Fatalf("%s names %s, which is no page", address, l[1])
				}
			}
			if len(locs) < 150 {
				t.Errorf("%s names %d pages", address, len(locs))
			}
		}
		if !strings.Contains(string(w.Page(host, "/").Body)+string(w.Page(host, "/index.htm").Body)+string(w.Page(host, "/main.htm").Body), "admin/login.jsp") {
			t.Errorf("%s does not link to what it forbids", host)
		}
	}
	if kinds["html"] != 1 || kinds["delay"] != 1 || kinds["sitemap"] < 2 {
		t.Errorf("robots.txt files: %v", kinds)
	}
}

func FuzzPage(f *testing.F) {
	w := demo(f, Options{Seed: 1})
	for _, p := range []string{"/", "/index.htm", "/zbgg.htm", "/zbgg/2.htm", "/zbgg/list2.htm", "/info/1001/1002.htm", "/2024/0315/c1023a12345/page.htm",
		"/__local/c1001/1002-0.pdf", "/system/_content/download.jsp?urltype=news.DownloadAttachUrl&owner=1326541694&wbfileid=10010000100201", "/calendar.jsp?y=2026&m=7", "/fg/a/a/", "/go.jsp?id=1001-0", "/old/zbgg.htm", "/loop/a", "//", "?", ""} {
		f.Add(0, p)
	}
	hosts := w.Hosts()
	f.Fuzz(func(t *testing.T, i int, path string) {
		host := hosts[uint(i)%uint(len(hosts))]
		res := w.Page(host, path)
		if res.Status < 200 || res.Status > 502 {
			t.Errorf("%s%s: status %d", host, path, res.Status)
		}
		if res.Location != "" && res.Status/100 != 3 {
			t.Errorf("%s%s: status %d with a location", host, path, res.Status)
		}
	})
}
