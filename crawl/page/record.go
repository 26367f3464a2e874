package page

import (
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/net/html/atom"
)

// Record extraction (DESIGN 3, Records). A list page repeats one structure:
// every small element with a link is a candidate item; items that stand under
// one parent with the same tag and class are a group; the group with the most
// title text, dates and the fewest other links is the list.

const (
	itemLinks    = 8     // most links of an item
	itemTargets  = 4     // most distinct targets of an item
	menuValue    = 0.1   // what a group is worth that leads to its own page or home: a menu
	noiseValue   = 0.3   // what a group without dates is worth in a noise block
	itemText     = 4_096 // bytes of an item's text that are searched for a date
	undatedValue = 0.05  // what an undated group's titles are worth
)

// groupKey names a group: the parent's index and the hash of tag and class.
type groupKey struct {
	parent int32
	kind   uint64
}

// candidate is one possible item of a list.
type candidate struct {
	node              int32
	link              int32 // main link
	group             int32
	targets           int32
	date              Date
	dropped, repeated bool
	next              int32 // next candidate of its group, -1 at the end
}

// group is a set of candidates and what it scores.
type group struct {
	first, last int32 // candidates
	n, dated    int32
	targets     int32
	links       int32 // in all candidates
	chars       int32 // in all candidates
	runes       float64
	score       float64
	menu        bool // several items, one of which leads to this page or home
}

// itemElement tells which elements can be an item.
func itemElement(tag atom.Atom) bool {
	switch tag {
	case atom.Li, atom.Tr, atom.Dd, atom.Dt, atom.Dl, atom.P, atom.Div, atom.Td, atom.A, atom.Table, atom.Article,
		atom.Section, atom.H2, atom.H3, atom.H4, atom.Span, atom.Ul, atom.Tbody:
		return true
	}
	return false
}

// records finds the best record group. It returns the records and how many of
// them are dated; with at least half dated, the undated are dropped.
func (t *tree) records(now time.Time, host *Boilerplate) ([]Record, int) {
	t.collect(now)
	if len(t.cands) == 0 {
		return nil, 0
	}
	for g := range t.groupList {
		t.score(&t.groupList[g], host)
	}
	t.dampMenus()
	best := int32(-1)
	for g := range t.groupList {
		if best < 0 || t.groupList[g].score > t.groupList[best].score {
			best = int32(g)
		}
	}
	if t.groupList[best].score <= 0 {
		return nil, 0
	}
	t.listParts = t.parts(best)
	t.listFrom, t.listTo, t.listChars = t.extent(t.listParts)
	return t.take(t.listParts)
}

// extent returns the text t.text[from:to] that the parts of a list span and
// the characters of their items.
func (t *tree) extent(parts []int32) (from, to, chars int32) {
	from = int32(len(t.text))
	for _, g := range parts {
		gr := &t.groupList[g]
		from = min(from, t.nodes[t.cands[gr.first].node].from)
		to = max(to, t.nodes[t.cands[gr.last].node].to)
		chars += gr.chars
	}
	return from, to, chars
}

// collect finds the candidates and sorts them into groups.
func (t *tree) collect(now time.Time) {
	for i := range t.nodes {
		n := &t.nodes[i]
		links := n.linkEnd - n.link
		if links < 1 || links > itemLinks || n.text || n.parent < 0 || !itemElement(n.tag) {
			continue
		}
		main, targets := t.mainLink(n)
		if main < 0 || targets > itemTargets {
			continue
		}
		key := groupKey{n.parent, kind(n)}
		g, ok := t.groups[key]
		if !ok {
			g = int32(len(t.groupList))
			t.groups[key] = g
			t.groupList = append(t.groupList, group{first: -1, last: -1})
		}
		c := candidate{node: int32(i), link: main, group: g, targets: targets, next: -1}
		c.date = t.itemDate(int32(i), now)
		ci := int32(len(t.cands))
		t.cands = append(t.cands, c)
		gr := &t.groupList[g]
		gr.links += links
		gr.chars += n.chars
		if gr.first < 0 {
			gr.first = ci
		} else {
			t.cands[gr.last].next = ci
		}
		gr.last = ci
	}
}

