package listpage

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"angler/crawl/article"
	"angler/crawl/htmldoc"

	"golang.org/x/net/html/atom"
)

// A page may hold many posts: the archive of a blog, the thread of a forum, the comments below an
// article. Posts stand side by side under one parent, like the items of a list, but each has a
// text. A post also states its date, has a heading that links to its own page, or has an id.

const (
	minPostText       = 12  // characters of a post outside links
	minAverageText    = 40  // average of them
	minAverageRowText = 100 // average for rows and tables: shorter ones are data
	minPostShare      = 0.4 // share of the page's characters outside links that posts hold
	minDatedShare     = 0.6 // share of posts that state their date
	minHeadBytes      = 20  // average of the headings of an archive: shorter ones are names of authors
	maxPostTitle      = 60  // characters of a title made of the beginning of a post
	maxPostNodes      = 200 // nodes of a post that are searched for its date and title
	maxPosts          = 500 // of a page
	maxPostGroups     = 8   // groups that are read
)

// Posts are the posts of a page, in document order.
type Posts struct {
	Posts   []Post
	Archive bool // they have pages of their own and headings that link to them
	Listed  bool // they are the entries of the list that Find returned
}

// Post is one of several texts on a page. Without a page of its own it has Link -1, and as URL that
// of the page with its name as fragment.
type Post struct {
	Record
	Node  int32 // its element
	Head  int32 // the element that shows its title, −1 for none
	Dated bool
}

// HasPage reports whether the post has a page of its own.
func (p *Post) HasPage() bool { return p.Link >= 0 }

// postGroup is a group of elements that may be posts.
type postGroup struct {
	nodes, chars int32
	minChars     int32 // least average of chars, see minAverageOf
}

// restChars returns the characters minus those of an average post.
func (g postGroup) restChars() int32 { return g.chars - g.chars/g.nodes }

// Posts returns the posts of the page that Find has read. It returns none if there are fewer than
// two, or if they are a small part of the page.
func (f *RecordFinder) Posts(now time.Time) Posts {
	t := f.tree
	f.groupPosts()
	total := int32(0)
	for i := range t.Runs {
		total += t.Runs[i].Chars - t.Runs[i].LinkChars
	}
	var keys []groupKey
	for key, g := range f.posts {
		if g.nodes >= 2 && g.nodes <= maxPosts && g.chars >= g.minChars*g.nodes &&
			float64(g.chars) >= minPostShare*float64(total) {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b groupKey) int { // the most text first
		return cmp.Or(cmp.Compare(f.posts[b].restChars(), f.posts[a].restChars()), cmp.Compare(a.parent, b.parent),
			cmp.Compare(a.kind, b.kind))
	})
	for _, key := range keys[:min(len(keys), maxPostGroups)] {
		if p := f.readPosts(key, int(f.posts[key].nodes), now); len(p.Posts) >= 2 {
			p.Listed = f.listedIn(p.Posts)
			p.Archive = p.Archive || p.Listed
			return p
		}
	}
	return Posts{}
}

// groupPosts groups the elements that may be posts by parent and kind in f.posts.
func (f *RecordFinder) groupPosts() {
	t := f.tree
	if f.posts == nil {
		f.posts = map[groupKey]postGroup{}
	}
	for i := range t.Nodes {
		if n := &t.Nodes[i]; isPostElement(n) {
			key := groupKey{n.Parent, kind(n)}
			g := f.posts[key]
			f.posts[key] = postGroup{g.nodes + 1, g.chars + n.Chars - n.LinkChars, minAverageOf(n.Tag)}
		}
	}
}

// minAverageOf returns the least average characters of posts with a tag.
func minAverageOf(tag atom.Atom) int32 {
	if tag == atom.Table || tag == atom.Tr || tag == atom.Tbody {
		return minAverageRowText
	}
	return minAverageText
}

var postTags = []atom.Atom{atom.Div, atom.Li, atom.Article, atom.Section, atom.Table, atom.Tr, atom.Tbody, atom.Dd}

