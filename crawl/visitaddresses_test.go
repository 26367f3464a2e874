package crawl_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"angler/crawl"
	"angler/crawl/demo/demotest"
	"angler/crawl/run"
)

// visited is a site that writes a new token into every link of every answer.
type visited struct {
	mu     sync.Mutex
	way    string
	insist bool // an address without a token leads to one with a token
	visits int
	asked  map[string]int // by address without the token
}

// The ways in which tokens stand in addresses: %s is the token.
var visitWays = map[string]string{
	"jsessionid": "PATH;jsessionid=%s", "phpsessid": "PATH?PHPSESSID=%s&ARGS", "sid": "PATH?sid=%s&ARGS", "hex": "PATH?ARGS&s=%s",
	"aspnet": "/(S(%s))PATH", "time": "PATH?ARGS&_t=%s", "matrix": "PATH;v=%s", "folder": "/%sPATH",
}

const visitLists, visitNotices = 4, 24

// token returns the token of a visit.
func (v *visited) token() string {
	v.visits++
	n := uint64(v.visits) * 0x9e3779b97f4a7c15
	switch v.way {
	case "time":
		return fmt.Sprint(1767225600000 + n>>40)
	case "aspnet":
		return "lit3py55t21z5v55vlm2" + fmt.Sprintf("%04d", v.visits)
	}
	return fmt.Sprintf("%016x", n)
}

// address writes a token into a link.
func (v *visited) address(token, path, args string) string {
	form := strings.Replace(visitWays[v.way], "PATH", path, 1)
	if strings.Contains(form, "ARGS") {
		return strings.Trim(fmt.Sprintf(strings.NewReplacer("ARGS&", args+"&", "&ARGS", "&"+args).Replace(form), token), "&")
	}
	if form = fmt.Sprintf(form, token); args != "" {
		form += "?" + args
	}
	return form
}

// cut removes the token from a request.
func (v *visited) cut(r *http.Request) (path, args string, had bool) {
	path = r.URL.Path
	q := r.URL.Query()
	for _, name := range []string{"PHPSESSID", "sid", "s", "_t"} {
		had = had || q.Has(name)
		q.Del(name)
	}
	if before, _, ok := strings.Cut(path, ";"); ok {
		path, had = before, true
	}
	if v.way == "aspnet" || v.way == "folder" {
		if first, rest, ok := strings.Cut(path[1:], "/"); ok && len(first) > 8 {
			path, had = "/"+rest, true
		}
	}
	return path, q.Encode(), had
}

func (v *visited) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if r.URL.Path == "/robots.txt" || r.URL.Path == "/favicon.ico" {
		http.NotFound(w, r)
		return
	}
	path, args, had := v.cut(r)
	t := v.token()
	if v.insist && !had {
		w.Header()["Location"] = []string{v.address(t, path, args)}
		w.WriteHeader(302)
		return
	}
	address := path
	if args != "" {
		address += "?" + args
	}
	v.asked[address]++
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	menu := fmt.Sprintf(`<a href="%s">首页</a> `, v.address(t, "/index.jsp", ""))
	for i := range visitLists {
		menu += fmt.Sprintf(`<a href="%s">%s公告</a> `, v.address(t, "/list.jsp", fmt.Sprintf("col=%d", i)), thing(i))
	}
	var n int
	switch {
	case path == "/" || path == "/index.jsp":
		fmt.Fprintf(w, "<html><head><title>明湖学院</title></head><body>%s<p>明湖学院采购与招标办公室负责全校货物、工程与服务的采购，欢迎访问本网站。</p></body></html>", menu)
	case path == "/list.jsp" && scan(args, "col=%d", &n) && n < visitLists:
		fmt.Fprintf(w, "<html><head><title>%s公告</title></head><body>%s<h1>%s公告</h1><ul>", thing(n), menu, thing(n))
		for i := n; i < visitNotices; i += visitLists {
			fmt.Fprintf(w, `<li><a href="%s">%s采购项目公开招标公告</a> <span>2026-11-%02d</span></li>`,
				v.address(t, "/show.jsp", fmt.Sprintf("id=%d", 1000+i)), thing(i), 1+i)
		}
		fmt.Fprint(w, "</ul></body></html>")
	case path == "/show.jsp" && scan(args, "id=%d", &n) && n >= 1000 && n < 1000+visitNotices:
		n -= 1000
		fmt.Fprintf(w, "<html><head><title>%[2]s采购项目公开招标公告</title></head><body>%[1]s<h1>%[2]s采购项目公开招标公告</h1><p>发布时间：2026-11-%02[3]d</p><p>项目编号：MH-%03[3]d</p>"+
			"<p>预算金额：%[3]d万元</p><p>明湖学院第%[3]d实验室拟采购%[2]s一批，欢迎符合条件的供应商参加投标。</p></body></html>", menu, thing(n), n+1)
	default:
		http.NotFound(w, r)
	}
}

