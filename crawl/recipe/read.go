package recipe

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tidwall/gjson"
	"golang.org/x/net/html"

	"angler/crawl/article"
	"angler/crawl/htmldoc"
)

// This file reads replies.

// serverReply is a server's reply.
type serverReply struct {
	URL         string // base for row addresses
	Status      int
	ContentType string
	Body        []byte // UTF-8 if HTML
	Truncated   bool
}

// listResult holds the contents of a reply.
type listResult struct {
	Rows  []Row
	Left  int        // rows without a title, or without address and text
	Total int        // number of rows stated by the list; 0 = not stated
	Pages int        // number of pages stated by the list; 0 = not stated
	First string     // identifies the first row, to detect repeated pages
	Next  *listPlace // next place in the list; nil = at its end
	End   string     // why it ended, in a few words; "" if Next is set
}

// readReply reads the reply for a place of the list. Every error is an *unfit.
func (r *Recipe) readReply(reply *serverReply, at listPlace, now time.Time) (*listResult, error) {
	switch {
	case reply.Status == 401 || reply.Status == 403 || reply.Status == 412 || reply.Status == 419:
		return nil, newUnfit(Refused, "the server refuses: status %d%s", reply.Status, errorText(reply.Body))
	case reply.Status >= 300 || reply.Status < 200:
		return nil, newUnfit(Gone, "the server answers with status %d%s", reply.Status, errorText(reply.Body))
	case reply.Truncated:
		return nil, newUnfit(
			Broken, "the reply is longer than %d KB and was cut; ask for fewer rows, or raise crawl.max_body_mb",
			len(reply.Body)>>10)
	}
	if r.Rows.HTML != "" {
		return r.readHTML(reply, at, now)
	}
	outer, json, err := r.unwrapped(reply.Body)
	if err != nil {
		return nil, err
	}
	list := get(json, r.Rows.Path)
	if !list.IsArray() {
		if list.Type == gjson.Null && list.Exists() { // some servers send null for no rows
			return r.end(new(listResult), at, outer, json, now)
		}
		if !list.Exists() {
			err = newUnfit(Gone, "the reply has no %s%s", r.Rows.Path, instead(json))
		} else {
			err = newUnfit(OtherType, "%s is %s instead of an array%s", r.Rows.Path, kindOf(list), instead(json))
		}
		return nil, orRefusal(outer, err)
	}
	out := new(listResult)
	untitled := 0
	list.ForEach(func(_, v gjson.Result) bool {
		row, ok := r.row(reply.URL, v)
		if row.Title == "" {
			untitled++
		}
		return out.add(row, ok)
	})
	if len(out.Rows) == 0 && out.Left > 0 {
		if untitled == out.Left {
			return nil, newUnfit(Gone, "none of the %d rows has a %s%s", out.Left, r.Rows.Title, fields(list))
		}
		return nil, newUnfit(Gone, "none of the %d rows has an address by %s%s", out.Left,
			cmp.Or(r.Rows.URL, r.Rows.Text),
			fields(list))
	}
	return r.end(out, at, outer, json, now)
}

// unwrapped returns the JSON of a reply, and the JSON that rows.unwrap leads to in it.
func (r *Recipe) unwrapped(body []byte) (outer, json string, err error) {
	if outer, err = jsonOf(body); err != nil {
		return "", "", err
	}
	if json, err = unwrap(outer, r.Rows.Unwrap); err != nil {
		return "", "", orRefusal(outer, err)
	}
	return outer, json, nil
}

// add adds a row, or counts it if it is unusable. It reports whether more rows may follow.
func (l *listResult) add(row Row, usable bool) bool {
	if usable {
		l.Rows = append(l.Rows, row)
	} else {
		l.Left++
	}
	return len(l.Rows)+l.Left < maxRows
}

// row reads one row; false if it is unusable.
func (r *Recipe) row(base string, v gjson.Result) (Row, bool) {
	w := &r.Rows
	row := Row{Title: plainText(textOf(v.Get(w.Title)), maxTitle)}
	if w.Date != "" {
		row.Date = r.date(v.Get(w.Date))
		row.Day = row.Date.String()
	}
	if w.URL != "" {
		row.URL = r.address(base, r.link(v, row.Date))
	}
	if w.Text != "" {
		if t := textOf(v.Get(w.Text)); len(t) <= maxText {
			row.Text = strings.ToValidUTF8(t, "\ufffd")
		}
		row.Key = keyOf(textOf(v.Get(cmp.Or(w.Key, "\x00"))), row.Title, row.Day)
	}
	return row, row.Title != "" && (row.URL != "" || row.Text != "")
}

