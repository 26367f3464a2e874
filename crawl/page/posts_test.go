package page

import (
	"fmt"
	"strings"
	"testing"

	"angler/crawl/article"
)

// thread is a page of a forum: posts with their authors and dates, and no titles.
func thread(title string, posts []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<html><head><title>%s - Workshop forum</title></head><body><div class="nav"><a href="/">Home</a> <a href="/new">New</a></div><h1>%s</h1><div class="posts">`, title, title)
	for i, post := range posts {
		fmt.Fprintf(&b, `<div class="post" id="p%d"><div class="author"><a href="/u/%d">member%d</a><span>Joined 2019</span></div><div class="when">2024-05-%02d 10:30</div>
			<div class="body"><p>%s</p></div><a href="/reply?p=%d">Reply</a></div>`, i+1, i%2, i%2, i+10, post, i+1)
	}
	b.WriteString(`</div><div class="box"><p>Members online: 12</p></div></body></html>`)
	return b.String()
}

// archive is a page of a blog: posts with titles that lead to pages of their own.
func archive(title string, titles []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<html><head><title>%s</title></head><body><ul class="menu"><li><a href="/">Home</a></li><li><a href="/about">About us</a></li></ul><main>`, title)
	for i, post := range titles {
		fmt.Fprintf(&b, `<article class="entry"><h2><a href="/2024/%d.htm">%s</a></h2><p class="date">2024-05-%02d</p>
			<p>The %d. story begins in a harbour, where a boat waits for its crew, which is late again.</p>
			<p>It ends far out at sea, and story %d is longer than it looks, for the wind has turned by then.</p></article>`, i+1, post, i+10, i+1, i+1)
	}
	b.WriteString(`</main></body></html>`)
	return b.String()
}

var stories = []string{"A boat leaves the harbour", "Nets are mended in winter", "What the lighthouse saw", "Ropes, and how to tie them"}

// The replies of a thread are records with the address of their place. The page is no list.
func TestThreadRecords(t *testing.T) {
	posts := []string{
		"Where do I find the drawings of the old lathe, please? The maker is gone, and so are its papers.",
		"The museum in town has a copy, which they lend to members, if you ask for it a week before.",
		"I scanned mine years ago, so send me a line, and I shall look for the file on my old machine.",
		"Found at the museum, and copied; thanks to all of you, the lathe turns again since yesterday.",
	}
	p := parse(t, thread("Drawings of a lathe", posts), Options{Main: article.MethodAuto})
	if p.Type != Detail || p.Dated != 0 {
		t.Errorf("a thread is a %s with %d dated records", p.Type, p.Dated)
	}
	if len(p.Records) != len(posts)-1 {
		t.Fatalf("%d records: %+v", len(p.Records), p.Records)
	}
	for i, r := range p.Records {
		if !strings.HasPrefix(posts[i+1], r.Title[:20]) || !strings.HasSuffix(r.URL, fmt.Sprintf("#p%d", i+2)) || r.Date.String() != fmt.Sprintf("2024-05-%02d 10:30", i+11) {
			t.Errorf("record %d: %q %s %s", i, r.Title, r.URL, r.Date)
		}
	}
	one := parse(t, thread("Drawings of a lathe", posts), Options{Main: article.MethodPost})
	if one.Main != posts[0] {
		t.Errorf("by post: %q", one.Main)
	}
}

// An archive is a list of its posts. If its title names a post, that is the text and the others
// are the records.
func TestArchive(t *testing.T) {
	p := parse(t, archive("Stories of the coast", stories), Options{Main: article.MethodPost})
	if p.Type != List || len(p.Records) != len(stories) || p.Dated != len(stories) {
		t.Fatalf("an archive is a %s: %+v", p.Type, p.Records)
	}
	for i, r := range p.Records {
		if r.Title != stories[i] || !strings.HasSuffix(r.URL, fmt.Sprintf("/2024/%d.htm", i+1)) || r.Date.String() != fmt.Sprintf("2024-05-%02d", i+10) {
			t.Errorf("record %d: %q %s %s", i, r.Title, r.URL, r.Date)
		}
	}
	if !strings.HasPrefix(p.Main, "The 1. story") || strings.Contains(p.Main, "The 2. story") {
		t.Errorf("by post: %q", p.Main)
	}
	for _, main := range []string{article.MethodPost, article.MethodAuto} {
		p := parse(t, archive(stories[2], stories), Options{Main: main})
		if p.MainMethod != article.MethodPost || !strings.HasPrefix(p.Main, "The 3. story") || strings.Contains(p.Main, "The 1. story") || strings.Contains(p.Main, "The 4. story") {
			t.Errorf("%s, by %s: %q", main, p.MainMethod, p.Main)
		}
		if len(p.Records) != len(stories)-1 || p.Records[2].Title != stories[3] {
			t.Errorf("records: %+v", p.Records)
		}
	}
}

// Sections of one text, entries of a list and news beside an article are no posts.
func TestNoPosts(t *testing.T) {
	sections := repeated(`<section><h2><a href="/s%d">Section %[1]d of the manual</a></h2><p>It says, at some length, what part %[1]d of the machine is for, how it is cleaned, and when.</p></section>`, 0, 6)
	entries := repeated(`<li><a href="/n%d.htm">Notice %[1]d of the office of procurement, about tables and chairs</a><span>2024-05-1%[1]d</span></li>`, 0, 6)
	list := `<title>Notices</title><h1>Notices</h1><ul>` + entries + `</ul>`
	for name, html := range map[string]string{
		"sections": `<title>Manual</title><h1>Manual</h1>` + sections,
		"list":     list,
		"article":  `<title>Bridge opened</title><h1>Bridge opened</h1><div>` + strings.Repeat(`<p>The bridge is open, after years of work, and the mayor was the first to cross it on foot.</p>`, 8) + `</div><ul>` + entries + `</ul>`,
	} {
		for _, r := range parse(t, html, Options{}).Records {
			if strings.Contains(r.URL, "#") || !strings.Contains(r.URL, ".htm") && name != "sections" {
				t.Errorf("%s: %+v", name, r)
			}
		}
	}
	if p := parse(t, list, Options{}); p.Type != List || len(p.Records) != 6 {
		t.Errorf("the list is a %s with %d records", p.Type, len(p.Records))
	}
}
