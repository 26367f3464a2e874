package page

import (
	"strings"
	"unicode/utf8"
)

// What classes, ids and short lines say about the region they stand in. Class
// attributes are cut into words and looked up: an alternation of fifty words
// as a regular expression would cost more than the rest of the page.

// traits is what a class or id says of its element.
type traits uint8

const (
	negative traits = 1 << iota // navigation, sharing, related links, footers …
	titular                     // holds a title
	footing                     // the foot of the page: negative, and never the content
)

// negativeWords mark everything that is not what the page is about.
var negativeWords = wordSet(`foot footer copyright copy nav navi navigation menu side sidebar crumb crumbs
	breadcrumb breadcrumbs share bdshare relate related relative recommend comment comments hot rank ranking banner search
	login pager pagination friend friends ad ads advert advertisement toolbar tools location position dqwz weizhi header
	topbar topnav bottom btm widget promo social newsletter subscribe cookie cookies modal popup disqus`)

// footingWords mark the foot of a page, which cannot be mistaken for content
// even where it holds most of the text.
var footingWords = wordSet(`foot footer copyright bottom btm`)

// contactWords begin the lines of a page's foot, and some of a notice's end:
// they weigh little and are kept where they stand in a text.
var contactWords = []string{"地址", "通讯地址", "联系地址", "单位地址", "办公地址", "学校地址", "电话", "联系电话", "办公电话", "传真", "邮编", "邮政编码", "邮箱",
	"电子邮箱", "电子邮件", "E-mail", "Email", "email", "Tel", "TEL", "Fax"}

// contact tells whether a short line gives an address or a telephone number
// and nothing else.
func contact(s string) bool {
	if strings.IndexByte(s, ':') < 0 && !strings.Contains(s, "：") {
		return false
	}
	s = strings.TrimLeft(s, " \n")
	for _, w := range contactWords {
		if rest, ok := strings.CutPrefix(s, w); ok {
			rest = strings.TrimLeft(rest, " ")
			return strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "：")
		}
	}
	return false
}

// negativeStems mark by their beginning.
var negativeStems = []string{"relat", "recommend", "bdshare", "cookie", "disqus", "rank", "advert"}

// titularWords mark the title of an article.
var titularWords = wordSet(`title tit bt headline subject biaoti heading caption arttitle articletitle`)

func wordSet(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}

// traitsOf reads a class or id attribute. Words end at anything but letters;
// a change from lower to upper case ends one too ("newsTitle").
func traitsOf(attr string) traits {
	if len(attr) > 256 {
		attr = attr[:256]
	}
	var t traits
	var buf [32]byte
	n := 0
	flush := func() {
		if n == 0 {
			return
		}
		w := buf[:n]
		if negativeWords[string(w)] {
			t |= negative
			if footingWords[string(w)] {
				t |= footing
			}
		} else {
			for _, stem := range negativeStems {
				if n > len(stem) && string(w[:len(stem)]) == stem {
					t |= negative
				}
			}
		}
		if titularWords[string(w)] || n > 5 && string(w[n-5:]) == "title" {
			t |= titular
		}
		n = 0
	}
	for i := 0; i < len(attr); i++ {
		c := attr[i]
		upper := c >= 'A' && c <= 'Z'
		if !upper && (c < 'a' || c > 'z') {
			flush()
			continue
		}
		if upper && i > 0 && attr[i-1] >= 'a' && attr[i-1] <= 'z' {
			flush()
		}
		if n == len(buf) {
			n = 0
		}
		buf[n] = c | 0x20
		n++
	}
	flush()
	return t
}

// anywhere marks a short line as furniture wherever it stands in it.
var anywhere = []string{"版权所有", "ICP备", "公网安备", "技术支持", "网站地图", "联系我们", "设为首页", "加入收藏", "当前位置",
	"您的位置", "您现在的位置", "您当前的位置", "您所在的位置", "所在位置", "点击率", "点击数", "点击量", "点击次数", "点击:", "点击：",
	"浏览次数", "浏览量", "浏览:", "浏览：", "阅读次数", "阅读数", "阅读量", "阅读:", "阅读：", "©"}

// atStart marks a short line as furniture when it begins with it.
var atStart = []string{"上一篇", "上一条", "上一页", "下一篇", "下一条", "下一页", "上篇", "下篇", "打印", "关闭", "返回", "字号", "字体",
	"收藏", "分享", "顶部", "相关新闻", "相关阅读", "相关链接", "相关文章", "相关信息", "责任编辑", "来源：", "来源:", "作者：", "作者:",
	"编辑：", "编辑:", "发布时间", "发布日期", "发布者", "发布人", "发表时间", "更新时间", "时间：", "时间:", "日期：", "日期:", "信息来源", "文章来源",
	"浏览次数", "访问次数", "扫一扫", "二维码", "发表评论", "我要评论", "网友评论"}

// opener indexes the words of anywhere by their first character, so that one
// pass over a line tries only words that can begin where it stands.
var opener = func() map[rune][]string {
	m := map[rune][]string{}
	for _, w := range anywhere {
		r, _ := utf8.DecodeRuneInString(w)
		m[r] = append(m[r], w)
	}
	return m
}()

// openers is a small filter in front of opener: bit r%4096 is set for every
// first character.
var openers = func() (bits [64]uint64) {
	for r := range opener {
		bits[r>>6&63] |= 1 << (r & 63)
	}
	return bits
}()

// furniture tells whether a short line of text belongs to the page's frame and
// not to its content.
func furniture(s string) bool {
	s = strings.TrimLeft(s, " \n[【(（")
	for _, w := range atStart {
		if strings.HasPrefix(s, w) {
			return true
		}
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
	return latin && (containsFold(s, "copyright") || containsFold(s, "all rights reserved"))
}

// containsFold is strings.Contains for an ASCII word in lower case.
func containsFold(s, word string) bool {
	for i := 0; i+len(word) <= len(s); i++ {
		if s[i]|0x20 == word[0] && strings.EqualFold(s[i:i+len(word)], word) {
			return true
		}
	}
	return false
}

// metaLabels stand on the line below a title that carries source and date.
var metaLabels = []string{"发布", "发表", "更新", "来源", "作者", "编辑", "浏览", "点击", "阅读", "字号", "访问", "录入", "审核", "时间", "日期"}

func metaLine(s string) bool {
	for _, w := range metaLabels {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}
