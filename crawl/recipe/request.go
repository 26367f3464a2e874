package recipe

import (
	"cmp"
	"errors"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"
)

// This file builds requests.

// sent is a request ready to send.
type sent struct {
	Method, URL, Body, ContentType string
	Headers                        map[string]string // except Content-Type
}

// build makes the request for a place of the list. tokens maps the recipe's token names to values.
func (r *Recipe) build(at listPlace, tokens map[string]string, now time.Time) (*sent, error) {
	q := &r.Request
	n := max(1, at.Page)
	from, to := r.days(at, now)
	missing := ""
	value := func(esc func(string) string) func(name, form string) (string, bool) {
		return func(name, form string) (string, bool) {
			switch name {
			case "page":
				return strconv.Itoa(q.Page.First + (n-1)*q.Page.step()), true
			case "offset":
				return strconv.Itoa((n - 1) * cmp.Or(q.Page.Size, 20)), true
			case "size":
				return strconv.Itoa(cmp.Or(q.Page.Size, 20)), true
			case "now":
				return strconv.FormatInt(now.UnixMilli(), 10), true
			case "from", "to":
				if r.Slice == nil {
					return "", false
				}
				t := from
				if name == "to" {
					t = to
				}
				return esc(t.Format(cmp.Or(form, r.Slice.Format))), true
			}
			for i := range r.Tokens {
				if r.Tokens[i].Name == name {
					v, ok := tokens[name]
					if !ok {
						missing = name
					}
					return esc(v), true
				}
			}
			return "", false
		}
	}
	Plain := func(s string) string { return s }
	s := &sent{Method: r.Sends(), Headers: map[string]string{}}
	address := q.URL
	if n == 1 && q.FirstURL != "" {
		address = q.FirstURL
	}
	s.URL = fill(address, value(url.QueryEscape))
	for k, v := range q.Headers {
		if strings.EqualFold(k, "Content-Type") {
			s.ContentType = v
			continue
		}
		s.Headers[k] = headerLine(fill(v, value(Plain)))
	}
	switch {
	case len(q.Fields) > 0:
		form := url.Values{}
		for k, v := range q.Fields {
			esc := Plain
			if looksJSON(v) { // a field with JSON
				esc = inJSON
			}
			form.Set(fill(k, value(Plain)), fill(v, value(esc)))
		}
		s.Body = form.Encode()
		s.ContentType = cmp.Or(s.ContentType, formType)
	case q.Body != "":
		esc := url.QueryEscape
		if looksJSON(q.Body) {
			esc = inJSON
			s.ContentType = cmp.Or(s.ContentType, "application/json")
		}
		s.Body = fill(q.Body, value(esc))
		s.ContentType = cmp.Or(s.ContentType, formType)
	}
	if missing != "" {
		return nil, errors.New("the token " + missing + " was not read yet")
	}
	if !webAddress(s.URL) {
		return nil, errors.New("the request's address became " + strconv.Quote(s.URL))
	}
	return s, nil
}

const formType = "application/x-www-form-urlencoded; charset=UTF-8"

// looksJSON reports whether a text starts like an object or an array.
func looksJSON(s string) bool {
	s = strings.TrimLeft(s, " \t\r\n\ufeff")
	return s != "" && (s[0] == '{' || s[0] == '[')
}

// inJSON escapes a text for a JSON string.
func inJSON(s string) string {
	q := strconv.Quote(s)
	if !strings.Contains(q, `\x`) && !strings.Contains(q, `\U`) && !strings.Contains(q, `\a`) &&
		!strings.Contains(q, `\v`) {
		return q[1 : len(q)-1]
	}
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == '"' || c == '\\' || c > 0xffff {
			return -1
		}
		return c
	}, s)
}

// headerLine removes control characters, for a header value.
func headerLine(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || c == 0x7f {
			return -1
		}
		return c
	}, s)
}

// days returns the first and last moment of a slice.
func (r *Recipe) days(at listPlace, now time.Time) (from, to time.Time) {
	if r.Slice == nil {
		return
	}
	from = at.From
	if from.IsZero() {
		y, m, d := now.In(r.zone()).Date()
		from = time.Date(y, m, d, 0, 0, 0, 0, r.zone()).AddDate(0, 0, 1-r.Slice.Days)
	}
	return from, from.AddDate(0, 0, r.Slice.Days).Add(-time.Second)
}

// tokenPages returns the pages with tokens, without adjacent duplicates.
func (r *Recipe) tokenPages() []string {
	var out []string
	for i := range r.Tokens {
		u := cmp.Or(r.Tokens[i].URL, r.SeenOn)
		if len(out) == 0 || out[len(out)-1] != u {
			out = append(out, u)
		}
	}
	return out
}

// readTokens adds a page's tokens to tokens. It returns an *unfit if the page lacks one.
func (r *Recipe) readTokens(page string, body []byte, tokens map[string]string) error {
	for i := range r.Tokens {
		t := &r.Tokens[i]
		if cmp.Or(t.URL, r.SeenOn) != page {
			continue
		}
		v, ok := t.find(body)
		if !ok {
			return newUnfit(
				Gone, "the token %s is not on %s any more; look at the page and correct token.regex or token.selector",
				t.Name, page)
		}
		tokens[t.Name] = v
	}
	return nil
}

// maxToken is the maximum size of a token in bytes.
const maxToken = 8 << 10

func (t *pageToken) find(body []byte) (string, bool) {
	if t.Regex != "" {
		re, err := regexp.Compile(t.Regex)
		if err != nil {
			return "", false
		}
		m := re.FindSubmatch(body)
		if len(m) < 2 || len(m[1]) == 0 || len(m[1]) > maxToken {
			return "", false
		}
		return html.UnescapeString(string(m[1])), true
	}
	sel, err := selectorOf(t.Selector)
	if err != nil {
		return "", false
	}
	v := selected(sel, body, t.Attr)
	return v, v != "" && len(v) <= maxToken
}
