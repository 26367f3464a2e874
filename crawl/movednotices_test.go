package crawl_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"angler/crawl"
	"angler/store"
)

// moving is a site whose notices stand at other addresses than its list says.
type moving struct {
	mu     sync.Mutex
	asked  map[string]int
	budget int // of all notices, in units of 10,000 yuan
	more   bool
	wall   bool // cookies are asked for first
}

// movedBy are the ways in which the notices 0, 1, … lead on.
var movedBy = []string{"plain", "301", "302", "303", "307", "308", "refresh", "loud refresh", "script", "timer", "load", "gbk", "sibling", "chain", "direct"}

func (m *moving) page(n int, way string) string {
	return fmt.Sprintf("<html><head><title>%s采购项目公开招标公告</title></head><body><h1>%s采购项目公开招标公告</h1><p>发布时间：2026-11-%02d</p>"+
		"<p>项目编号：QS-%s-%03d</p><p>采购人：清水学院</p><p>预算金额：%d万元</p><p>清水学院第%d实验室拟采购%s一批，欢迎符合条件的供应商参加投标。</p></body></html>",
		thing(n), thing(n), 1+n, way, n, m.budget, n, thing(n))
}

func (m *moving) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m.mu.Lock()
	defer m.mu.Unlock()
	path := r.URL.EscapedPath()
	m.asked[r.Host+path]++
	if r.URL.Path == "/robots.txt" {
		http.NotFound(w, r)
		return
	}
	if _, err := r.Cookie("seen"); m.wall && err != nil {
		if path == "/check" {
			http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1", Path: "/"})
			http.Redirect(w, r, r.URL.Query().Get("back"), http.StatusFound)
			return
		}
		http.Redirect(w, r, "/check?back="+path, http.StatusFound)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	var n int
	head := func(status int, location string) {
		w.Header()["Location"] = []string{location}
		w.WriteHeader(status)
	}
	switch {
	case path == "/":
		fmt.Fprint(w, `<html><head><title>清水学院</title></head><body><a href="/list.htm">招标公告</a><p>清水学院招标办公室欢迎您。</p></body></html>`)
	case path == "/list.htm":
		fmt.Fprint(w, "<html><head><title>招标公告</title></head><body><h1>招标公告</h1><ul>")
		for i, way := range movedBy {
			address := fmt.Sprintf("/n/%d.htm", i)
			if way == "direct" { // the list names the target of the notice 1, too
				address = "/d/1.htm"
			}
			fmt.Fprintf(w, `<li><a href="%s">%s采购项目公开招标公告</a> <span>2026-11-%02d</span></li>`, address, thing(i), 1+i)
		}
		if m.more {
			fmt.Fprint(w, `<li><a href="/loop/1.htm">循环采购项目公开招标公告</a> <span>2026-11-28</span></li><li><a href="/far/0.htm">长链采购项目公开招标公告</a> <span>2026-11-28</span></li>`)
		}
		fmt.Fprint(w, "</ul></body></html>")
	case scan(path, "/loop/%d.htm", &n):
		head(302, fmt.Sprintf("/loop/%d.htm", 3-n))
	case scan(path, "/far/%d.htm", &n):
		head(302, fmt.Sprintf("/far/%d.htm", n+1))
	case scan(path, "/n/%d.htm", &n) && n < len(movedBy):
		to := fmt.Sprintf("/d/%d.htm", n)
		switch way := movedBy[n]; way {
		case "plain":
			fmt.Fprint(w, m.page(n, way))
		case "refresh":
			fmt.Fprintf(w, `<html><head><meta http-equiv="refresh" content="0;url='%s'"></head><body></body></html>`, to)
		case "loud refresh":
			fmt.Fprintf(w, `<HTML><HEAD><META HTTP-EQUIV=REFRESH CONTENT="1 ; URL = %s "></HEAD><BODY>正在跳转，请稍候</BODY></HTML>`, to)
		case "script":
			fmt.Fprintf(w, `<html><body><script>var id=%d; window.location.href = "/d/" + id + ".htm#top";</script></body></html>`, n)
		case "timer":
			fmt.Fprintf(w, `<html><body><p>三秒后跳转</p><script>function go(){top.location.replace('%s')} setTimeout("go()", 3000)</script></body></html>`, to)
		case "load":
			fmt.Fprintf(w, `<html><body onload="location='%s'"></body></html>`, to)
		case "gbk":
			head(302, "/\xb9\xab\xb8\xe6/"+fmt.Sprint(n)+".htm")
		case "sibling":
			head(301, "http://other.a.test"+to)
		case "chain":
			head(302, fmt.Sprintf("../c/%d.htm", n))
		default:
			var status int
			_, _ = fmt.Sscan(way, &status)
			head(status, to)
		}
	case scan(path, "/c/%d.htm", &n):
		head(301, fmt.Sprintf("/d/%d.htm", n))
	case scan(path, "/d/%d.htm", &n), scan(path, "/%%B9%%AB%%B8%%E6/%d.htm", &n):
		fmt.Fprint(w, m.page(n, "behind"))
	default:
		http.NotFound(w, r)
	}
}

