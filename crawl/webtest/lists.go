package webtest

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// listScript is the script file of the site whose rows open by a function.
const listScript = `// the list
var root = "/gg/";
function openNotice(kind, id) {
	var url = root + "show/" + id + ".html";
	window.open(url, "_blank");
}
function goPage(n) {
	if (n == 1) { location.href = root + "list.htm"; }
	else { location.href = root + "list_" + n + ".htm"; }
}
`

// entries returns the notices of a list page.
func (s *KindServer) entries(k ListKind, page int) []kindNotice {
	switch s.misbehaves() {
	case "repeat":
		page = 1
	case "endless":
		page = min(page, KindPages)
	}
	all := NoticesOfKind(k)
	from := min(max(page-1, 0)*KindPerPage, len(all))
	return all[from:min(from+KindPerPage, len(all))]
}

// last returns the number of the last page, seen from a page.
func (s *KindServer) last(page int) int {
	if s.misbehaves() == "endless" {
		return page + 1
	}
	return KindPages
}

func (s *KindServer) links(k ListKind, page int) string {
	var b strings.Builder
	b.WriteString(`<ul class="list">`)
	for _, x := range s.entries(k, page) {
		fmt.Fprintf(&b, "<li><a href=\"/%s\">%s</a><span>%s</span></li>\n", html.EscapeString(detail(k, x.N)), x.Title,
			x.Date.Format(time.DateOnly))
	}
	return b.String() + "</ul>"
}

// list serves the lists and their data.
func (s *KindServer) list(w http.ResponseWriter, r *http.Request, k ListKind) {
	path := r.URL.Path
	shown := func(n int) string {
		return fmt.Sprintf("<div class=\"total\">共 %d 页，第 %d 页</div>", s.last(n), n)
	}
	switch k {
	case NextLink, OnclickRows, Iframe, InlineData:
		name := "list"
		if k == Iframe && strings.HasPrefix(path, "/gg/inner") {
			name = "inner"
		}
		n, ok := numbered(path, "/gg/"+name)
		if !ok {
			break
		}
		next := ""
		if n < s.last(n) {
			next = fmt.Sprintf(`<div class="page"><a href="/gg/%s_%d.htm">下一页</a></div>`, name, n+1)
		}
		switch {
		case k == NextLink || name == "inner":
			s.page(w, "采购公告", s.links(k, n)+shown(n)+next)
		case k == Iframe:
			s.page(w, "采购公告", `<h2>采购公告</h2><iframe src="inner.htm" width="100%" height="600" frameborder="0"></iframe>`)
		case k == OnclickRows:
			s.page(w, "采购公告", s.rows(k, n)+shown(n))
		default:
			s.page(w, "采购公告", s.data(k, n)+shown(n)+next)
		}
		return
	case GetForm:
		if path != "/gg/list.jsp" || r.URL.Query().Get("channel") != "7" {
			break
		}
		n := max(1, number(r.URL.Query().Get("pageNo")))
		form := ""
		if n < s.last(n) {
			form = fmt.Sprintf(
				`<form action="list.jsp" method="get"><input type="hidden" name="channel" value="7"><input type="hidden" name="pageNo" value="%d"><input type="submit" value="下一页"></form>`, n+1)
		}
		s.page(w, "采购公告", s.links(k, n)+shown(n)+form)
		return
	case PostForm:
		if s.redirects(w, r, k) {
			return
		}
		if path != "/gg/list.jsp" {
			break
		}
		n := 1
		if r.Method == http.MethodPost {
			if r.PostFormValue("channel") != "7" {
				break
			}
			n = max(1, number(r.PostFormValue("pageNo")))
		}
		s.page(w, "采购公告", s.links(k, n)+s.postPager(n))
		return
	case Postback:
		s.postback(w, r, k)
		return
	case GetJSON, PostJSON:
		s.fetched(w, r, k)
		return
	}
	http.NotFound(w, r)
}

// numbered parses stem.htm and stem_N.htm.
func numbered(path, stem string) (int, bool) {
	rest, ok := strings.CutPrefix(path, stem)
	rest, ok2 := strings.CutSuffix(rest, ".htm")
	if !ok || !ok2 {
		return 0, false
	}
	if rest == "" {
		return 1, true
	}
	n := number(strings.TrimPrefix(rest, "_"))
	return n, n > 1
}

