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
	URL   string // canonical absolute; of a post without a page of its own that of this page, with the post's name as fragment
	Date  article.Date
	Link  int32 // index into the page's links of the main link, -1 for such a post
}

// Repeater knows which links the other pages of a host repeat. It must be safe
// for concurrent use if pages are.
type Repeater interface {
	RepeatedLink(url, anchor string) bool
}

// RecordFinder finds the records of one page after the other. It keeps what it learned
// of a page for Span and Groups, and Reset makes it ready for the next. The zero
// value is ready. It serves one goroutine at a time.
type RecordFinder struct {
	tree   *htmldoc.Tree
	links  []htmldoc.Link
	blocks []htmldoc.Block
	chosen []int32 // the groups that make up the records
	main   []int32 // those of the best list

	cands  []candidate
	groups map[groupKey]int32 // index into list
	list   []group
	asked  []answer // per link: whether the host repeats it
	posts  map[groupKey]postGroup
	months []monthAt
	buf    []byte
}

// Find returns the records of the best list and of those beside it that have its design, in
// the order of the page, and how many of them are dated. If at least half of a list are dated,
// rows without a date stay if their anchor is a title. now is the time the page was fetched, for
// dates without a year. host may be nil.
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
	lists := append(f.several(best, f.main), f.headed(f.main)...)
	slices.SortFunc(lists, func(a, b []int32) int { return cmp.Compare(f.list[a[0]].first, f.list[b[0]].first) })
	f.chosen = slices.Concat(lists...)
	f.split(now)
	at := 0
	for _, list := range lists {
		some, n := f.take(f.chosen[at:at+len(list)], now)
		records, dated, at = append(records, some...), dated+n, at+len(list)
	}
	return records, dated
}

// Reset forgets the page and keeps the scratch space.
func (f *RecordFinder) Reset() {
	clear(f.groups)
	clear(f.posts)
	clear(f.asked)
	*f = RecordFinder{cands: f.cands[:0], groups: f.groups, posts: f.posts, list: f.list[:0], asked: f.asked[:0],
		months: f.months[:0], buf: f.buf[:0]}
}

// Span returns the text that the best list takes, Text[from:to], and the characters
// of its items; zeros when there is none.
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

// Group says how a group of candidates scored.
type Group struct {
	Node    int32 // the first item
	Link    int32 // its main link
	Items   int
	Dated   int
	Targets int // distinct links of all items
	Score   float64
	Chosen  bool // part of the records
}

// Groups returns the best groups, at most so many, the best first.
func (f *RecordFinder) Groups(most int) []Group {
	order := make([]int32, 0, len(f.list))
	for i := range f.list {
		if f.list[i].n > 0 {
			order = append(order, int32(i))
		}
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(f.list[b].score, f.list[a].score) })
	order = order[:min(len(order), most)]
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

// take turns the groups of one list into records.
func (f *RecordFinder) take(list []int32, now time.Time) ([]Record, int) {
	items, dated := int32(0), int32(0)
	for _, g := range list {
		items += f.list[g].n
		dated += f.list[g].dated
	}
	mostlyDated := dated*2 >= items
	columns := f.dateColumns(f.cands[f.list[list[0]].first].node)
	out, from := make([]Record, 0, items), make([]int32, 0, items)
	for _, g := range list {
		for c, x := range f.items(g) {
			if x.dropped || mostlyDated && x.date.IsZero() && !f.titled(x) {
				continue
			}
			if columns.column >= 0 || columns.other {
				x.date, x.day = f.columnDate(x.node, columns, now), dayRow{}
			}
			url := f.links[x.link].URL
			out = append(out, Record{Title: f.shownTitle(g, x, columns.title), URL: url,
				Date: article.SettleDateByURL(x.date, url, now), Link: x.link})
			from = append(from, c)
		}
	}
	f.settleDayFirst(out, from, now)
	f.settleSpans(out, from, now)
	f.settleYears(out, from, now)
	return out, int(dated) - f.settleDays(out, from)
}

// undatedRunes is how many characters the anchor of a row without a date has at least in a list
// whose rows have one: a row that is pinned or new, and no link to more.
const undatedRunes = 6

// titled reports whether the anchor of a candidate looks like a title.
func (f *RecordFinder) titled(c *candidate) bool {
	return htmldoc.RunesUpTo(f.links[c.link].Anchor, undatedRunes) >= undatedRunes
}

