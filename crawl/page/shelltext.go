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

// Some pages are sent as an empty shell, and a script fills in the text that stands elsewhere in the
// same HTML: in a form field, an attribute, a template or a literal of a script. The shell
// is filled here as the script would, with the one text that is most like a notice.

// Bounds of a shell and of the texts that may fill it.
const (
	shellSentences = 300     // characters of sentences; a page with more shows its text
	maxShown       = 1200    // visible characters of a shell, those of menus and sidebars included
	shellFactor    = 3       // times these characters that a text must have
	shellChars     = 300     // visible characters; with more, a text must be about the title
	kinShare       = 0.3     // share of the title's pairs of characters that such a text holds
	minProse       = 60      // Chinese characters of a text; each letter counts a third
	minMarks       = 2       // punctuation marks of a text
	minCarried     = 90      // bytes
	maxCarried     = 1 << 20 // bytes of one text, and of all scripts
	maxCandidates  = 400
	minRows        = 3 // texts of the same name that are rows of a list
)

// candidate is a text that may fill a shell.
type candidate struct {
	listpage.ScriptText
	from  *html.Node // the element that carries it
	where string     // for people
	prose int        // see proseOf
	kin   float64    // see kinTo
	score float64
}

// shell is the work on one page.
type shell struct {
	tree   *htmldoc.Tree
	found  []candidate
	rows   carriedRows // the longest list
	room   int         // bytes of scripts that may still be read
	titles []string
}

