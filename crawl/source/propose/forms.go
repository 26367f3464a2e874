package propose

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"angler/crawl/htmldoc"
	"angler/crawl/source"
)

// This file reads what a page itself says of requests: the fields of its forms, and
// pagers that call a function.

// maxDay is later than every date: nothing is too old or too new by it.
var maxDay = time.Date(2049, 12, 31, 0, 0, 0, 0, time.UTC)

// form is a form's fields with what they hold.
type form struct{ fields [][2]string }

// formsOf are the forms of a page by id, name and class.
func formsOf(text string) map[string]form {
	out := map[string]form{}
	if !strings.Contains(strings.ToLower(text), "<form") {
		return out
	}
	doc, err := htmldoc.ParseWithin(text, source.ParseTime)
	if err != nil {
		return out
	}
	var in *html.Node
	var f form
	eachNode(doc, func(n *html.Node) {
		if n.DataAtom == atom.Form {
			in, f = n, form{}
		}
		if in == nil {
			return
		}
		name, value, typ := htmldoc.Attr(n, "name"), htmldoc.Attr(n, "value"), strings.ToLower(htmldoc.Attr(n, "type"))
		switch n.DataAtom {
		case atom.Input:
			if typ == "button" || typ == "submit" || typ == "image" || typ == "file" || typ == "password" || typ == "reset" {
				return
			}
			if (typ == "checkbox" || typ == "radio") && !htmldoc.Has(n, "checked") {
				return
			}
		case atom.Select:
			value = htmldoc.Chosen(n)
		default:
			return
		}
		if name != "" && len(f.fields) < 100 && len(name) < 200 {
			f.fields = append(f.fields, [2]string{name, value})
			for _, k := range []string{"id", "name", "class"} {
				if v := htmldoc.Attr(in, k); v != "" {
					out[v] = f
				}
			}
			out["form"] = f
		}
	})
	return out
}

// eachNode calls fn for every node in the order of the document.
func eachNode(doc *html.Node, fn func(*html.Node)) {
	htmldoc.Walk(doc, func(n *html.Node) htmldoc.WalkStep { fn(n); return htmldoc.WalkInto })
}

var numberAlone = htmldoc.NewPattern(`^\d{1,4}$`)

// pagerOf is the template of the pages behind the first one where a pager leads to them
// by addresses that differ in a number, or calls a function of the scripts with it.
func pagerOf(p *Page, scripts []string) string {
	doc, err := htmldoc.ParseWithin(p.HTML, source.ParseTime)
	if err != nil {
		return ""
	}
	base, err := url.Parse(p.URL)
	if err != nil {
		return ""
	}
	out := ""
	eachNode(doc, func(n *html.Node) {
		if out != "" || n.DataAtom != atom.A {
			return
		}
		text := strings.TrimSpace(source.TextWithin(n, 40))
		if !numberAlone.MatchString(text) || text == "1" {
			return
		}
		number, _ := strconv.Atoi(text)
		href := htmldoc.Attr(n, "href")
		code, isCode := source.CutScheme(href)
		if c := source.CallIn(cmp.Or(code, htmldoc.Attr(n, "onclick"))); c != nil && (isCode || href == "" || strings.HasPrefix(href, "#")) {
			if t := callTemplate(c.Name, scripts); strings.Contains(t, "{1}") && c.Args[0] == text {
				if u, err := base.Parse(strings.ReplaceAll(t, "{1}", "PAGENUMBER")); err == nil {
					out = strings.Replace(u.String(), "PAGENUMBER", "{page}", 1)
				}
			}
			return
		}
		if href == "" || isCode || strings.HasPrefix(href, "#") {
			return
		}
		u, err := base.Parse(href)
		if err != nil {
			return
		}
		s := u.String()
		if i := strings.LastIndex(s, text); i > len(u.Scheme)+3+len(u.Host) && strings.Count(s[i:], text) == 1 && number < 1000 {
			out = s[:i] + "{page}" + s[i+len(text):]
		}
	})
	return out
}

// maxScripts bounds how many scripts of a page are looked at.
const maxScripts = 60

// PageOf reads a page with its inline scripts, and the addresses of those in files: the
// texts of these are to be fetched by whoever wants them (see Worth).
func PageOf(address, text string) *Page {
	p := &Page{URL: address, HTML: text}
	base, err := url.Parse(address)
	if err != nil {
		return p
	}
	doc, err := htmldoc.ParseWithin(text, source.ParseTime)
	if err != nil {
		return p
	}
	var files []Script
	eachNode(doc, func(n *html.Node) {
		switch n.DataAtom {
		case atom.Title:
			if p.Title == "" {
				p.Title = source.Plain(source.TextWithin(n, 400), 200)
			}
		case atom.Script:
			if len(p.Scripts)+len(files) >= maxScripts {
				return
			}
			if src := strings.TrimSpace(htmldoc.Attr(n, "src")); src != "" {
				if u, err := base.Parse(src); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
					u.Fragment = ""
					files = append(files, Script{URL: u.String()})
				}
				return
			}
			if n.FirstChild != nil && strings.TrimSpace(n.FirstChild.Data) != "" {
				p.Scripts = append(p.Scripts, Script{Text: n.FirstChild.Data})
			}
		}
	})
	p.Scripts = append(p.Scripts, files...)
	return p
}