// title returns the title of a record: the anchor of its main link. A date at
// the anchor's edge is cut off if the date is known from elsewhere too, or if
// what is left is still a title. One that leads the anchor must stand apart, for
// "2024年5月12日学术报告会" is a title.
func (f *RecordFinder) title(c *candidate) string {
	t := f.tree
	anchor := f.links[c.link].Anchor
	full := htmldoc.TipTitle(t.Nodes[t.Refs[c.link].Node].HTML)
	if head := f.headIn(t.Refs[c.link].Node); head != "" {
		if stem := strings.TrimRight(head, ".… "); len(full) > len(stem) && strings.HasPrefix(full, stem) {
			return full
		}
		return head
	}
	anchor = f.withoutDate(t.Refs[c.link].Node, anchor)
	_, start, end, ok := article.FindDate(anchor, time.Time{})
	if !ok || start > 3 && end < len(anchor)-6 || start <= 3 && end < len(anchor) &&
		!f.apart(c.link, anchor, start, end) {
		return anchor
	}
	if full != "" && strings.Contains(anchor, full) {
		return full
	}
	if n := &t.Nodes[c.node]; !n.Numbered && full == anchor {
		return anchor // the attribute says that the date belongs to it
	}
	rest := strings.Trim(anchor[:start]+" "+anchor[end:], " []()（）【】日|-·")
	if utf8.RuneCountInString(rest) >= 4 {
		return rest
	}
	return anchor
}

// badges stand behind the title in the link of a new row.
var badges = map[string]bool{"new": true, "new!": true, "hot": true, "最新": true, "新": true, "热": true}

// withoutDate cuts the last text of a link off its anchor if that is the day of a date, a date by
// distance, or a badge.
func (f *RecordFinder) withoutDate(link int32, anchor string) string {
	t := f.tree
	if link < 0 || t.Nodes[link].End-link <= 2 {
		return anchor
	}
	n := &t.Nodes[t.Nodes[link].End-1]
	last := strings.Trim(t.Text[n.From:n.To], " \n")
	rest := strings.TrimRight(strings.TrimSuffix(anchor, last), " ")
	if badges[strings.ToLower(last)] && n.IsText && utf8.RuneCountInString(rest) >= titleRunes {
		return rest
	}
	if !n.IsText || n.Chars == 0 || n.Chars > 20 || len(rest) == len(anchor) ||
		utf8.RuneCountInString(rest) < titleRunes {
		return anchor
	}
	if _, ok := article.RelativeDate(last, time.Unix(0, 0)); ok || htmldoc.OnlyDateSigns(last) &&
		strings.ContainsAny(last, "-/月") {
		return rest
	}
	return anchor
}

// headReach is how many nodes of a link are searched for its heading.
const headReach = 40

// headIn returns the text of the heading in a link that shows more than that, or of the element
// behind its date: the link is the whole row then, with its date and a summary. It is "" for
// another link.
func (f *RecordFinder) headIn(link int32) string {
	t := f.tree
	if link < 0 {
		return ""
	}
	n := &t.Nodes[link]
	end := min(n.End, link+headReach)
	for i := link + 1; i < end; i++ {
		if x := &t.Nodes[i]; !x.IsText && x.Chars >= titleRunes && x.Chars < n.Chars && heads(x) {
			return htmldoc.CleanLine(t.Text[x.From:x.To], htmldoc.MaxAnchor)
		}
	}
	dated := false // the parts of a date lead
	for i := link + 1; i < end; i++ {
		x := &t.Nodes[i]
		if !x.IsText || x.Chars == 0 {
			continue
		}
		if htmldoc.OnlyDateSigns(t.Text[x.From:x.To]) {
			dated = true
			continue
		}
		if !dated || x.Chars < titleRunes || x.Parent == link {
			return ""
		}
		x = &t.Nodes[x.Parent]
		return htmldoc.CleanLine(t.Text[x.From:x.To], htmldoc.MaxAnchor)
	}
	return ""
}

// apart reports whether the date anchor[start:end] that leads an anchor stands apart
// from what follows it: in brackets, before a space, a bar or a dash, or in an
// element of its own.
func (f *RecordFinder) apart(link int32, anchor string, start, end int) bool {
	rest := anchor[end:]
	if htmldoc.AnyWord(rest, strings.HasPrefix, " ", "]", "】", "|", "｜", "·", ")", "）", "」", "》") {
		return true
	}
	for _, dash := range [...]string{"-", "–", "—"} {
		if after, ok := strings.CutPrefix(rest, dash); ok {
			return after != "" && (after[0] < '0' || after[0] > '9') // no span of days
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