// kind hashes tag and first class, digits left out. Rows, cells, items and
// links go by their tag alone: their classes alternate (odd, even, last).
func kind(n *node) uint64 {
	h := uint64(n.tag) + 14695981039346656037
	switch n.tag {
	case atom.Li, atom.Tr, atom.Td, atom.A:
		return h
	}
	for _, c := range []byte(attr(n.html, "class")) {
		if c == ' ' {
			break
		}
		if c < '0' || c > '9' {
			h = (h ^ uint64(c)) * 1099511628211
		}
	}
	return h
}

// mainLink returns the link with the longest anchor of an item, -1 when none
// leads anywhere, and the number of distinct targets.
func (t *tree) mainLink(n *node) (main, targets int32) {
	main = -1
	longest := 0
	for i := n.link; i < n.linkEnd; i++ {
		l := &t.links[i]
		if l.URL == "" {
			continue
		}
		known := false
		for j := n.link; j < i && !known; j++ {
			known = t.links[j].URL == l.URL
		}
		if !known {
			targets++
		}
		runes := runesUpTo(l.Anchor, 60)
		if known && main >= 0 && longest >= 5 && t.links[main].URL == l.URL {
			continue // a second link to the same page is its summary or "详细"
		}
		if runes > longest {
			main, longest = i, runes
		}
	}
	return main, targets
}

// itemDate finds an item's date: in its text outside links in any form, else
// inside them in full.
func (t *tree) itemDate(i int32, now time.Time) Date {
	n := &t.nodes[i]
	if n.numbered {
		buf := t.scratch[:0]
		for j := i + 1; j < n.end && len(buf) < itemText; j++ {
			x := &t.nodes[j]
			if !x.text {
				continue
			}
			if x.inLink {
				buf = append(buf, ' ')
				continue
			}
			if len(buf) > 0 {
				buf = append(buf, ' ')
			}
			buf = append(buf, t.text[x.from:min(x.to, x.from+itemText)]...)
		}
		t.scratch = buf
		if d, _, _, ok := scanDate(bytesAsString(buf), now, listForms); ok {
			return d
		}
	}
	if n.chars > n.linkChars {
		if d, ok := t.relativeDate(i, now); ok {
			return d
		}
	}
	if s := t.text[n.from:min(n.to, n.from+itemText)]; hasDigit(s) {
		if d, _, _, ok := scanDate(s, now, strictForms); ok {
			return d
		}
		return t.linkedDate(i, now)
	}
	return Date{}
}

// linkedDate looks for a date split over elements inside a link that is the
// whole item: <a><b>12</b><i>2024-05</i>title</a>.
func (t *tree) linkedDate(i int32, now time.Time) Date {
	n := &t.nodes[i]
	if n.linkEnd-n.link > 2 || n.end-i > 40 {
		return Date{}
	}
	short := 0
	for j := i + 1; j < n.end; j++ {
		if x := &t.nodes[j]; x.text && x.numbered && x.to-x.from <= 16 {
			short++
		}
	}
	if short == 0 {
		return Date{}
	}
	buf := t.scratch[:0]
	for j := i + 1; j < n.end && len(buf) < itemText; j++ {
		x := &t.nodes[j]
		if x.text && x.to-x.from <= 16 && x.numbered {
			buf = append(append(buf, t.text[x.from:x.to]...), ' ')
		} else if x.text {
			buf = append(buf, '#', ' ')
		}
	}
	t.scratch = buf
	d, _, _, _ := scanDate(bytesAsString(buf), now, listForms)
	return d
}

func hasDigit(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= '0' && s[i] <= '9' {
			return true
		}
	}
	return false
}

// score sums a group: Σ min(30, title runes) · (.05 + dated share) ÷ √(mean
// targets) (DESIGN 3). An item whose target stands before it in the group does
// not count. Nor do items whose target the host repeats, if they are half of
// the group: it is a menu or a "latest news" box then. In a list they are its
// newest records, which such boxes repeat. A group that leads to its own page
// or to the home page is a menu; one without dates in a noise block hardly is a list.
func (t *tree) score(g *group, host *Boilerplate) {
	items, repeated, menu := 0, 0, false
	for c := g.first; c >= 0; c = t.cands[c].next {
		x := &t.cands[c]
		l := &t.links[x.link]
		if x.dropped = l.Anchor == "" || l.Pager || t.earlier(g, c); x.dropped {
			continue
		}
		items++
		menu = menu || l.URL == t.url || homeAnchors[l.Anchor]
		if host != nil && t.repeated(host, x.link) {
			x.repeated = true
			repeated++
		}
	}
	for c := g.first; c >= 0; c = t.cands[c].next {
		x := &t.cands[c]
		x.dropped = x.dropped || x.repeated && repeated*2 >= items
		if x.dropped {
			continue
		}
		g.n++
		g.targets += x.targets
		if !x.date.IsZero() {
			g.dated++
		}
		if n := runesUpTo(t.links[x.link].Anchor, 30); n >= 4 {
			g.runes += float64(n)
		}
	}
	if g.n == 0 {
		return
	}
	// one more item in the share's denominator: a single date, of the weather
	// or of today, does not outweigh a list
	n := float64(g.n)
	g.score = g.runes * (undatedValue + float64(g.dated)/(n+1)) / math.Sqrt(float64(g.targets)/n)
	if g.menu = menu && items > 1; menu {
		g.score *= menuValue
	}
	if g.dated == 0 && t.inNoise(g) {
		g.score *= noiseValue
	}
}