// isPostElement reports whether an element may be a post.
func isPostElement(n *htmldoc.Node) bool {
	return n.Punct > 0 && n.Parent >= 0 && n.Chars-n.LinkChars >= minPostText && n.LinkChars*2 < n.Chars &&
		n.Traits&htmldoc.Footing == 0 && slices.Contains(postTags, n.Tag)
}

// readPosts reads the posts of a group. It returns none if most of them do not state their date.
func (f *RecordFinder) readPosts(key groupKey, size int, now time.Time) Posts {
	t := f.tree
	p := Posts{Posts: make([]Post, 0, size)}
	dated, withPage, headBytes := 0, 0, 0
	known := map[string]bool{}
	for i := key.parent + 1; i < t.Nodes[key.parent].End; i = t.Nodes[i].End {
		n := &t.Nodes[i]
		if n.IsText || !isPostElement(n) || kind(n) != key.kind {
			continue
		}
		post, stated := f.readPost(i, now)
		if stated {
			dated++
		}
		if post.HasPage() && !known[post.URL] && !known[post.Title] {
			withPage++
			headBytes += len(post.Title)
			known[post.URL], known[post.Title] = true, true
		}
		p.Posts = append(p.Posts, post)
	}
	if least := minDatedShare * float64(len(p.Posts)); float64(dated) < least {
		return Posts{}
	} else if p.Archive = float64(withPage) >= least && headBytes >= minHeadBytes*withPage; p.Archive {
		return p
	}
	for i := range p.Posts { // the posts of one thread have no titles
		x := &p.Posts[i]
		x.Link, x.URL, x.Title = -1, t.URL+fragment(t, x.Node), f.openingText(x.Node)
	}
	return p
}

// listedIn reports whether posts are the entries of the list with their summaries. Most of them
// then hold one link of the list, whose text is a title, no author or date.
func (f *RecordFinder) listedIn(posts []Post) bool {
	t := f.tree
	entries, bytes := 0, 0
	held := make([]int, len(posts))
	for _, g := range f.chosen {
		for _, x := range f.items(g) {
			at, found := slices.BinarySearchFunc(posts, x.node,
				func(p Post, node int32) int { return cmp.Compare(p.Node, node) })
			if !found {
				at--
			}
			if x.dropped || at < 0 || x.node >= t.Nodes[posts[at].Node].End || f.links[x.link].URL == t.URL {
				continue
			}
			title := f.shownTitle(g, x, -1)
			if _, start, end, dated := article.FindDate(title, time.Time{}); dated {
				title = title[:start] + title[end:]
			}
			held[at]++
			entries++
			bytes += len(title)
		}
	}
	single := 0
	for _, n := range held {
		if n == 1 {
			single++
		}
	}
	return float64(single) >= minDatedShare*float64(len(posts)) && bytes >= minHeadBytes*entries
}

// readPost reads one post. stated reports whether the post states its date.
func (f *RecordFinder) readPost(i int32, now time.Time) (p Post, stated bool) {
	t := f.tree
	p = Post{Node: i, Head: -1}
	p.Link = -1
	for j := i + 1; j < min(t.Nodes[i].End, i+maxPostNodes); j++ {
		n := &t.Nodes[j]
		switch {
		case n.IsText:
			if p.Dated || !n.Numbered && !n.InLink || n.Chars > 40 {
				continue
			}
			text := t.Text[n.From:n.To]
			if p.Date, p.Dated = postDate(text, now); p.Dated || strings.HasSuffix(strings.TrimSpace(text), " ago") {
				stated = stated || f.hasTextBeside(i, n.From)
			}
		case n.Tag == atom.Time:
			stated = true
			if d, _, _, ok := article.FindDate(htmldoc.Attr(n.HTML, "datetime"), now); ok && !p.Dated {
				p.Date, p.Dated = d, true
			}
		case p.Head < 0 && mayBeHeading(n):
			p.Head = j
			p.Title = htmldoc.CleanLine(t.Text[n.From:n.To], htmldoc.MaxAnchor)
			p.Link = f.headingLink(n)
		}
	}
	if p.Link >= 0 {
		p.URL = f.links[p.Link].URL
		p.Date = article.SettleDateByURL(p.Date, p.URL, now)
	}
	if p.Title == "" {
		p.Title = f.openingText(i)
	}
	return p, stated
}

