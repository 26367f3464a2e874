package listpage

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"angler/crawl/article"
	"angler/crawl/htmldoc"
)

// Record is one entry of a list page.
type Record struct {
	Title string
	URL   string // canonical and absolute; for Posts see Post
	Date  article.Date
	Link  int32 // index of the main link in the page's links; for Posts see Post
}

// Repeater reports the links that other pages of a host repeat. It must be safe for concurrent use
// if pages are.
type Repeater interface {
	RepeatedLink(url, anchor string) bool
}

// RecordFinder finds the records of one page after the other. It keeps the findings of a page for
// Span and Groups until Reset. The zero value is ready. It serves one goroutine at a time.
type RecordFinder struct {
	tree   *htmldoc.Tree
	links  []htmldoc.Link
	blocks []htmldoc.Block
	chosen []int32 // groups that form the records
	main   []int32 // groups of the best list

	cands   []candidate
	groups  map[groupKey]int32 // index into list
	list    []group
	repeats []repeatState // by link: whether the host repeats it
	posts   map[groupKey]postGroup
	months  []monthAt
	buf     []byte
}

// Find returns the records of the best list and of the lists beside it with its design, in the
// order of the page. dated is the number of records with a date. If at least half of a list is
// dated, an undated row stays only if its anchor is a title. now is the time of the fetch, for
// dates without year. host may be nil.
func (f *RecordFinder) Find(t *htmldoc.Tree, l *htmldoc.Layout, now time.Time,
	host Repeater) (records []Record, dated int) {
	f.tree, f.links, f.blocks = t, l.Links, l.Blocks
	if f.groups == nil {
		f.groups = map[groupKey]int32{}
	}
	f.collect(now)
	f.datesBeside(now)
	if len(f.cands) == 0 {
		return nil, 0
	}
	for g := range f.list {
		f.score(int32(g), host)
	}
	f.dampMenus()
	best := int32(-1)
	for g := range f.list {
		if best < 0 || f.list[g].score > f.list[best].score {
			best = int32(g)
		}
	}
	if f.list[best].score <= 0 {
		return nil, 0
	}
	f.main = f.parts(best)
	lists := append(f.otherLists(best, f.main), f.splitByHeading(f.main)...)
	slices.SortFunc(lists, func(a, b []int32) int { return cmp.Compare(f.list[a[0]].first, f.list[b[0]].first) })
	f.chosen = slices.Concat(lists...)
	f.split(now)
	at := 0
	for _, list := range lists {
		some, n := f.readRecords(f.chosen[at:at+len(list)], now)
		records, dated, at = append(records, some...), dated+n, at+len(list)
	}
	return records, dated
}

// Reset clears the page and keeps the memory.
func (f *RecordFinder) Reset() {
	clear(f.groups)
	clear(f.posts)
	clear(f.repeats)
	*f = RecordFinder{cands: f.cands[:0], groups: f.groups, posts: f.posts, list: f.list[:0], repeats: f.repeats[:0],
		months: f.months[:0], buf: f.buf[:0]}
}

// Span returns the range of the best list, Text[from:to], and the characters of its items; zeros
// without a list.
func (f *RecordFinder) Span() (from, to, chars int32) {
	if len(f.main) == 0 {
		return 0, 0, 0
	}
	t := f.tree
	from = int32(len(t.Text))
	for _, g := range f.main {
		gr := &f.list[g]
		from = min(from, t.Nodes[f.cands[gr.first].node].From)
		to = max(to, t.Nodes[f.cands[gr.last].node].To)
		chars += gr.chars
	}
	return from, to, chars
}

// Group describes the score of a group of candidates.
type Group struct {
	Node    int32 // the first item
	Link    int32 // its main link
	Items   int
	Dated   int
	Targets int // distinct links of all items
	Score   float64
	Chosen  bool // part of the records
}

// Groups returns at most limit groups, the best first.
func (f *RecordFinder) Groups(limit int) []Group {
	order := make([]int32, 0, len(f.list))
	for i := range f.list {
		if f.list[i].n > 0 {
			order = append(order, int32(i))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(f.list[b].score, f.list[a].score) })
	order = order[:min(len(order), limit)]
	groups := make([]Group, 0, len(order))
	for _, i := range order {
		g := &f.list[i]
		first := &f.cands[g.first]
		groups = append(groups, Group{Node: first.node, Link: first.link, Items: int(g.n), Dated: int(g.dated),
			Targets: int(g.targets),
			Score:   g.score, Chosen: slices.Contains(f.chosen, i)})
	}
	return groups
}

// readRecords turns the groups of one list into records.
func (f *RecordFinder) readRecords(list []int32, now time.Time) ([]Record, int) {
	items, dated := int32(0), int32(0)
	for _, g := range list {
		items += f.list[g].n
		dated += f.list[g].dated
	}
	mostlyDated := dated*2 >= items
	columns := f.readTableHead(f.cands[f.list[list[0]].first].node)
	out, from := make([]Record, 0, items), make([]int32, 0, items)
	for _, g := range list {
		for c, x := range f.items(g) {
			if x.dropped || mostlyDated && x.date.IsZero() && !f.titled(x) {
				continue
			}
			if columns.column >= 0 || columns.hasOther {
				x.date, x.day = f.columnDate(x.node, columns, now), dayRow{}
			}
			url := f.links[x.link].URL
			out = append(out, Record{Title: f.shownTitle(g, x, columns.title), URL: url,
				Date: article.SettleDateByURL(x.date, url, now), Link: x.link})
			from = append(from, c)
		}
	}
	f.settleDayFirst(out, from, now)
	f.settleSpannedDates(out, from, now)
	f.settleYears(out, from, now)
	return out, int(dated) - f.settleDays(out, from)
}

