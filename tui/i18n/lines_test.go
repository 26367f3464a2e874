package i18n

import (
	"errors"
	"testing"

	"angler/crawl/view"
	"angler/message"
)

// Lines of the engine are said in the reader's language, with the values in them.
func TestLine(t *testing.T) {
	for s, want := range map[string]string{
		// why a reply does not fit a recipe
		"the server refuses: status 401":                                                               "服务器拒绝：状态 401",
		"the JSON ends in the middle, after 111 bytes":                                                 "JSON 在 111 字节处中断",
		"the reply has no data.records":                                                                "响应中没有 data.records",
		"the reply has no data.records; it has code, result":                                           "响应中没有 data.records；有 code, result",
		"none of the 8 rows has an address by url; a row has id, title":                                "8 行中没有一行能按 url 得到网址；各行有 id, title",
		"the reply is longer than 4096 KB and was cut; ask for fewer rows, or raise crawl.max_body_mb": "响应超过 4096 KB，已截断；请减少每页行数，或调大 crawl.max_body_mb",
		"recipe does not fit: jy: the reply has no data.records":                                       "配方不再适用：jy：响应中没有 data.records",
		"the browser used more memory than render.memory_mb allows and was ended":                      "浏览器内存超过 render.memory_mb，已被结束",
		"host a.test asks for a captcha, which is not solved: export a browser's cookies and name the file under [host], or raise its delay": "站点 a.test 要求验证码，程序不代填：请从浏览器导出 Cookie 并在 [host] 中指定文件，或延长抓取间隔",
		// what was corrected
		// what a list shows and the crawl does not follow
		"only its first page is read: it calls toPage(2) (第 1/5 页 · 下一页)":                                                                              "只读到第一页：翻页调用 toPage(2) (第 1/5 页 · 下一页)",
		"only its first page is read: its button sends a form (下一页) · http://a.test/l.htm":                                                             "只读到第一页：翻页按钮提交表单（下一页） · http://a.test/l.htm",
		"its entries are not read: a script fetches the entries (/api/list)":                                                                           "条目没有读到：条目由脚本加载（/api/list）",
		"only its first page is read: a script draws it: Pager({size:25})":                                                                             "只读到第一页：分页由脚本生成：Pager({size:25})",
		"only its first page is read: it calls toPage(2) (下一页) · http://a.test/l.htm · remedy: look for a recipe: angler lists recipe add DIR ADDRESS": "只读到第一页：翻页调用 toPage(2) (下一页) · http://a.test/l.htm · 怎样补救：查找配方：angler lists recipe add DIR 网址",
		"it asks for a login: the page asks for a password":                                                                                            "要求登录：页面要求密码",
	} {
		if got := chinese().Line(s); got != want {
			t.Errorf("%q reads %q, want %q", s, got, want)
		}
	}
}

// A text of the engine is translated with its arguments, including texts and errors.
func TestMessages(t *testing.T) {
	zh := chinese()
	rendered := message.Of("pages are rendered: %s", "a.test/")
	missing := errors.New("no Chromium is installed; install the package chromium, or name the program in render.browser")
	ended := func(besides message.Text) message.Text {
		return message.Of("%s ended, %s: %d fetched, %d failed, %d aggregation pages, %d addresses of new notices%s", "harvest", "nothing left", 30, 2, 12, 70, besides)
	}
	for text, want := range map[message.Text]string{
		"paused":                               "已暂停",
		message.Of("%s: %s", "wang", rendered): "wang：用浏览器读取 a.test/ 的网页",
		message.Of("%s: %s", "wang", message.Of("taken back: %s", rendered)):                         "wang：撤销：用浏览器读取 a.test/ 的网页",
		message.Of("pages of %s are read without their scripts: %v", "a.test/", missing):             "a.test/ 的网页按原样读取，不运行脚本：未安装 Chromium；请安装软件包 chromium，或在 render.browser 中指定程序",
		message.Join([]message.Text{message.Of("%d failed", 3), message.Of("%d left out", 4)}, ", "): "失败 3，略去 4",
		message.Of("no such text: %s", "x"):                                                          "no such text: x",
		ended(""):                                                                                    "采集结束，没有剩余网址：抓取 30，失败 2，列表页 12，新公告网址 70",
		ended(view.ChangedAndWithdrawn(3, 0)):                                                        "采集结束，没有剩余网址：抓取 30，失败 2，列表页 12，新公告网址 70，变更 3",
		ended(view.ChangedAndWithdrawn(3, 15)):                                                       "采集结束，没有剩余网址：抓取 30，失败 2，列表页 12，新公告网址 70，变更 3，撤回 15（所在列表页不再符合条件）",
	} {
		if got := zh.Message(text); got != want {
			t.Errorf("%q reads %q, want %q", text, got, want)
		}
		if got := (*Lang)(nil).Message(text); got != text.String() {
			t.Errorf("%q reads %q in English", text, got)
		}
	}
}

// The log of decisions is read in the reader's language.
func TestDecisionsInChinese(t *testing.T) {
	zh, err := Pick("zh", nil)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[message.Text]string{
		message.Of("%s: %s", "li", message.Of("undo: %s", message.Of("θ %s (was %s)", ".340", ".310"))):                       "li：撤销：θ .340（原为 .310）",
		message.Of("corrected %s of %s", "budget", "显微镜采购公告"):                                                                 "更正预算：显微镜采购公告",
		message.Of("undo: %s", message.Of("corrected: no %s in %s", "winner", "显微镜采购公告")):                                     "撤销：更正：没有中标人：显微镜采购公告",
		message.Of("star %s", message.Of("%d notices", 3)):                                                                    "星标 3 条公告",
		message.Of("topic: %s", message.Join([]message.Text{message.Of("stop word %s", "学院"), message.Of("m %d", 20)}, "; ")): "主题：停用词 学院；m 20",
	} {
		if got := zh.Message(text); got != want {
			t.Errorf("%q reads %q, want %q", text, got, want)
		}
	}
}
