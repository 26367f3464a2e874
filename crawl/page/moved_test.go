package page

import (
	"testing"
	"time"

	"angler/crawl/article"
)

// A page has a Moved target only if it has no other content.
func TestPagesThatLeadOn(t *testing.T) {
	const base = "http://zb.jnlg.test"
	script := func(code string) string {
		return "<html><head><title>跳转</title></head><body><script>" + code + "</script></body></html>"
	}
	for name, c := range map[string]struct{ body, want, unread string }{
		"refresh":                {`<meta http-equiv="refresh" content="0;url=/d/1.htm">`, base + "/d/1.htm", ""},
		"quoted":                 {`<meta http-equiv="refresh" content="0;URL='/d/1.htm'">`, base + "/d/1.htm", ""},
		"spaces, upper case":     {`<META HTTP-EQUIV="Refresh" CONTENT=" 2 ;  URL =  &quot;/d/1.htm&quot; ">正在跳转`, base + "/d/1.htm", ""},
		"comma":                  {`<meta http-equiv="refresh" content="0,url=/d/1.htm">`, base + "/d/1.htm", ""},
		"no word":                {`<meta http-equiv="refresh" content="1.5; /d/1.htm">`, base + "/d/1.htm", ""},
		"half a quote":           {`<meta http-equiv="refresh" content="0;url='/d/1.htm">`, base + "/d/1.htm", ""},
		"itself":                 {`<meta http-equiv="refresh" content="0;url=#top">`, "", ""},
		"again and again":        {`<meta http-equiv="refresh" content="60"><p>行情</p>`, "", ""},
		"late":                   {`<meta http-equiv="refresh" content="300;url=/d/1.htm"><p>本页每五分钟更新</p>`, "", ""},
		"href":                   {script(`window.location.href = '/d/1.htm';`), base + "/d/1.htm", ""},
		"a comment of markup":    {script("<!--\nlocation.href='/d/1.htm'\n//-->"), base + "/d/1.htm", ""},
		"replace":                {script(`self.location.replace("/d/1.htm#here")`), base + "/d/1.htm", ""},
		"assign":                 {script(`document.location.assign("/d/1.htm")`), base + "/d/1.htm", ""},
		"brackets":               {script(`window["location"]="/d/1.htm"`), base + "/d/1.htm", ""},
		"a time":                 {script(`setTimeout(function () { parent.location = "/d/1.htm" }, 500)`), base + "/d/1.htm", ""},
		"an arrow":               {script(`setTimeout(() => location.href = "/d/1.htm", 500)`), base + "/d/1.htm", ""},
		"a name":                 {script(`function go() { location = "/d/" + no + ".htm" } var no = 1; setTimeout(go, 500)`), base + "/d/1.htm", ""},
		"code in a text":         {script(`setTimeout("location.href='/d/1.htm'", 500)`), base + "/d/1.htm", ""},
		"at once":                {script(`(function () { var u = "/d/"; location.href = u + "1.htm" })()`), base + "/d/1.htm", ""},
		"when loaded":            {script(`window.onload = function () { location.href = "/d/1.htm" }`), base + "/d/1.htm", ""},
		"a listener":             {script(`document.addEventListener("DOMContentLoaded", function () { location.href = "/d/1.htm" })`), base + "/d/1.htm", ""},
		"a library":              {script(`$(document).ready(function () { location.href = "/d/1.htm" })`), base + "/d/1.htm", ""},
		"the handler of a body":  {`<body onload="javascript:location.href='/d/1.htm'"></body>`, base + "/d/1.htm", ""},
		"a phone goes elsewhere": {script(`if (/mobile/i.test(navigator.userAgent)) { location.href = "/m/1.htm" } else { location.href = "/d/1.htm" }`), base + "/d/1.htm", ""},
		"a phone goes first":     {script(`if (phone()) location.href = "/m/1.htm"; location.href = "/d/1.htm"`), base + "/d/1.htm", ""},
		"out of a frame":         {script(`if (top != self) top.location = self.location.href`), "", ""},
		"a click":                {script(`document.addEventListener("click", function () { location.href = "/d/1.htm" })`), "", ""},
		"a window":               {script(`window.open("/ad.htm")`), "", ""},
		"what is not known":      {script(`location.href = "/d/" + cookie("id")`), "", "its address depends on the function cookie"},
		"a form":                 {`<form id=f action=/d></form>` + script(`document.getElementById("f").submit()`), "", "it sends a form"},
		"an application":         {`<div id=app></div><script src="/static/app.js"></script><script>location.href = "/d/1.htm"</script>`, "", ""},
		"a page with a text": {script(`location.href = "/d/1.htm"`) + `<p>本学院就教学楼空调采购项目进行公开招标，欢迎符合条件的供应商参加投标，投标文件请于截止时间以前送达学院招标办公室，逾期送达的投标文件不予受理，特此公告，敬请各位供应商留意。</p>`,
			"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := parse(t, c.body, Options{})
			if p.Moved != c.want || p.MovedError != c.unread {
				t.Errorf("it leads to %q, unread %q; want %q, %q", p.Moved, p.MovedError, c.want, c.unread)
			}
		})
	}
}

// The text of a notice may stand in the only frame of its page.
func TestNoticesInFrames(t *testing.T) {
	const head = `<title>课桌椅采购公告</title><h1>课桌椅采购公告</h1><div>发布时间：2026-05-08</div>`
	const frame = `<iframe src="/body/1.htm" width="100%" height="600"></iframe>`
	known := &Announced{Title: "课桌椅采购公告", Date: article.Date{Time: time.Date(2026, 5, 8, 0, 0, 0, 0, time.UTC), Precision: article.Day}}
	for name, c := range map[string]struct {
		body string
		as   *Announced
		want bool
	}{
		"alone":               {head + frame, known, true},
		"beside a counter":    {head + frame + `<iframe src="/count.jsp?id=1"></iframe>`, known, true},
		"beside nothing":      {head + frame + `<iframe src="/x.htm" width=0></iframe>`, known, true},
		"no notice":           {head + frame, nil, false},
		"no date in the list": {head + frame, &Announced{Title: known.Title}, false},
		"beside a text":       {head + shellBody + frame, known, false},
		"beside a file":       {head + `<a href="/f/1.docx">附件</a>` + frame, known, false},
		"two":                 {head + frame + `<iframe src="/body/2.htm"></iframe>`, known, false},
		"a file":              {head + `<iframe src="/f/1.pdf"></iframe>`, known, false},
		"another host":        {head + `<iframe src="http://video.test/1.htm"></iframe>`, known, false},
	} {
		want := ""
		if c.want {
			want = "http://zb.jnlg.test/body/1.htm"
		}
		if p := parse(t, c.body, Options{Notice: c.as}); p.Moved != want {
			t.Errorf("%s: it leads to %q, want %q", name, p.Moved, want)
		}
	}
}
