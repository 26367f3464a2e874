package listpage

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"angler/crawl/htmldoc"
	"angler/crawl/urls"

	"golang.org/x/net/html/atom"
)

// maxFormBytes bounds the encoded fields of a form.
const maxFormBytes = 900 << 10

// pageFields are names of fields that hold the number of the requested page.
var pageFields = map[string]bool{"page": true, "pageno": true, "pagenum": true, "pagenumber": true, "pageindex": true,
	"currentpage": true, "curpage": true, "currpage": true,
	"cur_page": true, "current_page": true, "page_no": true, "page_num": true, "page_index": true, "nowpage": true,
	"gotopage": true, "topage": true, "pn": true, "p": true,
	"currentpageno": true, "pageid": true, "pagecurrent": true, "curpageno": true, "jumppage": true,
	"currentpageindex": true, "paging": true, "start_page": true, "pageint": true}

// isPageField reports whether the name of a field is that of a page number. It ignores the prefixes
// of frameworks: "a1b2.pageNo", "ctl00$page", "list[page]".
func isPageField(name string) bool {
	name = strings.ToLower(strings.TrimRight(name, "]"))
	if i := strings.LastIndexAny(name, ".$:[-"); i >= 0 {
		name = name[i+1:]
	}
	return pageFields[name]
}

// form is a form as a browser would send it.
type form struct {
	method   string
	action   string
	fields   []ScriptField
	ids      map[string]string // id of a field → its name
	refusal  string            // why it must not be sent; "" means it may
	stateful bool              // it holds a value that the server issued with this page
}

// readForm reads a form with the current values of its fields.
func (f *PaginationFinder) readForm(node int32) *form {
	h := f.Tree.Nodes[node].HTML
	x := &form{method: "GET", action: htmldoc.Attr(h, "action"), ids: map[string]string{}}
	if strings.EqualFold(htmldoc.Attr(h, "method"), "post") {
		x.method = "POST"
	}
	x.refusal = nameRefusal(x.action + " " + htmldoc.Attr(h, "id") + " " + htmldoc.Attr(h, "name"))
	for _, h := range f.Tree.InForm(node) {
		name, id := htmldoc.Attr(h, "name"), htmldoc.Attr(h, "id")
		if id != "" {
			x.ids[id] = name
		}
		kind := strings.ToLower(htmldoc.Attr(h, "type"))
		value := htmldoc.Attr(h, "value")
		switch h.DataAtom {
		case atom.Button:
			continue
		case atom.Select:
			value = htmldoc.Chosen(h)
		case atom.Textarea:
			value = ""
			if h.FirstChild != nil {
				value = h.FirstChild.Data
			}
		case atom.Input:
			switch kind {
			case "password":
				x.refusal = "it asks for a password"
			case "file":
				x.refusal = "it asks for a file"
			case "submit", "button", "image", "reset":
				continue
			case "checkbox", "radio":
				if !htmldoc.Has(h, "checked") {
					continue
				}
				if value == "" {
					value = "on"
				}
			}
		}
		if name == "" || htmldoc.Has(h, "disabled") {
			continue
		}
		if kind == "hidden" && isStateField(name) && value != "" {
			x.stateful = true
		}
		x.fields = append(x.fields, ScriptField{Name: name, Value: value})
	}
	return x
}

// isStateField reports whether the name of a field is that of a value which a server issues with a
// page.
func isStateField(name string) bool {
	return htmldoc.AnyWord(strings.ToLower(name), strings.Contains, "viewstate", "eventvalidation", "csrf", "token",
		"nonce", "__requestverification")
}

// otherPurposes are words in the address or the name of a form that does not turn a page.
var otherPurposes = []string{"login", "logon", "logout", "signin", "regist", "passw", "delete", "remove", "pay",
	"order.", "vote", "comment", "feedback", "guestbook", "message", "upload", "subscribe", "cart", "save"}

// nameRefusal returns why a form must not be sent because of its name; "" means it may.
func nameRefusal(s string) string {
	s = strings.ToLower(s)
	for _, o := range otherPurposes {
		if strings.Contains(s, o) {
			return "its name says that it does something else (" + strings.Trim(o, ".") + ")"
		}
	}
	return ""
}

// set sets the value of a field, which is given by its name or id.
func (x *form) set(name, value string) {
	if n, ok := x.ids[name]; ok && n != "" {
		name = n
	}
	for i := range x.fields {
		if x.fields[i].Name == name {
			x.fields[i].Value = value
			return
		}
	}
	x.fields = append(x.fields, ScriptField{Name: name, Value: value})
}

// pageNumber returns the number in the form's page field and the name of that field; 0 without one.
func (x *form) pageNumber() (n int, name string) {
	for i := range x.fields {
		if n, err := strconv.Atoi(x.fields[i].Value); err == nil && n > 0 && n < 100_000 &&
			isPageField(x.fields[i].Name) {
			return n, x.fields[i].Name
		}
	}
	return 0, ""
}

// formRequest returns the request that sends a form to get a page. refusal is the reason if there
// is none.
func (f *PaginationFinder) formRequest(x *form, page int, source string) (t PageRequest, refusal string) {
	if x.refusal != "" {
		return t, x.refusal
	}
	u := f.Tree.URL
	if action := strings.TrimSpace(x.action); action != "" && action[0] != '#' {
		var err error
		if u, err = f.Resolver.ResolveIn(f.Charset, f.base, action); err != nil {
			return t, "its address cannot be fetched"
		}
	}
	if urls.HostOf(u) != urls.HostOf(f.Tree.URL) {
		return t, "it is sent to another host, " + urls.HostOf(u)
	}
	var b strings.Builder
	for i := range x.fields {
		if i > 0 {
			b.WriteByte('&')
		}
		b.WriteString(f.escapeForm(x.fields[i].Name))
		b.WriteByte('=')
		b.WriteString(f.escapeForm(x.fields[i].Value))
		if b.Len() > maxFormBytes {
			return t, "it sends more than " + strconv.Itoa(maxFormBytes>>10) + " KB"
		}
	}
	t = PageRequest{URL: u, Method: x.method, Page: page, Source: source}
	if x.method == "GET" {
		u, _, _ = strings.Cut(u, "?")
		canonical, err := f.Resolver.Canonical(u + "?" + b.String())
		if err != nil || canonical == f.Tree.URL {
			return t, "its address cannot be fetched"
		}
		t.URL = canonical
		return t, ""
	}
	t.Body, t.ContentType, t.Expires = b.String(), "application/x-www-form-urlencoded", x.stateful
	name := "post"
	if source == KindPostback {
		name, t.Expires = KindPostback, true
	}
	t.Name = name + ":page=" + strconv.Itoa(page)
	return t, ""
}

// escapeForm escapes a name or a value as forms do, in the charset of the page.
func (f *PaginationFinder) escapeForm(s string) string {
	if f.Charset == "" || f.Charset == "utf-8" {
		return url.QueryEscape(s)
	}
	var b strings.Builder
	for _, r := range s {
		if r < utf8.RuneSelf {
			b.WriteString(url.QueryEscape(string(r)))
		} else if e := urls.EncodeQuery(f.Charset, "?"+string(r)); strings.HasPrefix(e, "?&#") {
			// the charset lacks the character
			b.WriteString(url.QueryEscape(e[1:]))
		} else {
			b.WriteString(e[1:])
		}
	}
	return b.String()
}