// link returns the address of a row from a field or a template.
func (r *Recipe) link(v gjson.Result, d article.Date) string {
	if !strings.Contains(r.Rows.URL, "{") {
		return textOf(v.Get(r.Rows.URL))
	}
	return template(r.Rows.URL, func(name, form string) string {
		if form != "" { // the day in another format
			if x := r.date(v.Get(name)); !x.IsZero() {
				return x.Time.Format(form)
			}
			if name == "date" && !d.IsZero() {
				return d.Time.Format(form)
			}
			return ""
		}
		return textOf(v.Get(name))
	})
}

// template fills an address template. It returns "" if a value is missing, because an address without its id leads
// elsewhere.
func template(t string, value func(name, form string) string) string {
	missing, at := false, 0
	out := fill(t, func(name, form string) (string, bool) {
		v := strings.TrimSpace(value(name, form))
		if v == "" || len(v) > maxURL {
			missing = true
		}
		i := strings.Index(t[at:], "{"+name) + at
		before := t[:max(i, 0)]
		at = i + 1
		switch {
		case before == "":
			return v, true // the address itself, or its start
		case strings.ContainsAny(before, "?#"):
			return url.QueryEscape(v), true
		case strings.HasPrefix(v, "/") && !strings.HasSuffix(before, "/") || strings.Contains(v, "/"):
			return v, true // a path
		}
		return url.PathEscape(v), true
	})
	if missing {
		return ""
	}
	return out
}

// address resolves and rewrites an address; "" if it is invalid.
func (r *Recipe) address(base, href string) string {
	href = strings.TrimSpace(html.UnescapeString(href))
	if href == "" || href == "#" || len(href) > maxURL ||
		strings.ContainsFunc(href, func(c rune) bool { return c < ' ' }) {
		return ""
	}
	b, err := url.Parse(base)
	if err != nil {
		return ""
	}
	u, err := b.Parse(href)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return ""
	}
	u.Fragment = ""
	out := u.String()
	for _, rw := range r.Rows.Rewrite {
		out = strings.ReplaceAll(out, rw.From, rw.To)
	}
	if len(out) > maxURL || !webAddress(out) {
		return ""
	}
	return out
}

var plainKey = htmldoc.NewPattern(`^[A-Za-z0-9_.\-]+$`)

// keyOf returns a row's key, unique within its recipe.
func keyOf(id, title, day string) string {
	if id != "" && len(id) <= maxPerKey && plainKey.MatchString(id) {
		return id
	}
	sum := sha256.Sum256([]byte(id + "\x00" + title + "\x00" + day))
	return hex.EncodeToString(sum[:8])
}

// end sets whether and where the list continues after a page.
func (r *Recipe) end(out *listResult, at listPlace, outer, json string, now time.Time) (*listResult, error) {
	p := &r.Request.Page
	number := func(path string) int {
		if path == "" {
			return 0
		}
		v := get(json, path)
		if !v.Exists() {
			v = get(outer, path)
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(textOf(v)), 64)
		if err != nil || n < 0 || n > 1<<40 {
			return 0
		}
		return int(n)
	}
	if json != "" {
		out.Total, out.Pages = number(p.Total), number(p.Last)
	}
	if len(out.Rows) > 0 {
		f := &out.Rows[0]
		out.First = keyOf("", f.Title+"\x00"+f.URL, f.Day)
	}
	page := max(1, at.Page)
	switch old, bounded := r.oldest(now); {
	case len(out.Rows) == 0 && page == 1 && r.Slice == nil:
		return out, newUnfit(NoRows, "the first page has no rows%s", refusal(outer))
	case len(out.Rows) == 0:
		out.End = "an empty page"
	case r.Stop.Pages > 0 && page >= r.Stop.Pages:
		out.End = fmt.Sprintf("stop.pages is %d", r.Stop.Pages)
	case bounded && !slices.ContainsFunc(out.Rows,
		func(row Row) bool { return row.Date.IsZero() || !row.Date.Time.Before(old) }):
		out.End = "all rows are older than " + r.Stop.Older
		return out, nil // older slices are older still
	case !r.mentions("page") && !r.mentions("offset"):
		out.End = "the list has one page"
	case out.Pages > 0 && page >= out.Pages:
		out.End = fmt.Sprintf("the last of %d pages", out.Pages)
	case out.Total > 0 && p.Size > 0 && page*p.Size >= out.Total:
		out.End = fmt.Sprintf("all %d rows were shown", out.Total)
	case page >= maxPages:
		out.End = fmt.Sprintf("page %d", maxPages)
	default:
		out.Next = &listPlace{Page: page + 1, From: at.From}
	}
	if out.Next == nil && r.Slice != nil {
		r.nextSlice(out, at, now)
	}
	return out, nil
}

