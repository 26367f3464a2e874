package page

import (
	"strings"
	"unicode/utf8"

	"angler/crawl/urls"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// addLink records an element that leads somewhere. Its anchor text is known
// only when the whole page has been walked.
func (b *builder) addLink(i int32, h *html.Node) {
	var href string
	switch b.nodes[i].tag {
	case atom.A, atom.Area:
		found := false
		for k := range h.Attr {
			if h.Attr[k].Key == "href" {
				href, found = h.Attr[k].Val, true
				break
			}
		}
		if !found {
			return
		}
	case atom.Frame, atom.Iframe:
		if href = attr(h, "src"); href == "" {
			return
		}
	default:
		return
	}
	b.appendLink(i, href)
}

func (b *builder) appendLink(host int32, href string) {
	if len(b.links) >= maxLinks {
		b.limit("links", maxLinks)
		return
	}
	l := Link{Href: strings.TrimSpace(href), Block: -1}
	if len(l.Href) > maxHref {
		l.Href = strings.ToValidUTF8(l.Href[:maxHref], "")
	}
	if host >= 0 {
		l.Hidden, l.Block = b.nodes[host].hidden, b.nodes[host].block
	}
	if b.links == nil {
		b.links = make([]Link, 0, usualLinks) // the page keeps it, so it is no scratch space
	}
	b.links = append(b.links, l)
	b.hosts = append(b.hosts, host)
}

// usualLinks is how many links most pages have at most.
const usualLinks = 64

// refresh records where a <meta http-equiv=refresh> leads.
func (b *builder) refresh(h *html.Node, content string) {
	if len(content) > maxHref {
		return
	}
	if _, url, ok := strings.Cut(content, "="); ok {
		if url = strings.Trim(strings.TrimSpace(url), `"'`); url != "" {
			b.appendLink(b.open, url)
		}
	}
}

// finishLinks gives every link its URL, class and anchor text; charset is what
// the page was written in.
func (t *tree) finishLinks(pageURL, charset string, r *urls.Resolver) {
	base := pageURL
	if t.base != "" {
		if u, err := r.Resolve(pageURL, t.base); err == nil {
			base = u
		}
	}
	for i := range t.links {
		l := &t.links[i]
		if u, err := r.ResolveIn(charset, base, l.Href); err == nil {
			l.URL = u
			l.Class = urls.ClassOf(u)
		}
		host := t.hosts[i]
		if host < 0 {
			continue
		}
		n := &t.nodes[host]
		text := strings.Trim(t.text[n.from:n.to], " \n")
		if n.tag != atom.A {
			text = ""
		}
		l.Anchor = anchorText(text, line(attr(n.html, "title"), maxAnchor))
		if l.Anchor == "" {
			l.Anchor = t.imageText(host)
		}
		l.Pager = l.URL != "" && pager(l.Anchor, l.URL, pageURL)
	}
}

// anchorText chooses between what a link shows and what its title attribute
// says: the attribute when the text is missing or truncated.
func anchorText(text, title string) string {
	if strings.IndexByte(text, '\n') >= 0 {
		text = strings.ReplaceAll(text, "\n", " ")
	}
	text = clip(text, maxAnchor)
	if title == "" {
		return text
	}
	if text == "" {
		return title
	}
	stem := strings.TrimRight(text, ".… ")
	if len(stem) < len(text) && len(title) > len(stem) && stem != "" {
		// "关于…": the attribute is the whole of it unless it says something else
		if strings.HasPrefix(title, stem) || truncated(text) {
			return title
		}
	}
	if len(title) > len(text) && strings.HasPrefix(title, text) {
		return title
	}
	return text
}

// truncated tells whether a text ends in an ellipsis.
func truncated(s string) bool {
	return strings.HasSuffix(s, "...") || strings.HasSuffix(s, "…") || strings.HasSuffix(s, "..")
}

// imageText returns the alternative text of the first image in an element.
func (t *tree) imageText(i int32) string {
	for j := i + 1; j < t.nodes[i].end && j < i+8; j++ {
		if t.nodes[j].tag == atom.Img {
			if alt := line(attr(t.nodes[j].html, "alt"), maxAnchor); alt != "" {
				return alt
			}
		}
	}
	return ""
}

// pagerWords lead to another page of the same list.
var pagerWords = map[string]bool{"下一页": true, "下页": true, "上一页": true, "上页": true, "尾页": true, "末页": true,
	"后一页": true, "前一页": true, "下一頁": true, "上一頁": true, "最后一页": true, "后页": true, "前页": true,
	"next": true, "next page": true, "previous": true, "prev": true, "last": true, "last page": true, "older": true, "newer": true,
	">": true, ">>": true, "»": true, "›": true, "<": true, "<<": true, "«": true, "‹": true, "下页>": true, "下一页>": true, "下一页>>": true, "more pages": true}

// pager tells whether a link leads to another page of the same list: by its
// word, or by a number when the URLs differ in numbers only.
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

func isNumber(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// sameList tells whether two URLs name pages of one list: the same path up to
// numbers, the same directory and stem (list.htm, list2.htm, list_2.htm), or
// the content systems' list.htm and list/2.htm.
func sameList(a, b string) bool {
	pa, qa, _ := strings.Cut(a, "?")
	pb, qb, _ := strings.Cut(b, "?")
	if pa == pb {
		return qa != "" || qb != ""
	}
	return listStem(pa) == listStem(pb) || listStem(pa) == parentStem(pb) || parentStem(pa) == listStem(pb) || parentStem(pa) == parentStem(pb) && isNumber(lastStem(pa)) && isNumber(lastStem(pb))
}

// listStem cuts the ending, then numbers and joints, off a path.
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

// parentStem is the directory of a path, without its slash.
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

// runesUpTo counts the runes of s but no further than max.
func runesUpTo(s string, max int) int {
	if len(s) <= max {
		return utf8.RuneCountInString(s)
	}
	n := 0
	for range s {
		if n++; n >= max {
			break
		}
	}
	return n
}
