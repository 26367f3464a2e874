package listpage

import (
	"cmp"
	"strings"
	"time"
	"unicode"

	"angler/crawl/htmldoc"

	"golang.org/x/net/html"
)

var noTime time.Time

// Bounds of what is looked at of a page's scripts.
const (
	maxMissingScript = 256 << 10 // of one
	allScripts       = 1 << 20   // of a page
	callBytes        = 600       // behind a call, for its address
	backBytes        = 4 << 10   // before a call, for the variable that holds it
)

// calls are how scripts fetch.
var calls = [...]string{"$.ajax", "$.post", "$.get", "axios", "fetch(", ".open(", "jQuery.ajax", "jQuery.post", "ajaxPost", "table.render", "$http", "request("}

// strangers stand in addresses that bring no list.
var strangers = [...]string{"click", "hits", "count", "visit", "stat", "weather", "login", "token", "captcha", "log.", "track", "baidu", "hm.js", "wx", "share", "analytics", "menu", "footer", "header"}

// scripted looks for entries that a script writes: by the calls of the scripts, the
// templates, and the elements that wait to be filled. One sign alone is none: every
// other page fetches something.
func (f *missingFinder) scripted(mustache, empty int32) {
	template, endpoint, paged, all, outside, filled := false, "", false, 0, 0, int32(-1)
	for _, h := range f.Tree.Scripts {
		if src := htmldoc.Attr(h, "src"); src != "" {
			outside++
		}
		if h.FirstChild == nil {
			continue
		}
		s := h.FirstChild.Data
		if s = s[:min(len(s), maxMissingScript)]; all+len(s) > allScripts {
			break
		}
		all += len(s)
		if kind := htmldoc.Attr(h, "type"); strings.HasPrefix(kind, "text/") && !strings.Contains(kind, "javascript") {
			template = template || isTemplate(s)
			continue
		}
		if title := written(s); title != "" {
			f.name(KindData, title, "its entries stand in a script")
			return
		}
		if url := fetches(s); url != "" {
			on := turnsPages(s)
			if endpoint == "" || on && !paged {
				endpoint, paged = url, on
			}
			if on && empty < 0 {
				empty = f.filledBy(s)
			}
			template = template || on && strings.Contains(s, "href") && (strings.Contains(s, "<li") || strings.Contains(s, "<tr") || strings.Contains(s, "<a "))
		}
		if i := f.filledBy(s); i >= 0 && holdsRows(f.Tree.Nodes[i].HTML, f.Tree.Nodes[i].Tag) && calling(s) {
			filled = i
		}
	}
	small := len(f.Tree.Text) < shellText
	switch {
	case endpoint != "" && (paged && (template || empty >= 0 || mustache >= 0) || small && template):
		f.name(KindScript, endpoint, "a script fetches the entries")
	case filled >= 0 && small:
		f.name(KindScript, cmp.Or(endpoint, f.nameOf(filled)), "a script fetches the entries")
	case template && (empty >= 0 || outside > 0) && small:
		f.name(KindScript, f.nameOf(empty), "a script fills a template with the entries")
	case mustache >= 0:
		n := &f.Tree.Nodes[mustache]
		f.name(KindScript, f.Tree.Text[n.From:n.To], "a script fills a template with the entries")
	case empty >= 0 && outside > 0 && len(f.Tree.Text) < shellText/16 && len(f.Links) < 10:
		f.name(KindScript, f.nameOf(empty), "a script writes the whole page")
	}
}

// filledBy is an empty element whose name stands in a script; -1 for none.
func (f *missingFinder) filledBy(script string) int32 {
	for _, i := range f.empty[:f.blank] {
		if strings.Contains(script, htmldoc.Attr(f.Tree.Nodes[i].HTML, "id")) {
			return i
		}
	}
	return -1
}

// leastWritten entries in a script are a list.
const leastWritten = 3

// titleKeys end what scripts call the title of an entry: title, infoTitle …
var titleKeys = [...]string{`itle":`, `itle:`, `itle':`, `ame":`, `"tit":`, `"bt":`, `ubject":`}

