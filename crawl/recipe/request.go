package recipe

import (
	"cmp"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html"

	"angler/crawl/fetch"
)

// This file builds requests.

// build makes the request for a place of the list. tokens maps the recipe's token names to values.
func (r *Recipe) build(at listPlace, tokens map[string]string, now time.Time) (fetch.Request, error) {
	q := &r.Request
	n, size := max(1, at.Page), cmp.Or(q.Page.Size, 20)
	from, to := r.days(at, now)
	numbers := map[string]string{"page": strconv.Itoa(q.Page.First + (n-1)*q.Page.step()),
		"offset": strconv.Itoa((n - 1) * size), "size": strconv.Itoa(size), "now": strconv.FormatInt(now.UnixMilli(), 10)}
	missing := ""
	filled := func(template string, escape func(string) string) string {
		return fill(template, func(name, form string) (string, bool) {
			if number, ok := numbers[name]; ok {
				return number, true
			}
			switch {
			case r.Slice != nil && name == "from":
				return escape(from.Format(cmp.Or(form, r.Slice.Format))), true
			case r.Slice != nil && name == "to":
				return escape(to.Format(cmp.Or(form, r.Slice.Format))), true
			case !slices.ContainsFunc(r.Tokens, func(t pageToken) bool { return t.Name == name }):
				return "", false
			}
			token, ok := tokens[name]
			if !ok {
				missing = name
			}
			return escape(token), true
		})
	}
	req := fetch.Request{Method: r.Sends()}
	address := q.URL
	if n == 1 && q.FirstURL != "" {
		address = q.FirstURL
	}
	req.URL = filled(address, url.QueryEscape)
	for k, v := range q.Headers {
		if strings.EqualFold(k, "Content-Type") {
			req.ContentType = v
		} else {
			setHeader(&req.Header, k, headerLine(filled(v, plain)))
		}
	}
	body := ""
	switch {
	case len(q.Fields) > 0:
		form := url.Values{}
		for k, v := range q.Fields {
			escape := plain
			if looksJSON(v) { // a field with JSON
				escape = inJSON
			}
			form.Set(filled(k, plain), filled(v, escape))
		}
		body = form.Encode()
		req.ContentType = cmp.Or(req.ContentType, formType)
	case looksJSON(q.Body):
		body = filled(q.Body, inJSON)
		req.ContentType = cmp.Or(req.ContentType, "application/json")
	case q.Body != "":
		body = filled(q.Body, url.QueryEscape)
		req.ContentType = cmp.Or(req.ContentType, formType)
	}
	if req.Method == http.MethodPost {
		req.Body = []byte(body)
	}
	if len(req.Header) > 0 || req.ContentType != "" {
		maps.DeleteFunc(req.Header, func(name, _ string) bool { return isTransferHeader(name) })
		if _, own := req.Header["Accept"]; !own {
			setHeader(&req.Header, "Accept", "application/json, text/javascript, */*; q=0.01")
		}
	}
	if missing != "" {
		return fetch.Request{}, errors.New("the token " + missing + " was not read yet")
	}
	if !webAddress(req.URL) {
		return fetch.Request{}, errors.New("the request's address became " + strconv.Quote(req.URL))
	}
	return req, nil
}

// plain escapes nothing.
func plain(s string) string { return s }

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
