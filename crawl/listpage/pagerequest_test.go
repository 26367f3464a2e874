package listpage

import (
	"math"
	"net/url"
	"strings"
	"testing"

	"angler/crawl/htmldoc"
	"angler/crawl/urls"
)

const list = "http://h.test/gg/list.aspx?c=7"

var resolver = urls.NewResolver(0)

// newPage parses a page; the caller releases it.
func newPage(address, body string) *htmldoc.Tree {
	t := htmldoc.NewTree(address)
	t.Parse("<html><head><title>t</title></head><body>" + body + "</body></html>")
	return t
}

// reusedFinder reads all pages of nextRequest, so that Reset is tested.
var reusedFinder PaginationFinder

// nextRequest returns the results of Find for a page of ten entries.
func nextRequest(address, charset, body string) (*PageRequest, []MissingEntries, []string) {
	t := newPage(urls.Bare(address), body)
	defer t.Release()
	reusedFinder.Reset()
	reusedFinder.Tree, reusedFinder.Charset, reusedFinder.Resolver = t, charset, resolver
	reusedFinder.Clicks()
	found, named, scripts := reusedFinder.Find(address, 10)
	if len(found) == 0 {
		return nil, named, scripts
	}
	return &found[0], named, scripts
}

const state = `<input type="hidden" name="__VIEWSTATE" value="dDwx+/=="><input type="hidden" name="__EVENTTARGET" value="">`

// Find returns one request for the next page for each way to turn a list, and none for other forms.
func TestFind(t *testing.T) {
	const two, toPage = list + "#post:page=2", `<script>function toPage(n){ document.f.pageNo.value = n; document.f.submit(); }</script>`
	for _, c := range []struct {
		name, address, body string
		url, sent           string // "" = nothing is sent
		page                int
		expires             bool
	}{
		{"a button of a form by GET", list, `<form action="list.jsp"><input type="hidden" name="c" value="7"><input type="hidden" name="page" value="2"><input type="submit" value="下一页"></form>`,
			"http://h.test/gg/list.jsp?c=7&page=2", "", 2, false},
		{"a button of a form by POST", list, `<form method="post"><input type="hidden" name="pageIndex" value="2"><button>下一页</button></form>`, list, "pageIndex=2", 2, false},
		{"a named button", list, `<form method="post"><input type="hidden" name="k" value="a b"><input type="submit" name="next" value="下一页"></form>`, list, "k=a+b&next=下一页", 2, false},
		{"a function that sends a form", list, toPage + `<form name="f" method="post" action="/l.do"><input type="hidden" name="pageNo" value="1"><select name="kind"><option value="1">a<option value="2" selected>b</select></form><a href="javascript:toPage(2)">下一页</a>`,
			"http://h.test/l.do", "pageNo=2&kind=2", 2, false},
		{"from the second page", two, toPage + `<form name="f" method="post"><input type="hidden" name="pageNo" value="2"></form><a onclick="toPage(1)">1</a><a onclick="toPage(3)">3</a>`, list, "pageNo=3", 3, false},
		{"numbers alone", list, toPage + `<form name="f" method="post"><input name="pageNo" value="1"></form><span>1</span><a href="javascript:toPage(2)">2</a><a href="javascript:toPage(9)">9</a>`, list, "pageNo=2", 2, false},
		{"a field that changes from page to page", list, `<script>function g(n){ document.getElementById("zz").value = n; document.forms[0].submit() }</script><form method="post"><input type="hidden" id="zz" name="x7" value="1"></form><a href="javascript:g(2)">下一页</a>`, list, "x7=2", 2, false},
		{"a postback", list, `<form method="post" action="list.aspx?c=7">` + state + `</form><a href="javascript:__doPostBack('List$Pager','2')">2</a>`, list, "__VIEWSTATE=dDwx+/==&__EVENTTARGET=List$Pager&__EVENTARGUMENT=2", 2, true},
		{"a postback of a grid", list + "#postback:page=4", `<form method="post">` + state + `<a href="javascript:__doPostBack(&#39;Grid&#39;,&#39;Page$5&#39;)">5</a></form>`, list, "__VIEWSTATE=dDwx+/==&__EVENTTARGET=Grid&__EVENTARGUMENT=Page$5", 5, true},
		{"a button that posts back", list, `<form method="post">` + state + `<input type="submit" name="Pager$next" value="下一页"></form>`, list, "__VIEWSTATE=dDwx+/==&__EVENTTARGET=&Pager$next=下一页", 2, true},
		{"a token", list, `<form method="post"><input type="hidden" name="_csrf" value="q1"><input type="hidden" name="page" value="2"><input type="submit" value="下一页"></form>`, list, "_csrf=q1&page=2", 2, true},
		{"a number that is typed", list, `<p>共 30 页</p><form method="post"><input type="text" name="curPage" value="1"><input type="submit" value="GO"></form>`, list, "curPage=2", 2, false},

		{"a number on the last page", list, `<p>共 1 页</p><form method="post"><input type="text" name="curPage" value="1"><input type="submit" value="GO"></form>`, "", "", 0, false},
		{"a search", list, `<form action="/s"><input type="text" name="q"><input type="submit" value="搜索"></form>`, "", "", 0, false},
		{"a login", list, `<form method="post" action="/l"><input name="u"><input type="password" name="p"><input type="hidden" name="page" value="2"><input type="submit" value="下一页"></form>`, "", "", 0, false},
		{"a file", list, `<form method="post"><input type="file" name="f"><input type="submit" value="下一页"></form>`, "", "", 0, false},
		{"feedback", list, `<form method="post" action="/feedback"><input type="hidden" name="page" value="2"><input type="submit" value="下一页"></form>`, "", "", 0, false},
		{"another host", list, `<form method="post" action="http://other.test/l"><input type="hidden" name="page" value="2"><input type="submit" value="下一页"></form>`, "", "", 0, false},
		{"back alone", two, toPage + `<form name="f" method="post"><input type="hidden" name="pageNo" value="2"></form><a href="javascript:toPage(1)">1</a>`, "", "", 0, false},
		{"no form", list, `<a href="javascript:__doPostBack('a','2')">下一页</a>`, "", "", 0, false},
	} {
		got, _, _ := nextRequest(c.address, "utf-8", c.body)
		switch {
		case c.url == "":
			if got != nil {
				t.Errorf("%s: sends %+v", c.name, got)
			}
			continue
		case got == nil:
			t.Errorf("%s: nothing is sent", c.name)
			continue
		}
		sent, err := url.QueryUnescape(strings.ReplaceAll(got.Body, "%2B", "%252B"))
		sent = strings.ReplaceAll(sent, "%2B", "+")
		if want := strings.ReplaceAll(c.sent, "k=a+b", "k=a b"); err != nil || sent != want || got.URL != c.url || got.Page != c.page || got.Expires != c.expires || (got.Method == "POST") != (c.sent != "") || (got.Name == "") != (c.sent == "") {
			t.Errorf("%s: %+v, sent %q", c.name, got, sent)
		}
	}
}

