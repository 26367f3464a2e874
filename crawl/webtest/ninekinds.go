package webtest

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"time"
)

// ListKind is a technique by which a list is filled and paginated.
type ListKind string

// The nine kinds.
const (
	NextLink    ListKind = "next"
	GetForm     ListKind = "getform"
	PostForm    ListKind = "postform"
	Postback    ListKind = "postback"
	GetJSON     ListKind = "getjson"
	PostJSON    ListKind = "postjson"
	OnclickRows ListKind = "onclick"
	Iframe      ListKind = "iframe"
	InlineData  ListKind = "inline"
)

// ListKinds returns all nine kinds. Those with JSON need a browser or a recipe.
func ListKinds() []ListKind {
	return []ListKind{NextLink, GetForm, PostForm, Postback, GetJSON, PostJSON, OnclickRows, Iframe, InlineData}
}

// The size of each list.
const (
	KindPages   = 3
	KindPerPage = 8
)

// KindServer serves all nine sites on their own host names.
type KindServer struct {
	http      *httptest.Server
	mu        sync.Mutex
	requests  []string        // "METHOD URL" in order of arrival
	states    map[string]bool // issued view states and tokens
	served    int
	misbehave string         // see Misbehave
	answers   map[string]int // pages waiting at their own addresses for the sender of a post
}

// ServeKinds starts the server. The caller must Close it.
func ServeKinds() *KindServer {
	s := &KindServer{states: map[string]bool{}}
	s.http = httptest.NewServer(s)
	return s
}

// Close stops the server.
func (s *KindServer) Close() { s.http.Close() }

// Dial connects to the server for any name; use it as crawl.Options.Dial.
func (s *KindServer) Dial(ctx context.Context, network, _ string) (net.Conn, error) {
	return new(net.Dialer).DialContext(ctx, network, s.http.Listener.Addr().String())
}

// SeedOfKind returns the home page of a site.
func SeedOfKind(k ListKind) string { return "http://" + string(k) + ".test/" }

// ListOfKind returns the address of a list's first page, as people know it.
func ListOfKind(k ListKind) string {
	switch k {
	case GetForm:
		return SeedOfKind(k) + "gg/list.jsp?channel=7"
	case PostForm:
		return SeedOfKind(k) + "gg/list.jsp"
	case Postback:
		return SeedOfKind(k) + "zbgg/MoreInfo.aspx?CategoryNum=003"
	}
	return SeedOfKind(k) + "gg/list.htm"
}

// kindNotice is one notice of a site.
type kindNotice struct {
	N     int // from 1, newest first
	Title string
	Date  time.Time
	URL   string
	Text  string
}

// NoticesOfKind returns the notices of a site, newest first.
func NoticesOfKind(k ListKind) []kindNotice {
	out := make([]kindNotice, 0, KindPages*KindPerPage)
	for n := 1; n <= KindPages*KindPerPage; n++ {
		x := kindNotice{N: n, Title: title(k, n), Date: newestOfKind.AddDate(0, 0, -2*n),
			URL: SeedOfKind(k) + detail(k, n)}
		x.Text = fmt.Sprintf("%s。采购人为%s，预算金额为%d万元。供应商应当在规定的时间内递交响应文件，逾期送达的响应文件不予接收。", x.Title, buyer(k, n), 20+7*n)
		out = append(out, x)
	}
	return out
}

// newestOfKind is the day after the newest notice.
var newestOfKind = time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)

var (
	buyers = []string{"江北大学", "临山县第一中学", "东湖职业技术学院", "南岭区图书馆", "北原市中心医院", "西河农业研究所", "青桥海事学校"}
	goods  = []string{"显微镜", "多媒体教室设备", "图书馆书架", "实验台", "学生公寓空调", "服务器", "食堂厨具", "校园监控系统", "会议室音响", "消防器材", "实训车床"}
	kinds  = []string{"公开招标公告", "竞争性磋商公告", "中标公告", "询价公告", "更正公告"}
)

func at(k ListKind, n int) int {
	sum := sha256.Sum256([]byte(fmt.Sprint(string(k), n)))
	return int(sum[0])<<8 | int(sum[1])
}

func buyer(k ListKind, n int) string { return buyers[at(k, n)%len(buyers)] }

func title(k ListKind, n int) string {
	return fmt.Sprintf("%s%s采购项目%s（%s-%02d）", buyer(k, n), goods[at(k, n+100)%len(goods)],
		kinds[at(k, n+200)%len(kinds)], strings.ToUpper(string(k[:2])), n)
}

// detail returns the path of a notice's page.
func detail(k ListKind, n int) string {
	if k == Postback {
		return fmt.Sprintf("zbgg/InfoDetail.aspx?InfoID=%d", 4000+n)
	}
	return fmt.Sprintf("gg/show/%d.html", 4000+n)
}

// Requests returns the requests to one site so far, "METHOD URL", without robots.txt.
func (s *KindServer) Requests(k ListKind) (out []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.requests {
		if strings.Contains(r, " "+strings.TrimSuffix(SeedOfKind(k), "/")+"/") && !strings.HasSuffix(r, "/robots.txt") {
			out = append(out, r)
		}
	}
	return out
}

// Expired invalidates all issued states and tokens.
func (s *KindServer) Expired() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.states)
}

// Misbehave sets a fault. For pagers, "repeat" always returns page 1 and "endless" always has a next page with the
// last entries; "" means none. For the POST list, "302" and "303" redirect posts to an address that serves the page
// once, "307" and "308" to one that needs the post again. "loop" redirects forever, and "away" redirects to another
// host. For rows that open by a function, "rows" names a function of another script file with other addresses; under
// "bare" the script file is missing.
func (s *KindServer) Misbehave(how string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.misbehave = how
}

