package page

import (
	"strings"
	"testing"

	"angler/crawl/article"
)

func TestMethodsFindTheText(t *testing.T) {
	for _, method := range article.Methods() {
		p := parse(t, syntheticPage(false), Options{Main: method})
		if !strings.Contains(p.Main, "第5条 本项目采购内容为化学实验室通风系统") || p.MainMethod == "" || p.MainMethod == article.MethodAuto {
			t.Errorf("%s (%s): %.100q", method, p.MainMethod, p.Main)
		}
	}
	if p := parse(t, syntheticPage(false), Options{}); p.Main != "" || p.MainMethod != "" {
		t.Error("a main text without a request")
	}
}

func TestMainText(t *testing.T) {
	sentence := "本公告对采购项目的内容、数量、预算和时间作如下说明，请各供应商仔细阅读。"
	menu := `<div class="nav">` + strings.Repeat(`<a href="/x.htm">栏目名称</a>`, 12) + `</div>`
	for _, c := range []struct{ name, body, want string }{
		{"the repeated title is dropped", `<title>采购公告一号</title><div class=c><h2>采购公告一号</h2><p>` + sentence + `</p><p>` + sentence + `</p></div>`, sentence + "\n" + sentence},
		{"but never the whole text", `<title>采购公告一号</title>` + menu + `<div class=c><h2>采购公告一号</h2></div>`, "采购公告一号"},
		{"a date below a short notice is part of it", `<title>放假通知</title>` + menu + `<h1>放假通知</h1><p>2024-04-30</p><div><p>现将劳动节放假安排通知如下，请遵照执行。</p><p>江南理工大学</p><p>2024年4月29日</p></div>`,
			"现将劳动节放假安排通知如下，请遵照执行。\n江南理工大学\n2024年4月29日"},
		{"sentences beside a data table", `<title>成交公告</title>` + menu + `<h1>成交公告</h1><div class=c><div><p>经评审，成交结果如下，特此公告。</p><p>` + sentence + `</p></div><div><table>` +
			strings.Repeat(`<tr><td>1</td><td>实验台以及配套的通风设备</td><td>江南科学仪器有限公司</td></tr>`, 12) + `</table></div></div>`,
			"经评审，成交结果如下，特此公告。\n" + sentence + strings.Repeat("\n1\t实验台以及配套的通风设备\t江南科学仪器有限公司", 12)},
		{"text in a form", menu + `<form action=x><div><p>` + sentence + `</p><p>` + sentence + `</p></div></form>`, sentence + "\n" + sentence},
		{"text in a class of ill repute", menu + `<div class="sidebar-content hot"><p>` + sentence + `</p><p>` + sentence + `</p><p>` + sentence + `</p></div>`, sentence + "\n" + sentence + "\n" + sentence},
		{"related links below", menu + `<div class=c><p>` + sentence + `</p><p>` + sentence + `</p><div class=list>` + strings.Repeat(`<p><a href=y.htm>另一个采购公告的标题</a></p>`, 6) + `</div></div>`, sentence + "\n" + sentence},
		{"attachments behind a text that only points to them", menu + `<div><div class=c><p>详见附件，谢谢</p></div><ul><li>附件【<a href="/a.docx">招标文件.docx</a>】</li></ul></div>`,
			"详见附件，谢谢\n附件【招标文件.docx】"},
		{"attachments behind a text", menu + `<div><div class=c><p>` + sentence + `</p><p>` + sentence + `</p></div><ul><li>附件【<a href="/a.docx">招标文件.docx</a>】</li></ul></div>`,
			sentence + "\n" + sentence},
		{"layout table", `<table><tr><td>` + strings.Repeat(`<a href=x.htm>栏目名</a><br>`, 8) + `</td><td><p>` + sentence + `</p><p>` + sentence + `</p></td></tr></table>`, sentence + "\n" + sentence},
		{"rows with labels keep them", menu + `<div class=c><table><tr><td>项目名称</td><td>通风系统</td></tr><tr><td>采购单位</td><td>实验中心</td></tr><tr><td>采购内容</td><td>` +
			strings.Repeat(sentence, 3) + `</td></tr></table></div>`, "项目名称\t通风系统\n采购单位\t实验中心\n采购内容\t" + strings.Repeat(sentence, 3)},
		{"rows of a label and an address", menu + `<div class=c><p>` + sentence + `</p><table><tr><td>平台</td><td><a href="http://a.test/tender/list">http://a.test/tender/list</a></td></tr>` +
			`<tr><td>直播</td><td><a href="http://b.test/live/room/7">http://b.test/live/room/7</a></td></tr></table><p>` + sentence + `</p></div>`,
			sentence + "\n平台\thttp://a.test/tender/list\n直播\thttp://b.test/live/room/7\n" + sentence},
		{"a table behind a button", menu + `<div class=c><p>` + sentence + `</p><p>` + sentence + `</p><div style="display:none"><table>` +
			strings.Repeat(`<tr><td>实验台</td><td>三万元</td></tr>`, 3) + `</table></div></div>`, sentence + "\n" + sentence + strings.Repeat("\n实验台\t三万元", 3)},
		{"as many hidden words", menu + `<div class=c><p>` + sentence + `</p></div><div style="position:absolute;left:-5000px"><p>` + strings.Repeat("看不见的文字，", len(sentence)/21) + `</p></div>`, sentence},
		{"hidden words that are no table", menu + `<div class=c><p>` + sentence + `</p><p>` + sentence + `</p><div style="display:none"><p>请稍候，正在加载</p></div></div>`, sentence + "\n" + sentence},
		{"nothing", menu, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := parse(t, "<html><body>"+c.body, Options{Main: article.MethodMass})
			if p.Main != c.want {
				t.Errorf("got  %q\nwant %q", p.Main, c.want)
			}
		})
	}
}