// visitedSite opens a workspace with the site and three of its lists as samples.
func visitedSite(t *testing.T, v *visited) *crawl.Engine {
	t.Helper()
	v.asked = map[string]int{}
	e := siteOn(t, newCalendar(), v)
	for i := range 3 {
		addSample(t, e.Topic, fmt.Sprintf("http://a.test/list.jsp?col=%d", i))
	}
	return e
}

// A site that writes a new token into its addresses at every visit has each page once, under whatever name the token
// stands, also if it answers no address without a token.
func TestAddressesThatNameAVisit(t *testing.T) {
	for way := range visitWays {
		for _, insist := range []bool{false, true} {
			t.Run(fmt.Sprint(way, " ", insist), func(t *testing.T) {
				v := &visited{way: way, insist: insist}
				e := visitedSite(t, v)
				s := discover(t, e.Runs, run.Options{MaxPages: 1000})
				pages := visitLists + visitNotices + 2
				// Pages are compared once the first of them is stored, so the number of copies depends on the machine.
				if most := 5 * pages; s.Fetched < pages || s.Fetched > most || len(v.asked) != pages {
					t.Errorf("%d fetched, at most %d wanted, of %d pages, want %d", s.Fetched, most, len(v.asked), pages)
				}
				const announced = 3 * visitNotices / visitLists // the fourth list does not qualify
				if s.Aggregations != 3 || s.Notices != announced {
					t.Errorf("%d lists, %d notices, want 3 and %d", s.Aggregations, s.Notices, announced)
				}
				known := way == "jsessionid" || way == "phpsessid" || way == "aspnet"
				if told := demotest.Saying(e, "a.test writes a token of the visit into"); told != map[bool]int{false: 1}[known] {
					t.Errorf("%d events tell of the token", told)
				}
				for u := range each(t, e.Workspace().URLs()) {
					row, _ := e.Workspace().Page(u.ID)
					n, _ := e.Workspace().Notice(u.ID)
					if token := len(u.URL) > len("http://a.test/show.jsp?id=1000"); token && (n != nil || row != nil && row.Location == "") {
						t.Errorf("%s is a page of its own", u.URL)
					}
				}
				if s = harvest(t, e.Runs); s.Notices > 0 || s.Fetched != 3 {
					t.Errorf("nothing is new, and a harvest says %+v", s)
				}
			})
		}
	}
}

// A part of addresses that selects content stays, though pages look alike: where one page links to several of its
// values, and where the site answers otherwise without it.
func TestAddressesThatSelectContent(t *testing.T) {
	for _, way := range []string{"shells", "needed"} {
		t.Run(way, func(t *testing.T) {
			const items = 12
			var mu sync.Mutex
			asked, without := map[string]int{}, 0
			e := siteOn(t, newCalendar(), http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				key, at := r.URL.Query().Get("key"), 0
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				body := "<p>清水学院采购与招标办公室负责全校货物、工程与服务的采购，欢迎各位供应商访问本网站，查阅公告并参加投标。</p>"
				switch {
				case r.URL.Path == "/" && way == "shells":
					for i := range items {
						body += fmt.Sprintf(`<a href="/show.jsp?key=ab%06dcd">%s</a> `, i*7919, thing(i))
					}
				case r.URL.Path == "/":
					for i := range items {
						body += fmt.Sprintf(`<a href="/page/%d.htm">%s</a> `, i, thing(i))
					}
				case scan(r.URL.Path, "/page/%d.htm", &at) && at < items:
					body += fmt.Sprintf(`<h1>%s</h1><a href="/show.jsp?key=ab%06dcd">公告</a>`, thing(at), at*7919)
				case r.URL.Path == "/show.jsp" && key == "":
					without++
					http.NotFound(w, r)
					return
				case r.URL.Path == "/show.jsp":
					asked[key]++
					body += "<p>本公告的正文由浏览器另行取得，请稍候，如长时间没有显示，请与学院采购与招标办公室联系。</p>"
				default:
					http.NotFound(w, r)
					return
				}
				fmt.Fprintf(w, "<html><head><title>公告</title></head><body>%s</body></html>", body)
			}))
			// The first run stores pages, with which the second compares its own.
			discover(t, e.Runs, run.Options{MaxPages: 1 + items + items/3})
			s := discover(t, e.Runs)
			if told := demotest.Saying(e, "writes a token of the visit"); told > 0 || len(asked) != items || (without > 0) != (way == "needed") || without > 3 {
				t.Errorf("%d events, %d of %d pages, %d requests without the key: %+v", told, len(asked), items, without, s)
			}
		})
	}
}
