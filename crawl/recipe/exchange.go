package recipe

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"angler/crawl/htmldoc"
)

// This file proposes a recipe from a request and its reply.

// Exchange is a request of a browser or a person, with the reply.
type Exchange struct {
	SeenOn  string            // page that sent it; may be empty
	Title   string            // of that page
	Method  string            // GET or POST; "" = POST if Body is set
	URL     string            // absolute
	Headers map[string]string // as sent, without personal and browser headers
	Body    string
	Reply   []byte // UTF-8
	Type    string // content type of Reply

	// Page is the HTML of the page that sent the request, rendered or as received. Scripts holds the texts of its
	// scripts; see readPage. Both may be empty.
	Page    string
	Scripts []string
}

// errNoList means that a reply contains no list of notices.
var errNoList = errors.New("the reply holds no list: no rows with a title and a date, an address or an id")

// fromExchange proposes a recipe that reads at least one row from Reply. notes lists open questions as sentences,
// for the person who confirms the recipe.
func fromExchange(x *Exchange) (r *Recipe, notes []string, err error) {
	r = &Recipe{Name: nameOf(x), SeenOn: x.SeenOn}
	if x.SeenOn != "" && !webAddress(x.SeenOn) {
		r.SeenOn = ""
	}
	notes = r.setRequest(x)
	rows, more, err := r.describeRows(x)
	if err != nil {
		return nil, nil, err
	}
	r.Rows = rows
	notes = append(notes, more...)
	if r.Request.Page.Size == 0 && !r.mentions("size") {
		if res, err := r.readReply(&serverReply{URL: x.URL, Status: 200, Body: x.Reply}, FirstPage,
			time.Now()); err == nil {
			r.Request.Page.Size = len(res.Rows) + res.Left
		}
	}
	if r.mentions("offset") && r.Request.Page.Size == 0 {
		r.Request.Page.Size = 20
	}
	r.ID = idFor(r)
	if err := r.check(); err != nil {
		return nil, nil, fmt.Errorf("no recipe can be made of it: %w", err)
	}
	return r, notes, nil
}

// describeRows finds the rows of a reply.
func (r *Recipe) describeRows(x *Exchange) (rowPaths, []string, error) {
	b := trim(x.Reply)
	if len(b) > 0 && b[0] == '<' {
		rows, ok := fromFragment("@this", nil, string(b), x)
		if !ok {
			return rowPaths{}, nil, errNoList
		}
		return rows, nil, nil
	}
	json, err := jsonOf(b)
	if err != nil {
		return rowPaths{}, nil, err
	}
	var arrays []array
	var fragment rowPaths
	found := false
	walkJSON(json, gjson.Parse(json), "", nil, 0, &arrays, func(path string, unwrap []string, text string) {
		if !found {
			fragment, found = fromFragment(path, unwrap, text, x)
		}
	})
	var top mapped
	var of *array
	for i := range arrays {
		m, ok := mapFields(&arrays[i], r)
		if ok && m.score > top.score {
			top, of = m, &arrays[i]
		}
	}
	if of == nil {
		if found {
			return fragment, nil, nil
		}
		if name, sealed := encryptedIn(json); sealed {
			return rowPaths{}, nil, newUnfit(Protected, "what %s holds is encrypted: such lists are not read", name)
		}
		return rowPaths{}, nil, errNoList
	}
	var notes []string
	if top.rows.URL == "" {
		if t := x.rowURL(of, top.rows.Title, top.paths); t != "" {
			top.rows.URL, top.rows.Text, top.rows.Key = t, "", ""
		} else if top.rows.Text == "" {
			if len(top.ids) == 0 {
				return rowPaths{}, nil, errNoList
			}
			top.rows.URL = guessedDetail(x, top.ids[0])
			notes = append(notes, guessed+top.rows.URL+"; open a notice in a browser, compare, and correct it")
		}
	}
	if top.rows.Date == "" {
		notes = append(notes, "no field of the rows is a date")
	}
	total, pages := counters(of)
	r.Request.Page.Total, r.Request.Page.Last = total, pages
	return top.rows, notes, nil
}

const guessed = "how the address of a row is built is a guess: rows.url = "

// isGuess reports whether a note says that row addresses are guessed.
func isGuess(note string) bool { return strings.HasPrefix(note, guessed) }

// guessedDetail returns a guessed address template for a row's page.
func guessedDetail(x *Exchange, id string) string {
	u, err := url.Parse(cmp.Or(x.SeenOn, x.URL))
	if err != nil {
		return "{" + id + "}"
	}
	return u.Scheme + "://" + u.Host + "/detail?id={" + id + "}"
}

// fromFragment describes rows in HTML.
func fromFragment(path string, unwrap []string, text string, x *Exchange) (rowPaths, bool) {
	list, err := rowsOf(text)
	if err != nil {
		return rowPaths{}, false
	}
	links, calls, dated := 0, map[string][]*listLink{}, 0
	for i := range list {
		a := &list[i]
		row, ok := new(Recipe).ofAnchor(x.URL, a, time.Now())
		if ok {
			links++
		}
		if !row.Date.IsZero() {
			dated++
			if a.call != nil {
				calls[a.call.Name] = append(calls[a.call.Name], a)
			}
		}
	}
	rows := rowPaths{HTML: path, Unwrap: unwrap}
	var name string
	for f, of := range calls {
		if len(of) > len(calls[name]) || len(of) == len(calls[name]) && f < name {
			name = f
		}
	}
	if called := calls[name]; len(called) >= 2 && len(called)*2 > dated {
		if rows.URL = x.callURL(name); rows.URL != "" {
			return rows, true
		}
		for i, arg := range called[0].call.Args { // an argument is itself the address
			if linkForm.MatchString(arg) {
				rows.URL = fmt.Sprintf("{%d}", i+1)
				return rows, true
			}
		}
		return rows, false
	}
	return rows, links >= 2 && dated >= 2
}

// nameOf returns a name for a list.
func nameOf(x *Exchange) string {
	return cmp.Or(plainText(x.Title, 100), hostOf(cmp.Or(x.SeenOn, x.URL)))
}

var notInID = htmldoc.NewPattern(`[^a-z0-9]+`)

// idFor derives an ID from the host and path of a recipe's request.
func idFor(r *Recipe) string {
	s := strings.ToLower(hostOf(r.Request.URL))
	u, err := url.Parse(r.bare())
	if err == nil {
		var parts []string
		for p := range strings.SplitSeq(u.Path, "/") {
			if p = strings.TrimSuffix(p, ".do"); p != "" && len(p) <= 30 {
				parts = append(parts, p)
			}
		}
		s += "-" + strings.Join(parts[max(0, len(parts)-2):], "-")
	}
	s = strings.TrimLeft(notInID.ReplaceAllString(strings.ToLower(s), "-"), "-")
	return cmp.Or(strings.Trim(s[:min(len(s), 60)], "-"), "list")
}

// browserHeaders are headers that a browser sends with every request.
var browserHeaders = []string{"host", "user-agent", "accept-encoding", "accept-language", "connection",
	"content-length", "cache-control", "pragma", "dnt", "upgrade-insecure-requests", "te", "transfer-encoding", "expect", "priority",
	"if-none-match", "if-modified-since", "save-data", "x-forwarded-for", "x-real-ip"}

// keptHeader reports whether a browser's header is kept: the server may need it and it is not secret.
func keptHeader(name string) bool {
	n := strings.ToLower(name)
	return !isSecretHeader(n) && !htmldoc.AnyWord(n, strings.HasPrefix, "sec-", ":", "proxy-") &&
		!slices.Contains(browserHeaders, n)
}