func number(s string) int { n, _ := strconv.Atoi(s); return n }

// rows renders a table whose rows open by a function of a script file.
func (s *KindServer) rows(k ListKind, page int) string {
	var b strings.Builder
	b.WriteString(`<script src="/js/list.js"></script><table class="list">`)
	for i, x := range s.entries(k, page) {
		fmt.Fprintf(&b, "<tr onclick=\"openNotice('0201','%d')\"><td>%d</td><td>%s</td><td>%s</td></tr>\n", 4000+x.N,
			i+1, x.Title, x.Date.Format(time.DateOnly))
	}
	b.WriteString("</table><div class=\"page\">")
	for n := 1; n <= s.last(page); n++ {
		fmt.Fprintf(&b, `<a href="javascript:void(0)" onclick="goPage(%d)">%d</a> `, n, n)
	}
	if s.misbehaves() == "rows" {
		return strings.NewReplacer("openNotice", "openRow", "/js/list.js", "/js/rows.js").Replace(b.String()) + "</div>"
	}
	return b.String() + "</div>"
}

// data renders a list that a page script fills from a literal.
func (s *KindServer) data(k ListKind, page int) string {
	type row struct {
		ID    int    `json:"infoId"`
		Title string `json:"infoTitle"`
		Date  string `json:"publishTime"`
	}
	var rows []row
	for _, x := range s.entries(k, page) {
		rows = append(rows, row{4000 + x.N, x.Title, x.Date.Format(time.DateOnly)})
	}
	v, _ := json.Marshal(rows)
	return `<h2>采购公告</h2><ul id="rows"></ul><script>
var rowData = ` + string(v) + `;
for (var i = 0; i < rowData.length; i++) {
	var r = rowData[i];
	document.getElementById("rows").innerHTML += '<li><a href="/gg/show/' + r.infoId + '.html">' + r.infoTitle + '</a><span>' + r.publishTime + '</span></li>';
}
</script>`
}

// postPager renders the pager form of the POST list.
func (s *KindServer) postPager(page int) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<script>
function toPage(n) {
	if (n < 1 || n > %d) { return; }
	document.pager.pageNo.value = n;
	document.pager.submit();
}
</script><form name="pager" method="post" action="/gg/list.jsp"><input type="hidden" name="channel" value="7"><input type="hidden" name="pageNo" value="%d">
<div>共 %d 页 <a href="javascript:toPage(1)">首页</a> `, s.last(page), page, s.last(page))
	if page < s.last(page) {
		fmt.Fprintf(&b, `<a href="javascript:toPage(%d)">下一页</a> `, page+1)
	}
	fmt.Fprintf(&b, `<a href="javascript:toPage(%d)">尾页</a></div></form>`, s.last(page))
	return b.String()
}

// postback serves an ASP.NET list. Further pages need the view state of the page before.
func (s *KindServer) postback(w http.ResponseWriter, r *http.Request, k ListKind) {
	if r.URL.RequestURI() != "/zbgg/MoreInfo.aspx?CategoryNum=003" {
		http.NotFound(w, r)
		return
	}
	n := 1
	if r.Method == http.MethodPost {
		state := r.PostFormValue("__VIEWSTATE")
		if !s.gave("state", state) || r.PostFormValue("__EVENTVALIDATION") != "ev"+state ||
			r.PostFormValue("__EVENTTARGET") != "MoreInfoList1$Pager" ||
			r.PostFormValue("__VIEWSTATEGENERATOR") != "C2EE9ABB" {
			http.Error(w, "validation of viewstate failed", http.StatusInternalServerError)
			return
		}
		n = number(r.PostFormValue("__EVENTARGUMENT"))
	}
	state := s.give("state")
	var pager strings.Builder
	for i := 1; i <= s.last(n); i++ {
		if i == n {
			fmt.Fprintf(&pager, `<span>%d</span> `, i)
		} else {
			fmt.Fprintf(&pager, `<a href="javascript:__doPostBack('MoreInfoList1$Pager','%d')">%d</a> `, i, i)
		}
	}
	s.page(w, "采购公告", fmt.Sprintf(`<form name="ctl00" method="post" action="MoreInfo.aspx?CategoryNum=003" id="ctl00">
