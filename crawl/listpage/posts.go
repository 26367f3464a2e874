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

// A page may hold many posts: the archive of a blog, the thread of a forum, the
// comments below an article. Posts stand side by side under one parent, as items of a
// list do, but each has a text of its own, and says for itself when it was written, or
// has a heading that leads to a page of its own, or can be linked to by itself.

const (
	postChars   = 12  // characters outside links of a post
	postLength  = 40  // and of posts on average
	postRows    = 100 // of rows and tables: shorter ones are data
	postShare   = 0.4 // of the page's characters outside links that posts must hold
	postDates   = 0.6 // share of the posts that must say when they were written
	postHead    = 20  // bytes of the headings of an archive, on average: shorter ones are names of authors
	postTitle   = 60  // characters of a title that is made of the beginning of a post
	postPieces  = 200 // elements and texts of a post that are searched for what it says of itself
	postsOnPage = 500
	postGroups  = 8 // groups that are read
)

// Posts are the posts of a page, in document order.
type Posts struct {
	Posts   []Post
	Archive bool // they have pages of their own and headings that lead there
	Listed  bool // they are the entries of the list that Find returned, which knows their titles
}

// Post is one of many texts on a page.
type Post struct {
	Record       // Link is −1 when no page of its own is linked, and URL the page's with the post's name as fragment
	Node   int32 // its element
	Head   int32 // the element that shows its title, −1 when none does
	Dated  bool
}

// Own reports whether the post has a page of its own.
func (p *Post) Own() bool { return p.Link >= 0 }

// postGroup are elements that may be posts.
type postGroup struct {
	nodes, chars int32
	least        int32 // characters that they must have on average
}

// rest is how many characters the posts but one have, were they of one length.
func (g postGroup) rest() int32 { return g.chars - g.chars/g.nodes }

// Posts finds the posts of the page that Find has read, none when it holds fewer than
// two, or when they are a small part of it.
func (f *RecordFinder) Posts(now time.Time) Posts {
	t := f.tree
	f.groupPosts()
	total := int32(0)
	for i := range t.Runs {
		total += t.Runs[i].Chars - t.Runs[i].LinkChars
	}
	var keys []groupKey
	for key, g := range f.posts {
		if g.nodes >= 2 && g.nodes <= postsOnPage && g.chars >= g.least*g.nodes &&
			float64(g.chars) >= postShare*float64(total) {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b groupKey) int { // the most text beside its first post
		return cmp.Or(cmp.Compare(f.posts[b].rest(), f.posts[a].rest()), cmp.Compare(a.parent, b.parent),
			cmp.Compare(a.kind, b.kind))
	})
	for _, key := range keys[:min(len(keys), postGroups)] {
		if p := f.readPosts(key, int(f.posts[key].nodes), now); len(p.Posts) >= 2 {
			p.Listed = f.listedIn(p.Posts)
			p.Archive = p.Archive || p.Listed
			return p
		}
	}
	return Posts{}
}

// groupPosts sorts the elements that may be posts by parent and kind into f.posts.
func (f *RecordFinder) groupPosts() {
	t := f.tree
	if f.posts == nil {
		f.posts = map[groupKey]postGroup{}
	}
	for i := range t.Nodes {
		if n := &t.Nodes[i]; postElement(n) {
			key := groupKey{n.Parent, kind(n)}
			g := f.posts[key]
			f.posts[key] = postGroup{g.nodes + 1, g.chars + n.Chars - n.LinkChars, leastPost(n.Tag)}
		}
	}
}

// leastPost is how many characters posts of such an element have on average, at least.
func leastPost(tag atom.Atom) int32 {
	if tag == atom.Table || tag == atom.Tr || tag == atom.Tbody {
		return postRows
	}
	return postLength
}

var postTags = []atom.Atom{atom.Div, atom.Li, atom.Article, atom.Section, atom.Table, atom.Tr, atom.Tbody, atom.Dd}

// postElement tells which elements may be posts.
func postElement(n *htmldoc.Node) bool {
	return n.Punct > 0 && n.Parent >= 0 && n.Chars-n.LinkChars >= postChars && n.LinkChars*2 < n.Chars &&
		n.Traits&htmldoc.Footing == 0 && slices.Contains(postTags, n.Tag)
}

