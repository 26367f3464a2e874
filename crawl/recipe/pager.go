package recipe

import (
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"angler/crawl/htmldoc"
)

// This file turns a request for one page into one for page n. It finds the page parameter by name and value.

var (
	pageNames = htmldoc.NewPattern(
		`(?i)^(?:page_?(?:no|num|number|index|idx)?|p|pi|cur(?:rent)?_?page(?:no|num|index)?|cur|current|pager?\.?(?:no|num|current|page(?:no|num|index)?)|page_?current|now_?page|pagination\.(?:page|current)|.*\.(?:page_?(?:no|num|number|index)|current|curpage))$`)
	offsetNames = htmldoc.NewPattern(`(?i)^(?:.*\.)?(?:pn|offset|start|skip|first|begin_?row|start_?(?:row|index))$`)
	sizeNames   = htmldoc.NewPattern(
		`(?i)^(?:.*\.)?(?:rn|rows|limit|size|page_?size|per_?page|prepage|page_?rows|page_?limit|pageshow|count|ps|num)$`)
	notPages = htmldoc.NewPattern(`(?i)^(?:page_?id|page_?size)$`)
)

// slot is a place of a request with a value.
type slot struct {
	name, value string
	put         func(placeholder string)
}

// setRequest fills a recipe's request from an observed request.
func (r *Recipe) setRequest(x *Exchange) (notes []string) {
	q := &r.Request
	q.Method, q.URL, q.Page = strings.ToUpper(x.Method), withoutFragment(x.URL), Pages{First: 1, Step: 1}
	if q.Method == "" && x.Body != "" {
		q.Method = "POST"
	}
	if q.Method == "GET" {
		q.Method = ""
	}
	nested := ""
	contentType := ""
	for k, v := range x.Headers {
		if strings.EqualFold(k, "Content-Type") {
			contentType = v
			continue
		}
		if keptHeader(k) && headerLine(v) == v {
			setHeader(&q.Headers, k, v)
		} else if isSecretHeader(k) {
			notes = append(notes, "the header "+k+
				" was left out: recipes are shared. If the list needs it, write it in [host.\""+hostOf(x.URL)+"\"] of angler.toml")
		}
	}
	if q.Method == "POST" {
		switch {
		case looksJSON(x.Body):
			q.Body = strings.TrimSpace(x.Body)
			if contentType != "" && !strings.HasPrefix(strings.ToLower(contentType), "application/json") {
				setHeader(&q.Headers, "Content-Type", contentType)
			}
		case x.Body != "":
			form, err := url.ParseQuery(x.Body)
			if err != nil || len(form) == 0 || tooMany(form) {
				q.Body = x.Body
				if contentType != "" {
					setHeader(&q.Headers, "Content-Type", contentType)
				}
				break
			}
			q.Fields = map[string]string{}
			for k, v := range form {
				q.Fields[k] = v[0]
				if looksJSON(v[0]) && gjson.Valid(v[0]) {
					nested = k
				}
			}
		}
	}
	r.takeTokens(x, nested)
	if !r.takePage(r.slots(nested)) && !r.takePath() {
		notes = append(notes, "no parameter is the number of the page: only the first page is read")
		q.Page = Pages{}
	}
	return notes
}

func tooMany(form url.Values) bool {
	for _, v := range form {
		if len(v) != 1 {
			return true
		}
	}
	return false
}

// setHeader adds to headers, which may be nil.
func setHeader(headers *map[string]string, k, v string) {
	if *headers == nil {
		*headers = map[string]string{}
	}
	(*headers)[k] = v
}

func withoutFragment(s string) string { s, _, _ = strings.Cut(s, "#"); return s }

