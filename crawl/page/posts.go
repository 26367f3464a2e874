package page

import (
	"angler/crawl/article"
	"angler/crawl/htmldoc"
	"angler/crawl/listpage"
)

// findPosts looks for posts on the page and makes them its records. The post with the title of
// the page, else the first, is the text and no record. In an archive whose title names no post
// the first is a record as well, because it has a page of its own.
func (a *analysis) findPosts(p *Page, opt *Options) {
	posts := a.list.Posts(opt.Now)
	if len(posts.Posts) == 0 {
		return
	}
	named := namedPost(posts.Posts, p.Title)
	first := max(named, 0)
	if named < 0 && !posts.Archive && a.textBefore(posts.Posts[0].Node) {
		first = -1 // an article, with comments below it
	}
	last := posts.Posts[len(posts.Posts)-1].Node
	a.posts = article.Posts{Kind: article.Thread, Chosen: -1, Named: named >= 0, From: posts.Posts[0].Node,
		To: a.tree.Nodes[last].End}
	if posts.Archive {
		a.posts.Kind = article.Archive
	}
	if first >= 0 {
		a.posts.Chosen = posts.Posts[first].Node
	}
	if named < 0 && posts.Listed {
		return
	}
	p.Records, p.Dated = nil, 0
	for i := range posts.Posts {
		post := &posts.Posts[i]
		if i == first && (named >= 0 || !post.HasPage()) || post.Title == "" || post.URL == "" {
			continue
		}
		p.Records = append(p.Records, post.Record)
		if post.Dated && post.HasPage() {
			p.Dated++
		}
	}
}

// namedPost returns the post whose heading is the title of the page, −1 if none or several have
// this heading.
func namedPost(posts []listpage.Post, title string) int {
	want := string(htmldoc.Squeeze(nil, title))
	named := -1
	for i := range posts {
		if posts[i].Head < 0 || want == "" || string(htmldoc.Squeeze(nil, posts[i].Title)) != want {
			continue
		}
		if named >= 0 {
			return -1
		}
		named = i
	}
	return named
}

// minArticleBefore is the minimum of characters in sentences of an article above the first post.
const minArticleBefore = 200

// textBefore reports whether an article stands between the title and an element.
func (a *analysis) textBefore(node int32) bool {
	t := a.tree
	chars := int32(0)
	for i := range t.Runs {
		r := &t.Runs[i]
		if r.From >= t.Nodes[node].From {
			break
		}
		if a.title >= 0 && r.From < t.Nodes[a.title].From || r.Negative || r.Punct == 0 || r.LinkChars*2 >= r.Chars {
			continue
		}
		chars += r.Chars
	}
	return chars >= minArticleBefore
}
