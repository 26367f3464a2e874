package htmldoc

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"angler/crawl/urls"
)

// Bounds of the resources of one page.
const (
	resourceContext = 100 // characters before and after a resource
	maxResources    = 500
	mostBytes       = 10 << 20
	mostText        = 4 << 20
	mostName        = 200 // runes of an anchor text
)

// resource is a document, image or media file on its page.
type resource struct {
	URL    string // canonical
	Class  urls.Class
	Anchor string // the text of the link, or the title or alternative text
	Before string // up to resourceContext characters of the cleaned text before it
	After  string
}

type found struct {
	resource
	from, to int // range of the anchor in the text
}

// FindResources lists the resources of a page in its order, each once. text is the markup in UTF-8,
// base the address, charset the page's charset.
func FindResources(text, base, charset string, r *urls.Resolver) []resource {
	z := html.NewTokenizer(strings.NewReader(text[:min(len(text), mostBytes)]))
	var (
		b     []byte // the visible text
		list  []found
		seen  = map[string]bool{}
		open  = -1 // index in list of the open link
		mute  atom.Atom
		space = func() {
			if len(b) > 0 && b[len(b)-1] != ' ' {
				b = append(b, ' ')
			}
		}
	)
	add := func(href, name string) int {
		u, err := r.ResolveIn(charset, base, strings.TrimSpace(href))
		if err != nil || seen[u] || len(list) == maxResources {
			return -1
		}
		class := urls.ClassOf(u)
		if class == urls.Page || class == urls.Style {
			return -1
		}
		seen[u] = true
		list = append(list, found{resource{URL: u, Class: class, Anchor: CleanLine(name, mostName)}, len(b), len(b)})
		return len(list) - 1
	}
	shut := func() {
		if open >= 0 {
			f := &list[open]
			if f.to = len(b); strings.TrimSpace(string(b[f.from:f.to])) != "" {
				f.Anchor = CleanLine(string(b[f.from:f.to]), mostName)
			}
			open = -1
		}
	}
	for len(b) < mostText {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		switch kind {
		case html.TextToken:
			if mute == 0 {
				b, _ = Fold(b, string(z.Text()))
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			tag := atom.Lookup(name)
			var href, title string
			for more {
				var k, v []byte
				k, v, more = z.TagAttr()
				switch atom.Lookup(k) {
				case atom.Href, atom.Src, atom.Data:
					if href == "" && len(v) < 2048 {
						href = string(v)
					}
				case atom.Title, atom.Alt:
					if title == "" && len(v) < 2048 {
						title = string(v)
					}
				}
			}
			switch tag {
			case atom.Script, atom.Style, atom.Noscript, atom.Template, atom.Title, atom.Select:
				if kind == html.StartTagToken && mute == 0 {
					mute = tag
				}
			case atom.A, atom.Area:
				shut()
				space()
				if href != "" {
					if i := add(href, title); i >= 0 && tag == atom.A {
						open = i
					}
				}
			case atom.Img, atom.Embed, atom.Object, atom.Video, atom.Audio, atom.Source, atom.Iframe:
				if href != "" {
					add(href, title)
				}
			case atom.B, atom.I, atom.Span, atom.Font, atom.Strong, atom.Em, atom.U, atom.Sub, atom.Sup:
			default:
				space()
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			switch tag := atom.Lookup(name); {
			case tag == mute:
				mute = 0
			case tag == atom.A:
				shut()
				space()
			case tag != atom.B && tag != atom.I && tag != atom.Span && tag != atom.Font && tag != atom.Strong &&
				tag != atom.Em:
				space()
			}
		}
	}
	shut()
	out := make([]resource, len(list))
	for i := range list {
		f := &list[i]
		f.Before, f.After = before(b[:f.from]), strings.TrimSpace(Clip(string(b[f.to:min(len(b),
			f.to+utf8.UTFMax*resourceContext)]), resourceContext))
		out[i] = f.resource
	}
	return out
}

// before returns the end of a text, at most resourceContext characters.
func before(b []byte) string {
	at := len(b)
	for n := 0; n < resourceContext && at > 0; n++ {
		_, size := utf8.DecodeLastRune(b[:at])
		at -= size
	}
	return strings.TrimSpace(string(b[at:]))
}
