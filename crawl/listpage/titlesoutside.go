package listpage

import (
	"strings"
	"unicode"

	"angler/crawl/htmldoc"
)

// This file reads lists whose links do not show the titles. Each row has the same link (查看详情) or
// its number (ZB-2026-17) as a link, and the title beside it.

// maxItemNodes bounds the nodes of an item that are searched for its title.
const maxItemNodes = 300

// hasTitlesOutside reports whether the titles of a group stand outside its links.
func (f *RecordFinder) hasTitlesOutside(g int32) bool {
	first, n, same, codes := "", 0, true, true
	for _, x := range f.items(g) {
		if x.dropped {
			continue
		}
		anchor := f.links[x.link].Anchor
		if n == 0 {
			first = anchor
		}
		n++
		same, codes = same && anchor == first, codes && isCode(anchor)
		if !same && !codes {
			return false
		}
	}
	return n >= minAlikeRows && (same || strings.ContainsFunc(f.titleOutside(f.cands[f.list[g].first].node, -1), isHan))
}

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

// isCode reports whether an anchor is a number such as ZB-2026-17.
func isCode(anchor string) bool {
	return hasDigit(anchor) && !strings.ContainsFunc(anchor, func(r rune) bool {
		return r > unicode.MaxASCII || r == ' '
	})
}

// titleOutside returns the title that an item shows outside its links: the cell in the column of
// titles. Without one it takes the heading, the first long text without a label, or the longest
// text.
func (f *RecordFinder) titleOutside(item int32, column int) string {
	t := f.tree
	if n := f.cellAt(item, column); n != nil && n.Chars > 0 {
		return htmldoc.CleanLine(t.Text[n.From:n.To], htmldoc.MaxAnchor)
	}
	best, long := int32(-1), false
	for i := item + 1; i < min(t.Nodes[item].End, item+maxItemNodes); i++ {
		x := &t.Nodes[i]
		if x.InLink || x.Chars < minTitleRunes {
			continue
		}
		text := t.Text[x.From:x.To]
		if !x.IsText {
			if mayBeHeading(x) {
				best = i
				break
			}
			continue
		}
		if long || htmldoc.OnlyDateSigns(text) || isCode(text) || best >= 0 && x.Chars <= t.Nodes[best].Chars {
			continue
		}
		best, long = i, x.Chars >= minLineRunes && !strings.ContainsAny(text, ":：")
	}
	if best < 0 {
		return ""
	}
	return htmldoc.CleanLine(t.Text[t.Nodes[best].From:t.Nodes[best].To], htmldoc.MaxAnchor)
}

// shownTitle returns the title of a record of a group. column is the column of titles of its table,
// -1 for none.
func (f *RecordFinder) shownTitle(group int32, c *candidate, column int) string {
	if f.list[group].titlesOutside {
		if title := f.titleOutside(c.node, column); title != "" {
			return title
		}
	}
	return f.title(c)
}

// namesTitles reports whether the heading of a column is one for titles.
func namesTitles(heading string) bool {
	heading = strings.Join(strings.Fields(heading), "")
	switch heading {
	case "名称", "主题", "题目":
		return true
	}
	return htmldoc.AnyWord(heading, strings.HasSuffix, "标题", "项目名称", "公告名称", "工程名称")
}
