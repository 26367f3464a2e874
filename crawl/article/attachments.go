package article

import (
	"cmp"
	"slices"
	"strings"

	"angler/crawl/htmldoc"
	"angler/crawl/urls"
)

// Attachment is a document linked from a notice's main text.
type Attachment struct {
	Name  string     `json:"name"`
	URL   string     `json:"url"`
	Class urls.Class `json:"class"`
}

// isAttachment reports whether a link leads to a document of a text.
func isAttachment(l *htmldoc.Link) bool {
	switch l.Class {
	case urls.Document, urls.Archive:
		return true
	case urls.Image, urls.Media, urls.Software, urls.Animation:
		return strings.Contains(l.Anchor, "附件") || strings.HasSuffix(strings.ToLower(l.Anchor), lastExt(l.URL))
	}
	return l.Class == urls.Page && urls.ClassOf(l.Anchor) == urls.Document && strings.IndexByte(l.Anchor, '.') > 0
}

// lastExt returns the file name extension of a URL with its dot, in lower case. Without one it
// returns "\x00", which no anchor contains.
func lastExt(u string) string {
	if i := strings.LastIndexByte(u, '.'); i >= 0 && len(u)-i <= 6 {
		return strings.ToLower(u[i:])
	}
	return "\x00"
}

// lastSegment returns the last segment of a URL's path.
func lastSegment(u string) string {
	u, _, _ = strings.Cut(u, "?")
	return u[strings.LastIndexByte(u, '/')+1:]
}

// Attachments returns the documents linked from t.Nodes[from:to], at most 200. It also checks the
// next ten links, because content systems list attachments below the text. links[i] is the
// target of t.Refs[i].
func Attachments(t *htmldoc.Tree, links []htmldoc.Link, from, to int32) []Attachment {
	var out []Attachment
	if to <= from {
		return nil
	}
	first, last := t.Nodes[from].Ref, t.Nodes[to-1].RefEnd
	for i := first; i < int32(len(links)) && len(out) < 200; i++ {
		l := &links[i]
		if i >= last && (i >= last+10 || t.Refs[i].Node < 0 || t.Nodes[t.Refs[i].Node].Negative) {
			break
		}
		if l.URL != "" && isAttachment(l) && !slices.ContainsFunc(out, func(a Attachment) bool { return a.URL == l.URL }) {
			out = append(out, Attachment{Name: cmp.Or(l.Anchor, lastSegment(l.URL)), URL: l.URL, Class: l.Class})
		}
	}
	return out
}

// downloadCounters are labels of the number of downloads of an attachment.
var downloadCounters = [...]string{"已下载", "下载次数", "下载量"}

// cutCounter cuts the number of downloads off the line of an attachment, 附件【a.docx】已下载378次.
// ok is false for a line without it.
func cutCounter(s string) (rest string, ok bool) {
	if !strings.Contains(s, "下载") {
		return s, false
	}
	for _, w := range downloadCounters {
		i := strings.LastIndex(s, w)
		if i < 0 {
			continue
		}
		tail := strings.TrimLeft(s[i+len(w):], " \n:：")
		tail = strings.TrimLeft(strings.TrimLeft(tail, "0123456789"), " \n")
		if tail = strings.TrimRight(tail, " )）】"); tail == "" || tail == "次" {
			return strings.TrimRight(s[:i], " \n(（【"), true
		}
	}
	return s, false
}
