package listpage

import (
	"strconv"
	"strings"

	"angler/crawl/htmldoc"
	"angler/crawl/urls"

	"golang.org/x/net/html/atom"
)

// fewRecords is how many entries a page must show to be worth turning.
const fewRecords = 2

// Find returns how the list of the page turns to its next page, by at most one request,
// what says that it does and cannot be sent, and the script files that would have to be
// read for it. address is that under which the page was fetched, records how many entries were
// found. Call it after Clicks.
func (f *PaginationFinder) Find(address string, records int) (found []PageRequest, named []MissingEntries, scripts []string) {
	t := f.Tree
	if len(t.Forms) == 0 && len(f.sends) == 0 && len(f.wanted) == 0 {
		return nil, nil, nil
	}
	f.settle()
	if records >= fewRecords {
		current := max(1, PageOf(address))
		turn, refused, ok := f.bySend(current)
		if !ok {
			turn, refused, ok = f.byButton(current, refused)
		}
		switch {
		case ok:
			found = append(found, turn)
		case refused.Why != "":
			named = append(named, refused)
		}
	}
	return found, named, f.wanted
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

// bySend looks for an element whose handler sends a form for the next page: one that says
// so, else one that shows the next number.
func (f *PaginationFinder) bySend(current int) (best PageRequest, refused MissingEntries, ok bool) {
	for _, numbered := range [...]bool{false, true} {
		for i := range f.sends {
			s := &f.sends[i]
			if numbered && strings.TrimSpace(s.anchor) != strconv.Itoa(current+1) || !numbered &&
				!IsNextAnchor(s.anchor) {
				continue
			}
			t, why := f.sent(s, current)
			if why == "" && t.Page > current {
				return t, refused, true
			}
			if why != "" && refused.Why == "" {
				kind := KindForm
				if s.effect.Postback {
					kind = KindPostback
				}
				refused = MissingEntries{Kind: kind, Text: cleaned(s.anchor), Why: why}
			}
		}
	}
	return best, refused, false
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

// byButton looks for a button that sends a form for the next page: one that says so, else
// one beside a field for the number of a page.
func (f *PaginationFinder) byButton(current int, refused MissingEntries) (PageRequest, MissingEntries, bool) {
	t := f.Tree
	for _, jump := range [...]bool{false, true} {
		for _, i := range t.Forms {
			for _, h := range t.InForm(i) {
				kind := strings.ToLower(htmldoc.Attr(h, "type"))
				var label string
				switch {
				case h.DataAtom == atom.Input && (kind == "submit" || kind == "image"):
					label = htmldoc.Attr(h, "value")
					if kind == "image" {
						label = htmldoc.Attr(h, "alt")
					}
				case h.DataAtom == atom.Button && kind != "button" && kind != "reset" && h.FirstChild != nil:
					label = strings.TrimSpace(h.FirstChild.Data)
				default:
					continue
				}
				if !jump && !IsNextAnchor(label) || jump && !goWords[strings.ToLower(strings.TrimSpace(label))] {
					continue
				}
				x := f.readForm(i)
				n, name := x.page()
				switch {
				case jump && (n == 0 || n > current+1 || read(t.Text).pages <= current):
					continue // nothing says that there is another page
				case jump:
					x.set(name, strconv.Itoa(current+1))
					n = current + 1
				case htmldoc.Attr(h, "name") != "":
					x.set(htmldoc.Attr(h, "name"), htmldoc.Attr(h, "value"))
					if v, err := strconv.Atoi(htmldoc.Attr(h, "value")); err == nil {
						n = v
					}
				}
				if n <= current {
					n = current + 1
				}
				turn, why := f.turn(x, n, KindForm)
				if why == "" {
					return turn, refused, true
				}
				if refused.Why == "" {
					refused = MissingEntries{Kind: KindForm, Text: cleaned(label), Why: why}
				}
			}
		}
	}
	return PageRequest{}, refused, false
}
