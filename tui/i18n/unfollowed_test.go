package i18n

import "testing"

// A missing entry of a list is a cause, its name on the page, and an address.
func TestLineOfWhatIsNotFollowed(t *testing.T) {
	zh, err := Pick("zh", nil)
	if err != nil {
		t.Fatal(err)
	}
	for s, want := range map[string]string{
		"only its first page is read: it calls toPage(2) (第 1/5 页 · 下一页)":                                                                                       "只读到第一页：翻页调用 toPage(2) (第 1/5 页 · 下一页)",
		"only its first page is read: its button sends a form (下一页) · http://a.test/l.htm":                                                                      "只读到第一页：翻页按钮提交表单（下一页） · http://a.test/l.htm",
		"its entries are not read: a script fetches the entries (/api/list)":                                                                                    "条目没有读到：条目由脚本加载（/api/list）",
		"only its first page is read: a script draws it: Pager({size:25})":                                                                                      "只读到第一页：分页由脚本生成：Pager({size:25})",
		"only its first page is read: it calls toPage(2) (下一页) · http://a.test/l.htm · what would help: look for a recipe: angler lists recipe add DIR ADDRESS": "只读到第一页：翻页调用 toPage(2) (下一页) · http://a.test/l.htm · 怎样补救：查找配方：angler lists recipe add DIR 网址",
		"it asks for a login: the page asks for a password":                                                                                                     "要求登录：页面要求密码",
	} {
		if got := zh.Line(s); got != want {
			t.Errorf("%q reads %q, want %q", s, got, want)
		}
	}
}
