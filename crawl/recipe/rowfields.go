package recipe

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"angler/crawl/htmldoc"
)

// This file finds the rows in an undescribed reply, and their fields for title, date, address and text.

// array is an array of objects in JSON.
type array struct {
	path   string
	unwrap []string
	n      int
	sample []gjson.Result // first rows
	json   string         // the JSON that path refers to
}

// Limits of the search.
const (
	sampled   = 40
	maxArrays = 60
	maxFields = 200
	maxLevels = 6
)

// arraysOf returns the arrays with at least one object, longest first.
func arraysOf(json string, limit int) []array {
	var out []array
	walkJSON(json, gjson.Parse(json), "", nil, 0, &out, nil)
	slices.SortStableFunc(out, func(a, b array) int { return cmp.Compare(b.n, a.n) })
	return out[:min(len(out), limit)]
}

// walkJSON walks JSON, also inside strings with JSON. It passes HTML strings with links to html.
func walkJSON(json string, v gjson.Result, path string, unwrap []string, level int, out *[]array,
	html func(path string, unwrap []string, text string)) {
	if level > maxLevels || len(*out) >= maxArrays {
		return
	}
	switch {
	case v.IsArray():
		a := array{path: cmp.Or(path, "@this"), unwrap: unwrap, json: json}
		v.ForEach(func(_, x gjson.Result) bool {
			if x.IsObject() {
				if a.n++; len(a.sample) < sampled {
					a.sample = append(a.sample, x)
				}
			}
			return a.n < maxRows
		})
		if a.n > 0 {
			*out = append(*out, a)
		}
	case v.IsObject():
		seen := 0
		v.ForEach(func(k, x gjson.Result) bool {
			if seen++; seen > maxFields {
				return false
			}
			if len(k.Str) > 0 && len(k.Str) < 100 {
				walkJSON(json, x, memberPath(path, k.Str), unwrap, level+1, out, html)
			}
			return true
		})
	case v.Type == gjson.String:
		if looksJSON(v.Str) && len(v.Str) > 20 && len(unwrap) < 3 {
			if inner, err := jsonOf([]byte(v.Str)); err == nil {
				walkJSON(inner, gjson.Parse(inner), "", append(slices.Clip(unwrap), cmp.Or(path, "@this")), 0, out,
					html)
			}
		} else if html != nil && strings.Count(v.Str, "<a")+strings.Count(v.Str, "onclick") >= 2 {
			html(cmp.Or(path, "@this"), unwrap, v.Str)
		}
	}
}

// memberPath returns the path of a member of the object at a path; "" is the outermost one.
func memberPath(path, key string) string {
	return strings.TrimPrefix(path+"."+gjson.Escape(key), ".")
}

// field holds statistics of one field of the rows.
type field struct {
	path    string
	texts   int // rows with a text or number
	letters int // characters in all rows
	han     int // Chinese characters among letters
	dates   int
	links   int // values that look like an address or path
	markup  int
	values  map[string]bool
	longest int
}

// fieldsOf collects the fields of the sampled rows, including nested objects.
func fieldsOf(rows []gjson.Result, r *Recipe) []*field {
	var order []*field
	by := map[string]*field{}
	for _, v := range rows {
		eachValue(v, "", 2, func(path, _ string, x gjson.Result) bool {
			s := strings.TrimSpace(textOf(x))
			if s == "" || x.Type == gjson.True || x.Type == gjson.False {
				return true
			}
			f := by[path]
			if f == nil {
				if len(order) > maxFields {
					return false
				}
				f = &field{path: path, values: map[string]bool{}}
				by[path] = f
				order = append(order, f)
			}
			f.meet(s, x, r)
			return true
		})
	}
	return order
}

// eachValue visits an object's members with path and key. It descends into member objects up to deep levels, until
// visit returns false. It visits at most maxFields members per object.
func eachValue(v gjson.Result, path string, deep int, visit func(path, key string, x gjson.Result) bool) bool {
	seen, on := 0, true
	v.ForEach(func(k, x gjson.Result) bool {
		if seen++; seen > maxFields {
			return false
		}
		p := memberPath(path, k.Str)
		if x.IsObject() && deep > 0 {
			on = eachValue(x, p, deep-1, visit)
		} else {
			on = visit(p, k.Str, x)
		}
		return on
	})
	return on
}

