// Package propose finds the request that brings the list of a page: in the inline scripts
// and script files of the page, in what a browser has copied as cURL, and by the signs of
// software that many sites run. Scripts are read, never run: literals, what is put
// together of them, and functions that build an address.
//
// Nothing is fetched here. A Draft has to be tried before it is a recipe. Reading the
// scripts of a page costs some milliseconds. They are hostile: bytes, tokens, depth and
// the work on each are bounded.
package propose

import (
	"cmp"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"angler/crawl/htmldoc"
	"angler/crawl/source"
)

// This file proposes requests from what stands in the scripts of a page.

// Page is a page that somebody knows, and whose list is empty.
type Page struct {
	URL     string
	HTML    string
	Title   string
	Scripts []Script // inline ones first, in the order of the page
}

// Script is a script of a page.
type Script struct {
	URL  string // "" = inline
	Text string
}

// Draft is a request that may bring the list of a page. What it brings has to be seen
// before it is a recipe: send Recipe.Make(source.First), and call Finish.
type Draft struct {
	Recipe     *source.Recipe // without rows, but for those of a family
	Why        string         // where it was found
	From       string         // the same as one of source.FromPage, FromScript and FromFamily
	Unreadable string         // why it is not asked: signed, encrypted, behind a captcha; "" = it may be asked
	Score      int            // the higher, the likelier
	notes      []string
	exchange   source.Exchange
}

// MaxDrafts is how many requests of a page are worth trying.
const MaxDrafts = 6

// Drafts are the requests that may bring the list of a page, the likeliest first.
func Drafts(p *Page) []*Draft {
	var texts []string
	for i := range p.Scripts {
		texts = append(texts, p.Scripts[i].Text)
	}
	form := formsOf(p.HTML)
	var out []*Draft
	for i := range p.Scripts {
		sc := &p.Scripts[i]
		if len(sc.Text) < 20 || library(sc) {
			continue
		}
		s := readScript(sc.Text)
		for _, a := range s.asks() {
			if d := a.draft(p, s, sc, form); d != nil {
				Scripts(&d.exchange, texts)
				out = append(out, d)
			}
		}
	}
	if d := epoint(p, texts); d != nil {
		Scripts(&d.exchange, texts)
		out = append(out, d)
	}
	if d := opened(p, texts); d != nil {
		out = append(out, d)
	}
	slices.SortStableFunc(out, func(a, b *Draft) int { return cmp.Compare(b.Score, a.Score) })
	seen := map[string]bool{}
	out = slices.DeleteFunc(out, func(d *Draft) bool {
		k := d.Recipe.Request.Method + d.Recipe.Request.URL + d.Recipe.Request.Body
		old := seen[k]
		seen[k] = true
		return old || d.Score < 0
	})
	return out[:min(len(out), MaxDrafts)]
}

// Finish makes the draft a recipe by the reply to its first page.
func (d *Draft) Finish(reply *source.Reply) (*source.Recipe, []string, error) {
	r := *d.Recipe
	if r.Rows.Title != "" || r.Rows.HTML != "" { // of a family
		if _, err := r.Read(reply, source.First, maxDay); err == nil {
			return &r, d.notes, r.Check()
		}
	}
	switch {
	case reply.Status != 200:
		_, err := (&source.Recipe{}).Read(reply, source.First, maxDay)
		return nil, nil, err
	case reply.Truncated:
		return nil, nil, source.NewUnfit(source.Broken, "the reply is too long")
	}
	x := d.exchange
	x.URL, x.Reply, x.Type = reply.URL, reply.Body, reply.ContentType
	rows, notes, err := r.DescribeRows(&x)
	if err != nil {
		return nil, nil, err
	}
	r.Rows = rows
	if r.Request.Page.Size == 0 {
		if res, err := r.Read(reply, source.First, maxDay); err == nil {
			r.Request.Page.Size = len(res.Rows) + res.Left
		}
	}
	if r.ID == "" {
		r.ID = source.IDFor(&r)
	}
	return &r, append(slices.Clone(d.notes), notes...), r.Check()
}

// Scripts has an exchange read by the scripts of its page.
func Scripts(x *source.Exchange, texts []string) {
	x.RowURL = func(fields []string) string { return rowTemplate(texts, fields) }
	x.CallURL = func(name string) string { return callTemplate(name, texts) }
}

// library tells scripts of others by their names: they hold no list.
func library(s *Script) bool {
	return s.URL != "" && libraries.MatchString(strings.ToLower(s.URL[strings.LastIndexByte(s.URL, '/')+1:]))
}

var libraries = htmldoc.NewPattern(`^(?:jquery|layui|bootstrap|vue|react|angular|mustache|swiper|echarts|moment|laydate|chosen|polyfill|lodash|underscore|axios|crypto|md5|base64|require|modernizr|html5shiv|respond|pagination|mricode|superslide|font|wow|ueditor|ckeditor)[\w.\-]*\.js`)

// Worth tells which scripts of a page are fetched to look for requests: of the same host,
// and none of the well-source.Known libraries.
func Worth(page, script string) bool {
	return source.HostOf(page) == source.HostOf(script) && !library(&Script{URL: script})
}

var (
	listWords = htmldoc.NewPattern(`(?i)list|page|search|query|notice|trade|info|bulletin|article|content|record|fulltext|gg|data|select|find|cg|zb`)
	sideWords = htmldoc.NewPattern(`(?i)login|logout|captcha|verif|sms|upload|visit|hits?count|click|count(?:er)?$|weather|save|delete|remove|insert|update|feedback|comment|vote|user|menu|dict|area|region|head|foot|banner|config|\.(?:css|png|jpe?g|gif|svg|xml|tpl)(?:$|\?)`)
)

