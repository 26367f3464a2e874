package page

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"angler/crawl/webtest/realpages"
)

// at parses a page of a host.
func at(t testing.TB, url, html string) *Page {
	t.Helper()
	return mustParse(t, Source{URL: url, Body: []byte(html)}, Options{Now: crawled})
}

// framed returns a page with a menu, a content and a footer.
func framed(head, content string) string {
	return `<html><head><title>` + head + `</title></head><body>
		<div class="nav"><ul><li><a href="/">首页</a></li><li><a href="/xygk.htm">学院概况</a></li><li><a href="/tzgg.htm">通知公告</a></li><li><a href="/jxky.htm">教学科研</a></li></ul></div>
		<div class="content">` + content + `</div>
		<div class="footer"><p>版权所有 © 某某大学 地址：某某市某某路1号 邮编：400000</p></div></body></html>`
}

func TestSoft404(t *testing.T) {
	long := strings.Repeat("<p>采购人对本次招标的全部文件保留最终解释的权利，供应商应当在规定的时间内递交。</p>", 20)
	cases := map[string]struct {
		html  string
		error bool
	}{
		"bare message":                {`<html><body>您访问的页面不存在！</body></html>`, true},
		"message without markup":      {`文章不存在或已删除`, true},
		"column":                      {`<p>栏目不存在!</p>`, true},
		"message in the site's frame": {framed("某某大学", `<h2>抱歉，您要查看的信息已被删除或不存在。</h2><a href="/">返回首页</a>`), true},
		"404 in the title":            {framed("404 - 某某大学", `<img src="/404.png"><p>去别处看看吧</p>`), true},
		"404 with words":              {framed("404错误页面", `<p>三秒后返回</p>`), true},
		"404 as the only text":        {`<div><h1>404</h1><a href="/">Home</a></div>`, true},
		"English":                     {`<html><head><title>404 Not Found</title></head><body><center><h1>404 Not Found</h1></center><hr><center>nginx</center></body></html>`, true},
		"English sentence":            {`<h1>Sorry</h1><p>The page you requested could not be found.</p>`, true},
		"address in the message":      {`<h1>Not Found</h1><p>The requested URL /a/b.htm was not found on this server.</p>`, true},
		"system error":                {framed("系统错误", `<p>请稍后再试</p>`), true},
		"system error in the text":    {`<p>系统发生错误，请稍后再试或联系管理员</p>`, true},
		"error prompt":                {`<title>错误提示</title><p>操作未完成</p>`, true},
		"forbidden":                   {`<title>403 Forbidden</title><h1>403 Forbidden</h1>`, true},
		"server error":                {`<title>HTTP Status 500 – Internal Server Error</title><p>An exception occurred.</p>`, true},
		"moved":                       {`<p>对不起，该文章可能已被移除。</p>`, true},
		"full width and spaces":       {`<p>４０４</p><p>您 所 访 问 的 页 面 不 存 在</p>`, true},
		"back to the front page":      {`<html><head><meta http-equiv="refresh" content="3;url=/index.htm"></head><body><p>正在返回……</p></body></html>`, true},

		"elsewhere":                     {`<html><head><meta http-equiv="refresh" content="0;url=/tzgg/list.htm"></head><body></body></html>`, false},
		"another host's front page":     {`<html><head><meta http-equiv="refresh" content="0;url=http://www.other.test/"></head><body></body></html>`, false},
		"link to the front page":        {`<p>欢迎</p><a href="/"><img src="a.png"></a>`, false},
		"empty list":                    {framed("通知公告-某某大学", `<p>暂无内容</p>`), false},
		"notice about a lost page":      {framed("关于部分网页无法访问的通知-某某大学", `<h1>关于部分网页无法访问的通知</h1><p>因设备检修，部分网页将于今晚暂停服务，请各单位提前做好准备，并通知本单位全体师生员工。</p>`), false},
		"notice about errors":           {framed("系统错误代码说明", `<h1>系统错误代码说明</h1><p>本表说明报名系统的错误代码。</p>`), false},
		"404 as a number":               {framed("第404期简报-某某大学", `<h1>第404期简报</h1><p>本期内容：招标办公室召开年度工作会议，部署全年采购任务。</p>`), false},
		"404 in a room":                 {framed("教学楼404会议室使用须知", `<p>404会议室由学院办公室管理，请提前预约。</p>`), false},
		"bid withdrawn":                 {framed("某某项目终止公告", `<h1>某某项目终止公告</h1><p>因采购需求变更，本项目的招标公告已被撤销，特此公告，敬请各供应商谅解。</p>`), false},
		"failed tender":                 {framed("某某设备采购失败公告", `<h1>某某设备采购失败公告</h1><p>有效供应商不足三家，本次采购失败。</p>`), false},
		"long page of an error's title": {framed("404", long), false},
		"message far down a long page":  {framed("公告", long+`<p>您访问的页面不存在</p>`), false},
		"message that is a link":        {framed("帮助", `<p>常见的问题</p><a href="/help/1.htm">您访问的页面不存在</a>`), false},
		"login":                         {framed("统一身份认证", `<form><p>用户名</p><input><p>密码</p><input></form>`), false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p := at(t, "http://www.xy.test/info/1023/1.htm", c.html)
			reason := p.Soft404()
			if (reason != "") != c.error {
				t.Errorf("got %q, want an error page: %v (%d characters of its own, type %v)", reason, c.error, p.ownChars(), p.Type)
			}
			if strings.ContainsAny(reason, "\n\x1b") || len(reason) > 200 {
				t.Errorf("reason %q is not one short line", reason)
			}
			if front := at(t, "http://www.xy.test/", c.html); front.Soft404() != "" {
				t.Error("a front page is taken for an error page")
			}
		})
	}
}

