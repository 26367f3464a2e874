package recipe

import (
	"maps"
	"slices"
	"strings"

	"angler/crawl/htmldoc"
)

// This file fills placeholders.

// placeholders matches a name in braces, with a date format after a colon. Other braces, such as JSON, stay.
var placeholders = htmldoc.NewPattern(`\{([A-Za-z0-9_@][A-Za-z0-9_.\-@#]*)(?::([^{}"]{1,40}))?\}`)

var nameOnly = htmldoc.NewPattern(`^[A-Za-z_][A-Za-z0-9_]*$`)

// builtinPlaceholders lists the placeholders of requests that are not tokens.
var builtinPlaceholders = []string{"page", "offset", "size", "from", "to", "now"}

// fill replaces the placeholders that value knows.
func fill(template string, value func(name, form string) (string, bool)) string {
	if !strings.Contains(template, "{") {
		return template
	}
	var b strings.Builder
	last := 0
	for _, m := range placeholders.Regexp().FindAllStringSubmatchIndex(template, -1) {
		form := ""
		if m[4] >= 0 {
			form = template[m[4]:m[5]]
		}
		v, ok := value(template[m[2]:m[3]], form)
		if !ok {
			continue
		}
		b.WriteString(template[last:m[0]])
		b.WriteString(v)
		last = m[1]
	}
	if last == 0 {
		return template
	}
	b.WriteString(template[last:])
	return b.String()
}

// mentions reports whether a request has a placeholder.
func (r *Recipe) mentions(name string) bool {
	q := &r.Request
	texts := slices.Concat([]string{q.URL, q.Body}, slices.Collect(maps.Keys(q.Fields)),
		slices.Collect(maps.Values(q.Fields)), slices.Collect(maps.Values(q.Headers)))
	const between = `"` // in no placeholder
	for _, m := range placeholders.Regexp().FindAllStringSubmatch(strings.Join(texts, between), -1) {
		if m[1] == name {
			return true
		}
	}
	return false
}
