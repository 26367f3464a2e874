package alerts

import (
	"cmp"

	"angler/crawl/listpage"
	"angler/crawl/view"
)

// missingZh describes missing entries of a list in Chinese, by kind.
var missingZh = map[string]string{
	listpage.KindPager:    "只读到第一页，分页没有可跟随的链接",
	listpage.KindForm:     "只读到第一页，翻页要提交表单",
	listpage.KindPostback: "只读到第一页，翻页要回发页面表单",
	listpage.KindData:     "条目写在脚本里，没有读到",
	listpage.KindRows:     "条目由脚本打开，没有读到",
	listpage.KindScript:   "条目由脚本加载，没有读到",
	listpage.KindFrame:    "列表在框架页中，没有读到",
	listpage.KindLogin:    "列表要求登录",
	listpage.KindCaptcha:  "列表要求验证码",
	listpage.KindBarred:   "转往非公网地址，未跟随",
}

// remediesZh describes remedies in Chinese, by kind.
var remediesZh = map[string]string{
	listpage.KindPager:    recipe,
	listpage.KindForm:     recipe,
	listpage.KindPostback: recipe,
	listpage.KindRows:     recipe,
	listpage.KindData:     recipe + "；或改用浏览器读取：render.pages",
	listpage.KindScript:   recipe + "；或改用浏览器读取：render.pages",
	listpage.KindFrame:    "把框架页的网址加入种子，并把其主机加入范围",
	listpage.KindLogin:    "在 angler.toml 的 [host] 中为该站点设置登录",
	listpage.KindBarred:   "请在浏览器中打开列表，看它转往何处：内网地址只有作为种子才会访问",
	listpage.KindCaptcha:  "验证码需人工输入：请找同一单位的公开列表",
}

const recipe = "查找配方：angler lists recipe add DIR 网址"

// help returns the remedy for a list with missing entries, in the digest's language; "" if none is
// known.
func (d *Digest) help(a *view.ListAlarm) string {
	if a.Kind != view.ListUnfollowed || len(a.Unfollowed) == 0 {
		return ""
	}
	kind := a.Unfollowed[0].Kind
	if d.zh() {
		return remediesZh[kind]
	}
	return listpage.RemedyFor(kind)
}

// unfollowed describes the first missing entries of a list in Chinese.
func unfollowed(a *view.ListAlarm) string {
	if len(a.Unfollowed) == 0 {
		return a.Kind
	}
	x := &a.Unfollowed[0]
	s := cmp.Or(missingZh[x.Kind], x.Kind)
	if text := digestLine(x.Text, 80); text != "" {
		s += "（" + text + "）"
	}
	return s
}