// fillShell fills a page that shows no main text, and names the place of the text; "" when the
// page stays as it is.
func fillShell(t *htmldoc.Tree, now time.Time) string {
	sentences, shown := visibleChars(t)
	if sentences > shellSentences || shown > maxShown && !carriesXML(t) {
		return ""
	}
	s := shell{tree: t, room: maxCarried}
	s.collect()
	if s.rows.links > 0 && sentences <= rowSentences && s.fillRows() {
		return ""
	}
	if len(s.found) == 0 || shown > maxShown {
		return ""
	}
	c := s.best()
	if c == nil || c.prose < max(minProse, shellFactor*sentences) || c.kin < kinShare && shown > shellChars {
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

// visibleChars counts the characters of sentences and all characters that a page shows.
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

// collect finds the texts that elements of the page carry.
func (s *shell) collect() {
	s.titles = append(s.titles, s.tree.Head)
	for i := range s.tree.Nodes {
		if n := &s.tree.Nodes[i]; len(s.titles) < 4 && n.Chars >= 6 && n.Chars < 100 &&
			htmldoc.HeadingLevel(n.Tag) > 0 {
			s.titles = append(s.titles, oneLine(s.tree, int32(i)))
		}
	}
	for h := range s.tree.Elements() {
		if len(s.found) >= maxCandidates {
			break
		}
		switch h.DataAtom {
		case atom.Script:
			s.script(h)
		case atom.Textarea, atom.Noscript, atom.Xmp:
			if h.FirstChild != nil && h.FirstChild.Type == html.TextNode {
				s.carried(h, "", h.FirstChild.Data)
			}
		case atom.Template:
			var b strings.Builder
			for c := h.FirstChild; c != nil && b.Len() < maxCarried; c = c.NextSibling {
				if html.Render(&b, c) != nil {
					break
				}
			}
			s.carried(h, "", b.String())
		case atom.Meta, atom.Link:
		default:
			for i := range h.Attr {
				a := &h.Attr[i]
				if len(a.Val) >= minCarried && (strings.HasPrefix(a.Key, "data-") || a.Key == "srcdoc" ||
					a.Key == "value" && h.DataAtom == atom.Input) {
					s.carried(h, htmldoc.Attr(h, "name"), a.Val)
				}
			}
		}
	}
}

// script reads the texts of a script: a template, data or code.
func (s *shell) script(h *html.Node) {
	if h.FirstChild == nil || len(h.FirstChild.Data) > s.room || !promising(h.FirstChild.Data) {
		return
	}
	text, kind := h.FirstChild.Data, strings.ToLower(htmldoc.Attr(h, "type"))
	s.room -= len(text)
	if strings.HasSuffix(kind, xmlType) || strings.HasPrefix(kind, "text/") && !strings.Contains(kind, "script") &&
		!strings.Contains(kind, "json") {
		s.carried(h, "", text)
		return
	}
	s.literals(h, text)
}

// literals takes the texts between the quotes of a script.
func (s *shell) literals(h *html.Node, script string) {
	for _, t := range listpage.ScriptTexts(script) {
		if len(s.found) < maxCandidates && !describes(t.Key) {
			if t.Text = decodeCarried(t.Text); isJSON(t.Text) {
				s.carried(h, t.Key, t.Text) // JSON.parse("…")
			} else {
				s.add(h, t)
			}
		}
	}
}

// describes tells names of members that say what a site is.
func describes(key string) bool {
	key = strings.ToLower(key)
	return strings.Contains(key, "desc") || strings.Contains(key, "keyword") || strings.Contains(key, "copyright")
}

// carried takes the text of an element or attribute, or those of JSON in it.
func (s *shell) carried(h *html.Node, key, text string) {
	if len(text) < minCarried || len(text) > maxCarried {
		return
	}
	text = decodeCarried(text)
	if isJSON(text) {
		if len(text) <= s.room {
			s.room -= len(text)
			s.literals(h, text)
		}
		return
	}
	s.add(h, listpage.ScriptText{Text: text, Key: key})
}

// isJSON reports whether a text looks like an object or a list of JSON.
func isJSON(s string) bool {
	return s != "" && (s[0] == '{' || s[0] == '[') && strings.Contains(s, `":`)
}

// add takes a decoded text, unless it is no prose, a template, or what a site tells everybody.
func (s *shell) add(h *html.Node, t listpage.ScriptText) {
	if len(t.Text) < minCarried || strings.Contains(t.Text, "{{") || strings.Contains(t.Text, "<%") ||
		strings.Contains(t.Text, "${") {
		return
	}
	s.addRows(h, t.Text)
	c := candidate{ScriptText: t, from: h, where: "<" + h.Data + ">"}
	if c.prose = proseOf(t.Text); c.prose < minProse {
		return
	}
	c.kin = kinTo(t.Title, t.Text)
	for _, title := range s.titles {
		c.kin = max(c.kin, kinTo(title, t.Text))
	}
	if c.kin < kinShare && siteTexts.In(t.Text) {
		return
	}
	c.score = float64(c.prose) * (1 + c.kin)
	if hasMarkup(t.Text) {
		c.score *= 1.5
	}
	if t.Title != "" {
		c.score *= 1.2
	}
	s.found = append(s.found, c)
}

// siteTexts stand in what sites tell everybody: consent, terms of use, pleas.
var siteTexts = htmldoc.NewWordSet("隐私政策", "隐私保护", "隐私权", "个人信息保护", "用户协议", "服务协议", "用户须知", "Cookie", "cookie",
	"您同意", "我已阅读", "免责声明", "JavaScript", "javascript", "浏览器版本", "升级浏览器", "升级您的浏览器", "更换浏览器")

// best is the text with the best score; nil when it is a row of a list: several others of its name are
// as long.
func (s *shell) best() *candidate {
	var best *candidate
	for i := range s.found {
		if c := &s.found[i]; best == nil || c.score > best.score {
			best = c
		}
	}
	if best == nil {
		return nil
	}
	like := map[string]bool{}
	for i := range s.found {
		if c := &s.found[i]; c.from == best.from && c.Key == best.Key && c.prose*4 >= best.prose {
			like[c.Text] = true
		}
	}
	if len(like) >= minRows {
		return nil
	}
	return best
}

// heading is markup for the title and the date that stand beside a text in a script, where the page
// shows none.
func (s *shell) heading(c *candidate, now time.Time) string {
	out := ""
	if title := htmldoc.CleanLine(c.Title, htmldoc.MaxHead); title != "" && !strings.Contains(s.tree.Text, title) {
		out = "<h1>" + html.EscapeString(title) + "</h1>"
	}
	if date := readableDate(c.Date); date != "" {
		if _, why := article.PublicationDate(s.tree, -1, now); why == "" || why == article.First {
			out += "<div>发布时间：" + html.EscapeString(date) + "</div>"
		}
	}
	return out
}

// readableDate is a date as pages write it; "" for none. Scripts count seconds or milliseconds.
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

// targetNames stand in the names of elements that scripts fill with a text.
var targetNames = [...]string{"content", "article", "detail", "zoom", "text", "body", "main", "app", "root", "next",
	"nuxt"}

// target is where the text belongs: in the element that carries it if it is empty, else in an empty
// element with the name of one that is filled, else before the carrier. Before a script or a hidden
// carrier means at the end of the body.
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

// promising is a cheap test of whether a text may stand in a script.
func promising(s string) bool {
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

// decodeRounds bounds how often a text is coded over: base64 of percent signs of entities.
const decodeRounds = 3

// decodeCarried undoes base64, percent signs and entities until markup or prose stands there. What is
// not coded is returned as it is. It does not grow a text.
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

// unpercent undoes escape and encodeURIComponent of JavaScript.
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

// unbase64 is what base64 of UTF-8 holds; other texts are returned as they are.
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

// proseOf measures the text of markup: its Chinese characters and a third of the letters of words outside
// tags. It is 0 for a text without sentences, and for letters without markup.
func proseOf(s string) int {
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

// kinTo is the share of the pairs of characters of a title that stand in a text, 0 … 1.
func kinTo(title, text string) float64 {
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
