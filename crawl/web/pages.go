package web

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"angler/crawl/api"
	"angler/crawl/fields"
	"angler/crawl/filter"
)

const (
	rowsOfPage = 40
	maxTyped   = 4000 // bytes of a parameter that a page repeats
	maxColumns = 4    // of fields
	soon       = 7 * 24 * time.Hour
)

// inboxPage is the data of the inbox.
type inboxPage struct {
	api.FoundNotices
	Guide   api.FilterGuide
	Typed   string // the filter
	Order   string
	Choices []choice
	Fault   *fault // of the filter; nil = none
	Columns []column
	Rows    []row
	Ranked  bool // rows have a snippet
}

// choice is a ready-made filter.
type choice struct {
	Name, Filter string
	Here         bool
}

// fault is a mistake in a filter, and the typed text in three parts where its place is known.
type fault struct {
	Before, Term, After, Why string
}

// column is a field that the rows of the inbox show.
type column struct {
	Name, Title, Class string
	money              bool
	wan                bool // in 10,000 yuan
}

// row is a notice of the inbox.
type row struct {
	api.NoticeLine
	Cells []cell
}

// cell is the value of a column in a row.
type cell struct{ Label, Text, Class string }

// inbox shows the notices that a filter selects.
func (s *site) inbox(r *http.Request, p *page) error {
	d := &inboxPage{Typed: typed(p, "q"), Order: typed(p, "order")}
	p.Name, p.Title, p.Data = "inbox", p.Text("inbox"), d
	var err error
	if d.Guide, err = s.service.FilterGuide(r.Context()); err != nil {
		return err
	}
	d.Choices = p.choices(&d.Guide, d.Typed)
	cursor := typed(p, "cursor")
	d.FoundNotices, err = s.service.SearchNotices(r.Context(), api.SearchNotices{Filter: d.Typed, Order: d.Order,
		Paging: api.Paging{Limit: rowsOfPage, Cursor: cursor}})
	if err != nil && d.Typed != "" && cursor == "" && r.Context().Err() == nil {
		p.Status, d.Fault = http.StatusBadRequest, p.faultOf(d.Typed, err)
		return nil
	}
	if err != nil {
		return err
	}
	d.Columns = p.columns(d.Guide.Fields)
	for _, n := range d.Notices {
		d.Ranked = d.Ranked || n.Relevance > 0
		x := row{NoticeLine: n}
		for _, c := range d.Columns {
			x.Cells = append(x.Cells, p.cell(c, n.Fields[c.Name], p.Now))
		}
		d.Rows = append(d.Rows, x)
	}
	return nil
}

// typed returns a parameter of the request, bounded.
func typed(p *page, name string) string {
	s := strings.ToValidUTF8(p.Query.Get(name), "")
	return s[:min(len(s), maxTyped)]
}

// faultOf marks the term of a mistake in the typed filter.
func (l *speech) faultOf(text string, err error) *fault {
	wrong, found := errors.AsType[*filter.Error](err)
	if !found {
		for inner := err; inner != nil; inner = errors.Unwrap(inner) {
			err = inner
		}
		return &fault{Why: l.Says(err.Error())}
	}
	all := []rune(text)
	from := min(max(wrong.At, 0), len(all))
	to := min(from+len([]rune(strings.TrimSuffix(wrong.Term, "…"))), len(all))
	return &fault{string(all[:from]), string(all[from:to]), string(all[to:]), l.Says(wrong.Error())}
}

// choices returns the ready-made filters, then those that the team saved.
func (l *speech) choices(guide *api.FilterGuide, now string) (out []choice) {
	add := func(name, query string) {
		out = append(out, choice{name, query, strings.TrimSpace(now) == strings.TrimSpace(query)})
	}
	add(l.Text("choice_all"), "")
	add(l.Text("choice_today"), "seen:today")
	if slices.ContainsFunc(guide.Terms, func(t api.FilterTerm) bool { return t.Name == "due" }) {
		add(l.Text("choice_week"), "due<7d")
	}
	add(l.Text("choice_unread"), "is:unread")
	for _, v := range guide.Saved {
		add(v.Name, v.Filter)
	}
	return out
}

// Fields that rows show where a workspace has them, and sums that are large.
var (
	preferred = []string{"buyer", "budget", "deadline", "region"}
	largeSums = []string{"budget", "ceiling", "investment", "amount"}
)

