package page

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"angler/crawl/htmldoc"
	"angler/crawl/urls"
)

// A soft 404 is an error page with status 200. A false positive would lose a real page, so the
// rules are narrow: the title or one line of a short page must be an error message and nothing
// else. ErrorPages finds other error pages.

const (
	maxErrorChars     = 400 // ownChars of an error page with a message in its title, at most
	maxErrorTextChars = 200 // ownChars of an error page with a message in its text, at most
	maxRefreshChars   = 60  // ownChars of a page that redirects to the home page, at most
	maxErrorLine      = 60  // runes of the line with the message, folded, at most
	maxErrorLines     = 200 // lines checked, at most
)

// Soft404 returns the sign by which the page is an error page, "" for other pages and in doubt.
// It is "" for lists, home pages and pages of more than 400 characters outside links. It costs
// under a microsecond on those, and some ten microseconds on a short page.
func (p *Page) Soft404() (reason string) {
	if p.Dated > 0 || p.Type == List || IsHomePage(p.URL) {
		return ""
	}
	own := p.ownChars()
	if own > maxErrorChars {
		return ""
	}
	for _, title := range [...]string{p.Head, p.Title} {
		for part := range strings.FieldsFuncSeq(title, titleJoint) {
			if s := foldLetters(part); len(s) <= 4*maxErrorLine && (errorWords.In(s) || statusCode(s)) &&
				errorTitle.MatchString(s) {
				return "title “" + htmldoc.Clip(strings.TrimSpace(part), 40) + "”"
			}
		}
	}
	if own <= maxErrorTextChars {
		if s := p.errorText(); s != "" {
			return "text “" + htmldoc.Clip(s, 40) + "”"
		}
	}
	if own <= maxRefreshChars && p.refreshesToFront() {
		return "sends its reader to the front page"
	}
	return ""
}

// ownChars counts the page's non-space characters outside links and noise.
func (p *Page) ownChars() int {
	n := int32(0)
	for i := range p.Blocks {
		if b := &p.Blocks[i]; !b.Noise {
			n += b.Chars - b.LinkChars
		}
	}
	return int(n)
}

// errorText returns the first short line that is an error message and no anchor of a link, "" if
// there is none.
func (p *Page) errorText() string {
	lines := 0
	for s := range strings.SplitSeq(p.Text, "\n") {
		if lines++; lines > maxErrorLines {
			return ""
		}
		if len(s) < 3 || len(s) > 8*maxErrorLine {
			continue
		}
		folded := foldLetters(s)
		if errorWords.In(folded) && utf8.RuneCountInString(folded) <= maxErrorLine && errorMessage.MatchString(folded) &&
			!p.isAnchor(s) {
			return strings.TrimSpace(s)
		}
	}
	return ""
}

// isAnchor reports whether s is the anchor of a link.
func (p *Page) isAnchor(s string) bool {
	s = strings.TrimSpace(s)
	return slices.ContainsFunc(p.Links, func(l htmldoc.Link) bool { return l.Anchor == s })
}

// refreshesToFront reports whether a <meta http-equiv=refresh> leads to the home page of the
// page's host. Such a link has no block and no anchor.
func (p *Page) refreshesToFront() bool {
	for i := range p.Links {
		if l := &p.Links[i]; l.Block < 0 && l.Anchor == "" && l.URL != "" && IsHomePage(l.URL) &&
			urls.HostOf(l.URL) == urls.HostOf(p.URL) {
			return true
		}
	}
	return false
}

// titleJoint reports whether a character separates the parts of a title.
func titleJoint(r rune) bool {
	switch r {
	case '-', '_', '|', '—', '–', '·', ':', '：', '»', '>', '/', '!', '！', ',', '，', '。', '.', '(', ')', '（', '）', '【', '】':
		return true
	}
	return false
}

