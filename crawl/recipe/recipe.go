package recipe

import (
	"cmp"
	"fmt"
	"time"

	"angler/crawl/article"
)

// Recipe is a source recipe, stored as sources/ID.toml in a workspace.
type Recipe struct {
	ID string `toml:"-"` // file name without its ending

	Name    string      `toml:"name" comment:"what people call the list"`
	SeenOn  string      `toml:"seen_on,omitempty" comment:"the page that a person knows"`
	Off     bool        `toml:"off,omitempty" comment:"true: kept, and not asked"`
	From    string      `toml:"from,omitempty" comment:"what proposed it: browser or curl"`
	Request Request     `toml:"request"`
	Tokens  []pageToken `toml:"token,omitempty" comment:"values that a page hands out and the request must carry, as {NAME}"`
	Rows    rowPaths    `toml:"rows"`
	Stop    stopRule    `toml:"stop,omitempty" comment:"when the list has been read, besides last and total"`
	Slice   *daySlice   `toml:"slice,omitempty" comment:"for lists that show so many rows at most: asked for by days, as {from} and {to}"`
}

// The sources of proposed recipes.
const (
	FromBrowser = "browser" // replies received while rendering the page
	FromCURL    = "curl"    // a copied request
)

// Request is the request for a page. url, first_url, body, fields and headers may contain {page}, {offset}, {size},
// {from}, {to}, {now} (milliseconds since 1970) and token names.
type Request struct {
	Method   string            `toml:"method,omitempty" comment:"GET or POST; empty: POST where there is a body"`
	URL      string            `toml:"url" comment:"with {page}, {offset}, {size}, {from}, {to}, {now} or a token"`
	FirstURL string            `toml:"first_url,omitempty" comment:"of page 1, where it differs"`
	Body     string            `toml:"body,omitempty" multiline:"true" comment:"as sent"`
	Fields   map[string]string `toml:"fields,omitempty" comment:"of a form, instead of body"`
	Headers  map[string]string `toml:"headers,omitempty" comment:"no cookies and no passwords: recipes are shared"`
	Page     Pages             `toml:"page,omitempty"`
}

// Pages says how pages are counted.
type Pages struct {
	First int    `toml:"first" comment:"{page} of the first page"`
	Step  int    `toml:"step" comment:"how much {page} grows from page to page: 1, or the rows of a page for an offset"`
	Size  int    `toml:"size,omitempty" comment:"rows of a page, for {size}, {offset} and total"`
	Last  string `toml:"last,omitempty" comment:"where the reply says how many pages there are"`
	Total string `toml:"total,omitempty" comment:"where it says how many rows there are"`
}

// rowPaths locates the rows in a reply. Places are gjson paths.
type rowPaths struct {
	Unwrap  []string  `toml:"unwrap,omitempty" comment:"texts that are JSON again, one in the other, e.g. [\"return\"]"`
	HTML    string    `toml:"html,omitempty" comment:"the text that is HTML and holds the rows; @this: the reply itself"`
	Path    string    `toml:"path,omitempty" comment:"the array of rows"`
	Title   string    `toml:"title,omitempty"`
	Date    string    `toml:"date,omitempty" comment:"text, or seconds or milliseconds since 1970"`
	Zone    string    `toml:"zone,omitempty" comment:"of dates that state none, e.g. +08:00, which empty means"`
	URL     string    `toml:"url,omitempty" comment:"the place of the address, or a template such as http://h/detail?id={id}; {date:20060102}, and of HTML rows the arguments of onclick: {1}, {2}"`
	Text    string    `toml:"text,omitempty" comment:"where the row holds the notice itself, which is not asked for then"`
	Key     string    `toml:"key,omitempty" comment:"what names a row that has no address; empty: its title and date"`
	Rewrite []rewrite `toml:"rewrite,omitempty" comment:"changes of addresses, one after the other"`
}

// rewrite replaces a part of an address.
type rewrite struct {
	From string `toml:"from"`
	To   string `toml:"to"`
}

// stopRule says when a list ends.
type stopRule struct {
	Pages int    `toml:"pages,omitempty" comment:"after so many; 0: when the list ends"`
	Older string `toml:"older,omitempty" comment:"at rows older than a day such as 2026-01-31, or than so many days such as 90d"`
}

// daySlice requests a list by ranges of days.
type daySlice struct {
	Days   int    `toml:"days" comment:"days of a slice"`
	Back   int    `toml:"back" comment:"how many days to go back in all"`
	Format string `toml:"format" comment:"of {from} and {to}: 2006-01-02, 20060102150405 …"`
}

// pageToken is a value that a page supplies for requests.
type pageToken struct {
	Name     string `toml:"name"`
	URL      string `toml:"url,omitempty" comment:"the page; empty: seen_on"`
	Regex    string `toml:"regex,omitempty" comment:"its first group is the value"`
	Selector string `toml:"selector,omitempty" comment:"of an element, instead of regex: tag, #id, [name=x] or all of them"`
	Attr     string `toml:"attr,omitempty" comment:"the attribute that holds the value; empty: value, content or the text"`
}

// Row is a row of a list.
type Row struct {
	Title string       `json:"title"` // one line of plain text
	URL   string       `json:"url"`   // absolute http or https address; "" = none
	Date  article.Date `json:"-"`
	Day   string       `json:"date"` // Date as text
	Text  string       `json:"-"`    // the notice itself, plain or HTML; "" = not in the row
	Key   string       `json:"-"`    // identifies a row with text within its recipe
}

// listPlace is a place in a list: a page, counted from 1, of a slice of days.
type listPlace struct {
	Page int
	From time.Time // first day of the slice; zero: the newest slice, or a list without slices
}

// FirstPage is the start of every list.
var FirstPage = listPlace{Page: 1}

// unfit means that a reply does not match its recipe. What is a complete text: the difference, and the remedy.
type unfit struct {
	Kind string // one of the kinds below
	What string
}

// Kinds of unfit.
const (
	Gone      = "gone"      // a path is missing
	OtherType = "type"      // HTML instead of JSON, a text instead of an array …
	Broken    = "broken"    // truncated, too long, nested too deeply
	Refused   = "refused"   // the server refuses
	Protected = "protected" // encrypted or behind a captcha; reported, not solved
	NoRows    = "no rows"   // on the first page
)

func (e *unfit) Error() string { return e.What }

func newUnfit(kind, format string, args ...any) error {
	return &unfit{kind, fmt.Sprintf(format, args...)}
}

// mayExpire reports whether an expired token may be the cause.
func (e *unfit) mayExpire() bool { return e.Kind != Broken && e.Kind != Protected }

// Sends returns the request's method, POST by default if there is a body.
func (r *Recipe) Sends() string {
	if r.Request.Method == "" && (r.Request.Body != "" || len(r.Request.Fields) > 0) {
		return "POST"
	}
	return cmp.Or(r.Request.Method, "GET")
}

// zone returns the time zone of dates without one.
func (r *Recipe) zone() *time.Location {
	if t, err := time.Parse("-07:00", r.Rows.Zone); err == nil {
		return t.Location()
	}
	return article.Shanghai
}

// step returns the increment of {page}.
func (p *Pages) step() int { return cmp.Or(p.Step, 1) }