// Equal pages at three addresses are error pages. A page of one address and pages with different
// content are not.
func TestErrorPages(t *testing.T) {
	excuse := func(i int) string {
		return framed("某某大学", fmt.Sprintf(`<p>Bitte melden Sie sich an (Anfrage %d um 12:%02d).</p><p>/info/%d.htm</p><a href="/login?from=/info/%d.htm">weiter</a>`, 1000+i, i, i, i))
	}
	list := `<ul>` + strings.Repeat(`<li><a href="/a/1.htm">某某采购项目公开招标公告</a> 2026-10-01</li>`, 4) + `</ul>`
	cases := map[string]struct {
		page func(i int) (path, html string)
		want string // for each page: e error, p page
	}{
		"an excuse":              {func(i int) (string, string) { return fmt.Sprintf("/info/%d.htm", i), excuse(i) }, "ppeee"},
		"one address many times": {func(i int) (string, string) { return "/info/1.htm", excuse(1) }, "pppppp"},
		"empty pages":            {func(i int) (string, string) { return fmt.Sprintf("/info/%d.htm", i), "<html></html>" }, "ppe"},
		"short notices": {func(i int) (string, string) {
			return fmt.Sprintf("/info/%d.htm", i), framed("公示", "<p>"+strings.Repeat("甲", i)+"中标</p>")
		}, "pppp"},
		"photographs of notices": {func(i int) (string, string) {
			return fmt.Sprintf("/info/%d.htm", i), framed("公示"+strings.Repeat("乙", i), `<img src="scan.jpg">`)
		}, "pppp"},
		"other attachments": {func(i int) (string, string) {
			return fmt.Sprintf("/info/%d.htm", i), framed("公示", `<a href="/files/`+strings.Repeat("a", i)+`.pdf">附件</a>`)
		}, "pppp"},
		"long pages": {func(i int) (string, string) {
			return fmt.Sprintf("/info/%d.htm", i), framed("公告", "<p>"+strings.Repeat("采购人保留最终解释的权利。", 50)+"</p>")
		}, "pppp"},
		"front pages": {func(i int) (string, string) { return fmt.Sprintf("/index%d.htm", i), excuse(1) }, "pppp"},
		"lists":       {func(i int) (string, string) { return fmt.Sprintf("/list%d.htm", i), framed("公告", list) }, "pppp"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var e ErrorPages
			for i := range c.want {
				path, html := c.page(i)
				reason := e.Learn(at(t, "http://www.xy.test"+path, html), nil)
				if (reason != "") != (c.want[i] == 'e') {
					t.Errorf("page %d: got %q, want %c", i+1, reason, c.want[i])
				}
			}
		})
	}
}