// readPosts reads the posts of a group. The result is empty when most of them do not
// say when they were written.
func (f *RecordFinder) readPosts(key groupKey, size int, now time.Time) Posts {
	t := f.tree
	p := Posts{Posts: make([]Post, 0, size)}
	dated, own, heads := 0, 0, 0
	known := map[string]bool{}
	for i := key.parent + 1; i < t.Nodes[key.parent].End; i = t.Nodes[i].End {
		n := &t.Nodes[i]
		if n.IsText || !postElement(n) || kind(n) != key.kind {
			continue
		}
		post, says := f.readPost(i, now)
		if says {
			dated++
		}
		if post.Own() && !known[post.URL] && !known[post.Title] {
			own++
			heads += len(post.Title)
			known[post.URL], known[post.Title] = true, true
		}
		p.Posts = append(p.Posts, post)
	}
	if least := postDates * float64(len(p.Posts)); float64(dated) < least {
		return Posts{}
	} else if p.Archive = float64(own) >= least && heads >= postHead*own; p.Archive {
		return p
	}
	for i := range p.Posts { // one text, whose parts have no titles
		x := &p.Posts[i]
		x.Link, x.URL, x.Title = -1, t.URL+fragment(t, x.Node), f.beginning(x.Node)
	}
	return p
}

// listedIn reports whether posts are the entries of the list with their summaries: most
// hold one link of the list, which shows a title and no author or date.
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
	one := 0
	for _, n := range held {
		if n == 1 {
			one++
		}
	}
	return float64(one) >= postDates*float64(len(posts)) && bytes >= postHead*entries
}

// readPost reads one post, and tells whether it says when it was written.
func (f *RecordFinder) readPost(i int32, now time.Time) (p Post, says bool) {
	t := f.tree
	p = Post{Node: i, Head: -1}
	p.Link = -1
	for j := i + 1; j < min(t.Nodes[i].End, i+postPieces); j++ {
		n := &t.Nodes[j]
		switch {
		case n.IsText:
			if p.Dated || !n.Numbered && !n.InLink || n.Chars > 40 {
				continue
			}
			text := t.Text[n.From:n.To]
			if p.Date, p.Dated = postDate(text, now); p.Dated || strings.HasSuffix(strings.TrimSpace(text), " ago") {
				says = says || f.textBeside(i, n.From)
			}
		case n.Tag == atom.Time:
			says = true
			if d, _, _, ok := article.FindDate(htmldoc.Attr(n.HTML, "datetime"), now); ok && !p.Dated {
				p.Date, p.Dated = d, true
			}
		case p.Head < 0 && heads(n):
			p.Head = j
			p.Title = htmldoc.CleanLine(t.Text[n.From:n.To], htmldoc.MaxAnchor)
			p.Link = f.leadsAway(n)
		}
	}
	if p.Link >= 0 {
		p.URL = f.links[p.Link].URL
		p.Date = article.SettleDateByURL(p.Date, p.URL, now)
	}
	if p.Title == "" {
		p.Title = f.beginning(i)
	}
	return p, says
}

// textBeside reports whether a post has a line of text beside that which dates it.
func (f *RecordFinder) textBeside(i, date int32) bool {
	t := f.tree
	return slices.ContainsFunc(runsIn(t, &t.Nodes[i]), func(x htmldoc.TextRun) bool {
		return x.Chars-x.LinkChars >= postChars && (date < x.From || date >= x.To)
	})
}

// runsIn returns the runs that begin in an element.
func runsIn(t *htmldoc.Tree, n *htmldoc.Node) []htmldoc.TextRun {
	begins := func(r htmldoc.TextRun, at int32) int { return cmp.Compare(r.From, at) }
	from, _ := slices.BinarySearchFunc(t.Runs, n.From, begins)
	to, _ := slices.BinarySearchFunc(t.Runs, n.To, begins)
	return t.Runs[from:to]
}

// postDate reads a short text that dates a post.
func postDate(s string, now time.Time) (article.Date, bool) {
	if d, _, _, ok := article.FindDate(s, now); ok {
		return d, true
	}
	return article.RelativeDate(s, now)
}

// heads reports whether an element may show the title of a post.
func heads(n *htmldoc.Node) bool {
	if htmldoc.HeadingLevel(n.Tag) > 0 {
		return n.Chars >= 2 && n.Chars <= htmldoc.MaxAnchor
	}
	return n.Traits&htmldoc.Titular != 0 && n.Chars >= 2 && n.Chars <= 100
}

// leadsAway returns the link of a heading that leads to another page, −1 when none
// does.
func (f *RecordFinder) leadsAway(n *htmldoc.Node) int32 {
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

// fragment is "#" and the name of a post on its page: its id, or that of the first
// element in it that has one; "" without.
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

// beginning returns how the first sentence of a post begins that is no date, or else
// its longest line.
func (f *RecordFinder) beginning(i int32) string {
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
			return htmldoc.CleanLine(t.Text[x.From:x.To], postTitle)
		}
	}
	return htmldoc.CleanLine(t.Text[longest.From:longest.To], postTitle)
}
