package page

import (
	"strings"
	"testing"

	"angler/crawl/article"
)

// englishPage is a page that is not Chinese, with menus around its text.
func englishPage() string {
	return `<html><head><title>Tender for laboratory ventilation - Lake University</title></head><body><div class="nav"><ul>` +
		repeated(`<li><a href="/s%d.htm">Section %[1]d</a></li>`, 0, 20) + `</ul></div><article><h1>Tender for laboratory ventilation</h1>` +
		repeated(`<p>Paragraph %d. Lake University invites tenders for the supply, installation and testing of a ventilation system in its laboratories, as described in the documents, which may be had at the office of procurement.</p>`, 0, 8) +
		`</article><div class="footer">Copyright Lake University</div></body></html>`
}

func TestAutoChooses(t *testing.T) {
	crowded := strings.Replace(syntheticPage(false), `<div class="entry">`, `<div class="x">`+strings.Repeat(`<p>本网推荐阅读，欢迎订阅，敬请关注！</p>`, 1)+`</div><div class="entry">`, 1)
	for _, c := range []struct{ name, html, method, has, hasNot string }{
		{"Chinese notice", syntheticPage(false), article.MethodMass, "通风柜", "栏目"},
		{"Chinese notice with a line more", crowded, "", "第22条", "栏目"},
		{"English", englishPage(), article.MethodVote, "Paragraph 7.", "Section"},
		{"short", "<title>采购公告</title><h1>采购公告</h1><p>见附件，谢谢。", article.MethodMass, "见附件", ""},
		{"no punctuation", "<p>" + strings.Repeat("招标公告", 200), article.MethodMass, "招标公告", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := parse(t, c.html, Options{Main: article.MethodAuto})
			if c.method != "" && p.MainMethod != c.method {
				t.Errorf("by %s, want %s", p.MainMethod, c.method)
			}
			if !strings.Contains(p.Main, c.has) || c.hasNot != "" && strings.Contains(p.Main, c.hasNot) {
				t.Errorf("text %.300q", p.Main)
			}
		})
	}
}

// Readability replaces a text of mass that is too long or hardly any.
func TestReadabilityTakesOver(t *testing.T) {
	html := `<html><head><title>某某公司被罚</title></head><body><h1>某某公司被罚</h1><div id="article">` +
		repeated(`<p>第%d段，记者从有关部门获悉，该公司因违反规定被处以罚款，并被要求在期限内改正，有关情况正在进一步调查之中。</p>`, 0, 10) +
		`</div><div id="community-extra">` +
		repeated(`<p>网友%d说，这样的公司早就应该处罚了，希望有关部门继续努力，为大家创造一个公平的环境。</p>`, 0, 6) + `</div></body></html>`
	_, e, err := Explain(Source{URL: "http://a.test/1.htm", Body: []byte(html)}, Options{Now: benchNow})
	must(t, err)
	p := parse(t, html, Options{Main: article.MethodAuto})
	if why := strings.Join(e.Why, "\n"); !strings.Contains(why, "text by "+p.MainMethod+": mass found") {
		t.Errorf("the reason is missing:\n%s", why)
	}
	if p.MainMethod != article.MethodReadability || !strings.Contains(p.Main, "第9段") || strings.Contains(p.Main, "网友5") {
		t.Errorf("by %s: %.600q", p.MainMethod, p.Main)
	}
}

// The text of a tender has its table and the sentences around it.
func TestTablesStay(t *testing.T) {
	p := parse(t, `<html><head><title>某某设备采购中标公告</title></head><body><h1>某某设备采购中标公告</h1><div class="text">`+
		repeated(`<p>第%d条，本项目评审工作已经结束，现将中标结果公告如下，供应商如有异议，可在期限内以书面形式提出质疑。</p>`, 0, 6)+
		`<table class="related-share">`+
		repeated(`<tr><td>第%d包</td><td>江南某某科技有限公司第%[1]d分公司</td><td>%[1]d万元</td></tr>`, 0, 20)+
		`</table></div></body></html>`, Options{Main: article.MethodAuto})
	if !strings.Contains(p.Main, "第19包\t江南某某科技有限公司第19分公司\t19万元") || !strings.Contains(p.Main, "第5条") {
		t.Errorf("by %s: %.900q", p.MainMethod, p.Main)
	}
}

func TestReadersByName(t *testing.T) {
	for _, method := range []string{article.MethodReadability, article.MethodTrafilatura} {
		p := parse(t, syntheticPage(false), Options{Main: method})
		if p.MainMethod != method || !strings.Contains(p.Main, "第22条") || strings.Contains(p.Main, "栏目导航") {
			t.Errorf("%s: by %s, %.200q", method, p.MainMethod, p.Main)
		}
		if len(p.Attachments) != 1 || p.Attachments[0].Name != "招标文件.docx" {
			t.Errorf("%s: attachments %v", method, p.Attachments)
		}
	}
}
