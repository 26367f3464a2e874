package recipe

import (
	"cmp"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"angler/crawl/htmldoc"
	"angler/crawl/listpage"
)

// This file reads from a list's page what its replies lack: templates of row addresses, and sources of tokens.

// Limits of a page's scripts.
const (
	maxScripts     = 60
	maxScriptFiles = 8
)

// readPage stores the requesting page: title, text and inline scripts. It returns the addresses of script files that
// may build addresses.
func (x *Exchange) readPage(address, text string) (files []string) {
	x.Page = text
	base, err := url.Parse(address)
	if err != nil {
		return nil
	}
	doc, err := htmldoc.ParseWithin(text, parseTime)
	if err != nil {
		return nil
	}
	htmldoc.Walk(doc, func(n *html.Node) htmldoc.WalkStep {
		switch {
		case n.DataAtom == atom.Title && x.Title == "":
			x.Title = plainText(textWithin(n, 400), 200)
		case n.DataAtom != atom.Script || len(x.Scripts) >= maxScripts:
		case htmldoc.Attr(n, "src") != "":
			u, err := base.Parse(strings.TrimSpace(htmldoc.Attr(n, "src")))
			if err == nil && len(files) < maxScriptFiles && strings.EqualFold(u.Host, base.Host) &&
				!libraries.MatchString(strings.ToLower(u.Path[strings.LastIndexByte(u.Path, '/')+1:])) {
				files = append(files, withoutFragment(u.String()))
			}
		case n.FirstChild != nil:
			x.Scripts = append(x.Scripts, n.FirstChild.Data)
		}
		return htmldoc.WalkInto
	})
	return files
}

var libraries = htmldoc.NewPattern(
	`^(?:jquery|layui|bootstrap|vue|react|angular|mustache|swiper|echarts|moment|laydate|chosen|polyfill|lodash|underscore|axios|crypto|md5|base64|require|modernizr|html5shiv|respond|pagination|mricode|superslide|font|wow|ueditor|ckeditor)[\w.\-]*\.js`)

// rowURL returns the address template of a row for rows.url; "" if the page does not show it.
func (x *Exchange) rowURL(a *array, title string, paths []string) string {
	return cmp.Or(x.linkTemplate(a, title, paths), x.scriptTemplate(paths))
}

// linkTemplate compares the links of a rendered page with rows of the same title.
func (x *Exchange) linkTemplate(a *array, title string, paths []string) string {
	links, err := rowsOf(x.Page)
	if err != nil || len(links) == 0 {
		return ""
	}
	var rows []gjson.Result
	var hrefs []string
	for _, v := range a.sample {
		t := plainText(textOf(v.Get(title)), maxTitle)
		i := slices.IndexFunc(links, func(l listLink) bool {
			return t != "" &&
				strings.Contains(htmldoc.CleanLine(l.title, maxTitle), t)
		})
		if i < 0 {
			continue
		}
		href := links[i].href
		if c := links[i].call; c != nil {
			href = fill(x.callURL(c.Name), func(name, _ string) (string, bool) {
				n, _ := allDigits(name)
				return c.Args[max(0, min(int(n), len(c.Args))-1)], n > 0 && int(n) <= len(c.Args)
			})
		}
		if href != "" && !strings.HasPrefix(href, "#") && !strings.Contains(href, "{") {
			rows, hrefs = append(rows, v), append(hrefs, href)
		}
	}
	if len(rows) < min(2, len(a.sample)) || len(rows) == 0 {
		return ""
	}
	out, first := hrefs[0], rows[0]
	paths = slices.SortedStableFunc(slices.Values(paths), func(p, q string) int {
		return cmp.Compare(len(textOf(first.Get(q))), len(textOf(first.Get(p))))
	})
	for _, p := range paths {
		everywhere := true
		for i, v := range rows {
			everywhere = everywhere && wordAt(hrefs[i], textOf(v.Get(p))) >= 0
		}
		s := textOf(first.Get(p))
		if i := wordAt(out, s); everywhere && i >= 0 {
			out = out[:i] + "{" + p + "}" + out[i+len(s):]
		}
	}
	for i, v := range rows {
		if out == hrefs[0] || fill(out, func(p, _ string) (string, bool) { return textOf(v.Get(p)), true }) != hrefs[i] {
			return ""
		}
	}
	return single(out)
}

// wordAt returns the index of a text as a whole word in an address; -1 means absent.
func wordAt(address, text string) int {
	for from := 0; text != ""; {
		i := strings.Index(address[from:], text)
		if i < 0 {
			break
		}
		i += from
		end := i + len(text)
		if (i == 0 || !listpage.IsWordByte(address[i-1]) || address[i-1] == '_') &&
			(end == len(address) || !listpage.IsWordByte(address[end]) || address[end] == '_') &&
			strings.Count(address[:i], "{") == strings.Count(address[:i], "}") {
			return i
		}
		from = i + 1
	}
	return -1
}

var (
	mustache  = htmldoc.NewPattern(`\{\{[{&#=\-]?\s*([A-Za-z_$][\w.$]*)[^{}]*\}?\}\}`)
	addressIn = htmldoc.NewPattern(`href\s*=\s*\\?["']([^"'<>\\ ]*\{[\w.$]+\}[^"'<>\\ ]*)`)
)

