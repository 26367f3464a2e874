package recipe

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/pelletier/go-toml/v2"
	"golang.org/x/net/http/httpguts"

	"angler/crawl/htmldoc"
	"angler/store/config"
)

// This file reads and writes recipe files.

// Limits of a recipe.
const (
	maxRecipe  = 256 << 10 // bytes of a file
	maxBody    = 64 << 10  // bytes of a request's body
	maxHeaders = 32
	maxTokens  = 8
)

// Parse parses and checks a recipe. The error names the line or key and the expected value.
func Parse(id string, b []byte) (*Recipe, error) {
	if len(b) > maxRecipe {
		return nil, fmt.Errorf("longer than %d KB: that is no recipe", maxRecipe>>10)
	}
	r := &Recipe{ID: id}
	if err := toml.NewDecoder(bytes.NewReader(b)).DisallowUnknownFields().Decode(r); err != nil {
		var strict *toml.StrictMissingError
		var at *toml.DecodeError
		switch {
		case errors.As(err, &strict) && len(strict.Errors) > 0:
			row, _ := strict.Errors[0].Position()
			return nil, fmt.Errorf("line %d: unknown key %s; correct or remove it", row,
				strings.Join(strict.Errors[0].Key(), "."))
		case errors.As(err, &at):
			row, _ := at.Position()
			return nil, fmt.Errorf("line %d: %s", row, config.Wrong(at))
		}
		return nil, errors.New(config.Wrong(err))
	}
	return r, r.check()
}

