package page

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

const (
	shellTitle = "清溪镇中心小学课桌椅采购项目询价公告"
	shellBody  = "<p>清溪镇中心小学就课桌椅采购项目进行公开询价，欢迎符合条件的供应商参加，有关事项公告如下。</p><p>一、项目编号：QX-2026-17</p><p>二、" +
		"供货地点：学校教学楼，供货期为合同签订后三十日，报价包括运输、安装和售后服务的全部费用。</p>"
	shellConsent = "<p>我们重视您的隐私保护，继续浏览表示您同意本站的用户协议，本站使用必要的技术保存您的选择，以便改进服务。</p>"
)

func readShell(t *testing.T, title, body string) *Page {
	t.Helper()
	p, err := Parse(Source{URL: "http://school.test/info/17.htm", Body: []byte("<!DOCTYPE html><html><head><meta charset=utf-8><title>" + title +
		"</title></head><body>" + body + "<div class=foot>版权所有 清溪镇</div></body></html>")}, Options{Main: "auto", Now: time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)})
	must(t, err)
	return p
}

// The text that a script would show is the text of an empty shell.
func TestShellText(t *testing.T) {
	quoted, _ := json.Marshal(shellBody)
	data := `{"props":{"detail":{"title":"` + shellTitle + `","publishTime":1780416000000,"content":` + string(quoted) + `}}}`
	parsed, _ := json.Marshal(data)
	escaped := ""
	for _, r := range shellBody {
		if r >= utf8.RuneSelf {
			escaped += fmt.Sprintf("%%u%04X", r)
		} else {
			escaped += string(r)
		}
	}
	for name, body := range map[string]string{
		"noscript":        `<noscript>` + shellBody + `</noscript>`,
		"textarea":        `<textarea style="display:none">` + html.EscapeString(shellBody) + `</textarea>`,
		"input":           `<input type=hidden name=body value="` + html.EscapeString(shellBody) + `">`,
		"base64":          `<input type=hidden value="` + base64.StdEncoding.EncodeToString([]byte(shellBody)) + `">`,
		"attribute":       `<p data-content="` + html.EscapeString(shellBody) + `"></p>`,
		"frame":           `<iframe srcdoc="` + html.EscapeString(shellBody) + `"></iframe>`,
		"template":        `<template>` + shellBody + `</template>`,
		"xmp":             `<xmp>` + shellBody + `</xmp>`,
		"script template": `<script type="text/html">` + shellBody + `</script>`,
		"data":            `<script type="application/json">` + data + `</script>`,
		"data in a field": `<textarea>` + html.EscapeString(data) + `</textarea>`,
		"function":        `<script>window.__NUXT__=(function(a,b){return {data:[{content:a,n:b}]}}(` + string(quoted) + `,1))</script>`,
		"sum":             `<script>var h="";h+="` + strings.ReplaceAll(shellBody, "</p><p>", `</p>";h+="<p>`) + `";show(h)</script>`,
		"percent":         `<script>document.write(decodeURIComponent("` + url.PathEscape(shellBody) + `"))</script>`,
		"escape":          `<script>document.write(unescape("` + escaped + `"))</script>`,
		"script base64":   `<script>var c="` + base64.StdEncoding.EncodeToString([]byte(shellBody)) + `";show(Base64.decode(c))</script>`,
		"parsed":          `<script>window.__STATE__=JSON.parse(` + string(parsed) + `)</script>`,
		"two":             `<script>var note=` + `"` + strings.Repeat(shellConsent, 5) + `";var c=` + string(quoted) + `</script>`,
	} {
		p := readShell(t, shellTitle, "<h1>"+shellTitle+"</h1><div>发布时间：2026-05-08</div><div id=content></div>"+body)
		if !strings.Contains(p.Main, "QX-2026-17") || !strings.Contains(p.Main, "售后服务") || strings.Contains(p.Main, "隐私") {
			t.Errorf("%s: main text %q", name, p.Main)
		}
		if p.Title != shellTitle || p.Date.String() != "2026-05-08" || !strings.Contains(p.MainMethod, " in <") {
			t.Errorf("%s: %q, %v, %s", name, p.Title, p.Date, p.MainMethod)
		}
	}
	p := readShell(t, "", `<div id=app></div><script>window.__STATE__=`+data+`</script>`)
	if p.Title != shellTitle || p.Date.String() != "2026-06-03" || !strings.Contains(p.Main, "QX-2026-17") {
		t.Errorf("title and date of the script: %q, %v, %q", p.Title, p.Date, p.Main)
	}
}

// Pages with a visible text stay unchanged. Lists, templates and texts about the site fill no shell.
func TestNoShellText(t *testing.T) {
	shown := strings.Repeat("<p>本次活动在学校礼堂举行，各班同学参加，家长代表也来到现场，活动取得圆满成功。</p>", 12)
	var rows []map[string]string
	for _, n := range []string{"一", "二", "三", "四"} {
		rows = append(rows, map[string]string{"title": "第" + n + "次询价公告", "url": "/" + n, "content": shellBody + n})
	}
	list, _ := json.Marshal(rows)
	for name, body := range map[string]string{
		"shown":    shown + `<textarea>` + html.EscapeString(shellBody) + `</textarea>`,
		"consent":  `<div id=content></div><script>var c="` + shellConsent + shellConsent + `"</script>`,
		"template": `<div id=content></div><script type="text/html">{{each list}}` + shellBody + `{{/each}}</script>`,
		"list":     `<div id=app></div><script>var data=` + string(list) + `</script>`,
	} {
		if p := readShell(t, shellTitle, body); strings.Contains(p.Main, "QX-2026-17") || strings.Contains(p.Main, "隐私") ||
			strings.Contains(p.MainMethod, " in ") {
			t.Errorf("%s: %s: %q", name, p.MainMethod, p.Main)
		}
	}
}

// FuzzDecodeCarried checks that decoding ends, grows no text beyond bounds and keeps it valid.
func FuzzDecodeCarried(f *testing.F) {
	f.Add("%u4e2d%3Cp%3E")
	f.Add(base64.StdEncoding.EncodeToString([]byte(shellBody)))
	f.Add("&lt;p&gt;&#20013;")
	f.Fuzz(func(t *testing.T, s string) {
		out := decodeCarried(s)
		if len(out) > 2*len(s)+8 {
			t.Errorf("%d bytes of %d", len(out), len(s))
		}
		if utf8.ValidString(s) && !utf8.ValidString(out) {
			t.Errorf("not valid: %q", out)
		}
		proseChars(out)
	})
}
