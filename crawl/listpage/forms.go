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

// maxBody bounds what a form may send, in bytes.
const maxBody = 900 << 10

// pageFields are names of fields that say which page is asked for.
var pageFields = map[string]bool{"page": true, "pageno": true, "pagenum": true, "pagenumber": true, "pageindex": true,
	"currentpage": true, "curpage": true, "currpage": true,
	"cur_page": true, "current_page": true, "page_no": true, "page_num": true, "page_index": true, "nowpage": true,
	"gotopage": true, "topage": true, "pn": true, "p": true,
	"currentpageno": true, "pageid": true, "pagecurrent": true, "curpageno": true, "jumppage": true,
	"currentpageindex": true, "paging": true, "start_page": true, "pageint": true}

// pageField tells by its name that a field says which page is asked for. Names carry what
// frameworks put before them: "a1b2.pageNo", "ctl00$page", "list[page]".
func pageField(name string) bool {
	name = strings.ToLower(strings.TrimRight(name, "]"))
	if i := strings.LastIndexAny(name, ".$:[-"); i >= 0 {
		name = name[i+1:]
	}
	return pageFields[name]
}

// form is a form as it would be sent.
type form struct {
	node   int32
	method string
	action string
	fields []ScriptField
	ids    map[string]string // id of a field → its name
	why    string            // it is not to be sent; "" = it may be
	state  bool              // it carries what the server gave out with this page
}

// readForm reads a form with the values that its fields have.
func (f *PaginationFinder) readForm(node int32) *form {
	h := f.Tree.Nodes[node].HTML
	x := &form{node: node, method: "GET", action: htmldoc.Attr(h, "action"), ids: map[string]string{}}
	if strings.EqualFold(htmldoc.Attr(h, "method"), "post") {
		x.method = "POST"
	}
	x.why = purpose(x.action + " " + htmldoc.Attr(h, "id") + " " + htmldoc.Attr(h, "name"))
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
				x.why = "it asks for a password"
			case "file":
				x.why = "it asks for a file"
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
		if kind == "hidden" && stateful(name) && value != "" {
			x.state = true
		}
		x.fields = append(x.fields, ScriptField{Name: name, Value: value})
	}
	return x
}

// stateful tells by its name that a field holds what a server gives out with a page.
func stateful(name string) bool {
	return htmldoc.AnyWord(strings.ToLower(name), strings.Contains, "viewstate", "eventvalidation", "csrf", "token",
		"nonce", "__requestverification")
}

// others are words in the address or the name of a form that is for something else.
var others = []string{"login", "logon", "logout", "signin", "regist", "passw", "delete", "remove", "pay", "order.",
	"vote", "comment", "feedback", "guestbook", "message", "upload", "subscribe", "cart", "save"}

// purpose says why a form is not sent by what it is called; "" when it may be.
func purpose(s string) string {
	s = strings.ToLower(s)
	for _, o := range others {
		if strings.Contains(s, o) {
			return "its name says that it does something else (" + strings.Trim(o, ".") + ")"
		}
	}
	return ""
}

// set gives a field, named by its name or id, a value.
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

// page is the number that the form's page field holds; 0 = there is none.
func (x *form) page() (n int, name string) {
	for i := range x.fields {
		if n, err := strconv.Atoi(x.fields[i].Value); err == nil && n > 0 && n < 100_000 &&
			pageField(x.fields[i].Name) {
			return n, x.fields[i].Name
		}
	}
	return 0, ""
}

// turn makes a request of a form that brings a page.
func (f *PaginationFinder) turn(x *form, page int, source string) (t PageRequest, why string) {
	if x.why != "" {
		return t, x.why
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
		b.WriteString(f.encode(x.fields[i].Name))
		b.WriteByte('=')
		b.WriteString(f.encode(x.fields[i].Value))
		if b.Len() > maxBody {
			return t, "it sends more than " + strconv.Itoa(maxBody>>10) + " KB"
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
	t.Body, t.ContentType, t.Expires = b.String(), "application/x-www-form-urlencoded", x.state
	name := "post"
	if source == KindPostback {
		name, t.Expires = KindPostback, true
	}
	t.Name = name + ":page=" + strconv.Itoa(page)
	return t, ""
}

// encode escapes a name or a value as forms do, in the charset of the page.
func (f *PaginationFinder) encode(s string) string {
	if f.Charset == "" || f.Charset == "utf-8" {
		return url.QueryEscape(s)
	}
	var b strings.Builder
	for _, r := range s {
		if r < utf8.RuneSelf {
			b.WriteString(url.QueryEscape(string(r)))
		} else if e := urls.EncodeQuery(f.Charset, "?"+string(r)); strings.HasPrefix(e, "?&#") { // a character that the charset lacks
			b.WriteString(url.QueryEscape(e[1:]))
		} else {
			b.WriteString(e[1:])
		}
	}
	return b.String()
}
