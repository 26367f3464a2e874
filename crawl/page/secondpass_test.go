package page

import (
	"strings"
	"testing"

	"angler/crawl/article"
)

// The first pass of pathratio takes the footer instead of a picture with two lines of text. The
// second pass finds these lines (P2 2.2.1).
func TestSecondPassRescuesAPhotoStory(t *testing.T) {
	const caption = "一月五日，实验中心的新设备完成安装。"
	const foot = "版权所有：江南理工大学招标与采购中心暨实验室与设备管理处综合办公室以及后勤保障部房屋与土地管理科联合值班室，地址：江南市学府路一号行政楼五楼五〇二办公室，邮编：二一〇〇〇〇"
	const address = "通讯地址：江南理工大学招标与采购中心暨实验室与设备管理处综合办公室以及后勤保障部房屋与土地管理科联合值班室：江南市学府路一号行政楼五楼五〇二办公室：邮编：二一〇〇〇〇："
	menu := `<div class="nav">` + strings.Repeat(`<a href="/x.htm">栏目</a>`, 10) + `</div>`
	for _, c := range []struct {
		name, story, foot, want string
		second                  article.SecondPass
	}{
		{name: "two marks", story: caption, foot: foot, want: caption},
		{name: "below a line of addresses", story: caption, foot: address, want: caption},
		{name: "one mark is no story", story: "新设备完成安装。", foot: foot, want: foot},
		{name: "without second pass", story: caption, foot: foot, second: article.SecondPass{After: article.AfterNone}, want: foot},
		{name: "α below what the foot has", story: caption, foot: foot, second: article.SecondPass{Marks: 2, LinkChars: 60}, want: foot},
	} {
		p := parse(t, "<html><body>"+menu+`<div class="pic"><img src="a.jpg"><p>`+c.story+"</p></div>"+menu+"<div><span>"+c.foot+"</span></div>", Options{Main: article.MethodPathRatio, Second: c.second})
		got := p.Main
		if c.want == foot && strings.HasSuffix(got, foot) && !strings.Contains(got, c.story) {
			got = foot // the menu beside it comes with it
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// A result with β link characters gets a second pass, with AfterEvery in every method.
func TestSecondPassAfterLinks(t *testing.T) {
	const sentence = "本公告对采购项目的内容、数量、预算和时间作如下说明，请各供应商仔细阅读。"
	linked := "<div>" + strings.Repeat(`<p>`+sentence+`<a href="/b.htm">采购文件下载地址</a></p>`, 9) + "</div>"
	plain := "<div><p>" + sentence + sentence + sentence + "</p></div>"
	for _, method := range []string{article.MethodMass, article.MethodDensity, article.MethodPathRatio} {
		text := func(s article.SecondPass) string {
			return parse(t, "<html><body>"+linked+plain, Options{Main: method, Second: s}).Main
		}
		if got := text(article.SecondPass{Marks: 8, LinkChars: 1000, After: article.AfterEvery}); !strings.Contains(got, "下载地址") {
			t.Errorf("%s: few link characters are no reason: %q", method, got)
		}
		if got := text(article.SecondPass{Marks: 8, LinkChars: 60, After: article.AfterEvery}); got != sentence+sentence+sentence {
			t.Errorf("%s: %q", method, got)
		}
		if got := text(article.SecondPass{After: article.AfterPathRatio}); (got == sentence+sentence+sentence) != (method == article.MethodPathRatio) {
			t.Errorf("%s as P2 prints it: %q", method, got)
		}
	}
}

func TestSecondPassCheck(t *testing.T) {
	for _, c := range []struct {
		s  article.SecondPass
		ok bool
	}{{article.DefaultSecondPass, true}, {article.SecondPass{Marks: 0, LinkChars: 1}, true}, {article.SecondPass{Marks: -1, LinkChars: 60}, false}, {article.SecondPass{Marks: 8}, false}} {
		if err := c.s.Check(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.s, err)
		}
	}
}
