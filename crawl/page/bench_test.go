package page

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"angler/crawl/article"
	"angler/crawl/urls"

	"golang.org/x/net/html"
)

var benchNow = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// syntheticPage builds a page of some 15 KB as Chinese content systems write
// them: menu, breadcrumb, a list or a notice with a table, sidebar, footer.
func syntheticPage(list bool) string {
	var b strings.Builder
	b.WriteString(`<!DOCTYPE html><html><head><meta charset="utf-8"><title>`)
	if list {
		b.WriteString("采购公告-江南理工大学招标与采购中心")
	} else {
		b.WriteString("江南理工大学化学实验室通风系统采购项目公开招标公告-江南理工大学招标与采购中心")
	}
	b.WriteString(`</title><link rel="stylesheet" href="/css/style.css"><script>var a = "menu";</script></head><body><div class="header"><div class="nav"><ul>`)
	for i := range 20 {
		fmt.Fprintf(&b, `<li class="nav-item n%d"><a href="/lm%d/list.htm" title="栏目%d">学校栏目%d</a></li>`, i, i, i, i)
	}
	b.WriteString(`</ul></div></div><div class="wrap"><div class="side"><h3>栏目导航</h3><ul>`)
	for i := range 8 {
		fmt.Fprintf(&b, `<li><a href="../cg/col%d.htm">采购栏目%d</a></li>`, i, i)
	}
	b.WriteString(`</ul></div><div class="main"><div class="position">当前位置：<a href="/">首页</a> &gt; <a href="/cggg.htm">采购公告</a></div>`)
	if list {
		b.WriteString(`<ul class="news_list">`)
		for i := range 40 {
			fmt.Fprintf(&b, `<li class="news n%d clearfix"><span class="news_title"><a href="../info/1023/%d.htm" target="_blank" title="江南理工大学第%d号实验室设备采购项目公开招标公告">江南理工大学第%d号实验室设备采购项目公开招标公告</a></span><span class="news_meta">2025-%02d-%02d</span></li>`,
				i, 1200+i, i, i, i%12+1, i%28+1)
		}
		b.WriteString(`</ul><div class="pages"><a href="cggg/2.htm">2</a><a href="cggg/2.htm">下一页</a></div>`)
	} else {
		b.WriteString(`<h1 class="arti_title">江南理工大学化学实验室通风系统采购项目公开招标公告</h1><p class="arti_metas"><span>发布者：招标办</span><span>发布时间：2025-03-12</span><span>浏览次数：128</span></p><div class="entry"><div class="read">`)
		for i := range 22 {
			fmt.Fprintf(&b, `<p style="text-indent:2em"><span style="font-size:16px">第%d条 本项目采购内容为化学实验室通风系统的设计、供货、安装和调试，投标人应具备独立承担民事责任的能力，并在人员、设备、资金等方面具有相应的供货能力。</span></p>`, i+1)
		}
		b.WriteString(`<table><tbody>`)
		for i := range 10 {
			fmt.Fprintf(&b, `<tr><td>%d</td><td>通风柜</td><td>%d 台</td><td>%d.00 万元</td></tr>`, i+1, i+3, i*7+10)
		}
		b.WriteString(`</tbody></table><p>附件：<a href="/_upload/article/files/a.docx">招标文件.docx</a></p></div></div>`)
	}
	b.WriteString(`</div></div><div class="footer"><p>版权所有 江南理工大学招标与采购中心 地址：江南市学府路1号 邮编：210000</p></div></body></html>`)
	return b.String()
}

func BenchmarkHTMLParse(b *testing.B) {
	for _, kind := range []string{"list", "notice"} {
		b.Run(kind, func(b *testing.B) {
			src := syntheticPage(kind == "list")
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := html.Parse(strings.NewReader(src)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkParse(b *testing.B) {
	for _, c := range []struct{ name, main string }{{"list", ""}, {"notice", ""}, {"notice", article.MethodMass}, {"notice", article.MethodDensity}, {"notice", article.MethodPathRatio}} {
		b.Run(c.name+"/"+c.main, func(b *testing.B) {
			src := []byte(syntheticPage(c.name == "list"))
			opt := Options{Now: benchNow, Main: c.main, Resolver: urls.NewResolver(1 << 14)}
			b.SetBytes(int64(len(src)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(Source{URL: "http://zb.jnlg.test/cggg.htm", Body: src}, opt); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
