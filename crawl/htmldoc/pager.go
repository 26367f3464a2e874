package htmldoc

import "strings"

// pagerWords are anchors of links to other pages of the same list.
var pagerWords = map[string]bool{"下一页": true, "下页": true, "上一页": true, "上页": true, "尾页": true, "末页": true,
	"后一页": true, "前一页": true, "下一頁": true, "上一頁": true, "最后一页": true, "后页": true, "前页": true,
	"next": true, "next page": true, "previous": true, "prev": true, "last": true, "last page": true, "older": true,
	"newer": true,
	">":     true, ">>": true, "»": true, "›": true, "<": true, "<<": true, "«": true, "‹": true, "下页>": true, "下一页>": true,
	"下一页>>": true, "more pages": true}

// pager reports whether a link leads to another page of the same list: by its word, or by a number
// if the URLs differ only in numbers.
func pager(anchor, link, page string) bool {
	if anchor == "" || len(anchor) > 24 {
		return false
	}
	word := strings.Trim(anchor, " []【】()（）第页頁")
	if word == "" {
		word = anchor
	}
	if isNumber(word) {
		return len(word) <= 4 && sameList(link, page)
	}
	switch bare := strings.Trim(anchor, " []【】()（）"); {
	case pagerWords[bare]:
		return true
	case bare == "首页" || bare == "第一页": // of the list, not of the site
		return link != page && sameList(link, page)
	}
	if anchor[0]|0x20 >= 'a' && anchor[0]|0x20 <= 'z' {
		return pagerWords[strings.ToLower(anchor)]
	}
	return false
}

func isNumber(s string) bool { return s != "" && strings.TrimLeft(s, "0123456789") == "" }

// sameList reports whether two URLs are pages of one list: the same path up to numbers, the same
// directory and stem (list.htm, list2.htm, list_2.htm), or the content systems' list.htm and
// list/2.htm.
func sameList(a, b string) bool {
	pa, qa, _ := strings.Cut(a, "?")
	pb, qb, _ := strings.Cut(b, "?")
	if pa == pb {
		return qa != "" || qb != ""
	}
	return listStem(pa) == listStem(pb) || listStem(pa) == parentStem(pb) || parentStem(pa) == listStem(pb) ||
		parentStem(pa) == parentStem(pb) && isNumber(lastStem(pa)) && isNumber(lastStem(pb))
}

// listStem removes the ending, then numbers and joints, from a path.
func listStem(path string) string {
	slash := strings.LastIndexByte(path, '/')
	if dot := strings.LastIndexByte(path, '.'); dot > slash {
		path = path[:dot]
	}
	path = strings.TrimRight(path, "0123456789_-")
	if strings.HasSuffix(path, "/index") {
		path = path[:len(path)-len("index")]
	}
	return path
}

// parentStem returns the directory of a path without its slash.
func parentStem(path string) string {
	return strings.TrimSuffix(path[:strings.LastIndexByte(path, '/')+1], "/")
}

func lastStem(path string) string {
	path = path[strings.LastIndexByte(path, '/')+1:]
	if dot := strings.LastIndexByte(path, '.'); dot >= 0 {
		path = path[:dot]
	}
	return path
}