// columns chooses the fields of rows: the preferred ones, else the first.
func (l *speech) columns(all []api.FieldInfo) (out []column) {
	place := func(f api.FieldInfo) int {
		return (slices.Index(preferred, f.Name) + len(preferred) + 1) % (len(preferred) + 1)
	}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b api.FieldInfo) int { return cmp.Compare(place(a), place(b)) })
	for _, f := range all[:min(len(all), maxColumns)] {
		c := column{Name: f.Name, Title: l.Heading(f.Title, f.English)}
		switch fields.Type(f.Type) {
		case fields.Money:
			c.Class, c.money, c.wan = "number", true, l.number == chinese && slices.Contains(largeSums, f.Name)
			if c.wan {
				c.Title += l.Text("unit_wan")
			} else {
				c.Title += l.Text("unit_yuan")
			}
		case fields.Number:
			c.Class = "number"
		case fields.Time:
			c.Class = "time"
		}
		out = append(out, c)
	}
	return out
}

// cell renders a value of a row.
func (l *speech) cell(c column, value any, now time.Time) cell {
	out := cell{Label: c.Title, Class: c.Class}
	switch x := value.(type) {
	case float64:
		switch {
		case c.wan:
			out.Text = l.Fixed(x/1e4, 2)
		case c.money:
			out.Text = l.yuan(x)
		default:
			out.Text = grouped(strconv.FormatFloat(x, 'f', -1, 64))
		}
	case string:
		out.Text = x
		if at, _, ok := moment(x); ok && c.Class == "time" {
			out.Text = clockText(x)
			if c.Name == "deadline" {
				switch left := at.Sub(now); {
				case left < 0:
					out.Class += " past"
				case left < soon:
					out.Class += " soon"
				}
			}
		}
	}
	return out
}

// noticePage is the data of a notice.
type noticePage struct {
	api.Notice
	Further bool // the texts after those of the first page
	Parts   []textPart
}

// textPart is a text of a notice or of an attachment.
type textPart struct {
	Title  string
	Tongue string
	Blocks []block
}

// block is a paragraph or a table of a text.
type block struct {
	Lines string
	Rows  [][]string
}

// notice shows one notice.
func (s *site) notice(r *http.Request, p *page) error {
	id, err := strconv.ParseUint(r.PathValue("id"), 10, 64)
	if err != nil || id == 0 {
		return api.UnknownError(p.Text("missing_page"))
	}
	cursor := typed(p, "cursor")
	n, err := s.service.GetNotice(r.Context(), api.GetNotice{ID: id, Cursor: cursor})
	if err != nil {
		return err
	}
	d := &noticePage{Notice: n, Further: cursor != ""}
	for _, t := range n.Texts {
		title := t.Of
		if title == "notice" {
			title = p.Text("text")
		}
		if t.From > 0 {
			title += p.Text("text_from", p.Count(t.From))
		}
		d.Parts = append(d.Parts, textPart{title, p.Tongue(t.Text), blocks(t.Text)})
	}
	p.Name, p.Title, p.Data = "notice", cmp.Or(n.Title, n.URL), d
	return nil
}

// blocks splits a text into paragraphs and tables, whose cells a text separates with tabs.
func blocks(text string) (out []block) {
	for l := range strings.Lines(text) {
		l = strings.TrimRight(l, "\n")
		last := &block{}
		if len(out) > 0 {
			last = &out[len(out)-1]
		}
		switch cells := strings.Split(l, "\t"); {
		case len(cells) > 1 && last.Rows != nil:
			last.Rows = append(last.Rows, cells)
		case len(cells) > 1:
			out = append(out, block{Rows: [][]string{cells}})
		case strings.TrimSpace(l) != "":
			out = append(out, block{Lines: strings.TrimSpace(l)})
		}
	}
	return out
}

// Change splits a line of a version into its sign and its text.
func (p *page) Change(line string) []string {
	sign, text, _ := strings.Cut(line, " ")
	return []string{sign, text}
}

// listsPage is the data of the aggregation pages.
type listsPage struct {
	api.Lists
	Host    string
	Trouble bool
}

