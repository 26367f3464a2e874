package webtest

import "strings"

// odd is a malformed page as found on the web. Such pages are on hosts with the trap "odd", reachable from the home
// page.
type odd struct {
	path    string
	title   string // as sent; UTF-8 unless gbk
	body    string // the text; inside the page unless raw
	charset string // declared in the meta tag; "" = the host's
	gbk     bool   // sent in GBK
	raw     bool   // body is the whole reply
	status  int    // 0 = 200
}

var odds = []odd{
	{ // escape sequences and bidirectional overrides that must not reach a terminal
		path:  "ys/1.htm",
		title: "通知\x1b]0;owned\x07\x1b[2J\x1b[31m红色\x1b[0m\u202etxt.exe\u202c\u2066\u200b\u009b5m结束",
		body:  "正文含有控制字符\x1b[1;1H\x08\x08\x7f以及方向控制符\u202e倒序\u202c。",
	},
	{path: "ys/2.htm", title: strings.Repeat("关于进一步加强和改进超长标题管理工作的补充通知的说明", 200), body: "标题很长的页面。"},
	{path: "ys/3.htm", raw: true}, // empty
	{ // declares UTF-8 but sends GBK
		path: "ys/4.htm", title: wrongTitle[gbkText], body: wrongBody[gbkText], charset: "utf-8", gbk: true,
	},
	{path: "ys/5.htm", raw: true, body: "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + strings.Repeat("\x00\xff\x10\x80",
		300)},
	{path: "ys/6.htm", raw: true, status: 500, body: "<html><body><h1>HTTP Status 500</h1></body></html>"},
	{path: "ys/7.htm", title: "嵌套很深的页面", body: strings.Repeat("<div>", 3000) + "底部" + strings.Repeat("</div>", 3000)},
	{path: "ys/8.htm", raw: true, body: "<html><head><title>没有结束"}, // truncated
}

var (
	wrongTitle = mustText("声明与实际编码不一致的页面")
	wrongBody  = mustText("本页声明为一种编码，实际以另一种编码发送，浏览器打开时常见乱码。")
)

// html reports whether the reply is a readable page.
func (o *odd) html() bool { return o.status == 0 && !strings.HasPrefix(o.body, "\x89") }