func (s *KindServer) misbehaves() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.misbehave
}

// give issues a new state or token.
func (s *KindServer) give(what string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.served++
	sum := sha256.Sum256([]byte(fmt.Sprint(what, s.served)))
	state := base64.StdEncoding.EncodeToString(sum[:])
	s.states[what+state] = true
	return state
}

// gave reports whether a state or token was issued and is still valid.
func (s *KindServer) gave(what, state string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.states[what+state]
}

// ServeHTTP serves all sites by the Host of the request.
func (s *KindServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, _, _ := strings.Cut(r.Host, ".test")
	k := ListKind(name)
	s.mu.Lock()
	s.requests = append(s.requests, r.Method+" http://"+r.Host+r.URL.RequestURI())
	s.mu.Unlock()
	switch {
	case r.URL.Path == "/robots.txt":
		fmt.Fprint(w, "User-agent: *\nDisallow: /admin/\n")
	case r.URL.Path == "/":
		s.page(
			w, "首页", fmt.Sprintf(
				`<p>欢迎访问本网站。</p><ul><li><a href="%s">采购公告</a></li><li><a href="/news/list.htm">校园新闻</a></li><li><a href="/about.htm">关于我们</a></li></ul>
<form action="/search" method="get"><input type="text" name="q"><input type="submit" value="搜索"></form>`,
				html.EscapeString(ListOfKind(k))))
	case r.URL.Path == "/about.htm":
		s.page(
			w, "关于我们",
			`<p>本网站由信息中心主办，服务师生员工，联系电话见页脚。</p><form action="/feedback" method="post"><input type="hidden" name="page" value="1"><textarea name="text"></textarea><input type="submit" value="提交"></form>`)
	case r.URL.Path == libraryPath:
		w.Header().Set("Content-Type", "application/javascript")
		fmt.Fprint(w, library)
	case r.URL.Path == "/js/list.js" && s.misbehaves() == "bare":
		http.NotFound(w, r)
	case r.URL.Path == "/js/list.js":
		w.Header().Set("Content-Type", "application/javascript")
		fmt.Fprint(w, listScript)
	case r.URL.Path == "/js/rows.js":
		w.Header().Set("Content-Type", "application/javascript")
		fmt.Fprint(w, strings.ReplaceAll(strings.ReplaceAll(listScript, "openNotice", "openRow"), `".html"`,
			`".html?v=2"`))
	case strings.HasPrefix(r.URL.Path, "/news/"):
		s.news(w, r)
	default:
		if n, ok := noticeOf(k, r); ok {
			x := NoticesOfKind(k)[n-1]
			s.page(
				w, x.Title, fmt.Sprintf(
					`<h1>%s</h1><p>发布时间：%s</p><div class="content"><p>%s</p><p>联系人：王老师。公告期限为五个工作日，详情请咨询采购人。</p></div>`,
					x.Title,
					x.Date.Format(time.DateOnly), x.Text))
			return
		}
		s.list(w, r, k)
	}
}

// newsPages is the number of news pages of a site beside its notices: a word on most pages of a crawl has no
// meaning for any.
const newsPages = 60

// headline returns the headline of a news page.
func headline(i int) string {
	return fmt.Sprintf("第%d届%s", 3+i/len(headlines), headlines[i%len(headlines)])
}

var headlines = []string{"校运动会开幕式在南操场举行", "春季植树活动顺利结束", "合唱团赴省城参加比赛", "图书节邀请作家与读者见面", "新生军训汇报表演圆满落幕",
	"篮球联赛决赛今晚打响", "学术沙龙讨论古代诗歌", "志愿者走进社区陪伴老人", "食堂推出地方风味小吃周", "摄影展记录四季校景"}

// news serves the list of news, and the news pages.
func (s *KindServer) news(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/news/list.htm" {
		var b strings.Builder
		for i := range newsPages {
			fmt.Fprintf(&b, "<li><a href=\"/news/%d.html\">%s</a><span>%s</span></li>\n", i, headline(i),
				newestOfKind.AddDate(0, 0, -3*i).Format(time.DateOnly))
		}
		s.page(w, "校园新闻", "<ul>"+b.String()+"</ul>")
		return
	}
	for i := range newsPages {
		if x := headline(i); r.URL.Path == fmt.Sprintf("/news/%d.html", i) {
			s.page(w, x, fmt.Sprintf("<h1>%s</h1><p>发布时间：%s</p><p>%s，同学们热情参与，现场气氛热烈。老师们表示，今后还会举办更多这样的活动，丰富大家的生活。</p>",
				x, newestOfKind.AddDate(0, 0, -3*i).Format(time.DateOnly), x))
			return
		}
	}
	http.NotFound(w, r)
}

// noticeOf returns the number of the requested notice.
func noticeOf(k ListKind, r *http.Request) (n int, ok bool) {
	for n = 1; n <= KindPages*KindPerPage; n++ {
		if at := "/" + detail(k, n); r.URL.RequestURI() == at || k == OnclickRows && r.URL.RequestURI() == at+"?v=2" {
			return n, true
		}
	}
	return 0, false
}

func (s *KindServer) page(w http.ResponseWriter, name, body string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(
		w,
		"<!DOCTYPE html><html><head><meta charset=\"utf-8\"><title>%s</title></head><body>\n%s\n<div class=\"footer\">版权所有 信息中心</div></body></html>", name, body)
}
