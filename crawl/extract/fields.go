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

// noticeValues holds the field values of a notice by name; see fields.PlainNotice.
type noticeValues struct {
	fields.PlainNotice
	title string
}

// Result returns the values with their positions.
func (v *noticeValues) Result() *fields.Result { return v.PlainNotice.Result }

// readFields reads the fields of a page; nil if the page is not a notice. A page with more links than text may be a
// notice among menus: it needs enough stated fields.
func (x *Extractor) readFields(p *page.Page) *noticeValues {
	if p.Type == page.List {
		return nil
	}
	n := noticeOf(p)
	v := &noticeValues{fields.PlainNotice{Set: x.Fields, Result: x.Fields.Extract(n)}, n.Title}
	if p.Type == page.Hub && v.Result().Stated() < enough {
		return nil
	}
	return v
}

// enough is the minimum number of fields on such a page.
const enough = 3

// noticeOf converts a page to the input of field reading.
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

// textNotice reads the fields of a text file with the title on its first line. It also returns the rest of the text.
func (x *Extractor) textNotice(body []byte) (v *noticeValues, rest string) {
	text, _ := htmldoc.DecodeText(body, "")
	title, rest, _ := strings.Cut(strings.TrimLeft(escapes.ReplaceAllString(text, ""), "\ufeff \r\n"), "\n")
	title = strings.TrimSpace(title)
	return &noticeValues{fields.PlainNotice{Set: x.Fields, Result: x.Fields.Extract(fields.Notice{Title: title, Text: rest})},
		title}, rest
}

// escapes matches terminal escape sequences.
var escapes = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`)

// isText reports whether a file name ends in .txt.
func isText(path string) bool { return strings.EqualFold(filepath.Ext(path), ".txt") }
