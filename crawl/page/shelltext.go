package page

import (
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"angler/crawl/article"
	"angler/crawl/htmldoc"
	"angler/crawl/listpage"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Some pages are an empty shell. A script fills it with a text that stands elsewhere in the same
// HTML: in a form field, an attribute, a template or a literal of a script. This file fills the
// shell as the script would, with the text that is most like a notice.

// Bounds of a shell and of the texts that may fill it.
const (
	maxShellSentences = 300     // characters in sentences of a shell, at most
	maxShown          = 1200    // visible characters of a shell with menus and sidebars, at most
	shellFactor       = 3       // ratio of the prose of a text to the sentences of its shell, at least
	shellChars        = 300     // visible characters above which a text must match the title
	minTitleShare     = 0.3     // titleShare of a text that matches the title, at least
	minProse          = 60      // proseChars of a text, at least
	minMarks          = 2       // punctuation marks of a text, at least
	minCarried        = 90      // bytes of a text, at least
	maxCarried        = 1 << 20 // bytes of one text, and of all scripts, at most
	maxCandidates     = 400     // texts of a page, at most
	minRows           = 3       // texts of the same name that are rows of a list, at least
)

// candidate is a text that may fill a shell.
type candidate struct {
	listpage.ScriptText
	from       *html.Node // the element that holds it
	where      string     // its place, for Page.MainMethod
	prose      int        // see proseChars
	titleShare float64    // see titleShare
	score      float64
}

// shell holds the texts and the list of one page that may be a shell.
type shell struct {
	tree       *htmldoc.Tree
	candidates []candidate
	rows       carriedRows // the longest list
	room       int         // bytes of scripts that may still be read
	titles     []string    // <title> and first headings
}

// fillShell fills the shell and returns the place of the text. It returns "" for a page that is
// no shell, and for one that it fills with a list.
func fillShell(t *htmldoc.Tree, now time.Time) string {
	sentences, shown := visibleChars(t)
	if sentences > maxShellSentences || shown > maxShown && !carriesXML(t) {
		return ""
	}
	s := shell{tree: t, room: maxCarried}
	s.collect()
	if s.rows.links > 0 && sentences <= maxRowSentences && s.fillRows() {
		return ""
	}
	if len(s.candidates) == 0 || shown > maxShown {
		return ""
	}
	c := s.best()
	if c == nil || c.prose < max(minProse, shellFactor*sentences) || c.titleShare < minTitleShare && shown > shellChars {
		return ""
	}
	markup := c.Text
	if !hasMarkup(markup) {
		markup = "<p>" + strings.ReplaceAll(html.EscapeString(markup), "\n", "</p><p>") + "</p>"
	}
	at, before := s.target(c.from)
	if !t.Fill(s.heading(c, now)+markup, at, before) {
		return ""
	}
	return c.where
}

// visibleChars counts the characters outside links in sentences, and all visible characters.
func visibleChars(t *htmldoc.Tree) (sentences, shown int) {
	for i := range t.Runs {
		r := &t.Runs[i]
		shown += int(r.Chars)
		if !r.Negative && r.IsSentence() && !htmldoc.IsFurniture(t.Text[r.From:r.To]) {
			sentences += int(r.Chars - r.LinkChars)
		}
	}
	return sentences, shown
}

// collect finds the texts and lists in the data of all elements.
func (s *shell) collect() {
	s.titles = append(s.titles, s.tree.Head)
	for i := range s.tree.Nodes {
		if n := &s.tree.Nodes[i]; len(s.titles) < 4 && n.Chars >= 6 && n.Chars < 100 &&
			htmldoc.HeadingLevel(n.Tag) > 0 {
			s.titles = append(s.titles, oneLine(s.tree, int32(i)))
		}
	}
	for h := range s.tree.Elements() {
		if len(s.candidates) >= maxCandidates {
			break
		}
		switch h.DataAtom {
		case atom.Script:
			s.addScript(h)
		case atom.Textarea, atom.Noscript, atom.Xmp:
			if h.FirstChild != nil && h.FirstChild.Type == html.TextNode {
				s.addCarried(h, "", h.FirstChild.Data)
			}
		case atom.Template:
			var b strings.Builder
			for c := h.FirstChild; c != nil && b.Len() < maxCarried; c = c.NextSibling {
				if html.Render(&b, c) != nil {
					break
				}
			}
			s.addCarried(h, "", b.String())
		case atom.Meta, atom.Link:
		default:
			for i := range h.Attr {
				a := &h.Attr[i]
				if len(a.Val) >= minCarried && (strings.HasPrefix(a.Key, "data-") || a.Key == "srcdoc" ||
					a.Key == "value" && h.DataAtom == atom.Input) {
					s.addCarried(h, htmldoc.Attr(h, "name"), a.Val)
				}
			}
		}
	}
}

// addScript adds the texts of a script: a template, data or code.
func (s *shell) addScript(h *html.Node) {
	if h.FirstChild == nil || len(h.FirstChild.Data) > s.room || !mayHoldText(h.FirstChild.Data) {
		return
	}
	text, kind := h.FirstChild.Data, strings.ToLower(htmldoc.Attr(h, "type"))
	s.room -= len(text)
	if strings.HasSuffix(kind, xmlType) || strings.HasPrefix(kind, "text/") && !strings.Contains(kind, "script") &&
		!strings.Contains(kind, "json") {
		s.addCarried(h, "", text)
		return
	}
	s.addLiterals(h, text)
}

// addLiterals adds the texts in the string literals of a script.
func (s *shell) addLiterals(h *html.Node, script string) {
	for _, t := range listpage.ScriptTexts(script) {
		if len(s.candidates) < maxCandidates && !describesSite(t.Key) {
			if t.Text = decodeCarried(t.Text); isJSON(t.Text) {
				s.addCarried(h, t.Key, t.Text) // JSON.parse("…")
			} else {
				s.add(h, t)
			}
		}
	}
}

// describesSite reports whether a member of an object describes the site, by its name.
func describesSite(key string) bool {
	key = strings.ToLower(key)
	return strings.Contains(key, "desc") || strings.Contains(key, "keyword") || strings.Contains(key, "copyright")
}

// addCarried adds the text of an element or attribute. Of JSON it adds the string literals.
func (s *shell) addCarried(h *html.Node, key, text string) {
	if len(text) < minCarried || len(text) > maxCarried {
		return
	}
	text = decodeCarried(text)
	if isJSON(text) {
		if len(text) <= s.room {
			s.room -= len(text)
			s.addLiterals(h, text)
		}
		return
	}
	s.add(h, listpage.ScriptText{Text: text, Key: key})
}

// isJSON reports whether a text looks like a JSON object or list.
func isJSON(s string) bool {
	return s != "" && (s[0] == '{' || s[0] == '[') && strings.Contains(s, `":`)
}

// add adds a decoded text, unless it is a template, has no prose, or is about the site (siteTexts).
func (s *shell) add(h *html.Node, t listpage.ScriptText) {
	if len(t.Text) < minCarried || strings.Contains(t.Text, "{{") || strings.Contains(t.Text, "<%") ||
		strings.Contains(t.Text, "${") {
		return
	}
	s.addRows(h, t.Text)
	c := candidate{ScriptText: t, from: h, where: "<" + h.Data + ">"}
	if c.prose = proseChars(t.Text); c.prose < minProse {
		return
	}
	c.titleShare = titleShare(t.Title, t.Text)
	for _, title := range s.titles {
		c.titleShare = max(c.titleShare, titleShare(title, t.Text))
	}
	if c.titleShare < minTitleShare && siteTexts.In(t.Text) {
		return
	}
	c.score = float64(c.prose) * (1 + c.titleShare)
	if hasMarkup(t.Text) {
		c.score *= 1.5
	}
	if t.Title != "" {
		c.score *= 1.2
	}
	s.candidates = append(s.candidates, c)
}

// siteTexts occur in texts about the site: consent, terms of use, browser requirements.
var siteTexts = htmldoc.NewWordSet("隐私政策", "隐私保护", "隐私权", "个人信息保护", "用户协议", "服务协议", "用户须知", "Cookie", "cookie",
	"您同意", "我已阅读", "免责声明", "JavaScript", "javascript", "浏览器版本", "升级浏览器", "升级您的浏览器", "更换浏览器")

// best returns the text with the best score. It returns nil if this text is a row of a list:
// minRows texts of its name are about as long.
func (s *shell) best() *candidate {
	var best *candidate
	for i := range s.candidates {
		if c := &s.candidates[i]; best == nil || c.score > best.score {
			best = c
		}
	}
	if best == nil {
		return nil
	}
	similar := map[string]bool{}
	for i := range s.candidates {
		if c := &s.candidates[i]; c.from == best.from && c.Key == best.Key && c.prose*4 >= best.prose {
			similar[c.Text] = true
		}
	}
	if len(similar) >= minRows {
		return nil
	}
	return best
}

// heading returns markup for title and date of a text, if the page itself does not show them.
func (s *shell) heading(c *candidate, now time.Time) string {
	out := ""
	if title := htmldoc.CleanLine(c.Title, htmldoc.MaxHead); title != "" && !strings.Contains(s.tree.Text, title) {
		out = "<h1>" + html.EscapeString(title) + "</h1>"
	}
	if date := readableDate(c.Date); date != "" {
		if _, why := article.PublicationDate(s.tree, -1, now); why == "" || why == article.DateFirst {
			out += "<div>发布时间：" + html.EscapeString(date) + "</div>"
		}
	}
	return out
}

// readableDate formats a date of a script, which may be in seconds or milliseconds, as 2006-01-02. It
// returns "" for other numbers.
func readableDate(s string) string {
	n, err := strconv.ParseInt(s, 10, 64)
	switch {
	case err != nil:
		return s
	case len(s) == 13:
		n /= 1000
	case len(s) != 10:
		return ""
	}
	return time.Unix(n, 0).In(article.Shanghai).Format("2006-01-02")
}

// targetNames occur in the ids and classes of elements that scripts fill with a text.
var targetNames = [...]string{"content", "article", "detail", "zoom", "text", "body", "main", "app", "root", "next",
	"nuxt"}

// target returns the place for a text of element from. It is from itself if that is empty, else an
// empty element with one of targetNames. Otherwise it is the place before from. For a script or a
// hidden element it is any empty element with a name, else the end of the body.
func (s *shell) target(from *html.Node) (at *html.Node, before bool) {
	var body *html.Node
	best := 0
	for i := range s.tree.Nodes {
		n := &s.tree.Nodes[i]
		if n.Tag == atom.Body {
			body = n.HTML
		}
		if n.IsText || n.Chars > 0 || n.Hidden || n.Negative || n.End > int32(i)+1 {
			continue
		}
		switch n.Tag {
		case atom.Div, atom.Section, atom.Article, atom.Main, atom.Td:
			w := 0
			if n.HTML == from {
				w = 3
			} else if name := htmldoc.Attr(n.HTML, "id") + " " + htmldoc.Attr(n.HTML, "class"); name != " " {
				w = 1
				if htmldoc.AnyWord(name, htmldoc.ContainsFold, targetNames[:]...) {
					w = 2
				}
			}
			if w > best {
				best, at = w, n.HTML
			}
		}
	}
	if best > 1 {
		return at, false
	}
	if from.DataAtom != atom.Script {
		for i := range s.tree.Nodes {
			if n := &s.tree.Nodes[i]; n.HTML == from.Parent && !n.Hidden && !n.Negative {
				return from, true
			}
		}
	}
	if best > 0 {
		return at, false
	}
	return body, false
}

// mayHoldText reports by a cheap test whether a script may hold a text.
func mayHoldText(s string) bool {
	if len(s) < minCarried {
		return false
	}
	high := 0
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			high++
		}
	}
	return high >= minCarried || strings.Contains(s, `\u`) || strings.Contains(s, "%u") || strings.Contains(s, "%E") ||
		strings.Contains(s, "</p") || strings.Contains(s, `<\/p`) || strings.Contains(s, "ase64") ||
		strings.Contains(s, "atob")
}