// draft makes a request of a script a draft; nil when it cannot be one of a list.
func (a *ask) draft(p *Page, s *script, sc *Script, forms map[string]form) *Draft {
	b := &builder{page: p, script: s, file: sc, forms: forms}
	address := b.text(a.url, "", a.at)
	base, err := url.Parse(p.URL)
	if err != nil {
		return nil
	}
	if i := strings.IndexByte(address, '{'); i >= 0 && i < strings.Index(address+"?", "?") {
		return nil // a path that is put together of something unknown
	}
	u, err := base.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return nil
	}
	d := &Draft{Why: cmp.Or(sc.URL, "a script of the page") + " asks " + u.Path, From: source.FromPage}
	if sc.URL != "" {
		d.From = source.FromScript
	}
	x := source.Exchange{SeenOn: p.URL, Title: p.Title, Method: cmp.Or(a.method, "GET")}
	query := u.RawQuery
	add := func(e *expr) {
		for _, kv := range b.pairs(e, a.at) {
			if query != "" {
				query += "&"
			}
			query += url.QueryEscape(kv[0]) + "=" + escapeBut(kv[1])
		}
	}
	add(a.query)
	switch {
	case x.Method == "GET":
		add(a.data)
	case a.data != nil && (a.asJSON || strings.Contains(strings.ToLower(a.kind), "json") || jsonHeader(a.headers)):
		x.Body = b.json(a.data, a.at, 0)
		x.Headers = map[string]string{"Content-Type": cmp.Or(a.kind, "application/json")}
	case a.data != nil && a.data.kind == isText && source.LooksJSON(a.data.s):
		x.Body = a.data.s
	default:
		x.Body = b.form(a.data, a.at)
	}
	names := make([]string, 0, len(a.extra))
	for k := range a.extra {
		names = append(names, k)
	}
	slices.Sort(names)
	for _, k := range names {
		if x.Method == "POST" && !source.LooksJSON(x.Body) {
			x.Body = strings.TrimPrefix(x.Body+"&"+k+"="+a.extra[k], "&")
		} else if x.Method == "GET" {
			query = strings.TrimPrefix(query+"&"+k+"="+a.extra[k], "&")
		}
	}
	if a.jsonp && len(a.extra) == 0 && !strings.Contains(query, "callback=") {
		query = strings.TrimPrefix(query+"&"+cmp.Or(a.callback, "callback")+"=result", "&")
	}
	u.RawQuery, u.Fragment = query, ""
	x.URL = strings.NewReplacer("%7B", "{", "%7D", "}").Replace(u.String())
	if a.headers != nil && a.headers.kind == isObject {
		for i, k := range a.headers.keys {
			if v := b.value(k, &a.headers.values[i], a.at); v != "" && !strings.Contains(v, "{x}") {
				if x.Headers == nil {
					x.Headers = map[string]string{}
				}
				x.Headers[k] = v
			}
		}
	}
	d.Recipe = &source.Recipe{Name: source.NameOf(&x), SeenOn: p.URL, Tokens: b.tokens}
	d.notes = append(b.notes, d.Recipe.SetRequest(&x)...)
	d.exchange = x
	d.Score = a.score(d, u, x.Body)
	d.Unreadable = unreadable(s, a, x.Headers)
	if source.HostOf(x.URL) != source.HostOf(p.URL) {
		d.notes = append(d.notes, "the list comes from another host, "+source.HostOf(x.URL)+": it must be in scope")
	}
	return d
}

// score is how likely a request is the list's.
func (a *ask) score(d *Draft, u *url.URL, body string) int {
	score := 0
	if d.Recipe.Mentions("page") || d.Recipe.Mentions("offset") {
		score += 5
	}
	if d.Recipe.Request.Page.Size > 0 {
		score += 2
	}
	if listWords.MatchString(u.Path) {
		score++
	}
	if sideWords.MatchString(u.Path) {
		score -= 4
	}
	if body == "" && u.RawQuery == "" {
		score--
	}
	if strings.HasSuffix(u.Path, ".js") || strings.HasSuffix(u.Path, ".html") && u.RawQuery == "" {
		score -= 6
	}
	return score
}

func jsonHeader(h *expr) bool {
	if h == nil || h.kind != isObject {
		return false
	}
	for i, k := range h.keys {
		if strings.EqualFold(k, "content-type") && strings.Contains(strings.ToLower(h.values[i].text()), "json") {
			return true
		}
	}
	return false
}

// opened proposes the page itself where its rows open by a function of a script.
func opened(p *Page, scripts []string) *Draft {
	x := &source.Exchange{SeenOn: p.URL, Title: p.Title, Method: "GET", URL: p.URL}
	Scripts(x, scripts)
	rows, notes, ok := source.FromFragment("@this", nil, p.HTML, x)
	if !ok || rows.URL == "" {
		return nil
	}
	d := &Draft{Why: "the rows of the page open by a function of its scripts", From: source.FromPage, Score: 3, exchange: *x}
	d.Recipe = &source.Recipe{Name: source.NameOf(x), SeenOn: p.URL}
	d.notes = append(d.Recipe.SetRequest(x), notes...)
	d.Recipe.Rows = rows
	d.Recipe.ID = source.IDFor(d.Recipe)
	if next := pagerOf(p, scripts); next != "" && !d.Recipe.Mentions("page") {
		d.Recipe.Request.URL, d.Recipe.Request.FirstURL = next, p.URL
		d.Recipe.Request.Page = source.Pages{First: 1, Step: 1}
		d.notes = nil
	}
	return d
}

// Says is what a draft asks, in a line.
func (d *Draft) Says() string {
	q := &d.Recipe.Request
	return fmt.Sprintf("%s %s", d.Recipe.Sends(), q.URL)
}
