package listpage

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"angler/crawl/htmldoc"
)

// Limits of the script text that is read, in bytes.
const (
	maxMissingScript = 256 << 10 // of one script
	maxScriptsBytes  = 1 << 20   // of all scripts of a page
	maxBytesAfter    = 600       // after a call, searched for its address
	maxBytesBefore   = 4 << 10   // before a call, searched for the variable with the address
)

// fetchCalls are the beginnings of calls with which scripts fetch.
var fetchCalls = [...]string{"$.ajax", "$.post", "$.get", "axios", "fetch(", ".open(", "jQuery.ajax", "jQuery.post",
	"ajaxPost", "table.render", "$http", "request("}

// otherAddresses are parts of addresses that return no list.
var otherAddresses = [...]string{"click", "hits", "count", "visit", "stat", "weather", "login", "token", "captcha",
	"log.", "track", "baidu", "hm.js", "wx", "share", "analytics", "menu", "footer", "header"}

// findScripted looks for entries that a script writes. The signs are calls that fetch, templates,
// and empty elements that a script names. One sign alone does not count, because every second page
// fetches something.
func (f *missingFinder) findScripted(mustache, empty int32) {
	template, endpoint, endpointPaged, total, files, filled := false, "", false, 0, 0, int32(-1)
	for _, h := range f.Tree.Scripts {
		if src := htmldoc.Attr(h, "src"); src != "" {
			files++
		}
		if h.FirstChild == nil {
			continue
		}
		s := h.FirstChild.Data
		if s = s[:min(len(s), maxMissingScript)]; total+len(s) > maxScriptsBytes {
			break
		}
		total += len(s)
		if kind := htmldoc.Attr(h, "type"); strings.HasPrefix(kind, "text/") && !strings.Contains(kind, "javascript") {
			template = template || isTemplate(s)
			continue
		}
		if title := firstWrittenTitle(s); title != "" {
			f.report(KindData, title, "its entries stand in a script")
			return
		}
		if url := fetchedAddress(s); url != "" {
			hasPages := namesPages(s)
			if endpoint == "" || hasPages && !endpointPaged {
				endpoint, endpointPaged = url, hasPages
			}
			if hasPages && empty < 0 {
				empty = f.elementFilledBy(s)
			}
			template = template || hasPages && strings.Contains(s, "href") &&
				htmldoc.AnyWord(s, strings.Contains, "<li", "<tr", "<a ")
		}
		if i := f.elementFilledBy(s); i >= 0 && holdsRows(f.Tree.Nodes[i].HTML, f.Tree.Nodes[i].Tag) && fetchesList(s) {
			filled = i
		}
	}
	small := len(f.Tree.Text) < maxShellText
	switch {
	case endpoint != "" && (endpointPaged && (template || empty >= 0 || mustache >= 0) || small && template):
		f.report(KindScript, endpoint, "a script fetches the entries")
	case filled >= 0 && small:
		f.report(KindScript, cmp.Or(endpoint, f.nodeName(filled)), "a script fetches the entries")
	case template && (empty >= 0 || files > 0) && small:
		f.report(KindScript, f.nodeName(empty), "a script fills a template with the entries")
	case mustache >= 0:
		n := &f.Tree.Nodes[mustache]
		f.report(KindScript, f.Tree.Text[n.From:n.To], "a script fills a template with the entries")
	case empty >= 0 && files > 0 && len(f.Tree.Text) < maxShellText/16 && len(f.Links) < 10:
		f.report(KindScript, f.nodeName(empty), "a script writes the whole page")
	}
}

// elementFilledBy returns an empty element whose id is in a script; -1 for none.
func (f *missingFinder) elementFilledBy(script string) int32 {
	for _, i := range f.emptyElements[:f.emptyCount] {
		if strings.Contains(script, htmldoc.Attr(f.Tree.Nodes[i].HTML, "id")) {
			return i
		}
	}
	return -1
}

// minWrittenEntries is the least number of entries in a script that form a list.
const minWrittenEntries = 3

// titleKeys are the endings of names that scripts give the title of an entry: title, infoTitle …
var titleKeys = [...]string{`itle":`, `itle:`, `itle':`, `ame":`, `"tit":`, `"bt":`, `ubject":`}

