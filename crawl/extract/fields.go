package extract

import (
	"cmp"
	"path/filepath"
	"regexp"
	"strings"

	"angler/crawl/article"
	"angler/crawl/fields"
	"angler/crawl/htmldoc"
	"angler/crawl/page"
)

// Values is what a notice says, by the names of its fields; see fields.PlainNotice.
type Values struct {
	fields.PlainNotice
	title string
}

// Result returns the values with their places.
func (v *Values) Result() *fields.Result { return v.PlainNotice.Result }

// readFields reads the fields of a page; pages that are no notices have none. A page
// with more links than text may still be a notice amid its site's menus: it is one when
// it says enough.
func (x *Extractor) readFields(p *page.Page) *Values {
	if p.Type == page.List {
		return nil
	}
	n := noticeOf(p)
	v := &Values{fields.PlainNotice{Set: x.Fields, Result: x.Fields.Extract(n)}, n.Title}
	if p.Type == page.Hub && v.Result().Stated() < enough {
		return nil
	}
	return v
}

// enough is how many fields a page says that is a notice.
const enough = 3

// noticeOf is what is read of a page.
func noticeOf(p *page.Page) fields.Notice {
	n := fields.Notice{Title: cmp.Or(p.Title, p.Head), Head: p.Head, URL: p.URL, Text: p.Main, Tables: p.Tables}
	if !p.Date.IsZero() && !p.Date.Guessed() && p.DateWhy != article.DateSearched {
		n.Published = p.Date.Time
	}
	for _, a := range p.Attachments {
		n.Attachments = append(n.Attachments, a.Name)
	}
	return n
}

// textNotice reads the fields of a file of text, whose first line is the title, and
// returns the text that follows it.
func (x *Extractor) textNotice(body []byte) (v *Values, rest string) {
	text, _ := htmldoc.DecodeText(body, "")
	title, rest, _ := strings.Cut(strings.TrimLeft(escapes.ReplaceAllString(text, ""), "\ufeff \r\n"), "\n")
	title = strings.TrimSpace(title)
	return &Values{fields.PlainNotice{Set: x.Fields, Result: x.Fields.Extract(fields.Notice{Title: title, Text: rest})}, title}, rest
}

// escapes are sequences for terminals.
var escapes = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`)

// isText tells whether a document is a file of text by its name.
func isText(path string) bool { return strings.EqualFold(filepath.Ext(path), ".txt") }
