package page

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"angler/crawl/listpage"
)

// rowsOf returns a list of n dated entries.
func rowsOf(n int) string {
	var b strings.Builder
	b.WriteString(`<ul class="news">`)
	for i := range n {
		fmt.Fprintf(&b, `<li><a href="/info/%d.htm">关于第%d批实验设备采购的公告</a><span>2026-10-%02d</span></li>`, i, i, i%28+1)
	}
	b.WriteString("</ul>")
	return b.String()
}

const listHead = `<html><head><title>采购公告</title></head><body><h1>采购公告</h1>`

// ajax fetches a list, and clicks counts clicks, as every other page does.
const (
	ajax = `<script>function load(n){$.ajax({url:"/api/notice/list",type:"post",data:{pageNo:n,pageSize:20},success:function(d){$("#box").html(d)}})}load(1)</script>`
	hits = `<script>$.get("/system/clicks.jsp?id=12&page=1",function(d){$("#n").text(d)})</script>`
)

func TestUnfollowed(t *testing.T) {
	for _, c := range []struct {
		name, body string
		kind       string // "" = nothing is named
		text, why  string // are in what is named
	}{
		{"links lead on", listHead + rowsOf(12) + `<p>共 30 页 <a href="list2.htm">下一页</a></p>`, "", "", ""},
		{"numbers lead on", listHead + rowsOf(12) + `<p>1 <a href="list.htm?page=2">2</a> <a href="javascript:go(2)">下一页</a> 共 3 页</p>`, "", "", ""},
		{"no pager at all", listHead + rowsOf(12), "", "", ""},
		{"a script turns", listHead + rowsOf(12) + `<p>共 30 页 <a href="javascript:toPage(2)">下一页</a></p>`, listpage.KindPager, "共 30 页 · 下一页", "toPage(2)"},
		{"a click turns", listHead + rowsOf(12) + `<div>第<b>1</b>页/共<b>17</b>页 <a href="javascript:void(0);" onclick="toPage(2);">下一页</a></div>`, listpage.KindPager, "第 1/17 页", "toPage(2)"},
		{"numbers with scripts", listHead + rowsOf(12) + `<div class="paging"><a href="javascript:list(1)">1</a><a href="javascript:list(2)">2</a></div>`, listpage.KindPager, "2", "list(2)"},
		{"numbers of a calendar", listHead + rowsOf(12) + `<div class="calendar"><a href="javascript:day(1)">1</a><a href="javascript:day(2)">2</a></div>`, "", "", ""},
		{"arrows of a slide show", listHead + rowsOf(12) + `<div class="slide"><a href="javascript:;">&lt;</a><a href="javascript:;">&gt;</a></div>`, "", "", ""},
		{"a listener turns", listHead + rowsOf(12) + `<div class="pager"><a href="#">下一页</a></div>`, listpage.KindPager, "下一页", "no address"},
		{"the number says it", listHead + rowsOf(12) + `<p>页次：1/5</p>`, listpage.KindPager, "第 1/5 页", "no link"},
		{"entries and pages", listHead + rowsOf(10) + `<p>共180条  1/18  <span>首页</span><span>下页</span></p>`, listpage.KindPager, "第 1/18 页 · 共 180 条", "no link"},
		{"more entries", listHead + rowsOf(10) + `<p>共 1,234 条</p>`, listpage.KindPager, "共 1234 条", "of 1234 entries 10 are here"},
		{"per page", listHead + rowsOf(10) + `<p>每页 14 记录 总共 38 记录</p>`, listpage.KindPager, "共 3 页 · 共 38 条", "no link"},
		{"Chinese of Taiwan", listHead + rowsOf(10) + `<p>共 8 頁 <a href="javascript:p(2)">下一頁</a></p>`, listpage.KindPager, "共 8 页 · 下一頁", "p(2)"},
		{"English", listHead + rowsOf(10) + `<p>Page 1 of 30 <button onclick="go(2)">Next</button></p>`, listpage.KindPager, "page 1 of 30 · Next", "go(2)"},
		{"an address that is put together", listHead + `<div id="list"></div><p>共 23 条</p><script>var k=atob("L2RhdGE=");fetch(k+"9").then(r=>r.json()).then(d=>d.forEach(x=>document.getElementById("list").append(x)))</script>`, listpage.KindScript, "<div id=list>", "fetches"},
		{"an address in a variable", listHead + `<form id="find"><input id="PAGENUMBER"></form><div id="list"></div><script>function getList(n){$("#PAGENUMBER").val(n);var url = "/info/getTradList";$.ajax({type:"POST", url: url, data: o, success: function(d){}})}</script>`, listpage.KindScript, "/info/getTradList", "fetches"},
		{"an address as an argument", listHead + `<div id="list"></div><script>var where='/info/list?pageNo=1'
$.getJSON(where, function(d){$("#list").html(d)})</script>`, listpage.KindScript, "/info/list?pageNo=1", "fetches"},
		{"visits counted by a variable", listHead + `<div id="newsbox"></div><script>var url="/system/clicks.jsp?id=12&page=1";$.ajax({url:url,success:function(d){$("#newsbox").text(d)}})</script>`, "", "", ""},
		{"an address without pages", listHead + `<ul id="rows"></ul><script>fetch('/api/2').then(r=>r.json()).then(d=>{for(const x of d)document.getElementById('rows').append(x)})</script>`, listpage.KindScript, "/api/2", "fetches"},
		{"visits counted in an empty box", listHead + `<div id="newsbox"></div><script>$.get("/system/clicks.jsp?id=12",function(d){$("#newsbox").text(d)})</script>`, "", "", ""},
		{"a counter beside an empty list", listHead + `<div id="list"></div><script>fetch(where).then(count)</script>`, "", "", ""},
		{"load more", listHead + rowsOf(10) + `<a class="btn" onclick="more()">加载更多</a>`, listpage.KindPager, "加载更多", "more()"},
		{"drawn by a script", listHead + rowsOf(10) + `<script>function createPageHTML(n){}</script><script>createPageHTML(25, 0, "index", "htm");</script>`, listpage.KindPager, "25 pages", "createPageHTML(25, 0"},
		{"drawn, of one page", listHead + rowsOf(10) + `<script>createPageHTML(1, 0, "index", "htm");</script>`, "", "", ""},
		{"only page", listHead + rowsOf(6) + `<p>每页 18 记录 总共 6 记录 <a href="javascript:void(0);">下一页</a> 页码 1/1</p>`, "", "", ""},
		{"last page", listHead + rowsOf(6) + `<p>第 18/18 页 <a href="list17.htm">上一页</a> <a href="javascript:void(0)">下一页</a></p>`, "", "", ""},
		{"last page that does not say so", listHead + rowsOf(12) + `<p><a href="list17.htm">上一页</a> <a href="javascript:void(0)">下一页</a></p>`, "", "", ""},
		{"switched off", listHead + rowsOf(12) + `<p>共12条 1/1 <span class="NextDisabled">下页</span></p>`, "", "", ""},
		{"a control that is switched off", listHead + rowsOf(12) + `<ul class="pagination"><li class="disabled"><a href="javascript:go(2)">下一页</a></li></ul>`, "", "", ""},
		{"few entries and a dead link", listHead + rowsOf(4) + `<p><a href="javascript:void(0)">下一页</a></p>`, "", "", ""},
		{"a button sends a form", listHead + rowsOf(12) + `<form method="post" action="list.do"><input type="hidden" name="page" value="2"><input type="file" name="f"><input type="submit" value="下一页"></form>`, listpage.KindForm, "下一页", "asks for a file"},
		{"post back", listHead + rowsOf(12) + `<p><a href="javascript:__doPostBack('List$Pager','2')">下一页</a></p>`, listpage.KindPostback, "下一页", "not on the page"},
		{"rows that open by a click", listHead + `<table>` + strings.Repeat(`<tr onclick="view('2026-77','zb')"><td>关于实验设备采购的公告</td><td>2026-10-12</td></tr>`, 8) + `</table>`, listpage.KindRows, "关于实验设备采购的公告", "view('2026-77','zb')"},
		{"rows of lists", listHead + `<ul>` + strings.Repeat(`<li><a href="javascript:show(12)">关于实验设备采购的公告</a>2026-10-12</li>`, 5) + `</ul>`, listpage.KindRows, "关于实验设备采购的公告", "show(12)"},
		{"tabs that open by a click", listHead + strings.Repeat(`<div onclick="tab('x')">信息公开的栏目名称</div>`, 8), "", "", ""},
		{"an endpoint", listHead + `<ul id="box"></ul>` + ajax, listpage.KindScript, "/api/notice/list", "fetches"},
		{"an endpoint, and a list that is there", listHead + rowsOf(12) + `<ul id="box"></ul>` + ajax, "", "", ""},
		{"clicks are counted", listHead + `<ul id="n"></ul><p>暂无公告</p>` + hits, "", "", ""},
		{"entries in a script", listHead + `<ul id="box"></ul><script>var data=[` + strings.Repeat(`{"title":"关于实验设备采购项目的公告","date":"2026-10-12","id":7},`, 5) + `];</script>`, listpage.KindData, "关于实验设备采购项目的公告", "stand in a script"},
		{"a menu in a script", listHead + `<script>var menu=[{"title":"首页"},{"title":"概况"},{"title":"公告"}];</script>`, "", "", ""},
		{"a template", listHead + `<div id="showList"></div><script type="text/template">{{#items}}<a href="{{url}}">{{title}}</a>{{/items}}</script>`, listpage.KindScript, "<div id=showList>", "template"},
		{"a template in the page", listHead + `<li v-for="x in list"><a>{{x.title}}</a></li>`, listpage.KindScript, "{{x.title}}", "template"},
		{"a page of scripts", `<html><head><title>公告</title></head><body><div id="app"></div><script src="/app.js"></script></body></html>`, listpage.KindScript, "<div id=app>", "whole page"},
		{"a frame", listHead + `<iframe src="/app/list.html" width="100%" height="800"></iframe>`, listpage.KindFrame, "http://a.test/app/list.html", "frame"},
		{"an invisible frame", listHead + `<iframe src="/stat.html" width="0" height="0"></iframe>`, "", "", ""},
		{"a login", `<html><head><title>统一登录</title></head><body><form><input name="u"><input type="password" name="p"></form></body></html>`, listpage.KindLogin, "统一登录", "password"},
		{"a captcha", listHead + `<form><input name="yzm" placeholder="请输入验证码"><button>查询</button></form>`, listpage.KindCaptcha, "请输入验证码", "person"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := mustParse(t, Source{URL: "http://a.test/cggg/list.htm", ContentType: "text/html; charset=utf-8", Body: []byte(c.body)}, Options{Now: time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)})
			switch got := p.Unfollowed; {
			case c.kind == "" && len(got) == 0:
			case len(got) == 0:
				t.Errorf("nothing is named on a page of type %s with %d records; want %s", p.Type, len(p.Records), c.kind)
			case got[0].Kind != c.kind || !strings.Contains(got[0].Text, c.text) || !strings.Contains(got[0].Why, c.why) || got[0].Help == "":
				t.Errorf("named %+v; want %s %q because %q", got, c.kind, c.text, c.why)
			}
		})
	}
}

// FuzzUnfollowed checks that the missing entries of any page are short, of a known kind and safe to show.
func FuzzUnfollowed(f *testing.F) {
	f.Add(listHead + rowsOf(4) + `<p>共 30 页 <a href="javascript:toPage(2)">下一页</a></p>`)
	f.Add(listHead + `<ul id="box"></ul>` + ajax + hits)
	f.Add(listHead + `<script>Pager({size:99999999999999999999,current:0})</script>` + rowsOf(5))
	f.Add("每页页页共条/页第0/0页 共,,,条记录数:/ of 1 of of")
	f.Fuzz(func(t *testing.T, body string) {
		p, err := Parse(Source{URL: "http://a.test/list.htm", ContentType: "text/html; charset=utf-8", Body: []byte(body)}, Options{Now: crawled})
		if err != nil {
			return
		}
		for _, x := range p.Unfollowed {
			if !slices.Contains(listpage.MissingKinds, x.Kind) || len([]rune(x.Text)) > listpage.MaxMissingText || len([]rune(x.Why)) > listpage.MaxMissingText || strings.ContainsAny(x.Text+x.Why, "\n\t\x1b\x00") {
				t.Errorf("%+v", x)
			}
		}
	})
}