// maxPages is the page limit of an endless list.
const maxPages = 100_000

// nextSlice continues with the preceding days.
func (r *Recipe) nextSlice(out *listResult, at listPlace, now time.Time) {
	from, _ := r.days(at, now)
	before := from.AddDate(0, 0, -r.Slice.Days)
	if before.Before(now.AddDate(0, 0, -r.Slice.Back)) {
		out.End = fmt.Sprintf("slice.back is %d days", r.Slice.Back)
		return
	}
	if old, ok := r.oldest(now); ok && from.Before(old) {
		out.End = "stop.older is " + r.Stop.Older
		return
	}
	out.Next, out.End = &listPlace{Page: 1, From: before}, ""
}

// plainText returns a row's text on one line, without markup and entities.
func plainText(s string, limit int) string {
	if strings.ContainsAny(s, "<&") {
		s = htmldoc.WithoutTags(s)
	}
	return htmldoc.CleanLine(s, limit)
}

// instead lists the arrays of a reply if the recipe's array is missing.
func instead(json string) string {
	list := arraysOf(json, 3)
	if len(list) == 0 {
		return refusalOrKeys(json)
	}
	var s []string
	for _, c := range list {
		s = append(s, fmt.Sprintf("%s (%d rows)", c.path, c.n))
	}
	return "; it has " + strings.Join(s, ", ")
}

func refusalOrKeys(json string) string {
	return cmp.Or(refusal(json), keysOf("; it has ", gjson.Parse(json), 8))
}

// fields lists the fields of a list's first row.
func fields(list gjson.Result) string { return keysOf("; a row has ", list.Get("0"), 12) }

// keysOf lists the first limit keys of an object behind some words; "" for an empty object and for other values.
func keysOf(words string, v gjson.Result, limit int) string {
	var keys []string
	if v.IsObject() {
		v.ForEach(func(k, _ gjson.Result) bool {
			keys = append(keys, htmldoc.CleanLine(k.Str, 40))
			return len(keys) < limit
		})
	}
	if list := strings.Join(keys, ", "); list != "" {
		return words + list
	}
	return ""
}

// refusal returns a reply's own error message.
func refusal(json string) string {
	for _, k := range []string{"message", "msg", "errmsg", "errorMsg", "error", "status.text", "info", "Message",
		"Msg"} {
		if v := gjson.Get(json, k); v.Type == gjson.String && v.Str != "" {
			return "; it says: " + plainText(v.Str, 120)
		}
	}
	return ""
}

// orRefusal replaces a missing path by a refusal if the reply reports one.
func orRefusal(json string, err error) error {
	var u *unfit
	if !errors.As(err, &u) || u.Kind == Broken {
		return err
	}
	for _, k := range []string{"code", "status", "state", "errcode", "resultCode"} {
		if s := textOf(gjson.Get(json, k)); slices.Contains([]string{"401", "403", "-401", "10401"}, s) {
			return newUnfit(Refused, "the server refuses: %s %s%s", k, s, refusal(json))
		}
	}
	if name, ok := encryptedIn(json); ok {
		return newUnfit(Protected, "what %s holds is encrypted: such lists are not read", name)
	}
	return err
}

// errorText returns the start of an error page's message.
func errorText(body []byte) string {
	if b := trim(body); len(b) > 0 && b[0] == '<' {
		return titled(b)
	} else if len(b) > 0 && shallow(b) == nil && gjson.ValidBytes(b) {
		return refusal(string(b))
	}
	return ""
}

// base64Letters are the letters of Base64, also in addresses and on several lines.
const base64Letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=-_\n\r"

// encryptedIn finds a long Base64 text in place of rows.
func encryptedIn(json string) (name string, ok bool) {
	v := gjson.Parse(json)
	if !v.IsObject() || len(arraysOf(json, 1)) > 0 {
		return "", false
	}
	v.ForEach(func(k, x gjson.Result) bool {
		if x.Type == gjson.String && len(x.Str) >= 400 && strings.Trim(x.Str, base64Letters) == "" {
			name, ok = htmldoc.CleanLine(k.Str, 40), true
		}
		return !ok
	})
	return name, ok
}