// Encode returns a recipe's file for people to edit.
func (r *Recipe) Encode() ([]byte, error) {
	var b bytes.Buffer
	e := toml.NewEncoder(&b)
	e.SetIndentTables(false)
	if err := e.Encode(r); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// ValidID reports whether a recipe may have this ID, the base name of its file and a part of its addresses.
func ValidID(id string) bool {
	if id == "" || len(id) > 80 || id[0] == '.' || id[0] == '-' {
		return false
	}
	return !strings.ContainsFunc(id, func(c rune) bool {
		return c > unicode.MaxASCII || c != '-' && c != '_' && c != '.' && !unicode.IsLetter(c) && !unicode.IsDigit(c)
	})
}

// check returns an error if a recipe is invalid.
func (r *Recipe) check() error {
	return cmp.Or(r.checkRequest(), r.checkTokens(), r.checkRows(), r.checkEnd())
}

// rule is a rule of recipes, and what a recipe that breaks it is told.
type rule struct {
	broken bool
	advice string
}

// firstBroken returns the advice of the first broken rule; nil if all hold.
func firstBroken(rules ...rule) error {
	for _, r := range rules {
		if r.broken {
			return errors.New(r.advice)
		}
	}
	return nil
}

func (r *Recipe) checkRequest() error {
	q := &r.Request
	unfetchable := func(u string) bool {
		return !webAddress(placeholders.ReplaceAllString(u, "1")) || strings.Contains(hostPart(u), "{")
	}
	const address = "request.%s = %q is no http address; placeholders may stand behind the host"
	rules := []rule{
		{strings.TrimSpace(r.Name) == "", "name is empty: say what people call the list"},
		{r.SeenOn != "" && !webAddress(r.SeenOn), fmt.Sprintf("seen_on = %q is no http address", r.SeenOn)},
		{!slices.Contains([]string{"", "GET", "POST"}, q.Method),
			fmt.Sprintf("request.method = %q: GET and POST are known", q.Method)},
		{unfetchable(q.URL), fmt.Sprintf(address, "url", q.URL)},
		{q.FirstURL != "" && unfetchable(q.FirstURL), fmt.Sprintf(address, "first_url", q.FirstURL)},
		{q.Body != "" && len(q.Fields) > 0, "request has a body and fields: one of them"},
		{r.Sends() == "GET" && (q.Body != "" || len(q.Fields) > 0),
			"request.method = \"GET\" with a body: what a GET asks for stands in its url"},
		{len(q.Body) > maxBody, fmt.Sprintf("request.body is longer than %d KB", maxBody>>10)},
		{len(q.Headers) > maxHeaders, fmt.Sprintf("request.headers has more than %d rows", maxHeaders)},
		{q.Page.Size < 0 || q.Page.Step < 0 || q.Page.First < 0,
			"request.page: first, step and size are numbers from 0"},
	}
	for k, v := range q.Headers {
		rules = append(rules,
			rule{!httpguts.ValidHeaderFieldName(k) || !httpguts.ValidHeaderFieldValue(v),
				fmt.Sprintf("request.headers: %s = %q cannot be sent", k, v)},
			rule{isSecretHeader(k), fmt.Sprintf(
				"request.headers: %s is a secret, and recipes are shared; write it in [host.%q] of angler.toml",
				k, hostOf(q.URL))})
	}
	return firstBroken(rules...)
}

// isSecretHeader reports whether a header carries a person's credentials.
func isSecretHeader(header string) bool {
	return slices.Contains([]string{"cookie", "authorization", "proxy-authorization", "set-cookie"},
		strings.ToLower(header))
}

func (r *Recipe) checkTokens() error {
	if len(r.Tokens) > maxTokens {
		return fmt.Errorf("more than %d tokens", maxTokens)
	}
	for i := range r.Tokens {
		t := &r.Tokens[i]
		if err := firstBroken(
			rule{!nameOnly.MatchString(t.Name), fmt.Sprintf("token.name = %q: letters, digits and _", t.Name)},
			rule{slices.Contains(builtinPlaceholders, t.Name),
				fmt.Sprintf("token.name = %q stands for something else already", t.Name)},
			rule{t.URL == "" && r.SeenOn == "",
				fmt.Sprintf("token %s: neither url nor seen_on says which page hands it out", t.Name)},
			rule{t.URL != "" && !webAddress(t.URL),
				fmt.Sprintf("token %s: url = %q is no http address", t.Name, t.URL)},
			rule{(t.Regex == "") == (t.Selector == ""), fmt.Sprintf("token %s: one of regex and selector", t.Name)},
		); err != nil {
			return err
		}
		if t.Regex != "" {
			if re, err := regexp.Compile(t.Regex); err != nil {
				return fmt.Errorf("token %s: regex: %v", t.Name, err)
			} else if re.NumSubexp() == 0 {
				return fmt.Errorf("token %s: regex %q has no group: write ( ) around the value", t.Name, t.Regex)
			}
		} else if _, err := selectorOf(t.Selector); err != nil {
			return fmt.Errorf("token %s: %v", t.Name, err)
		}
	}
	return nil
}

func (r *Recipe) checkRows() error {
	w := &r.Rows
	_, zoneErr := time.Parse("-07:00", w.Zone)
	if err := firstBroken(
		rule{w.HTML == "" && w.Path == "",
			"rows.path is empty: say where the array of rows stands, @this if the reply is the array"},
		rule{w.HTML != "" && w.Path != "", "rows has html and path: one of them"},
		rule{w.HTML == "" && w.Title == "", "rows.title is empty: say which field of a row is its title"},
		rule{w.HTML == "" && w.URL == "" && w.Text == "", "rows has neither url nor text: say where the notice is"},
		rule{len(w.Unwrap) > 4, "rows.unwrap: more than 4 texts in one another"},
		rule{len(w.Rewrite) > 16, "rows.rewrite: more than 16 changes"},
		rule{w.Zone != "" && zoneErr != nil, fmt.Sprintf("rows.zone = %q: write it as +08:00", w.Zone)},
	); err != nil {
		return err
	}
	for _, p := range []struct{ key, path string }{{"rows.path", w.Path}, {"rows.html", w.HTML},
		{"rows.title", w.Title},
		{"rows.date", w.Date}, {"rows.text", w.Text},
		{"rows.key", w.Key}, {"request.page.last", r.Request.Page.Last}, {"request.page.total", r.Request.Page.Total}} {
		if err := checkPath(p.path); err != nil {
			return fmt.Errorf("%s = %q: %v", p.key, p.path, err)
		}
	}
	return firstBroken(rule{slices.ContainsFunc(w.Rewrite, func(rw rewrite) bool { return rw.From == "" }),
		"rows.rewrite: from is empty"})
}

func (r *Recipe) checkEnd() error {
	_, dated := r.oldest(time.Unix(1, 0))
	rules := []rule{{r.Stop.Pages < 0, "stop.pages is a number from 0"},
		{r.Stop.Older != "" && !dated,
			fmt.Sprintf("stop.older = %q: write a day as 2026-01-31 or a number of days as 90d", r.Stop.Older)}}
	if s := r.Slice; s != nil {
		rules = append(rules,
			rule{s.Days < 1 || s.Back < s.Days || s.Back > 36500, "slice: days from 1, and back no less than days"},
			rule{!strings.Contains(s.Format, "2006"), fmt.Sprintf(
				"slice.format = %q: write the day 2 January 2006, 15:04:05, as the list wants it, e.g. 2006-01-02",
				s.Format)},
			rule{!r.mentions("from"), "slice without {from} in the request"})
	}
	return firstBroken(rules...)
}

// oldest returns the day before which rows end the list.
func (r *Recipe) oldest(now time.Time) (time.Time, bool) {
	s := strings.TrimSpace(r.Stop.Older)
	if n, ok := strings.CutSuffix(s, "d"); ok {
		days, err := strconv.Atoi(n)
		return now.AddDate(0, 0, -days), err == nil && days > 0 && days < 1<<20
	}
	t, err := time.ParseInLocation("2006-01-02", s, r.zone())
	return t, err == nil
}

// webAddress reports whether s is an absolute http or https address without a user.
func webAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil
}

// hostPart returns the host of an address, which may contain placeholders.
func hostPart(s string) string {
	_, rest, ok := strings.Cut(s, "://")
	if !ok {
		return s
	}
	return htmldoc.UntilAny(rest, "/?#")
}

// hostOf returns the host of a recipe's request in lower case, with its port.
func hostOf(address string) string { return strings.ToLower(hostPart(address)) }