// hasTextBeside reports whether a post has a line of text besides its date.
func (f *RecordFinder) hasTextBeside(i, date int32) bool {
	t := f.tree
	return slices.ContainsFunc(runsIn(t, &t.Nodes[i]), func(x htmldoc.TextRun) bool {
		return x.Chars-x.LinkChars >= minPostText && (date < x.From || date >= x.To)
	})
}

// runsIn returns the runs that start in an element.
func runsIn(t *htmldoc.Tree, n *htmldoc.Node) []htmldoc.TextRun {
	begins := func(r htmldoc.TextRun, at int32) int { return cmp.Compare(r.From, at) }
	from, _ := slices.BinarySearchFunc(t.Runs, n.From, begins)
	to, _ := slices.BinarySearchFunc(t.Runs, n.To, begins)
	return t.Runs[from:to]
}

// postDate reads the date in a short text of a post.
func postDate(s string, now time.Time) (article.Date, bool) {
	if d, _, _, ok := article.FindDate(s, now); ok {
		return d, true
	}
	return article.RelativeDate(s, now)
}

// mayBeHeading reports whether an element may show the title of a post.
func mayBeHeading(n *htmldoc.Node) bool {
	if htmldoc.HeadingLevel(n.Tag) > 0 {
		return n.Chars >= 2 && n.Chars <= htmldoc.MaxAnchor
	}
	return n.Traits&htmldoc.Titular != 0 && n.Chars >= 2 && n.Chars <= 100
}

// headingLink returns the link of a heading to another page, −1 for none.
func (f *RecordFinder) headingLink(n *htmldoc.Node) int32 {
	for r := n.Ref; r < n.RefEnd; r++ {
		if l := &f.links[r]; l.URL != "" && l.URL != f.tree.URL && l.Anchor != "" {
			return r
		}
	}
	if n.Parent >= 0 && n.InLink { // <a><h2>…</h2></a>
		if p := &f.tree.Nodes[n.Parent]; p.Tag == atom.A && p.Ref < p.RefEnd && f.links[p.Ref].URL != "" &&
			f.links[p.Ref].URL != f.tree.URL {
			return p.Ref
		}
	}
	return -1
}

// fragment returns "#" and the name of a post on its page; "" without a name. The name is its id,
// or the first id inside it.
func fragment(t *htmldoc.Tree, i int32) string {
	for j := i; j < min(t.Nodes[i].End, i+20); j++ {
		if n := &t.Nodes[j]; !n.IsText {
			if id := htmldoc.Attr(n.HTML, "id"); id != "" && len(id) <= 100 && utf8.ValidString(id) {
				return "#" + htmldoc.CleanLine(id, 100)
			}
		}
	}
	return ""
}

// openingText returns the beginning of the first sentence of a post that is no date. Without such a
// sentence it takes the longest line.
func (f *RecordFinder) openingText(i int32) string {
	t := f.tree
	var longest htmldoc.TextRun
	for _, x := range runsIn(t, &t.Nodes[i]) {
		if x.Chars > longest.Chars {
			longest = x
		}
		if x.Punct == 0 || x.Chars < 8 || x.LinkChars*2 >= x.Chars {
			continue
		}
		if _, _, _, dated := article.FindDate(t.Text[x.From:x.To], time.Time{}); !dated || x.Chars > 60 {
			return htmldoc.CleanLine(t.Text[x.From:x.To], maxPostTitle)
		}
	}
	return htmldoc.CleanLine(t.Text[longest.From:longest.To], maxPostTitle)
}