// arrivals checks the fetched notices.
func (m *moving) arrivals(t *testing.T, e *crawl.Engine, budget int) {
	t.Helper()
	for i, way := range movedBy {
		id, known := e.Workspace().Lookup(fmt.Sprintf("http://a.test/n/%d.htm", i))
		if way == "direct" || way == "301" { // two addresses of one notice
			continue
		}
		n, err := e.Workspace().Notice(id)
		if !known || err != nil || n == nil {
			t.Errorf("%s: no notice, %v", way, err)
			continue
		}
		if !strings.Contains(n.Text, fmt.Sprintf("预算金额：%d万元", budget)) || n.Date.Day() != 1+i || !strings.HasPrefix(n.Title, thing(i)) {
			t.Errorf("%s: title %q, date %v, text %q", way, n.Title, n.Date, n.Text)
		}
	}
	count := 0
	for n := range each(t, e.Workspace().Notices()) {
		if strings.HasSuffix(n.URL, "/n/1.htm") || strings.HasSuffix(n.URL, "/d/1.htm") {
			if count++; !strings.Contains(n.Text, "QS-behind-001") {
				t.Errorf("%s says %q", n.URL, n.Text)
			}
		}
	}
	if count != 1 {
		t.Errorf("the page of two addresses is %d notices", count)
	}
}

// A notice whose address leads on has the text of its target, in a discovery and in later
// harvests, and no address is asked twice.
func TestNoticesThatMoved(t *testing.T) {
	m := &moving{asked: map[string]int{}, budget: 35}
	c := newCalendar()
	e := siteOn(t, c, m)
	addSample(t, e.Topic, "http://a.test/list.htm")
	discover(t, e.Runs)
	m.arrivals(t, e, 35)
	for address, n := range m.asked {
		if n > 1 && !strings.HasSuffix(address, "/robots.txt") && !strings.HasSuffix(address, "/list.htm") {
			t.Errorf("%s was asked %d times", address, n)
		}
	}
	// A later harvest looks at the pages that the addresses lead to.
	c.jump(36 * time.Hour)
	m.mu.Lock()
	m.budget, m.more = 77, true
	m.mu.Unlock()
	s := harvest(t, e.Runs)
	m.arrivals(t, e, 77)
	if s.Changed < len(movedBy)-1 {
		t.Errorf("%d notices changed, want %d", s.Changed, len(movedBy)-1)
	}
	for _, address := range []string{"http://a.test/loop/1.htm", "http://a.test/far/0.htm"} {
		id, _ := e.Workspace().Lookup(address)
		u, err := e.Workspace().URL(id)
		if err != nil || u == nil || u.State != store.Exception || u.Failure.Kind != store.FailedRedirect {
			t.Errorf("%s: %+v, %v", address, u, err)
		}
	}
	if n := m.asked["a.test/far/30.htm"]; n > 0 || m.asked["a.test/loop/1.htm"] > 2 {
		t.Errorf("redirects without an end: %v", m.asked)
	}
	if s = harvest(t, e.Runs); s.Notices > 0 || s.Fetched > 4 {
		t.Errorf("nothing is new, and the harvest says %+v", s)
	}
}

// A page that sends its reader back after it has set a cookie is asked once more.
func TestAddressesBehindACookieWall(t *testing.T) {
	m := &moving{asked: map[string]int{}, budget: 35, wall: true}
	e := siteOn(t, newCalendar(), m)
	discover(t, e.Runs)
	if n := e.Workspace().Counts().Pages; n < len(movedBy) {
		t.Errorf("%d pages came: %v", n, m.asked)
	}
	for address, n := range m.asked {
		if n > 2 && !strings.HasSuffix(address, "/robots.txt") {
			t.Errorf("%s was asked %d times", address, n)
		}
	}
}