// scriptTemplate finds the code that builds row links in the page's scripts.
func (x *Exchange) scriptTemplate(paths []string) string {
	fields := map[string]string{}
	for _, p := range paths {
		if name := lastPart(p); fields[name] == "" {
			fields[name] = "{" + p + "}"
		}
	}
	field := func(name string) (string, bool) { s, ok := fields[lastPart(name)]; return s, ok }
	r := &listpage.ScriptReader{Sources: x.Scripts, URL: cmp.Or(x.SeenOn, x.URL), Member: field}
	votes := map[string]int{}
	vote := func(address string, weight int) {
		if strings.Contains(address, "{") && !strings.HasPrefix(strings.ToLower(address), "javascript:") {
			votes[address] += weight
		}
	}
	for _, s := range x.Scripts {
		for _, m := range addressIn.Regexp().FindAllStringSubmatch(mustache.ReplaceAllString(s, "{$1}"), 20) {
			whole := true
			t := fill(m[1], func(name, _ string) (string, bool) {
				v, ok := field(name)
				whole = whole && ok
				return v, ok
			})
			if whole {
				vote(t, 3)
			}
		}
		for _, t := range listpage.ScriptTemplates(s) {
			vote(withBraces(r.Link(t, field)), 3)
		}
		for _, t := range listpage.ScriptAddresses(s) {
			vote(r.Join(t, field), 2)
		}
	}
	best := slices.SortedFunc(maps.Keys(votes),
		func(a, b string) int { return cmp.Or(cmp.Compare(votes[b], votes[a]), cmp.Compare(a, b)) })
	if len(best) == 0 {
		return ""
	}
	return single(best[0])
}

// callURL returns the address that a function of the page builds, with {1}, {2} … for its arguments; "" if the page
// does not show it.
func (x *Exchange) callURL(name string) string {
	r := &listpage.ScriptReader{Sources: x.Scripts, URL: cmp.Or(x.SeenOn, x.URL)}
	e, err := r.Read(name + "('{1}','{2}','{3}','{4}','{5}','{6}')")
	if err != nil {
		return ""
	}
	return withBraces(e.URL)
}

// withBraces decodes placeholders that encodeURIComponent has encoded.
func withBraces(s string) string { return strings.NewReplacer("%7B", "{", "%7D", "}").Replace(s) }

// single returns the field of a template that consists of one field.
func single(t string) string {
	if m := placeholders.FindStringSubmatchIndex(t); m != nil && m[0] == 0 && m[1] == len(t) && m[4] < 0 {
		return t[m[2]:m[3]]
	}
	return t
}

func lastPart(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

var (
	tokenNames   = htmldoc.NewPattern(`(?i)token|csrf|xsrf|nonce|__RequestVerification|sid$|authkey|siteguid`)
	tokenLetters = htmldoc.NewPattern(`[^A-Za-z0-9_]+`)
	declares     = htmldoc.NewPattern(`([A-Za-z_$][\w$]*)["']?\s*[:=]\s*["']$`)
)

// takeTokens replaces values found in the page by tokens, which a run reads from the page again.
func (r *Recipe) takeTokens(x *Exchange, nested string) {
	if x.Page == "" || r.SeenOn == "" {
		return
	}
	for _, k := range slices.Sorted(maps.Keys(r.Request.Headers)) {
		if p := r.token(x.Page, k, r.Request.Headers[k]); p != "" {
			r.Request.Headers[k] = p
		}
	}
	for range maxTokens { // each put moves the other places
		at := slices.IndexFunc(r.slots(nested), func(s slot) bool {
			v, err := url.QueryUnescape(s.value)
			p := r.token(x.Page, s.name, s.value)
			if p == "" && err == nil {
				p = r.token(x.Page, s.name, v)
			}
			if p != "" {
				s.put(p)
			}
			return p != ""
		})
		if at < 0 {
			return
		}
	}
}

// token returns the placeholder of a value found in the page; "" if it is absent.
func (r *Recipe) token(page, key, value string) string {
	if len(value) < 6 || strings.Contains(value, "{") || !tokenNames.MatchString(key) {
		return ""
	}
	name := strings.Trim(tokenLetters.ReplaceAllString(lastPart(key), "_"), "_")
	if name == "" || slices.Contains(builtinPlaceholders, name) || name[0] <= '9' {
		name = "token" + name
	}
	t := pageToken{Name: name, Selector: elementWith(page, value)}
	if t.Selector == "" {
		i := strings.Index(page, value)
		if i < 0 {
			return ""
		}
		m := declares.FindStringSubmatch(page[max(0, i-80):i])
		if m == nil {
			return ""
		}
		t.Regex = regexp.QuoteMeta(m[1]) + `["']?\s*[:=]\s*["']([^"']{4,})["']`
	}
	if v, ok := t.find([]byte(page)); !ok || v != value {
		return ""
	}
	i := slices.IndexFunc(r.Tokens, func(o pageToken) bool { return o.Name == name })
	switch {
	case i >= 0 && r.Tokens[i] != t || i < 0 && len(r.Tokens) == maxTokens:
		return ""
	case i < 0:
		r.Tokens = append(r.Tokens, t)
	}
	return "{" + name + "}"
}

// elementWith returns a selector of the input or meta element with a value; "" means none.
func elementWith(page, value string) (selector string) {
	doc, err := htmldoc.ParseWithin(page, parseTime)
	if err != nil {
		return ""
	}
	htmldoc.Walk(doc, func(n *html.Node) htmldoc.WalkStep {
		if n.DataAtom != atom.Input && n.DataAtom != atom.Meta ||
			cmp.Or(htmldoc.Attr(n, "value"), htmldoc.Attr(n, "content")) != value {
			return htmldoc.WalkInto
		}
		if id := htmldoc.Attr(n, "id"); id != "" {
			selector = "#" + id
		} else if name := htmldoc.Attr(n, "name"); name != "" {
			selector = n.Data + "[name=" + name + "]"
		}
		if _, err := selectorOf(selector); err != nil {
			selector = ""
			return htmldoc.WalkInto
		}
		return htmldoc.WalkStop
	})
	return selector
}