// repeated tells whether the host repeats a link. It asks once for each: a link
// is the main one of every element around it that can be an item.
func (t *tree) repeated(host *Boilerplate, link int32) bool {
	if len(t.asked) < len(t.links) {
		t.asked = append(t.asked, make([]answer, len(t.links)-len(t.asked))...)
	}
	a := &t.asked[link]
	if *a == unasked {
		*a = no
		if l := &t.links[link]; host.repeatedLink(l.URL, l.Anchor) {
			*a = yes
		}
	}
	return *a == yes
}

// answer is what is known of a question that is asked once.
type answer uint8

const (
	unasked answer = iota
	no
	yes
)

// dampMenus makes the groups inside the items of a menu worth as little as the
// menu. Candidates stand in document order, so one pass finds what is inside.
func (t *tree) dampMenus() {
	until := int32(0)
	for i := range t.cands {
		c := &t.cands[i]
		g := &t.groupList[c.group]
		if g.menu {
			until = max(until, t.nodes[c.node].end)
		} else if c.node < until && g.first == int32(i) {
			g.score *= menuValue
		}
	}
}

// inNoise tells whether a group stands in a block that P4's features call
// noise.
func (t *tree) inNoise(g *group) bool {
	b := t.links[t.cands[g.first].link].Block
	return b >= 0 && int(b) < len(t.judged) && t.judged[b].Noise
}

// homeAnchors lead to the home page of a site.
var homeAnchors = map[string]bool{"首页": true, "网站首页": true, "返回首页": true, "主页": true, "学校主页": true, "学校首页": true, "Home": true, "HOME": true, "home": true}

// earlier tells whether an item of the group before candidate c has the same
// target. Lists are short; of a long one only the last 200 items are compared.
func (t *tree) earlier(g *group, c int32) bool {
	url := t.links[t.cands[c].link].URL
	n := 0
	for e := g.first; e != c && n < 200; e = t.cands[e].next {
		if t.links[t.cands[e].link].URL == url {
			return true
		}
		n++
	}
	return false
}

// take turns the parts of a list into records.
func (t *tree) take(parts []int32) ([]Record, int) {
	items, dated := int32(0), int32(0)
	for _, g := range parts {
		items += t.groupList[g].n
		dated += t.groupList[g].dated
	}
	onlyDated := dated*2 >= items
	out := make([]Record, 0, items)
	for _, g := range parts {
		for c := t.groupList[g].first; c >= 0; c = t.cands[c].next {
			x := &t.cands[c]
			if x.dropped || onlyDated && x.date.IsZero() {
				continue
			}
			out = append(out, Record{Title: t.recordTitle(x), URL: t.links[x.link].URL, Date: x.date, Link: x.link})
		}
	}
	return out, int(dated)
}

// recordTitle is the anchor of the main link without a date at its edge, if
// there was another place to learn the date from or the rest is a title still.
func (t *tree) recordTitle(c *candidate) string {
	l := &t.links[c.link]
	title := l.Anchor
	_, start, end, ok := scanDate(title, time.Time{}, strictForms)
	if !ok || start > 3 && end < len(title)-6 {
		return title
	}
	full := line(attr(t.nodes[t.hosts[c.link]].html, "title"), maxAnchor)
	if full != "" && strings.Contains(title, full) {
		return full
	}
	if n := &t.nodes[c.node]; !n.numbered && full == title {
		return title // the attribute says that the date belongs to it
	}
	rest := strings.Trim(title[:start]+" "+title[end:], " []()（）【】日|-·")
	if utf8.RuneCountInString(rest) >= 4 {
		return rest
	}
	return title
}