func (f *field) meet(s string, x gjson.Result, r *Recipe) {
	f.texts++
	f.values[s[:min(len(s), 300)]] = true
	n := 0
	for _, c := range s[:min(len(s), 3_000)] {
		n++
		if c >= 0x3400 && c <= 0x9fff {
			f.han++
		}
	}
	f.letters += n
	f.longest = max(f.longest, len(s))
	if len(s) < 60 && !r.date(x).IsZero() {
		f.dates++
	}
	if linkForm.MatchString(s) {
		f.links++
	}
	if strings.Contains(s, "</") || strings.Contains(s, "&lt;/") {
		f.markup++
	}
}

var linkForm = htmldoc.NewPattern(
	`^(?:https?://|//|/|\.{1,2}/)[^\s<>]+$|^[^\s<>]+\.(?:s?html?|jhtml|jspx?|aspx|php|do)(?:[?#]\S*)?$`)

// Names of fields, most certain first.
var (
	titleNames = htmldoc.NewPattern(
		`(?i)^(?:title|titlenew|titleshow|bulletin_?title|notice_?title|info_?title|article_?title|doc_?title|announcement_?title|xxbt|bt|ggbt)$`)
	titleLike = htmldoc.NewPattern(
		`(?i)(?:title|subject|headline|(?:bulletin|notice|section|project|announcement|tender|article|doc|info|gg)_?name|biaoti|xmmc|mc)$`)
	nameLike  = htmldoc.NewPattern(`(?i)(?:^|_)(?:name|bt|topic)$`)
	dateNames = htmldoc.NewPattern(
		`(?i)(?:publi[sc]|release|send|issue|info_?date|web_?date|pub_?(?:date|time)|rel_?time|notice_?time|fb(?:sj|rq)|fbdate|show_?(?:date|time)|timestamp|^date$|^time$)`)
	dateLike  = htmldoc.NewPattern(`(?i)(?:date|time|day|rq|sj|tm)`)
	dateOther = htmldoc.NewPattern(`(?i)(?:end|dead|expire|close|open|kb|jz|update|modify|edit|start|begin|sys|last)`)
	urlNames  = htmldoc.NewPattern(
		`(?i)(?:^|_|[a-z])(?:link_?url|info_?url|pub_?url|detail_?url|url|href|link|lianjie|static_?path)$`)
	idNames = htmldoc.NewPattern(
		`(?i)(?:^id$|guid$|uuid$|(?:article|info|notice|bulletin|news|doc|content|announcement|data|section|project|row|m)_?(?:id|key)$|_id$|[a-z]Id$|code$|key$)`)
	textNames  = htmldoc.NewPattern(`(?i)(?:content|text|body|html|detail|zw|nr)`)
	totalNames = htmldoc.NewPattern(
		`(?i)^(?:total|total_?(?:count|num|row|rows|size|elements|records)|count|record_?count|row_?count|records_?total|ttl_?row|sum|num_?found)$`)
	pagesNames = htmldoc.NewPattern(`(?i)^(?:pages|total_?pages?|page_?(?:count|total)|ttl_?page|page_?sum|last_?page)$`)
)

func share(n, of int) float64 { return float64(n) / float64(max(1, of)) }

// best returns the field with the highest score above 0; ties go to the earlier one.
func best(fields []*field, score func(*field) float64) *field {
	var out *field
	top := 0.0
	for _, f := range fields {
		if s := score(f); s > top {
			out, top = f, s
		}
	}
	return out
}

// named scores the last part of a field's path.
func (f *field) named(sure, like, other *htmldoc.Pattern) float64 {
	name := f.path[strings.LastIndexByte(f.path, '.')+1:]
	s := 0.0
	switch {
	case sure != nil && sure.MatchString(name):
		s = 2
	case like != nil && like.MatchString(name):
		s = 1
	}
	if other != nil && other.MatchString(name) {
		s -= .8
	}
	return s
}

// mapped is the interpretation of an array's fields.
type mapped struct {
	rows  rowPaths
	score float64
	ids   []string // fields that may identify a row, most certain first
	paths []string // all fields
}