// A form of a page in GBK is sent in GBK.
func TestFormsAreSentInTheCharsetOfTheirPage(t *testing.T) {
	got, _, _ := nextRequest(list, "gbk", `<form method="post"><input type="hidden" name="k" value="招标 &amp;"><input type="hidden" name="page" value="2"><input type="submit" value="下一页"></form>`)
	if got == nil || got.Body != "k=%D5%D0%B1%EA+%26&page=2" {
		t.Errorf("sent %+v", got)
	}
}

// Clicks turns rows and pagers that handlers open into links with the title as anchor, in the order
// of the page. Calls of a missing function request the script file.
func TestClicks(t *testing.T) {
	tree := newPage(list, `<a href="/first">first</a><table>
<tr onclick="window.open('show_1.htm')"><td>1</td><td>关于实验设备采购的公告</td><td>2026-11-01</td></tr>
<tr onclick="location.href='show_2.htm'"><td>2</td><td><a href="javascript:void(0)">关于空调采购的公告</a></td></tr>
<tr onclick="location.href='/other'"><td><a href="/own">own</a></td></tr></table>
<a href="javascript:location.href='list_2.htm'">下一页</a><button onclick="alert(1)">x</button><a href="/last">last</a>`)
	defer tree.Release()
	f := PaginationFinder{Tree: tree, Charset: "utf-8", Resolver: resolver}
	f.Clicks()
	var got []string
	for i := range tree.Refs {
		got = append(got, tree.Refs[i].Href)
	}
	if s := strings.Join(got, " "); s != "/first show_1.htm show_2.htm /own list_2.htm /last" {
		t.Errorf("links are %s", s)
	}
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		for j := n.Ref; j < n.RefEnd; j++ {
			if r := tree.Refs[j].Node; r < int32(i) || r >= n.End {
				t.Fatalf("node %d (%s) holds the link of node %d", i, n.HTML.Data, r)
			}
		}
	}
	row := strings.Repeat(`<li onclick="openIt(1)">关于实验设备采购的公告</li>`, 3)
	_, _, scripts := nextRequest(list, "utf-8", `<script src="/js/jquery.min.js"></script><script src="http://cdn.test/a.js"></script><script src="../js/list.js?v=1"></script><ul>`+row+`</ul>`)
	if len(scripts) != 1 || scripts[0] != "http://h.test/js/list.js?v=1" {
		t.Errorf("wanted are %v", scripts)
	}
}

// A page without handlers, and one whose handlers were read before, cost no memory.
func TestClicksKeepTheirSpace(t *testing.T) {
	for name, body := range map[string]string{
		"no handlers":      `<a href="/a">a</a><script>function f(){ open('/x') }</script>`,
		"no effect":        `<li onclick="alert(1)">a</li><li onclick="alert(1)">b</li><a href="javascript:print( );">c</a>`,
		"missing function": `<li onclick="_count('a', 1)">a</li><li onclick="return _count('b', 2);">b</li>`,
	} {
		tree := newPage(list, body)
		var f PaginationFinder
		n := math.Inf(1) // the minimum of many: the race detector empties pools at times
		for range 200 {
			n = min(n, testing.AllocsPerRun(1, func() {
				f.Tree, f.Charset, f.Resolver = tree, "utf-8", resolver
				f.Clicks()
				f.Reset()
			}))
		}
		if n > 3 || n > 0 && len(tree.Clicks) == 0 { // looking up a name; one more under the race detector
			t.Errorf("%s: %v allocations for %d handlers", name, n, len(tree.Clicks))
		}
		tree.Release()
	}
}

func FuzzForms(f *testing.F) {
	f.Add(`<form method=post>`+state+`<a href="javascript:__doPostBack('p','2')">2</a></form>`, "gbk")
	f.Add(`<form><input name=page value=2><button>下一页</button><select name=a><option>1</form><tr onclick="open('x')"><td>`, "utf-8")
	f.Fuzz(func(t *testing.T, body, charset string) {
		turn, _, _ := nextRequest(list, charset, body)
		if turn == nil {
			return
		}
		if urls.HostOf(turn.URL) != "h.test" || len(turn.Body) > maxFormBytes+1000 || turn.Page < 2 {
			t.Errorf("%+v", turn)
		}
		if c, err := urls.Canonical(turn.URL); err != nil || c != turn.URL {
			t.Errorf("%q is not canonical: %q, %v", turn.URL, c, err)
		}
	})
}