<input type="hidden" name="__EVENTTARGET" id="__EVENTTARGET" value=""><input type="hidden" name="__EVENTARGUMENT" id="__EVENTARGUMENT" value="">
<input type="hidden" name="__VIEWSTATE" id="__VIEWSTATE" value="%s">
<script type="text/javascript">
var theForm = document.forms['ctl00'];
function __doPostBack(eventTarget, eventArgument) {
	if (!theForm.onsubmit || (theForm.onsubmit() != false)) {
		theForm.__EVENTTARGET.value = eventTarget;
		theForm.__EVENTARGUMENT.value = eventArgument;
		theForm.submit();
	}
}
</script>
<input type="hidden" name="__VIEWSTATEGENERATOR" value="C2EE9ABB"><input type="hidden" name="__EVENTVALIDATION" value="ev%s">
%s<div id="MoreInfoList1_Pager">%s</div></form>`, state, state, s.links(k, n), pager.String()))
}

// fetched serves a list that a script fetches as JSON. The POST version requires the page's token.
func (s *KindServer) fetched(w http.ResponseWriter, r *http.Request, k ListKind) {
	switch {
	case r.URL.Path == "/gg/list.htm" && k == GetJSON:
		s.page(w, "采购公告", `<h2>采购公告</h2><ul id="rows"></ul><div id="pager"></div><script src="`+
			libraryPath+`"></script><script>
var pageSize = 8;
function load(n) {
	$.ajax({ url: "/api/notices", type: "GET", dataType: "json", data: { channel: "7", pageNo: n, pageSize: pageSize }, success: function (reply) {
		var out = "";
		$.each(reply.data.records, function (i, r) { out += '<li><a href="/gg/show/' + r.id + '.html">' + r.title + '</a><span>' + r.publishDate + '</span></li>'; });
		$("#rows").html(out);
	} });
}
load(1);
</script>`)
		return
	case r.URL.Path == "/gg/list.htm":
		s.page(
			w, "采购公告", fmt.Sprintf(
				`<h2>采购公告</h2><input type="hidden" id="token" name="token" value="%s"><ul id="rows"></ul><div id="pager"></div><script src="`+libraryPath+`"></script><script>
function load(n) {
	$.ajax({ url: "/api/notices", type: "POST", contentType: "application/json", headers: { "X-Token": $("#token").val() },
		data: JSON.stringify({ category: "cggg", pageNo: n, pageSize: 8 }), success: function (reply) {
		var out = "";
		$.each(reply.data.records, function (i, r) { out += '<li><a href="/gg/show/' + r.id + '.html">' + r.title + '</a><span>' + r.publishDate + '</span></li>'; });
		$("#rows").html(out);
	} });
}
load(1);
</script>`, s.give("token")))
		return
	case r.URL.Path != "/api/notices":
		http.NotFound(w, r)
		return
	}
	n := number(r.URL.Query().Get("pageNo"))
	if k == PostJSON {
		var asked struct {
			Category string
			PageNo   int
		}
		if r.Method != http.MethodPost || !s.gave("token", r.Header.Get("X-Token")) ||
			json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<16)).Decode(&asked) != nil || asked.Category != "cggg" {
			http.Error(w, `{"code":403,"msg":"forbidden"}`, http.StatusForbidden)
			return
		}
		n = asked.PageNo
	}
	type row struct {
		ID          string `json:"id"`
		Title       string `json:"title"`
		PublishDate any    `json:"publishDate"`
	}
	var reply struct {
		Code int `json:"code"`
		Data struct {
			Total   int   `json:"total"`
			Pages   int   `json:"pages"`
			Records []row `json:"records"`
		} `json:"data"`
	}
	reply.Code, reply.Data.Total, reply.Data.Pages, reply.Data.Records = 200, KindPages*KindPerPage, s.last(n), []row{}
	for _, x := range s.entries(k, max(n, 1)) {
		date := any(x.Date.Format(time.DateOnly))
		if k == PostJSON {
			date = x.Date.UnixMilli()
		}
		reply.Data.Records = append(reply.Data.Records, row{strconv.Itoa(4000 + x.N), x.Title, date})
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_ = json.NewEncoder(w).Encode(reply)
}