// mapFields chooses title, date, address and text of an array; false if it is not a list of notices.
func mapFields(a *array, r *Recipe) (m mapped, ok bool) {
	fields := fieldsOf(a.sample, r)
	n := len(a.sample)
	for _, f := range fields {
		m.paths = append(m.paths, f.path)
	}
	title := best(fields, func(f *field) float64 {
		mean := share(f.letters, f.texts)
		if share(f.texts, n) < .6 || share(f.dates, f.texts) > .5 || share(f.links, f.texts) > .5 || mean < 4 ||
			mean > 400 {
			return 0
		}
		s := cmp.Or(f.named(titleNames, titleLike, nil), f.named(nil, nameLike, nil)/2)
		s += share(len(f.values), f.texts) + min(mean, 30)/30
		if share(f.han, f.letters) > .4 {
			s += .5
		}
		if mean > 150 {
			s -= 1.5
		}
		return s - .2*float64(strings.Count(f.path, "."))
	})
	if title == nil || n >= 3 && share(len(title.values), title.texts) < .4 {
		return m, false
	}
	date := best(fields, func(f *field) float64 {
		if f == title || share(f.dates, f.texts) < .7 || share(f.texts, n) < .5 {
			return 0
		}
		return .1 + share(f.texts, n) + f.named(dateNames, dateLike, dateOther)
	})
	link := best(fields, func(f *field) float64 {
		if f == title || share(f.links, f.texts) < .7 || share(f.texts, n) < .5 || n >= 3 &&
			share(len(f.values), f.texts) < .6 {
			return 0
		}
		return .1 + f.named(urlNames, nil, nil) + share(f.texts, n)
	})
	text := best(fields, func(f *field) float64 {
		if f == title || share(f.letters, f.texts) < 120 || share(f.texts, n) < .5 {
			return 0
		}
		return f.named(nil, textNames, nil) + share(f.markup, f.texts) + min(share(f.letters, f.texts), 2_000)/2_000
	})
	m.rows = rowPaths{Unwrap: a.unwrap, Path: a.path, Title: title.path}
	m.score = 1 + title.named(titleNames, titleLike, nil) + math.Log2(float64(1+min(a.n, 100)))/4
	if date != nil {
		m.rows.Date = date.path
		m.score += 1.5
	}
	if link != nil {
		m.rows.URL = link.path
		m.score += 1.5
	} else if text != nil {
		m.rows.Text = text.path
		m.score++
	}
	var ids []*field
	for _, f := range fields {
		if f != title && f != date && f != text && f.texts == n && len(f.values) == n && f.longest < 100 &&
			f.named(idNames, nil, nil) > 0 && f.dates == 0 {
			ids = append(ids, f)
		}
	}
	slices.SortStableFunc(ids, func(a, b *field) int { return cmp.Compare(idRank(a.path), idRank(b.path)) })
	for _, f := range ids {
		m.ids = append(m.ids, f.path)
	}
	if m.rows.Text != "" && len(m.ids) > 0 {
		m.rows.Key = m.ids[0]
	}
	if n < 2 && date == nil && link == nil {
		return m, false
	}
	return m, date != nil || link != nil || text != nil || len(m.ids) > 0
}

func idRank(path string) int {
	switch name := strings.ToLower(path[strings.LastIndexByte(path, '.')+1:]); {
	case strings.Contains(name, "guid"), strings.Contains(name, "uuid"), strings.HasSuffix(name, "infoid"),
		strings.HasSuffix(name, "articleid"):
		return 0
	case name == "id":
		return 1
	case strings.HasSuffix(name, "id"):
		return 2
	}
	return 3
}

// counters finds the stated numbers of rows and pages: numbers with usual names, nearest to the rows first.
func counters(a *array) (total, pages string) {
	parent := a.path
	for {
		parent = parent[:max(0, strings.LastIndexByte(parent, '.'))]
		if v := get(a.json, parent); v.IsObject() {
			counted(v, parent, a.n, &total, &pages)
		}
		if parent == "" {
			return total, pages
		}
	}
}

func counted(v gjson.Result, path string, rows int, total, pages *string) {
	eachValue(v, path, 2, func(p, key string, x gjson.Result) bool {
		n, digits := allDigits(textOf(x))
		switch {
		case !digits || textOf(x) == "":
		case *total == "" && int(n) >= rows && totalNames.MatchString(key):
			*total = p
		case *pages == "" && n >= 1 && pagesNames.MatchString(key):
			*pages = p
		}
		return true
	})
}