// firstWrittenTitle returns the title of the first entry of a script that holds entries as data; ""
// for none.
func firstWrittenTitle(s string) string {
	if !htmldoc.AnyWord(s, strings.Contains, "[{", "[\n", "[ {") {
		return ""
	}
	for _, key := range titleKeys {
		if strings.Count(s, key) < minWrittenEntries {
			continue
		}
		i := strings.Index(s, key) + len(key)
		v := strings.TrimLeft(s[i:min(len(s), i+300)], " ")
		if len(v) < 2 || v[0] != '"' && v[0] != '\'' {
			continue
		}
		if end := strings.IndexByte(v[1:], v[0]); end >= 3*minRowChars && utf8.RuneCountInString(v[1:1+end]) < end {
			return v[1 : 1+end]
		}
	}
	return ""
}

// isTemplate reports whether a text is the template of an entry.
func isTemplate(s string) bool {
	return htmldoc.AnyWord(s, strings.Contains, "{{", "<%", "${") &&
		htmldoc.AnyWord(s, strings.Contains, "<a", "<li", "<tr")
}

// namesPages reports whether a script uses a name for the pages of a list, such as pageSize.
func namesPages(s string) bool {
	return htmldoc.AnyWord(s, htmldoc.ContainsFold, "pageno", "pagesize", "pageindex", "pagenum", "currentpage",
		"currpage", "curpage", "page:", "page=", "pn:", "\"pn\"", "'pn'", "rows:")
}

// fetchesList reports whether a script fetches something that may be a list, also from an address
// that it builds. It ignores calls whose address returns no list.
func fetchesList(s string) bool {
	for _, c := range fetchCalls {
		if before, rest, ok := strings.Cut(s, c); ok {
			rest = rest[:min(len(rest), maxBytesAfter)]
			address := assignedText(before, rest)
			rest, _, _ = strings.Cut(rest, ")")
			if !bringsNoList(rest) && !bringsNoList(address) {
				return true
			}
		}
	}
	return false
}

// fetchedAddress returns the address from which a script fetches a list; "" for none.
func fetchedAddress(s string) string {
	for _, c := range fetchCalls {
		for at := range htmldoc.Occurrences(s, c) {
			from := at + len(c)
			call := s[from:min(len(s), from+maxBytesAfter)]
			if url := cmp.Or(firstAddress(call), firstAddress(assignedText(s[:from], call))); url != "" {
				return url
			}
		}
	}
	return ""
}

// assignedText returns the value of the variable that holds the address of a call, to the end of
// the line; "" for none. The variable is the first argument, or the value of url.
func assignedText(before, call string) string {
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
	end := strings.IndexFunc(name, func(c rune) bool {
		return c != '_' && c != '$' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	})
	if end < 1 || end > 40 {
		return ""
	}
	name = name[:end]
	before = before[max(0, len(before)-maxBytesBefore):]
	for {
		i := strings.LastIndex(before, name)
		if i < 0 {
			return ""
		}
		value, ok := strings.CutPrefix(strings.TrimLeft(before[i+len(name):], " "), "=")
		before = before[:i]
		if value = strings.TrimLeft(value, " "); ok && value != "" && (value[0] == '"' || value[0] == '\'') {
			line, _, _ := strings.Cut(value[:min(len(value), maxBytesAfter)], "\n")
			return line
		}
	}
}

// firstAddress returns the first string in a script that looks like the address of a list; "" for
// none.
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
		if len(v) > 2 && len(v) < 300 && strings.Contains(v, "/") && !strings.ContainsAny(v, "<> \n") &&
			!bringsNoList(v) {
			return v
		}
	}
	return ""
}

// bringsNoList reports whether an address looks like that of a counter, a login, a style sheet or
// the like.
func bringsNoList(address string) bool {
	return htmldoc.AnyWord(address, strings.HasPrefix, "application/", "text/") ||
		htmldoc.AnyWord(address, strings.HasSuffix, ".js", ".css") ||
		htmldoc.AnyWord(address, htmldoc.ContainsFold, otherAddresses[:]...)
}

// nodeName returns the tag of a node with its id or class: <ul id=list>. It is "" for -1.
func (f *missingFinder) nodeName(node int32) string {
	if node < 0 {
		return ""
	}
	h := f.Tree.Nodes[node].HTML
	for _, key := range [...]string{"id", "class"} {
		if v := htmldoc.Attr(h, key); v != "" {
			return "<" + h.Data + " " + key + "=" + v + ">"
		}
	}
	return "<" + h.Data + ">"
}
