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

// minRecords is the least number of entries of a page that Find reads.
const minRecords = 2

// Find returns at most one request for the next page of the list. Without one, named describes an
// element that would turn the page and cannot be followed. scripts are the script files that are
// still needed. address is the address of the page, records the number of its entries. Call it
// after Clicks.
func (f *PaginationFinder) Find(address string,
	records int) (found []PageRequest, named []MissingEntries, scripts []string) {
	if records < minRecords {
		return nil, nil, f.wantedFiles
	}
	f.resolveBase()
	if found, named = f.nextPage(max(1, PageOf(address))); len(found) > 0 {
		return found, nil, f.wantedFiles
	}
	if found = f.directPage(); len(found) > 0 {
		return found, nil, f.wantedFiles
	}
	return nil, named, f.wantedFiles
}

// nextPage returns the request for the page after the current one. Without one it returns the first
// element that would send it and cannot.
func (f *PaginationFinder) nextPage(current int) (found []PageRequest, named []MissingEntries) {
	for s := range f.submissions(current) {
		switch {
		case s.refusal == "" && s.request.Page > current:
			return []PageRequest{s.request}, nil
		case s.refusal != "" && named == nil:
			named = []MissingEntries{{Kind: s.kind, Text: htmldoc.CleanLine(s.label, 60), Why: s.refusal}}
		}
	}
	return nil, named
}

// PageOf returns the page number in an address with a request's name; 0 for none.
func PageOf(address string) int {
	_, name := urls.Split(address)
	if i := strings.LastIndex(name, "page="); i >= 0 {
		n, _ := strconv.Atoi(name[i+len("page="):])
		return max(0, n)
	}
	return 0
}

// submission is an element that sends a form, with its request or the reason for none.
type submission struct {
	kind    string // KindForm or KindPostback
	label   string
	request PageRequest
	refusal string
}

// submissions yields the elements that may send a form for the next page, the surest first.
// Handlers labelled as next page come first, then handlers labelled with the next number. Buttons
// for the next page follow, then buttons beside a page number field.
func (f *PaginationFinder) submissions(current int) iter.Seq[submission] {
	next := strconv.Itoa(current + 1)
	isNext := func(anchor string) bool { return strings.TrimSpace(anchor) == next }
	return func(yield func(submission) bool) {
		for _, matches := range [...]func(string) bool{IsNextAnchor, isNext} {
			for i := range f.formClicks {
				s := &f.formClicks[i]
				if !matches(s.anchor) {
					continue
				}
				x := submission{kind: KindForm, label: s.anchor}
				if s.effect.Postback {
					x.kind = KindPostback
				}
				if x.request, x.refusal = f.clickRequest(s, current); !yield(x) {
					return
				}
			}
		}
		for _, jump := range [...]bool{false, true} {
			for _, form := range f.Tree.Forms {
				for _, h := range f.Tree.InForm(form) {
					if x, ok := f.buttonSubmission(form, h, jump, current); ok && !yield(x) {
						return
					}
				}
			}
		}
	}
}

// clickRequest returns the request that a click sends, or the reason for none.
func (f *PaginationFinder) clickRequest(s *formClick, current int) (PageRequest, string) {
	e := s.effect
	node, ok := f.findForm(s.node, e)
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
		return f.formRequest(x, page, KindPostback)
	}
	if e.Action != "" {
		x.action = e.Action
		if x.refusal == "" {
			x.refusal = nameRefusal(e.Action)
		}
	}
	page := 0
	for _, set := range e.Fields {
		x.set(set.Name, set.Value)
		if n, err := strconv.Atoi(set.Value); err == nil && n > current && page == 0 {
			page = n // the field changes from page to page
		}
	}
	if page == 0 {
		if page, _ = x.pageNumber(); page <= current {
			page = current + 1
			if len(e.Fields) == 0 && e.Action == "" {
				return PageRequest{}, "nothing in it says which page it brings"
			}
		}
	}
	return f.formRequest(x, page, KindForm)
}

// findForm returns the form that is sent. It searches by name or number, then by the fields that
// are set, then around the element. For a postback it takes the form with a state.
func (f *PaginationFinder) findForm(node int32, e *ScriptEffect) (int32, bool) {
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

// jumpLabels are labels of buttons that send the number of a page.
var jumpLabels = map[string]bool{"go": true, "跳转": true, "转到": true, "跳到": true, "确定": true, "翻页": true, "转": true}

// buttonLabel returns the label of a button that sends its form; "" for another element.
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

// buttonSubmission returns the submission of a button for the next page. If jump is set, the button
// must stand beside a field for the page number instead. ok is false for another element.
func (f *PaginationFinder) buttonSubmission(form int32, h *html.Node, jump bool, current int) (s submission, ok bool) {
	s = submission{kind: KindForm, label: buttonLabel(h)}
	if !jump && !IsNextAnchor(s.label) || jump && !jumpLabels[strings.ToLower(strings.TrimSpace(s.label))] {
		return s, false
	}
	x := f.readForm(form)
	n, name := x.pageNumber()
	switch {
	case jump && (n == 0 || n > current+1 || readPager(f.Tree.Text).pages <= current):
		return s, false // the page states no further page
	case jump:
		x.set(name, strconv.Itoa(current+1))
	case htmldoc.Attr(h, "name") != "":
		x.set(htmldoc.Attr(h, "name"), htmldoc.Attr(h, "value"))
		if v, err := strconv.Atoi(htmldoc.Attr(h, "value")); err == nil {
			n = v
		}
	}
	s.request, s.refusal = f.formRequest(x, max(n, current+1), KindForm)
	return s, true
}