// ErrorPages bounds its memory for endless different pages, and still finds an error page among them.
// Concurrent use is safe.
func TestErrorPagesBounds(t *testing.T) {
	var e ErrorPages
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range maxSameTexts {
				p := &Page{URL: fmt.Sprintf("http://h.test/%d/%d", w, i), Head: strings.Repeat("x", w+1) + strings.Repeat("y", i)}
				if reason := e.Learn(p, nil); reason != "" {
					t.Errorf("page %d: %s", i, reason)
				}
			}
		})
	}
	wg.Wait()
	if n := len(e.texts); n > maxSameTexts {
		t.Errorf("%d texts are remembered, want at most %d", n, maxSameTexts)
	}
	reason := ""
	for i := range minSameURLs {
		reason = e.Learn(&Page{URL: fmt.Sprintf("http://h.test/late/%d", i), Text: "excuse"}, nil)
	}
	if reason == "" {
		t.Error("an excuse among many pages was missed")
	}
}

func FuzzSoft404(f *testing.F) {
	for _, s := range []string{"您访问的页面不存在", "<title>404</title>", "<meta http-equiv=refresh content='0;url=/'>", framed("404", "x"), strings.Repeat("错误404notfound", 50)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, html string) {
		p, err := Parse(Source{URL: "http://h.test/a/b.htm", Body: []byte(html)}, Options{Now: crawled})
		if err != nil {
			return
		}
		reason := p.Soft404()
		if reason != p.Soft404() || strings.ContainsAny(reason, "\n\r\x00\x1b") {
			t.Errorf("reason %q", reason)
		}
		if reason != "" && (p.Dated > 0 || p.ownChars() > maxErrorChars) {
			t.Errorf("%q, though the page has %d dated records and %d characters", reason, p.Dated, p.ownChars())
		}
	})
}

// No list, detail, column or home page of the real sites is an error page.
func TestSoft404RealSites(t *testing.T) {
	for _, name := range []string{"cs.fudan.edu.cn", "rs.henu.edu.cn", "yjszs.cqjtu.edu.cn"} {
		t.Run(name, func(t *testing.T) {
			s := loadSite(t, name, "", false)
			var e ErrorPages
			short, words, same := 0, 0, 0
			for i, p := range s.pages {
				a, b := p.Soft404(), e.Learn(p, nil)
				for n, hit := range map[*int]bool{&short: p.ownChars() <= maxErrorChars, &words: a != "", &same: b != ""} {
					if hit {
						*n++
					}
				}
				if a+b != "" && s.rows[i].Type != "other" {
					t.Errorf("%s page %s is taken for an error: %s %s", s.rows[i].Type, s.rows[i].Path, a, b)
				}
			}
			t.Logf("%d pages, %d of them short: %d error pages by their words, %d by repetition", len(s.pages), short, words, same)
		})
	}
	pages := 0
	for _, folder := range []string{"articles", "lists", "tenders"} {
		filepath.Walk(realpages.Path(t, folder), func(path string, info os.FileInfo, err error) error {
			if err != nil || info.IsDir() || !strings.HasPrefix(filepath.Ext(path), ".htm") {
				return err
			}
			body, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			p, err := Parse(Source{URL: "http://h.test/a/" + filepath.Base(path), Body: body}, Options{Now: crawled})
			if err != nil {
				return nil // no page
			}
			pages++
			if reason := p.Soft404(); reason != "" {
				t.Errorf("%s is taken for an error: %s", path, reason)
			}
			return nil
		})
	}
	t.Logf("%d single pages: none", pages)
}

func BenchmarkSoft404(b *testing.B) {
	for name, html := range map[string]string{
		"short": framed("公示-某某大学", "<p>有效供应商不足三家。</p>"),
		"long":  framed("公告", strings.Repeat("<p>采购人保留最终解释的权利。</p>", 50)),
	} {
		p := at(b, "http://h.test/a.htm", html)
		b.Run(name, func(b *testing.B) {
			for range b.N {
				p.Soft404()
			}
		})
	}
}
