package listpage

import (
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"angler/crawl/article"
	"angler/crawl/htmldoc"
)

// DataRow is one entry of a list in a script.
type DataRow struct {
	Title string
	Href  string // as in a link
	Date  article.Date
}

// Bounds of one page.
const (
	minDataRows = 3
	maxArrays   = 12
)

// FindDataRows returns the entries of the best array in the scripts of a page; nil for none. now is
// the time against which dates are read.
func FindDataRows(t *htmldoc.Tree, now time.Time) []DataRow {
	var best []DataRow
	arrays := 0
	for _, h := range t.Scripts {
		if h.FirstChild == nil {
			continue
		}
		src := h.FirstChild.Data
		var x *scanner
		for from := 0; arrays < maxArrays; {
			i := arrayStart(src[from:])
			if i < 0 {
				break
			}
			from += i
			arrays++
			if x == nil {
				x = newScanner(src, len(src), maxBytes)
			}
			rows, end := parseObjects(x, from)
			if len(rows) >= minDataRows {
				f := dataFinder{tree: t, rows: rows, script: src[:from] + "[]" + src[end:], now: now}
				if found := f.entries(); len(found) > len(best) {
					best = found
				}
			}
			from = max(end, from+1)
		}
	}
	return best
}

// arrayStart returns the start of an array of objects; -1 for none.
func arrayStart(s string) int {
	for at := range htmldoc.Occurrences(s, "[") {
		if rest := strings.TrimLeft(s[at+1:min(len(s), at+41)], " \t\r\n"); strings.HasPrefix(rest, "{") {
			return at
		}
	}
	return -1
}

// dataFinder reads the entries of one array.
type dataFinder struct {
	tree   *htmldoc.Tree
	rows   []object
	script string // the script without the array
	now    time.Time
}

// entries returns the rows as entries of a list; nil if few have a title and an address.
func (f *dataFinder) entries() (out []DataRow) {
	title, date, address := f.fields()
	if title == "" {
		return nil
	}
	hrefs := f.hrefs(address)
	if hrefs == nil {
		return nil
	}
	seen := map[string]bool{}
	for i := range f.rows {
		v, _ := f.rows[i].get(title)
		r := DataRow{Title: htmldoc.CleanLine(htmldoc.WithoutTags(v), 200), Href: hrefs[i]}
		if r.Title == "" || r.Href == "" || seen[r.Href] {
			continue
		}
		seen[r.Href] = true
		if date != "" {
			v, _ := f.rows[i].get(date)
			r.Date, _ = f.date(v)
		}
		out = append(out, r)
	}
	if len(out) < minDataRows {
		return nil
	}
	return out
}

// fields returns the names of the fields for title, date and address; "" for none. It chooses them
// by the form of their values.
func (f *dataFinder) fields() (title, date, address string) {
	var bestTitle, bestDate, bestAddress float64
	for _, key := range f.rows[0].keys {
		n, runes, dated, linked := 0, 0, 0, 0
		distinct := map[string]bool{}
		for i := range f.rows {
			v, ok := f.rows[i].get(key)
			if !ok || v == "" {
				continue
			}
			n++
			distinct[v] = true
			if _, ok := f.date(v); ok {
				dated++
			}
			if isAddress(v) {
				linked++
			} else {
				runes += min(utf8.RuneCountInString(v), 60)
			}
		}
		if n*2 < len(f.rows) {
			continue
		}
		first, _ := f.rows[0].get(key)
		low := strings.ToLower(key)
		switch {
		case linked*5 >= n*4 && len(distinct)*5 >= n*4:
			if s := 1 + nameScore(low, "url", "link", "href"); s > bestAddress {
				bestAddress, address = s, key
			}
		case dated*5 >= n*4:
			if s := 1 + nameScore(low, "date", "time", "publish", "day"); s > bestDate {
				bestDate, date = s, key
			}
		case runes >= 6*n && len(distinct)*5 >= n*4 && strings.ContainsFunc(first, isTitleRune):
			if s := float64(runes)/float64(n)/60 + 2*nameScore(low, "title", "name", "subject", "biaoti",
				"bt"); s > bestTitle {
				bestTitle, title = s, key
			}
		}
	}
	return title, date, address
}

// isTitleRune reports whether a character is one of titles rather than of keys.
func isTitleRune(r rune) bool { return r >= 0x2e80 || r == ' ' }

func nameScore(key string, words ...string) float64 {
	for i, w := range words {
		if strings.Contains(key, w) {
			return 1 - float64(i)/10
		}
	}
	return 0
}

// isAddress reports whether a text is the address of a page.
func isAddress(s string) bool {
	leads := func(s, begin string) bool { return strings.HasPrefix(s, begin) && len(s) > len(begin)+2 }
	return len(s) <= 1000 && !strings.ContainsAny(s, " <>\"") &&
		(htmldoc.AnyWord(s, leads, "http://", "https://", "/", "./", "../") ||
			htmldoc.AnyWord(s, strings.Contains, ".htm", ".jsp", ".aspx", ".shtml", ".do?", ".php"))
}

// date reads a date in any form of a page, or as seconds or milliseconds since 1970.
func (f *dataFinder) date(s string) (article.Date, bool) {
	if n := len(s); (n == 10 || n == 13) && strings.Trim(s, "0123456789") == "" {
		seconds, _ := strconv.ParseInt(s[:10], 10, 64)
		if t := time.Unix(seconds, 0).In(article.Shanghai); t.Year() >= 2000 && t.Year() < 2100 {
			return article.Date{Time: time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC),
				Precision: article.Day}, true
		}
		return article.Date{}, false
	}
	if len(s) > 40 || len(s) < 8 {
		return article.Date{}, false
	}
	d, from, to, ok := article.FindDate(s, f.now)
	return d, ok && to-from >= 8 && len(s)-(to-from) < 16
}

// hrefs returns the addresses of the rows; nil for none. They come from a field, or from a template
// or function of the page.
func (f *dataFinder) hrefs(field string) []string {
	out := make([]string, len(f.rows))
	if field != "" {
		for i := range f.rows {
			out[i], _ = f.rows[i].get(field)
		}
		return out
	}
	r := &ScriptReader{Sources: append(inlineScripts(nil, f.tree), f.script), URL: f.tree.URL}
	for _, t := range ScriptTemplates(f.script[:min(len(f.script), maxCode)]) {
		if f.fill(t, r, out) {
			return out
		}
	}
	return nil
}

// fill sets out to the addresses of all rows by a template. It returns false if one row gets none.
func (f *dataFinder) fill(t []ScriptPiece, r *ScriptReader, out []string) bool {
	for i := range f.rows {
		if out[i] = r.Link(t, f.rows[i].get); out[i] == "" {
			return false
		}
	}
	return true
}

// markupAttribute returns the value of an attribute in markup; "" without it.
func markupAttribute(markup, name string) string {
	i := strings.Index(markup, name)
	if i < 0 {
		return ""
	}
	s := markup[i+len(name):]
	if s == "" {
		return ""
	}
	if q := s[0]; q == '"' || q == '\'' {
		if end := strings.IndexByte(s[1:], q); end >= 0 {
			return s[1 : 1+end]
		}
		return ""
	}
	if end := strings.IndexAny(s, " >"); end >= 0 {
		return s[:end]
	}
	return ""
}
