package page

import (
	"strings"
	"testing"

	"golang.org/x/text/encoding/simplifiedchinese"
)

func TestChallenge(t *testing.T) {
	gbk := func(s string) string {
		out, err := simplifiedchinese.GBK.NewEncoder().String(s)
		must(t, err)
		return out
	}
	page := func(title, body string) string {
		return "<!DOCTYPE html><HTML><head><Title>" + title + "</title></head><body>" + body + "</body></html>"
	}
	filler := strings.Repeat("<p>第三教学楼实验设备采购项目</p>", 300)
	cases := map[string]struct {
		body string
		want bool
	}{
		"a title":                        {page("安全验证", "<div id=slider></div>"), true},
		"a title in GBK":                 {gbk(page("访问验证", "<div></div>")), true},
		"a title in capitals":            {page("Access DENIED", "Reference #18.2"), true},
		"a script without a title":       {`<html><script>var arg1='3AB';document.cookie="acw_sc__v2="+x;</script></html>`, true},
		"a sentence":                     {page("提示", "您的访问过于频繁,请完成安全验证后继续"), true},
		"a sentence in GBK":              {gbk(page("提示", "请输入验证码")), true},
		"a login":                        {page("登录", `<input name=u><input type="Password" name=p> 请输入验证码`), false},
		"a notice":                       {page("实验室设备采购招标公告", "<p>预算 20 万元</p>"), false},
		"a notice about a captcha":       {page("关于采购系统启用短信验证的通知", filler+"登录时请输入验证码"), false},
		"a large page with such a title": {page("安全验证", filler+filler+filler), false},
		"a list with such a title":       {page("验证码系统与安全验证平台采购公告", filler), false},
		"a small list":                   {page("采购公告", "<ul><li><a href=1.htm>验证码系统采购公告</a></ul>"), false},
		"nothing":                        {"", false},
		"no page":                        {"<", false},
		"a cut title":                    {"<title>acc", false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := IsChallenge([]byte(c.body)); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

// IsBusy is false for a notice with other text.
func TestBusy(t *testing.T) {
	gbk, err := simplifiedchinese.GBK.NewEncoder().String("<title>系统提示</title><p>系统繁忙，请稍后再试！</p>")
	must(t, err)
	for body, want := range map[string]bool{
		"<html><title>系统提示</title><body><p>系统繁忙，请稍后再试</p><a href=/>首页</a></body></html>": true,
		gbk:                          true,
		`{"code":500,"msg":"服务器繁忙"}`: true,
		"<p>The site is temporarily unavailable. Please try again later.</p>": true,
		"<p>" + strings.Repeat("因设备升级，采购平台于周六停机维护。", 8) + "如遇系统繁忙，请稍后再试。</p>": false,
		"<p>系统采购公告</p>": false,
		"":              false,
	} {
		if got := IsBusy([]byte(body)); got != want {
			t.Errorf("%q: %v", body, got)
		}
	}
}

// FuzzChallenge checks that no body makes IsChallenge or IsBusy panic.
func FuzzChallenge(f *testing.F) {
	f.Add([]byte("<title>x</title>"))
	f.Fuzz(func(_ *testing.T, body []byte) {
		IsChallenge(body)
		IsBusy(body)
	})
}