// decodeRounds bounds nested encodings, such as base64 of percent signs of entities.
const decodeRounds = 3

// decodeCarried decodes base64, percent signs and entities until the text is markup or prose. It
// returns a text without encoding unchanged. The result is not longer than s.
func decodeCarried(s string) string {
	for range decodeRounds {
		s = strings.TrimSpace(s)
		next := s
		switch {
		case strings.Contains(s, "<") && !strings.Contains(s, "%u"):
			return s
		case strings.Contains(s, "%u") || strings.Contains(s, "%3") || strings.Contains(s, "%E"):
			next = unpercent(s)
		case strings.Contains(s, "&lt;") || strings.Contains(s, "&#"):
			next = html.UnescapeString(s)
		default:
			next = unbase64(s)
		}
		if next == s || !utf8.ValidString(next) {
			return s
		}
		s = next
	}
	return s
}

// unpercent reverses escape and encodeURIComponent of JavaScript.
func unpercent(s string) string {
	if !strings.Contains(s, "%u") {
		if out, err := url.PathUnescape(s); err == nil {
			return out
		}
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] != '%' || i+2 >= len(s) {
			b.WriteByte(s[i])
			i++
			continue
		}
		digits := s[i+1 : i+3]
		end := i + 3
		if s[i+1] == 'u' && i+6 <= len(s) {
			digits, end = s[i+2:i+6], i+6
		}
		v, err := strconv.ParseUint(digits, 16, 32)
		if err != nil {
			b.WriteByte('%')
			i++
			continue
		}
		b.WriteRune(rune(v))
		i = end
	}
	return b.String()
}

