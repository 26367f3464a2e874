package page

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// This file divides a <title> into the name of the page and the name of the site.

// siteEndings are the last words of the names of sites and their owners.
var siteEndings = []string{"网", "网站", "平台", "大学", "学院", "学校", "中心", "首页", "系统", "公司", "集团", "委员会", "局", "处", "厅", "政府",
	"医院", "法院", "研究院", "研究所", "中学", "小学", "幼儿园", "图书馆", "银行", "协会", "学会", "招标办", "采购办", "办公室"}

// siteName reports whether a text is only the name of a site, or the names of a site and its
// owner with a note in brackets between: 交易平台（某省）交易中心. It is false for columns such
// as 新闻中心 and 下载中心.
func siteName(s string) bool {
	if before, rest, ok := strings.Cut(s, "（"); ok && before != "" {
		_, after, closed := strings.Cut(rest, "）")
		return closed && siteName(before) && (after == "" || siteName(after))
	}
	n := utf8.RuneCountInString(s)
	if n > 20 {
		return false
	}
	for _, e := range siteEndings {
		if strings.HasSuffix(s, e) {
			return e != "中心" || n > 4
		}
	}
	return false
}

// siteOnly reports whether every part of a <title> is the name of a site.
func siteOnly(head string) bool {
	return !slices.ContainsFunc(titleParts(head), func(part string) bool { return !siteName(part) })
}

// columnOnly reports whether no part of a <title> is long enough for the name of the page.
func columnOnly(head string) bool {
	return !slices.ContainsFunc(ownParts(head, ""), func(part string) bool {
		return utf8.RuneCountInString(part) > maxColumn && !siteName(part)
	})
}

// ownParts returns the parts of a <title> without its tail and without names of sites. It returns
// all parts if none is left. tail is the ending of the host's titles.
func ownParts(head, tail string) []string {
	if s, ok := strings.CutSuffix(head, tail); ok && tail != "" && s != "" {
		head = s
	}
	all := titleParts(head)
	own := make([]string, 0, len(all))
	for _, part := range all {
		if !siteName(part) {
			own = append(own, part)
		}
	}
	if len(own) == 0 {
		return all
	}
	return own
}

// listTitle returns the part of <title> that names a list or a home page. It returns "" if <title>
// only names the site. If the site's name comes first, the last part names the list
// (某某大学-信息公开-招标公告), else the first.
func listTitle(head, tail string) string {
	if head == "" || siteOnly(head) && tail == "" {
		return ""
	}
	own := ownParts(head, tail)
	if len(own) == 0 {
		return ""
	}
	if first := titleParts(head)[0]; len(own) > 1 && siteName(first) && first != own[0] {
		return own[len(own)-1]
	}
	return own[0]
}

// stripTail removes tail, or else the site's name, from a <title>. Without tail it returns the
// first part if that is long enough for a title, else the longest part.
func stripTail(title, tail string) string {
	if s, ok := strings.CutSuffix(title, tail); ok && tail != "" && s != "" {
		return strings.TrimSpace(s)
	}
	best := ""
	for i, part := range ownParts(title, "") {
		n := utf8.RuneCountInString(part)
		if i == 0 && n >= 6 {
			return part
		}
		if n > utf8.RuneCountInString(best) {
			best = part
		}
	}
	return best
}

// vague holds parts of a <title> that name the kind of page and not the page.
var vague = map[string]bool{"主页": true, "正文": true, "详情": true, "内容": true, "内容页": true, "详细页": true, "文章": true}

// shortTitle returns the first part of a <title> if that names the page in two or three
// characters (公告, 讣告, FAQ), else "".
func shortTitle(head string) string {
	n := 0
	for _, r := range head {
		if joint(string(r)) {
			break
		}
		if r != ' ' {
			n++
		}
		if n > 3 {
			return ""
		}
	}
	parts := titleParts(head)
	if len(parts) == 0 || vague[parts[0]] || siteName(parts[0]) {
		return ""
	}
	if n = utf8.RuneCountInString(parts[0]); n < 2 || n > 3 {
		return ""
	}
	return parts[0]
}

// titleParts cuts a <title> at its joints. A hyphen also joins words, so it only counts between
// spaces or Chinese characters.
func titleParts(title string) []string {
	var out []string
	from := 0
	for i := 0; i < len(title); {
		_, n := utf8.DecodeRuneInString(title[i:])
		if joint(title[i : i+n]) {
			cut := true
			if s := title[i : i+n]; s == ">" { // not of a tag in the title
				cut = strings.LastIndexByte(title[from:i], '<') <= strings.LastIndexByte(title[from:i], '>')
			} else if s == "-" || s == "·" {
				before := i > 0 && (title[i-1] == ' ' || title[i-1] >= utf8.RuneSelf || title[i-1] == '-')
				after := i+n < len(title) && (title[i+n] == ' ' || title[i+n] >= utf8.RuneSelf || title[i+n] == '-')
				cut = before && after
			}
			if cut {
				if s := strings.TrimSpace(title[from:i]); s != "" {
					out = append(out, s)
				}
				from = i + n
			}
		}
		i += n
	}
	if s := strings.TrimSpace(title[from:]); s != "" {
		out = append(out, s)
	}
	return out
}