// written is the title of the first entry in a script that holds entries as data; "" for
// none.
func written(s string) string {
	if i := strings.Index(s, "[{"); i < 0 && !strings.Contains(s, "[\n") && !strings.Contains(s, "[ {") {
		return ""
	}
	for _, key := range titleKeys {
		if strings.Count(s, key) < leastWritten {
			continue
		}
		i := strings.Index(s, key) + len(key)
		v := strings.TrimLeft(s[i:min(len(s), i+300)], " ")
		if len(v) < 2 || v[0] != '"' && v[0] != '\'' {
			continue
		}
		if end := strings.IndexByte(v[1:], v[0]); end >= 3*rowChars && !ascii(v[1:1+end]) {
			return v[1 : 1+end]
		}
	}
	return ""
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// isTemplate tells that a text is the template of an entry.
func isTemplate(s string) bool {
	return (strings.Contains(s, "{{") || strings.Contains(s, "<%") || strings.Contains(s, "${")) &&
		(strings.Contains(s, "<a") || strings.Contains(s, "<li") || strings.Contains(s, "<tr"))
}

// turnsPages tells that a script speaks of pages.
func turnsPages(s string) bool {
	for _, w := range [...]string{"pageno", "pagesize", "pageindex", "pagenum", "currentpage", "currpage", "curpage", "page:", "page=", "pn:", "\"pn\"", "'pn'", "rows:"} {
		if htmldoc.ContainsFold(s, w) {
			return true
		}
	}
	return false
}

// calling tells that a script fetches something that may be a list, also where its
// address is put together; where an address stands there that brings none, nothing is.
func calling(s string) bool {
	for _, c := range calls {
		if before, rest, ok := strings.Cut(s, c); ok {
			rest = rest[:min(len(rest), callBytes)]
			address := assigned(before, rest)
			rest, _, _ = strings.Cut(rest, ")")
			if !strange(rest) && !strange(address) {
				return true
			}
		}
	}
	return false
}

// fetches is the address that a script fetches a list from; "" for none.
func fetches(s string) string {
	for _, c := range calls {
		for from := 0; ; {
			i := strings.Index(s[from:], c)
			if i < 0 {
				break
			}
			from += i + len(c)
			call := s[from:min(len(s), from+callBytes)]
			if url := cmp.Or(firstAddress(call), firstAddress(assigned(s[:from], call))); url != "" {
				return url
			}
		}
	}
	return ""
}

// assigned is what the script before a call says in the line that gives the variable of its
// address a text; that is its first argument, or what stands behind url. "" = nothing.
func assigned(before, call string) string {
	if i := strings.IndexByte(call, '('); i >= 0 && i < 8 && strings.Trim(call[:i], "JSONget") == "" {
		call = call[i+1:] // $.getJSON(
	}
	name := call
	if _, behind, ok := strings.Cut(call, "url"); ok && strings.HasPrefix(strings.TrimLeft(call, "( \n"), "{") {
		name, ok = strings.CutPrefix(strings.TrimLeft(behind, "\"' "), ":")
		if !ok {
			return ""
		}
	}
	name = strings.TrimLeft(name, "( \n")
	end := strings.IndexFunc(name, func(c rune) bool { return c != '_' && c != '$' && !unicode.IsLetter(c) && !unicode.IsDigit(c) })
	if end < 1 || end > 40 {
		return ""
	}
	name = name[:end]
	before = before[max(0, len(before)-backBytes):]
	for {
		i := strings.LastIndex(before, name)
		if i < 0 {
			return ""
		}
		value, ok := strings.CutPrefix(strings.TrimLeft(before[i+len(name):], " "), "=")
		before = before[:i]
		if value = strings.TrimLeft(value, " "); ok && value != "" && (value[0] == '"' || value[0] == '\'') {
			line, _, _ := strings.Cut(value[:min(len(value), callBytes)], "\n")
			return line
		}
	}
}

// firstAddress is the first string in a script that reads like an address of a
// list.
func firstAddress(s string) string {
	for range 12 {
		i := strings.IndexAny(s, `"'`)
		if i < 0 {
			return ""
		}
		quote := s[i]
		s = s[i+1:]
		end := strings.IndexByte(s, quote)
		if end < 0 {
			return ""
		}
		v := s[:end]
		s = s[end+1:]
		if len(v) > 2 && len(v) < 300 && strings.Contains(v, "/") && !strings.ContainsAny(v, "<> \n") && !strange(v) {
			return v
		}
	}
	return ""
}

func strange(address string) bool {
	if strings.HasPrefix(address, "application/") || strings.HasPrefix(address, "text/") || strings.HasSuffix(address, ".js") || strings.HasSuffix(address, ".css") {
		return true
	}
	for _, w := range strangers {
		if htmldoc.ContainsFold(address, w) {
			return true
		}
	}
	return false
}

// nameOf is how an element is called; "" for none.
func (f *missingFinder) nameOf(node int32) string {
	if node < 0 {
		return ""
	}
	return called(f.Tree.Nodes[node].HTML)
}

func called(h *html.Node) string {
	if id := htmldoc.Attr(h, "id"); id != "" {
		return "<" + h.Data + " id=" + id + ">"
	}
	if class := htmldoc.Attr(h, "class"); class != "" {
		return "<" + h.Data + " class=" + class + ">"
	}
	return "<" + h.Data + ">"
}