// minUndatedTitle is the least length in characters of the anchor of an undated row in a dated
// list. Such a row is pinned or new; a shorter anchor is a link to more.
const minUndatedTitle = 6

// titled reports whether the anchor of a candidate looks like a title.
func (f *RecordFinder) titled(c *candidate) bool {
	return htmldoc.RunesUpTo(f.links[c.link].Anchor, minUndatedTitle) >= minUndatedTitle
}

// title returns the title of a record: the anchor of its main link. It cuts off a date at the edge
// of the anchor if the rest is still a title. It also does if the date is known from elsewhere. A
// date at the start must stand apart, for "2024年5月12日学术报告会" is a title.
func (f *RecordFinder) title(c *candidate) string {
	t := f.tree
	anchor := f.links[c.link].Anchor
	full := htmldoc.TipTitle(t.Nodes[t.Refs[c.link].Node].HTML)
	if head := f.headingIn(t.Refs[c.link].Node); head != "" {
		if stem := strings.TrimRight(head, ".… "); len(full) > len(stem) && strings.HasPrefix(full, stem) {
			return full
		}
		return head
	}
	anchor = f.cutDateOrBadge(t.Refs[c.link].Node, anchor)
	_, start, end, ok := article.FindDate(anchor, time.Time{})
	if !ok || start > 3 && end < len(anchor)-6 || start <= 3 && end < len(anchor) &&
		!f.dateStandsApart(c.link, anchor, end) {
		return anchor
	}
	if full != "" && strings.Contains(anchor, full) {
		return full
	}
	if n := &t.Nodes[c.node]; !n.Numbered && full == anchor {
		return anchor // the date belongs to the title, as the attribute shows
	}
	rest := strings.Trim(anchor[:start]+" "+anchor[end:], " []()（）【】日|-·")
	if utf8.RuneCountInString(rest) >= 4 {
		return rest
	}
	return anchor
}

// badges are texts after the title in the link of a new row.
var badges = map[string]bool{"new": true, "new!": true, "hot": true, "最新": true, "新": true, "热": true}

// cutDateOrBadge cuts off the last text of a link if it is a day, a relative date or a badge.
func (f *RecordFinder) cutDateOrBadge(link int32, anchor string) string {
	t := f.tree
	if link < 0 || t.Nodes[link].End-link <= 2 {
		return anchor
	}
	n := &t.Nodes[t.Nodes[link].End-1]
	last := strings.Trim(t.Text[n.From:n.To], " \n")
	rest := strings.TrimRight(strings.TrimSuffix(anchor, last), " ")
	if badges[strings.ToLower(last)] && n.IsText && utf8.RuneCountInString(rest) >= minTitleRunes {
		return rest
	}
	if !n.IsText || n.Chars == 0 || n.Chars > 20 || len(rest) == len(anchor) ||
		utf8.RuneCountInString(rest) < minTitleRunes {
		return anchor
	}
	if _, ok := article.RelativeDate(last, time.Unix(0, 0)); ok || htmldoc.OnlyDateSigns(last) &&
		strings.ContainsAny(last, "-/月") {
		return rest
	}
	return anchor
}

// maxHeadingNodes bounds the nodes of a link that are searched for its heading.
const maxHeadingNodes = 40

// headingIn returns the heading in a link that is a whole row with date and summary; "" for another
// link. It is the text of a heading element, or of the element behind the date.
func (f *RecordFinder) headingIn(link int32) string {
	t := f.tree
	if link < 0 {
		return ""
	}
	n := &t.Nodes[link]
	end := min(n.End, link+maxHeadingNodes)
	for i := link + 1; i < end; i++ {
		if x := &t.Nodes[i]; !x.IsText && x.Chars >= minTitleRunes && x.Chars < n.Chars && mayBeHeading(x) {
			return htmldoc.CleanLine(t.Text[x.From:x.To], htmldoc.MaxAnchor)
		}
	}
	dated := false // a date stands before
	for i := link + 1; i < end; i++ {
		x := &t.Nodes[i]
		if !x.IsText || x.Chars == 0 {
			continue
		}
		if htmldoc.OnlyDateSigns(t.Text[x.From:x.To]) {
			dated = true
			continue
		}
		if !dated || x.Chars < minTitleRunes || x.Parent == link {
			return ""
		}
		x = &t.Nodes[x.Parent]
		return htmldoc.CleanLine(t.Text[x.From:x.To], htmldoc.MaxAnchor)
	}
	return ""
}

// dateStandsApart reports whether the date anchor[:end] stands apart from the rest of the anchor.
// It does in brackets, before a space, a bar or a dash, or in an element of its own.
func (f *RecordFinder) dateStandsApart(link int32, anchor string, end int) bool {
	rest := anchor[end:]
	if htmldoc.AnyWord(rest, strings.HasPrefix, " ", "]", "】", "|", "｜", "·", ")", "）", "」", "》") {
		return true
	}
	for _, dash := range [...]string{"-", "–", "—"} {
		if after, ok := strings.CutPrefix(rest, dash); ok {
			return after != "" && !isDigit(after[0]) // a digit continues a span of days
		}
	}
	t := f.tree
	ref := t.Refs[link].Node
	if ref < 0 {
		return false
	}
	for i := ref + 1; i < t.Nodes[ref].End; i++ {
		if n := &t.Nodes[i]; n.IsText && n.Chars > 0 {
			return strings.Trim(t.Text[n.From:n.To], " \n") == strings.TrimSpace(anchor[:end])
		}
	}
	return false
}