// foldLetters returns the letters and digits of s in lower case.
func foldLetters(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// statusCode reports whether a folded title may name a status of errorTitle.
func statusCode(s string) bool {
	return strings.Contains(s, "40") || strings.Contains(s, "41") || strings.Contains(s, "50")
}

// errorWords prefilters folded lines, because the regular expressions are slow. Each alternative
// of errorMessage needs one of the words. So does each of errorTitle except that of a status.
var errorWords = htmldoc.NewWordSet("不存在", "不在了", "找到", "找不", "丢", "遗失", "失效", "删除", "移除", "移走", "移动", "撤销", "撤回", "屏蔽",
	"关闭",
	"下线", "下架", "无法", "不能访问", "不可用", "错", "异常", "故障", "禁止", "拒绝", "受限", "无权",
	"404", "notfound", "befound", "exist", "error", "nolonger", "hasbeen")

// The parts of the regular expressions for error messages, which match folded text: no spaces, no
// punctuation.
const (
	thing  = `(页面|网页|页|文件|文章|内容|信息|栏目|资源|网址|地址|链接|记录|数据|新闻|公告|通知|站点|网站)`
	wanted = `(您|你|用户)?(所|想|正在|当前|刚才)*(要|需要|请求|访问|查找|查看|浏览|寻找|打开|查询|输入|找)+(看|查看|访问|浏览|的|了)*`
	gone   = `(可能|也许|似乎|好像|目前|现在)?(已经|已|暂时|暂|并)?(不存在|不在了|未找到|找不到|没有找到|没找到|无法找到|丢失|遗失|失效|被删除|被移除|被移走|被移动|被撤销|被撤回|被屏蔽|被关闭|下线|下架|走丢|无法访问|无法显示|不能访问|不可用)`
	sorry  = `(非常|很|十分)?(对不起|抱歉|不好意思|sorry|oops|哎呀|糟糕)?`
	lost   = `(notfound|cannotbefound|couldnotbefound|cantbefound|doesnotexist|doesntexist|nolongerexists?|isnolongeravailable|wasnotfound|hasbeenremoved|hasbeendeleted)`
)

var (
	// errorTitle matches a whole part of a title.
	errorTitle = regexp.MustCompile(`^(` + strings.Join([]string{
		`(http|https|iis|apache|nginx|tomcat|系统)?(statuscode|status|error|错误代码|错误码|错误|状态码|状态|代码|code)*(40[0-9]|41[0-9]|50[0-4])` +
			`(error|errors|错误|页|页面|错误页|错误页面|提示|page|` + lost + `|pagenotfound|filenotfound|objectnotfound|filesordirectorynotfound|fileordirectorynotfound|badrequest|forbidden|internalservererror|badgateway|serviceunavailable|gatewaytimeout|gone|` +
			`找不到` + thing + `|没有找到` + thing + `|` + thing + gone + `)*`,
		sorry + `(the)?(requested)?(page|file|object|document|resource|url|content|article)?` + lost,
		sorry + `(` + wanted + `)?(该|此|本|当前)?` + thing + gone + `(了|啦)?`,
		`(没有|未能|未|无法)?找不?到(该|此|您要的|相关)?` + thing,
		`(系统|服务器|服务|程序|页面|访问|应用|运行时|内部)+(内部)?(错误|出错|异常|发生错误|故障)(啦|了|页|页面|提示|信息)?`,
		`(出错|错误|出错页|错误页|错误提示|出错提示|出错信息|错误信息|发生错误)(啦|了|页面)?`,
		`(runtime|server|internal|internalserver|application)error`,
		`(禁止|拒绝)访问|访问(被拒绝|被禁止|受限|出错)|无权访问`,
	}, `|`) + `)$`)

	// errorMessage matches within a short line.
	errorMessage = regexp.MustCompile(strings.Join([]string{
		wanted + `(该|此|这个)?.{0,4}` + thing + `.{0,4}` + gone,
		`^` + sorry + `(该|此|本|当前|相关|指定的?)?` + thing + gone,
		`^` + sorry + `(没有|未能|未|无法)?找不?到(该|此|您要的|您访问的|您请求的|指定的?|相关)` + thing,
		`^` + sorry + `(系统|服务器|程序|页面)(内部)?(发生|出现)?(了)?(错误|异常|故障|出错)(了)?(请稍后|请联系|请与|$)`,
		`(requested)(url|page|file|resource|address).{0,80}` + lost,
		`(page|file|resource|article|document)(that)?(youare|youre|youhave|you)?(lookingfor|requested|tryingtoreach|wanted)?.{0,12}` + lost,
		`(notfoundonthisserver)`,
		`^(http)?(error|错误|错误代码|状态码)?404(error|错误|` + lost + `|pagenotfound)?$`,
	}, `|`))
)
