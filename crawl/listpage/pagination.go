package listpage

import (
	"iter"
	"strconv"
	"strings"

	"angler/crawl/htmldoc"
	"angler/crawl/urls"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// fewRecords is how many entries a page must show to be worth turning.
const fewRecords = 2

// Find returns how the list of the page turns to its next page, by at most one request,
// what says that it does and cannot be sent, and the script files that would have to be
// read for it. address is that under which the page was fetched, records how many entries were
// found. Call it after Clicks.
func (f *PaginationFinder) Find(address string, records int) (found []PageRequest, named []MissingEntries, scripts []string) {
	if records < fewRecords {
		return nil, nil, f.wanted
	}
	f.settle()
	if found, named = f.nextPage(max(1, PageOf(address))); len(found) > 0 {
		return found, nil, f.wanted
	}
	if found = f.directPage(); len(found) > 0 {
		return found, nil, f.wanted
	}
	return nil, named, f.wanted
}

// nextPage returns the request for the page behind the current one, or the first element that would send it and
// cannot.
func (f *PaginationFinder) nextPage(current int) (found []PageRequest, named []MissingEntries) {
	for s := range f.sendings(current) {
		switch {
		case s.why == "" && s.request.Page > current:
			return []PageRequest{s.request}, nil
		case s.why != "" && named == nil:
			named = []MissingEntries{{Kind: s.kind, Text: cleaned(s.label), Why: s.why}}
		}
	}
	return nil, named
}

// PageOf is the page of its list that an address with a request's name names; 0 for none.
func PageOf(address string) int {
	_, name := urls.Split(address)
	if i := strings.LastIndex(name, "page="); i >= 0 {
		n, _ := strconv.Atoi(name[i+len("page="):])
		return max(0, n)
	}
	return 0
}

// sending is an element that sends a form, with its request or why that cannot be sent.
type sending struct {
	kind    string // KindForm or KindPostback
	label   string
	request PageRequest
	why     string
}

// sendings yields the elements that may send a form for the next page, the surest first: handlers that say so,
// handlers that show the next number, buttons that say so, and buttons beside a field for the number of a page.
func (f *PaginationFinder) sendings(current int) iter.Seq[sending] {
	next := strconv.Itoa(current + 1)
	isNext := func(anchor string) bool { return strings.TrimSpace(anchor) == next }
	return func(yield func(sending) bool) {
		for _, suits := range [...]func(string) bool{IsNextAnchor, isNext} {
			for i := range f.sends {
				s := &f.sends[i]
				if !suits(s.anchor) {
					continue
				}
				x := sending{kind: KindForm, label: s.anchor}
				if s.effect.Postback {
					x.kind = KindPostback
				}
				if x.request, x.why = f.sent(s, current); !yield(x) {
					return
				}
			}
		}
		for _, jump := range [...]bool{false, true} {
			for _, form := range f.Tree.Forms {
				for _, h := range f.Tree.InForm(form) {
					if x, ok := f.pressed(form, h, jump, current); ok && !yield(x) {
						return
					}
				}
			}
		}
	}
}

// sent is the request that an element sends.
func (f *PaginationFinder) sent(s *send, current int) (PageRequest, string) {
	e := s.effect
	node, ok := f.formOf(s.node, e)
	if !ok {
		return PageRequest{}, "the form that it sends is not on the page"
	}
	x := f.readForm(node)
	if e.Postback {
		page, _ := lastNumber(e.Argument) // "2", "Page$2"
		if page <= 0 {
			page = current + 1
		}
		x.set("__EVENTTARGET", e.Target)
		x.set("__EVENTARGUMENT", e.Argument)
		return f.turn(x, page, KindPostback)
	}
	if e.Action != "" {
		x.action = e.Action
		if x.why == "" {
			x.why = purpose(e.Action)
		}
	}
	page := 0
	for _, set := range e.Fields {
		x.set(set.Name, set.Value)
		if n, err := strconv.Atoi(set.Value); err == nil && n > current && page == 0 {
			page = n // what changes from page to page
		}
	}
	if page == 0 {
		if page, _ = x.page(); page <= current {
			page = current + 1
			if len(e.Fields) == 0 && e.Action == "" {
				return PageRequest{}, "nothing in it says which page it brings"
			}
		}
	}
	return f.turn(x, page, KindForm)
}

// formOf finds the form that is sent: by its name or number, by the fields that are set,
// or the one around the element; of a postback the one with a state.
func (f *PaginationFinder) formOf(node int32, e *ScriptEffect) (int32, bool) {
	t := f.Tree
	if n, ok := strings.CutPrefix(e.Form, "#"); ok {
		if i, err := strconv.Atoi(n); err == nil && i < len(t.Forms) {
			return t.Forms[i], true
		}
	}
	if e.Form != "" {
		for _, i := range t.Forms {
			if h := t.Nodes[i].HTML; htmldoc.Attr(h, "name") == e.Form || htmldoc.Attr(h, "id") == e.Form {
				return i, true
			}
		}
	}
	if e.Postback {
		for _, i := range t.Forms {
			for _, h := range t.InForm(i) {
				if strings.HasPrefix(htmldoc.Attr(h, "name"), "__") {
					return i, true
				}
			}
		}
	}
	for _, set := range e.Fields {
		for _, i := range t.Forms {
			for _, h := range t.InForm(i) {
				if htmldoc.Attr(h, "name") == set.Name || htmldoc.Attr(h, "id") == set.Name {
					return i, true
				}
			}
		}
	}
	for _, i := range t.Forms {
		if i <= node && node < t.Nodes[i].End {
			return i, true
		}
	}
	if len(t.Forms) == 1 {
		return t.Forms[0], true
	}
	return 0, false
}

// goWords stand on buttons that send the number of a page.
var goWords = map[string]bool{"go": true, "跳转": true, "转到": true, "跳到": true, "确定": true, "翻页": true, "转": true}

// buttonLabel returns what a button says that sends its form; "" for another element.
func buttonLabel(h *html.Node) string {
	kind := strings.ToLower(htmldoc.Attr(h, "type"))
	switch {
	case h.DataAtom == atom.Input && kind == "submit":
		return htmldoc.Attr(h, "value")
	case h.DataAtom == atom.Input && kind == "image":
		return htmldoc.Attr(h, "alt")
	case h.DataAtom == atom.Button && kind != "button" && kind != "reset" && h.FirstChild != nil:
		return strings.TrimSpace(h.FirstChild.Data)
	}
	return ""
}

// pressed returns what a button of a form sends: one for the next page, or, if jump is set, one beside a field for
// the number of a page. ok is false for another element.
func (f *PaginationFinder) pressed(form int32, h *html.Node, jump bool, current int) (s sending, ok bool) {
	s = sending{kind: KindForm, label: buttonLabel(h)}
	if !jump && !IsNextAnchor(s.label) || jump && !goWords[strings.ToLower(strings.TrimSpace(s.label))] {
		return s, false
	}
	x := f.readForm(form)
	n, name := x.page()
	switch {
	case jump && (n == 0 || n > current+1 || readPager(f.Tree.Text).pages <= current):
		return s, false // nothing says that there is another page
	case jump:
		x.set(name, strconv.Itoa(current+1))
	case htmldoc.Attr(h, "name") != "":
		x.set(htmldoc.Attr(h, "name"), htmldoc.Attr(h, "value"))
		if v, err := strconv.Atoi(htmldoc.Attr(h, "value")); err == nil {
			n = v
		}
	}
	s.request, s.why = f.turn(x, max(n, current+1), KindForm)
	return s, true
}
