package page

import (
	"strings"
	"testing"
)

func TestTitleChain(t *testing.T) {
	text := "<p>" + strings.Repeat("正文内容。", 30) + "</p>"
	for _, c := range []struct{ name, html, list, want, why string }{
		{name: "the list's anchor", html: `<title>江南理工大学</title><p>关于采购实验台的公告</p>`, list: "关于采购实验台的公告", want: "关于采购实验台的公告", why: whyList},
		{name: "a truncated anchor is no title", html: `<title>关于采购实验台的公告-江南理工大学</title><h1>关于采购实验台的公告</h1>`, list: "关于采购实验…", want: "关于采购实验台的公告", why: whyContained},
		{name: "an anchor the page does not show", html: `<title>关于采购实验台的公告</title><h1>关于采购实验台的公告</h1>`, list: "查看详情", want: "关于采购实验台的公告", why: whyContained},
		{name: "meta", html: `<meta name="ArticleTitle" content="关于采购实验台的公告"><title>关于采购实验台的公告_江南理工大学</title>`, want: "关于采购实验台的公告", why: whyMeta},
		{name: "a class for titles before the menu", html: `<title>采购公告：实验台-采购公告-江南理工大学</title><div class="nav"><span>采购公告</span></div><div class="arti-title">采购公告：实验台</div>`, want: "采购公告：实验台", why: whyContained},
		{name: "title cut by spans", html: `<title>关于采购实验台的公告-江南</title><h1><span>关于采购</span><span>实验台的公告</span></h1>`, want: "关于采购实验台的公告", why: whyContained},
		{name: "a heading that <title> abridges", html: `<title>关于采购实验台及配套设备…-江南理工大学</title><h2>关于采购实验台及配套设备的公告</h2>`, want: "关于采购实验台及配套设备的公告", why: whySimilar},
		{name: "og:title", html: `<meta property="og:title" content="关于采购实验台的公告_江南">`, want: "关于采购实验台的公告", why: whyOG},
		{name: "<title> without its tail", html: `<title>关于采购实验台的公告 - 江南理工大学</title>`, want: "关于采购实验台的公告", why: whyHead},
		{name: "a hyphen inside a word is no joint", html: `<title>COVID-19 vaccination schedule</title>`, want: "COVID-19 vaccination schedule", why: whyHead},
		{name: "<title> only names the site", html: `<title>江南省公共资源交易网</title><h2>实验中学校区改造工程施工</h2>`, want: "实验中学校区改造工程施工", why: whyHeading},
		{name: "both name the site", html: `<title>关于我们学院</title><h2>江南理工大学</h2>`, want: "关于我们学院", why: whyHead},
		{name: "two characters before the site's name", html: `<title>讣告 - 江南理工大学</title><h1>江南理工大学</h1><h2>讣告</h2>`, want: "讣告", why: whyContained},
		{name: "two characters that only <title> shows", html: `<title>讣告_江南理工大学采购网</title><h1>江南理工大学采购网</h1>`, want: "讣告", why: whyHead},
		{name: "three characters in the metadata", html: `<meta name="ArticleTitle" content="停水令"><title>停水令-江南理工大学</title><h1>江南理工大学</h1>`, want: "停水令", why: whyMeta},
		{name: "two characters that name the kind of page", html: `<title>正文-关于采购实验台的公告</title><h3>正文</h3><h1>关于采购实验台的公告</h1>`, want: "关于采购实验台的公告", why: whyContained},
		{name: "a long title behind two characters", html: `<title>公告-关于采购实验台的公告-江南理工大学</title><h3>公告</h3><h1>关于采购实验台的公告</h1>`, want: "关于采购实验台的公告", why: whyContained},
		{name: "a tag in the title", html: `<title>Where the &lt;main&gt; tag belongs - Example</title>`, want: "Where the <main> tag belongs", why: whyHead},
		{name: "a tag in a Chinese title", html: `<title>关于《&lt;标准&gt;》的通知 > 通知公告 > 江南理工大学</title>`, want: "关于《<标准>》的通知", why: whyHead},
		{name: "a div under the names of site and owner", html: `<title>江南省交易平台（青松市）青松市交易中心</title><div class="news-title">实验中学校区改造工程施工</div><div>信息时间：2026-05-06</div>`, want: "实验中学校区改造工程施工", why: whyHeading},
		{name: "centred bold text", html: `<title>江南省政府采购网</title><p style="text-align:center"><b>实验中学校区改造工程施工</b></p><p>发布日期：2026-05-06</p>`, want: "实验中学校区改造工程施工", why: whyHeading},
		{name: "a large font in a cell", html: `<title>江南省政府采购网</title><table><tr><td align="center"><font size="5">实验中学校区改造工程施工</font></td></tr><tr><td>2026年5月6日 来源：本站</td></tr></table>`, want: "实验中学校区改造工程施工", why: whyHeading},
		{name: "a cell above a whole table", html: `<title>江南省政府采购网</title><table><tr><th colspan="2">实验中学校区改造工程施工</th></tr><tr><td>发布日期</td><td>2026-05-06</td></tr></table>`, want: "实验中学校区改造工程施工", why: whyHeading},
		{name: "a purchasing office", html: `<title>江南理工大学招标办</title><h1>实验中学校区改造工程施工</h1><p>发布时间：2026-05-06</p>`, want: "实验中学校区改造工程施工", why: whyHeading},
		{name: "the column's heading above the title's", html: `<title>江南理工大学</title><h2>采购公告</h2><h3>实验中学校区改造工程施工</h3><p>发布时间：2026-05-06</p>`, want: "实验中学校区改造工程施工", why: whyHeading},
		{name: "<title> names the column", html: `<title>采购公告-江南理工大学</title><h2>采购公告</h2><h3>实验中学校区改造工程施工</h3><p>发布时间：2026-05-06</p>`, want: "实验中学校区改造工程施工", why: whyHeading},
		{name: "<title> names the column, and nothing is sure", html: `<title>采购公告-江南理工大学</title><h3>一、报名时间和地点说明</h3><p>2026年5月6日</p>`, want: "采购公告", why: whyHead},
		{name: "bold labels are no titles", html: `<title>江南省政府采购网</title><p><b>采购人：</b>实验中学 2026-05-06</p><p><b>联系人及联系方式</b></p>`, want: "江南省政府采购网", why: whyHead},
		{name: "a heading under the site's own", html: `<title>江南省教育厅</title><h1>江南省教育厅</h1><h2>实验中学校区改造工程施工</h2>`, want: "实验中学校区改造工程施工", why: whyHeading},
		{name: "bold text above everything", html: `<title>公告</title><p align=center><b>实验中学校区改造工程施工公告</b></p><p>本项目位于江南省青松市，欢迎符合条件的供应商参加投标，详见招标文件。</p>`, want: "实验中学校区改造工程施工公告", why: whyBold},
		{name: "bold text below a sentence", html: `<title>公告</title><p>本项目位于江南省青松市，欢迎符合条件的供应商参加投标，详见招标文件。</p><p><b>供应商应当具备的资格和条件</b></p>`, want: "公告", why: whyHead},
		{name: "the content system knows, <title> does not", html: `<meta name="ArticleTitle" content="实验中学校区改造工程施工"><title>江南省教育局</title><div><span>实验中学校区改造工程施工</span></div>`, want: "实验中学校区改造工程施工", why: whyMeta},
		{name: "the page shows only the site's name", html: `<title>实验中学校区改造工程施工_江南省教育局</title><h1>江南省教育局</h1>`, want: "实验中学校区改造工程施工", why: whyHead},
		{name: "a title on two lines", html: `<title>招标公告-江南省教育厅</title><div class="title"><span>实验中学校区</span><br><span>改造工程施工公告</span></div>`, want: "实验中学校区改造工程施工公告", why: whyHeading},
		{name: "heading without <title>", html: `<h2>采购公告</h2>`, want: "采购公告", why: whyHeading},
		{name: "none", html: ``},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := parse(t, "<html>"+c.html+text, Options{ListTitle: c.list})
			if p.Title != c.want || p.TitleWhy != c.why {
				t.Errorf("%q (%s), want %q (%s)", p.Title, p.TitleWhy, c.want, c.why)
			}
		})
	}
}

// The title of a list comes from its <title>, not from the box beside the list.
func TestListTitles(t *testing.T) {
	items := "<ul>" + repeated(`<li><a href="/%d.htm">某某设备采购公告第%[1]d号</a> 2024-05-0%[1]d</li>`, 1, 5)
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
