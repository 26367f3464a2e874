package htmldoc

import (
	"strings"
	"unicode/utf8"
)

// anywhere lists words that mark a short line as furniture at any place.
var anywhere = []string{"版权所有", "ICP备", "公网安备", "技术支持", "网站地图", "联系我们", "设为首页", "加入收藏", "当前位置",
	"您的位置", "您现在的位置", "您当前的位置", "您所在的位置", "所在位置", "点击率", "点击数", "点击量", "点击次数", "点击:", "点击：",
	"浏览次数", "浏览量", "浏览:", "浏览：", "阅读次数", "阅读数", "阅读量", "阅读:", "阅读：", "©"}

// atStart lists words that mark a short line as furniture at its beginning.
var atStart = NewWordSet("上一篇", "上一条", "上一页", "下一篇", "下一条", "下一页", "上篇", "下篇", "打印", "关闭", "返回", "字号", "字体",
	"收藏", "分享", "顶部", "相关新闻", "相关阅读", "相关链接", "相关文章", "相关信息", "责任编辑", "来源：", "来源:", "作者：", "作者:",
	"编辑：", "编辑:", "发布时间", "发布日期", "发布者", "发布人", "发表时间", "更新时间", "时间：", "时间:", "日期：", "日期:", "信息来源", "文章来源", "稿件来源",
	"新闻来源",
	"发布媒体", "来 源：", "来 源:", "来源 ：",
	"浏览次数", "访问次数", "扫一扫", "二维码", "发表评论", "我要评论", "网友评论")

// things lists purchased goods that begin like such a word.
var things = NewWordSet("打印机", "打印复印", "打印一体", "打印设备", "打印耗材", "打印纸", "打印服务", "关闭阀", "返回舱", "收藏柜", "收藏架", "分享会")

// opener indexes the words of anywhere by their first character. One pass over a
// line then tries at each character only the words that begin with it.
var opener = func() map[rune][]string {
	m := map[rune][]string{}
	for _, w := range anywhere {
		r, _ := utf8.DecodeRuneInString(w)
		m[r] = append(m[r], w)
	}
	return m
}()

// openers is a quick filter in front of opener: bit r%4096 is set for every first
// character r.
var openers = func() (bits [64]uint64) {
	for r := range opener {
		bits[r>>6&63] |= 1 << (r & 63)
	}
	return bits
}()

// bareTimes begin furniture lines with the time of publication, and content lines whose heading
// names the event of the time.
var bareTimes = [...]string{"时间：", "时间:", "日期：", "日期:"}

// timed matches headings above such a content line: numbered ones (四、开启), and short ones that
// name an event with a time.
var timed = NewPattern(`^[（(]?(?:[一二三四五六七八九十]{1,3}|\d{1,2})[）)、．.，](?:\D.{0,38})?$|^.{0,8}(?:开启|开标|截止|递交|提交|获取|报名|谈判|磋商|时间|地点)[：:]?$`)

// IsFurnitureAt is IsFurniture for the line text[from:to]. A time below a heading of the content is
// not furniture.
func IsFurnitureAt(text string, from, to int) bool {
	return IsFurniture(text[from:to]) && !headed(text, from, to)
}

// headed reports whether a line is a time whose heading is the line above.
func headed(text string, from, to int) bool {
	line := strings.TrimLeft(text[from:to], " \n")
	for _, w := range bareTimes {
		if strings.HasPrefix(line, w) {
			above := strings.TrimRight(text[:from], " \n")
			return timed.MatchString(strings.TrimSpace(above[strings.LastIndexByte(above, '\n')+1:]))
		}
	}
	return false
}

// IsFurniture reports whether a short line of text belongs to the page's frame and
// not to its content.
func IsFurniture(s string) bool {
	s = strings.TrimLeft(s, " \n[【(（")
	if atStart.begin(s) && !things.begin(s) {
		return true
	}
	latin := false
	for i, r := range s {
		if openers[r>>6&63]&(1<<(r&63)) != 0 {
			for _, w := range opener[r] {
				if strings.HasPrefix(s[i:], w) {
					return true
				}
			}
		}
		latin = latin || r|0x20 == 'c' || r|0x20 == 'r'
	}
	return latin && (ContainsFold(s, "copyright") || ContainsFold(s, "all rights reserved"))
}
