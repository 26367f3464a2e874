package page

import "strings"

const (
	listRecords = 3   // dated records of a list
	hubBeta     = 1.0 // μ: link characters ÷ other characters above which a page is of list type
	hubLinks    = 15
	detailChars = 80 // characters outside links of the text of a detail page

	articleChars = 300 // characters in sentences that outweigh a list beside them,
	articleTimes = 2   // if they are so many times those of the list
)

// pageType says what a page is for: a list has at least 3 dated records, at
// least half of its best group dated (DESIGN 3); a hub has more links than
// text (P4 3.3, β > μ); a detail has a title and text, and more of it than of
// any list beside it.
func (t *tree) pageType(p *Page, title int32) Type {
	front := frontPage(p.URL)
	text, sentences := int32(0), int32(0) // sentences: outside the list
	for i := range t.runs {
		r := &t.runs[i]
		if !r.negative && r.link*2 < r.chars && (r.punct > 0 || r.chars >= shortRun) {
			text += r.chars - r.link
			if r.punct > 0 && (r.to <= t.listFrom || r.from >= t.listTo) {
				sentences += r.chars - r.link
			}
		}
	}
	// an article with the latest news beside it is no list
	article := title >= 0 && sentences >= articleChars && sentences > articleTimes*t.listChars
	if !front && !article && p.Dated >= listRecords && p.Dated*2 >= len(p.Records) {
		return List
	}
	switch {
	case front && len(p.Links) >= hubLinks:
		return Hub
	case title >= 0 && !p.Date.IsZero() && text >= detailChars/2:
		return Detail
	case p.Beta > hubBeta && len(p.Links) >= hubLinks:
		return Hub
	case text >= detailChars:
		return Detail
	case len(p.Links) >= hubLinks:
		return Hub
	}
	return Other
}

// frontPage tells whether a URL is its host's home page. A home page shows the
// newest records of several lists; its best group alone looks like a list.
func frontPage(u string) bool {
	i := strings.Index(u, "://")
	if i < 0 {
		return false
	}
	slash := strings.IndexByte(u[i+3:], '/')
	if slash < 0 {
		return true
	}
	path := u[i+3+slash+1:]
	if path == "" {
		return true
	}
	if strings.ContainsAny(path, "/?") {
		return false
	}
	name, _, _ := strings.Cut(path, ".")
	for _, w := range [...]string{"index", "default", "main", "home"} {
		if rest, ok := strings.CutPrefix(name, w); ok && strings.Trim(rest, "0123456789-_") == "" {
			return true
		}
	}
	return false
}
