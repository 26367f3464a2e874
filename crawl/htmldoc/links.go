package htmldoc

import (
	"strings"

	"angler/crawl/urls"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// MaxAnchor bounds a link's anchor text, in runes.
const MaxAnchor = 200

// readLinks sets the URL, class and anchor text of every reference of the page. charset is the
// page's charset.
func (l *Layout) readLinks(t *Tree, charset string, r *urls.Resolver) {
	base := t.URL
	if t.Base != "" {
		if u, err := r.Resolve(t.URL, t.Base); err == nil {
			base = u
		}
	}
	if len(t.Refs) > 0 {
		l.Links = make([]Link, len(t.Refs)) // the page keeps it, so it is not scratch memory
	}
	for i := range t.Refs {
		ref, link := &t.Refs[i], &l.Links[i]
		link.Href, link.Block, link.Hidden = ref.Href, ref.Division, ref.Hidden
		if u, class, err := r.Link(charset, base, ref.Href); err == nil {
			link.URL, link.Class = u, class
			if ref.Feed {
				link.Class = urls.Page
			}
		}
		if ref.Node < 0 {
			continue
		}
		n := &t.Nodes[ref.Node]
		text := strings.Trim(t.Text[n.From:n.To], " \n")
		switch {
		case ref.Click && n.Tag != atom.A:
			text = ClickText(t, ref.Node)
		case n.Tag != atom.A:
			text = ""
		}
		link.Anchor = anchorText(text, TipTitle(n.HTML))
		if link.Anchor == "" {
			link.Anchor = imageText(t, ref.Node)
		}
		link.Pager = link.URL != "" && pager(link.Anchor, link.URL, t.URL)
	}
}

// tipLabel begins a tip whose lines tell title, author and date of a notice; tipLine is such a line.
var (
	tipLabel = NewPattern(`^\s*(?:文章|信息|公告)?标题[：:]`)
	tipLine  = NewPattern(`^[^\n：:]{2,24}[：:]`)
)

// TipTitle returns the tip of a link (title=). Of a tip in lines, 标题：… and 时间：…, it returns the title.
func TipTitle(h *html.Node) string {
	tip := Attr(h, "title")
	if strings.Contains(tip, "\n") {
		tip = tip[len(tipLabel.FindString(tip)):]
		if first, rest, _ := strings.Cut(tip, "\n"); tipLine.MatchString(strings.TrimSpace(rest)) {
			tip = first
		}
	}
	return CleanLine(tip, MaxAnchor)
}

// ClickText returns the text of an element that a script makes a link: its longest line, the title
// among the cells of a row, or the text of a button.
func ClickText(t *Tree, node int32) string {
	n := &t.Nodes[node]
	if n.Tag == atom.Input {
		return CleanLine(Attr(n.HTML, "value"), MaxAnchor)
	}
	best, most := "", -1
	for line := range strings.SplitSeq(t.Text[n.From:n.To], "\n") {
		runes := RunesUpTo(line, MaxAnchor)
		if OnlyDateSigns(line) {
			runes = 0
		}
		if runes > most {
			best, most = line, runes
		}
	}
	return strings.TrimSpace(best)
}

// OnlyDateSigns reports whether a text holds nothing but the parts of a date. It is safe for concurrent use.
func OnlyDateSigns(s string) bool {
	for _, r := range s {
		switch r {
		case ' ', '\n', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '-', '/', '.', '年', '月', '日', '[', ']', '(', ')',
			'|', ':':
		default:
			return false
		}
	}
	return true
}

// anchorText chooses between the text of a link and its title attribute. It takes the attribute if
// the text is missing or truncated.
func anchorText(text, title string) string {
	if strings.IndexByte(text, '\n') >= 0 {
		text = strings.ReplaceAll(text, "\n", " ")
	}
	text = Clip(text, MaxAnchor)
	if title == "" {
		return text
	}
	if text == "" {
		return title
	}
	stem := strings.TrimRight(text, ".… ")
	if len(stem) < len(text) && len(title) >= len(stem) && stem != "" {
		// "关于…" begins the attribute, or the attribute is another text.
		if strings.HasPrefix(title, stem) || IsTruncated(text) {
			return title
		}
	}
	if len(title) > len(text) && strings.HasPrefix(title, text) {
		return title
	}
	return text
}

// NamesAddress reports whether the link text is an address.
func (l *Link) NamesAddress() bool {
	return strings.HasPrefix(l.Anchor, "http://") || strings.HasPrefix(l.Anchor, "https://") ||
		strings.HasPrefix(l.Anchor, "www.")
}

// imageText returns the alternative text of the first image in an element.
func imageText(t *Tree, i int32) string {
	for j := i + 1; j < t.Nodes[i].End && j < i+8; j++ {
		if t.Nodes[j].Tag == atom.Img {
			if alt := CleanLine(Attr(t.Nodes[j].HTML, "alt"), MaxAnchor); alt != "" {
				return alt
			}
		}
	}
	return ""
}
