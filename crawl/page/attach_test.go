package page

import (
	"strings"
	"testing"
)

func TestCutCounter(t *testing.T) {
	for in, want := range map[string]string{
		"附件【招标文件.docx】已下载378次":  "附件【招标文件.docx】",
		"附件【招标文件.docx】已下载 次":    "附件【招标文件.docx】",
		"招标文件.pdf（下载次数：12）":     "招标文件.pdf",
		"请在本网站下载招标文件":           "",
		"截至昨日，该软件已下载378次，受到欢迎。": "",
		"招标公告": "",
	} {
		if got, ok := cutCounter(in); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %v", in, got, ok)
		}
	}
}

// The list of attachments that a content system adds is listed and no text,
// unless there is no other.
func TestAttachmentList(t *testing.T) {
	const list = `<ul><li>附件【<a href="a.docx">招标文件.docx</a>】已下载<span>12</span>次</li></ul>`
	for _, c := range []struct{ name, text, want string }{
		{"behind a text", "<p>现将招标文件公布如下，请各供应商下载后按要求填写。</p>", "现将招标文件公布如下，请各供应商下载后按要求填写。"},
		{"alone", "", "附件【招标文件.docx】"},
	} {
		p := parse(t, `<title>某某设备采购公告</title><div><h1>某某设备采购公告</h1><div>`+c.text+list+`</div></div><div class="foot">地址：江南市学府路1号 电话：025-12345678</div>`, Options{Main: MethodMass})
		if p.Main != c.want || len(p.Attachments) != 1 || p.Attachments[0].Name != "招标文件.docx" {
			t.Errorf("%s: %q, %v", c.name, p.Main, p.Attachments)
		}
	}
}

// A notice of a few words does not lose to the foot of its page.
func TestShortNotice(t *testing.T) {
	foot := `<div class="x"><p>通讯地址：江南市学府路1号江南理工大学行政楼五楼招标与采购中心办公室</p><p>电话：025-12345678 邮箱：a@b.test</p></div>`
	menu := `<ul>` + strings.Repeat(`<li><a href="/x.htm">栏目</a></li>`, 20) + `</ul>`
	for _, c := range []struct{ name, text, want string }{
		{"a word", "<p>详见附件</p>", "详见附件"},
		{"nothing but links", `<p><a href="a.htm">土木工程专业考试大纲</a></p><p><a href="b.htm">水利工程专业考试大纲</a></p>`, "土木工程专业考试大纲\n水利工程专业考试大纲"},
	} {
		p := parse(t, `<title>某某专业目录的通知</title>`+menu+`<div class="w"><h1>某某专业目录的通知</h1><div>`+c.text+`</div></div>`+foot, Options{Main: MethodMass})
		if p.Main != c.want {
			t.Errorf("%s: %q", c.name, p.Main)
		}
	}
}

// A menu is no list, however many links it has.
func TestMenusAreNoRecords(t *testing.T) {
	for name, menu := range map[string]string{
		"leads home":      `<li><a href="/">首页</a></li>` + `<li><a href="/a.htm">学校概况与历史沿革</a></li><li><a href="/b.htm">机构设置与工作职责</a></li>`,
		"leads to itself": `<li><a href="/cg/cggg.htm">采购公告与采购信息</a></li><li><a href="/b.htm">机构设置与工作职责</a></li>`,
	} {
		p := parse(t, `<ul>`+menu+`</ul><div><p><a href="1.htm">实验室设备采购公告</a></p></div>`, Options{})
		if len(p.Records) != 1 || p.Records[0].Title != "实验室设备采购公告" {
			t.Errorf("%s: %+v", name, p.Records)
		}
	}
}

// An article with the latest news beside it is a detail.
func TestArticleBesideAList(t *testing.T) {
	list := `<ul>`
	for _, s := range []string{"1", "2", "3", "4"} {
		list += `<li><a href="/` + s + `.htm">最新的一条新闻标题` + s + `</a> 2024-05-0` + s + `</li>`
	}
	list += `</ul>`
	article := `<h1>某某大学举行开学典礼</h1><span>2024-05-07</span>` + strings.Repeat(`<p>开学典礼在体育馆隆重举行，全体师生参加了典礼，校长发表了热情洋溢的讲话。</p>`, 15)
	p := parse(t, `<title>某某大学举行开学典礼</title><div>`+article+`</div>`+list, Options{})
	if p.Type != Detail || p.Dated < 4 {
		t.Errorf("%s with %d dated records", p.Type, p.Dated)
	}
	if p := parse(t, `<title>新闻</title><h1>学校新闻</h1><p>这里是学校新闻，欢迎阅读。</p>`+list, Options{}); p.Type != List {
		t.Errorf("a list with a line of text is %s", p.Type)
	}
}

// Lists are called by what their <title> names, not by the box beside them.
func TestListTitles(t *testing.T) {
	items := "<ul>"
	for _, s := range []string{"1", "2", "3", "4"} {
		items += `<li><a href="/` + s + `.htm">某某设备采购公告第` + s + `号</a> 2024-05-0` + s + `</li>`
	}
	for head, want := range map[string]string{
		"招标公告-东湖大学招标采购中心":      "招标公告",
		"东湖大学-信息公开-招标公告":       "招标公告",
		"下载中心 - 东湖大学":          "下载中心",
		"通知公告_采购信息_东湖大学招标采购中心": "通知公告",
	} {
		if p := parse(t, `<title>`+head+`</title><div class="side"><h2>信息发布</h2></div>`+items, Options{}); p.Title != want || p.Type != List {
			t.Errorf("%s: %s %q (%s), want %q", head, p.Type, p.Title, p.TitleWhy, want)
		}
	}
}