// lists shows the aggregation pages, those with trouble first.
func (s *site) lists(r *http.Request, p *page) (err error) {
	d := &listsPage{Host: typed(p, "host"), Trouble: p.Query.Has("trouble")}
	p.Name, p.Title, p.Data = "lists", p.Text("lists"), d
	d.Lists, err = s.service.ListLists(r.Context(), api.ListLists{Host: d.Host, Broken: d.Trouble,
		Paging: api.Paging{Limit: rowsOfPage, Cursor: typed(p, "cursor")}})
	return err
}

// Inbox returns the address of the inbox with a filter.
func (p *page) Inbox(query string) string {
	if query == "" {
		return "/"
	}
	return "/?q=" + url.QueryEscape(query)
}

// NoticesOf returns the address of the inbox with the notices of a list.
func (p *page) NoticesOf(list string) string {
	_, plain, _ := strings.Cut(list, "://")
	return p.Inbox(`list:"` + plain + `"`)
}

// mark is a short remark beside a title.
type mark struct{ Text, Class string }

// Marks returns the state of a notice in words.
func (p *page) Marks(n api.NoticeLine) (out []mark) {
	add := func(on bool, text, class string) {
		if on {
			out = append(out, mark{text, class})
		}
	}
	add(n.Starred, "★", "star")
	add(n.State != "", p.Stage(n.State), "stage")
	add(n.Done, p.Text("done_mark"), "good")
	add(n.Doubtful, p.Text("doubtful"), "warn")
	add(!n.Changed.IsZero(), p.Text("changed_mark"), "")
	add(n.Copies > 0, p.Text("copies_mark", n.Copies+1), "")
	return out
}

// About returns the line below the title of a notice.
func (p *page) About(n api.Notice) (out []string) {
	out = append(out, p.Host(n.URL))
	if n.Date != "" {
		out = append(out, n.Date)
	}
	if n.Project != nil && n.Project.State != "" {
		out = append(out, p.Stage(n.Project.State))
	}
	if n.Starred {
		out = append(out, "★")
	}
	if n.Done {
		out = append(out, p.Text("done_mark"))
	}
	if n.Verdict != "" {
		out = append(out, p.Named("verdict", n.Verdict))
	}
	return out
}

// Project returns the line below the heading of a project.
func (p *page) Project(x *api.Project) (out []string) {
	for _, s := range []string{x.Number, x.Name, x.Buyer} {
		if s != "" {
			out = append(out, s)
		}
	}
	if x.Deadline != "" {
		out = append(out, p.Text("deadline", clockText(x.Deadline)))
	}
	if x.By != "" {
		out = append(out, p.Says(x.By))
	}
	return out
}

// File describes an attachment.
func (p *page) File(a api.Attachment) string {
	var parts []string
	if a.Type != "" {
		parts = append(parts, strings.ToUpper(a.Type))
	}
	if a.Size > 0 {
		parts = append(parts, p.Size(a.Size))
	}
	if a.Pages > 0 {
		parts = append(parts, p.Text("sheets", p.Count(a.Pages)))
	}
	if a.Why != "" {
		parts = append(parts, p.Says(a.Why))
	}
	return strings.Join(parts, " · ")
}

// figure is a number of a run with its name.
type figure struct{ Label, Text string }

// Figures returns the numbers of a run.
func (p *page) Figures(x api.Progress) (out []figure) {
	add := func(id string, n int) { out = append(out, figure{p.Text(id), p.Count(n)}) }
	add("fetched", x.Fetched)
	add("new_notices", x.Notices)
	add("new_lists", x.Lists)
	add("changed", x.Changed)
	add("missed", x.Missed)
	add("retries", x.Retries)
	add("waiting", x.Waiting)
	if x.Active && x.Rate > 0 {
		out = append(out, figure{p.Text("rate"), p.Fixed(x.Rate, 1)})
	}
	if x.Seconds > 0 {
		out = append(out, figure{p.Text("left"), p.Span(x.Seconds)})
	}
	return out
}

// run shows the progress of the run. The page loads itself again while one goes on.
func (s *site) run(r *http.Request, p *page) error {
	d, err := s.service.RunProgress(r.Context(), api.RunProgress{})
	if err != nil {
		return err
	}
	p.Name, p.Title, p.Data = "run", p.Text("run"), d
	if d.Active && !p.Query.Has("still") {
		p.Refresh = refreshEvery
	}
	return nil
}

// login shows the form for a token.
func (s *site) login(_ *http.Request, p *page) error {
	p.Name, p.Title, p.Data = "login", p.Text("login"), p.Query.Get("failed") != ""
	return nil
}