// slots returns the values of a request that may be page numbers.
func (r *Recipe) slots(nested string) []slot {
	q := &r.Request
	var out []slot
	base, query, _ := strings.Cut(q.URL, "?")
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		k, v, ok := strings.Cut(pair, "=")
		if name, err := url.QueryUnescape(k); ok && err == nil {
			out = append(out, slot{name, v, func(p string) {
				pairs[i] = k + "=" + p
				q.URL = base + "?" + strings.Join(pairs, "&")
			}})
		}
	}
	for _, k := range slices.Sorted(maps.Keys(q.Fields)) {
		if k == nested {
			out = append(out, jsonSlots(q.Fields[k], func(s string) { q.Fields[k] = s })...)
			continue
		}
		out = append(out, slot{k, q.Fields[k], func(p string) { q.Fields[k] = p }})
	}
	if looksJSON(q.Body) && gjson.Valid(q.Body) && shallow([]byte(q.Body)) == nil {
		out = append(out, jsonSlots(q.Body, func(s string) { q.Body = s })...)
	}
	return out
}

// jsonSlots returns the values of a JSON text. One of them may be replaced.
func jsonSlots(text string, set func(string)) (out []slot) {
	eachValue(gjson.Parse(text), "", 3, func(path, _ string, x gjson.Result) bool {
		if s := textOf(x); x.Type == gjson.Number || x.Type == gjson.String {
			at, end := x.Index, x.Index+len(x.Raw)
			out = append(out, slot{path, s, func(placeholder string) {
				if x.Type == gjson.String {
					placeholder = `"` + placeholder + `"`
				}
				if at > 0 && end <= len(text) && text[at:end] == x.Raw {
					set(text[:at] + placeholder + text[end:])
				}
			}})
		}
		return len(out) <= 200
	})
	return out
}

// takePage inserts placeholders for the page number or offset, and the page size.
func (r *Recipe) takePage(slots []slot) bool {
	p := &r.Request.Page
	size := slices.IndexFunc(slots, func(s slot) bool {
		n, err := strconv.Atoi(s.value)
		return err == nil && n >= 1 && n <= 1_000 && sizeNames.MatchString(s.name) && !pageNames.MatchString(s.name)
	})
	if size >= 0 {
		p.Size, _ = strconv.Atoi(slots[size].value)
	}
	find := func(names *htmldoc.Pattern) int { // none of a size matches them
		return slices.IndexFunc(slots, func(s slot) bool {
			return isNumber(s.value) && names.MatchString(s.name) && !notPages.MatchString(s.name)
		})
	}
	at := find(pageNames)
	offset := at < 0
	if offset {
		at = find(offsetNames)
	}
	if at < 0 {
		return false
	}
	n, _ := strconv.Atoi(slots[at].value)
	if offset && (n == 0 || n >= 10) { // "pn=1" is a page, not an offset
		slots[at].put("{offset}")
		return true
	}
	// A copied request may be for a later page. 0 means that pages count from 0; other numbers mean from 1.
	p.First = min(n, 1)
	slots[at].put("{page}")
	return true
}

func isNumber(s string) bool {
	n, ok := allDigits(s)
	return ok && s != "" && n < 1_000_000
}

var pathPage = htmldoc.NewPattern(`([_\-/])(\d{1,4})(\.(?:s?html?|jspx?|json|js|do))$`)

// takePath finds the page number at the end of a path: list_2.html.
func (r *Recipe) takePath() bool {
	q := &r.Request
	base, query, has := strings.Cut(q.URL, "?")
	m := pathPage.FindStringSubmatchIndex(base)
	if m == nil {
		return false
	}
	n, err := strconv.Atoi(base[m[4]:m[5]])
	if err != nil {
		return false
	}
	q.Page.First = min(n, 1)
	q.URL = base[:m[4]] + "{page}" + base[m[5]:]
	if has {
		q.URL += "?" + query
	}
	return true
}

// Describe returns one line about how a recipe turns pages.
func (r *Recipe) Describe() string {
	p := &r.Request.Page
	switch {
	case r.mentions("offset"):
		return fmt.Sprintf("offset, %d rows a page", p.Size)
	case r.mentions("page") && p.Step > 1:
		return fmt.Sprintf("%d, %d, %d …", p.First, p.First+p.Step, p.First+2*p.Step)
	case r.mentions("page"):
		return fmt.Sprintf("pages from %d", p.First)
	}
	return "one page"
}