// A content system's list of attachments is no text, unless there is no other text.
func TestAttachmentList(t *testing.T) {
	const list = `<ul><li>附件【<a href="a.docx">招标文件.docx</a>】已下载<span>12</span>次</li></ul>`
	for _, c := range []struct{ name, text, want string }{
		{"behind a text", "<p>现将招标文件公布如下，请各供应商下载后按要求填写。</p>", "现将招标文件公布如下，请各供应商下载后按要求填写。"},
		{"alone", "", "附件【招标文件.docx】"},
	} {
		p := parse(t, `<title>某某设备采购公告</title><div><h1>某某设备采购公告</h1><div>`+c.text+list+`</div></div><div class="foot">地址：江南市学府路1号 电话：025-12345678</div>`, Options{Main: article.MethodMass})
		if p.Main != c.want || len(p.Attachments) != 1 || p.Attachments[0].Name != "招标文件.docx" {
			t.Errorf("%s: %q, %v", c.name, p.Main, p.Attachments)
		}
	}
}

// The text of a notice of a few words is not the footer of its page.
func TestShortNotice(t *testing.T) {
	foot := `<div class="x"><p>通讯地址：江南市学府路1号江南理工大学行政楼五楼招标与采购中心办公室</p><p>电话：025-12345678 邮箱：a@b.test</p></div>`
	menu := `<ul>` + strings.Repeat(`<li><a href="/x.htm">栏目</a></li>`, 20) + `</ul>`
	for _, c := range []struct{ name, text, want string }{
		{"a word", "<p>详见附件</p>", "详见附件"},
		{"nothing but links", `<p><a href="a.htm">土木工程专业考试大纲</a></p><p><a href="b.htm">水利工程专业考试大纲</a></p>`, "土木工程专业考试大纲\n水利工程专业考试大纲"},
	} {
		p := parse(t, `<title>某某专业目录的通知</title>`+menu+`<div class="w"><h1>某某专业目录的通知</h1><div>`+c.text+`</div></div>`+foot, Options{Main: article.MethodMass})
		if p.Main != c.want {
			t.Errorf("%s: %q", c.name, p.Main)
		}
	}
}

// The text of density may contain one block of links and ends at two (P0 2.5).
func TestDensityEndsAtTwoLinkBlocks(t *testing.T) {
	const sentence = "本公告对采购项目的内容、数量、预算和时间作如下说明，请各供应商仔细阅读。"
	const before, after = "本次采购分为两个标段，" + sentence, "投标文件递交地点为行政楼三楼会议室，" + sentence
	text, link := func(s string) string { return "<div><p>" + s + "</p></div>" }, `<div><a href="/a.htm">实验室设备清单</a></div>`
	for _, c := range []struct{ name, body, want string }{
		{"one inside", link + link + text(before) + link + text(sentence+sentence) + link + text(after) + link + link + text("电话：025-12345678"),
			before + "\n实验室设备清单\n" + sentence + sentence + "\n实验室设备清单\n" + after},
		{"two inside", text(before) + link + link + text(sentence+sentence+sentence) + link + link + text(after), sentence + sentence + sentence},
		{"one at each end of the page", link + text(before) + link, before},
		{"alone", text(before), before},
	} {
		if p := parse(t, "<html><body>"+c.body, Options{Main: article.MethodDensity}); p.Main != c.want {
			t.Errorf("%s: got %q\nwant %q", c.name, p.Main, c.want)
		}
	}
}