// unbase64 decodes base64 of UTF-8. It returns other texts unchanged.
func unbase64(s string) string {
	if len(s) < minCarried || strings.ContainsAny(s[:minCarried], " ,:;.<") {
		return s
	}
	code := strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, s)
	for _, e := range [...]*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		if out, err := e.DecodeString(strings.TrimRight(code, "=")); err == nil && utf8.Valid(out) {
			return string(out)
		}
	}
	return s
}

func hasMarkup(s string) bool {
	return strings.Contains(s, "</") || strings.Contains(s, "<br") || strings.Contains(s, "<p")
}

// proseChars returns the Chinese characters and a third of the letters outside tags. It is 0 for a
// text without sentences, for scripts, and for letters without markup.
func proseChars(s string) int {
	han, letters, word, marks, tag := 0, 0, 0, 0, false
	markup := hasMarkup(s)
	for i, r := range s {
		switch {
		case r == '<':
			tag = true
			for _, raw := range [...]string{"<script", "<style"} {
				if len(s)-i > len(raw) && strings.EqualFold(s[i:i+len(raw)], raw) && han+letters/3 < minProse {
					return 0
				}
			}
		case r == '>':
			tag = false
		case tag:
		case unicode.Is(unicode.Han, r):
			han++
			word = 0
		case unicode.IsLetter(r):
			if word++; word < 24 {
				letters++
			}
		case strings.ContainsRune("，。！？；：、,.!?:;", r):
			marks++
			word = 0
		default:
			word = 0
		}
	}
	if marks < minMarks {
		return 0
	}
	if !markup && han < minProse {
		return 0
	}
	return han + letters/3
}

// titleShare returns the share of a title's pairs of letters that occur in a text, 0 … 1. It is 0
// for a title with less than three pairs.
func titleShare(title, text string) float64 {
	r := []rune(htmldoc.Clip(title, 60))
	n, in := 0, 0
	for i := 0; i+1 < len(r); i++ {
		if !unicode.IsLetter(r[i]) || !unicode.IsLetter(r[i+1]) {
			continue
		}
		n++
		if strings.Contains(text, string(r[i:i+2])) {
			in++
		}
	}
	if n < 3 {
		return 0
	}
	return float64(in) / float64(n)
}
