package api

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"angler/crawl"
	"angler/crawl/article"
	"angler/crawl/facts"
	"angler/crawl/fields"
	"angler/crawl/filter"
	"angler/crawl/htmldoc"
	"angler/crawl/inbox"
	"angler/crawl/notices"
	"angler/crawl/query"
	"angler/crawl/view"
	"angler/store/records"
)

// Bounds of an answer about notices.
const (
	maxFilter    = 2000  // bytes
	maxText      = 12000 // characters of texts
	maxValues    = 80
	maxCorrected = 10 // values of a correction
	maxVersions  = 10
	maxDiff      = 40 // lines of a version
	maxSteps     = 50 // of a project, and other addresses
	maxFiles     = 50
	maxCell      = 120 // characters of a value in a row
	around       = 120 // characters of a snippet
)

// SearchNotices asks for notices.
type SearchNotices struct {
	Filter string `json:"filter,omitempty" jsonschema:"filter of the inbox; empty finds all notices"`
	Order  string `json:"order,omitempty" jsonschema:"relevance, the usual one, or date: newest first"`
	Paging
}

// FoundNotices are the notices that match a filter.
type FoundNotices struct {
	Page
	Note    string       `json:"note,omitempty" jsonschema:"what is special about this answer"`
	Notices []NoticeLine `json:"notices"`
}

// NoticeLine is one row of a list of notices.
type NoticeLine struct {
	ID        uint64         `json:"id"`
	Title     string         `json:"title"`
	URL       string         `json:"url"`
	Site      string         `json:"site"`
	Date      string         `json:"date,omitempty" jsonschema:"2026?-11-20 has a guessed year"`
	FirstSeen time.Time      `json:"first_seen,omitzero"`
	Changed   time.Time      `json:"changed,omitzero" jsonschema:"when it was found to say something else"`
	Fields    map[string]any `json:"fields,omitempty" jsonschema:"values read from it: money in yuan, times of China"`
	State     string         `json:"state,omitempty" jsonschema:"how far its project is"`
	Doubtful  bool           `json:"doubtful,omitempty" jsonschema:"it may be no notice"`
	Read      bool           `json:"read,omitempty"`
	Starred   bool           `json:"starred,omitempty"`
	Done      bool           `json:"done,omitempty"`
	Verdict   string         `json:"verdict,omitempty" jsonschema:"what a person said: yes, no or unsure"`
	ForMe     float64        `json:"for_me,omitempty" jsonschema:"how likely it is for the caller, 0 to 1"`
	Assistant *ModelAnswer   `json:"assistant,omitempty" jsonschema:"what the optional model answered; it is no verdict of a person"`
	Copies    int            `json:"copies,omitempty" jsonschema:"other addresses that show the same"`
	Files     int            `json:"files,omitempty"`
	Score     float64        `json:"score,omitempty" jsonschema:"of the list that announced it, under the topic"`
	Relevance float64        `json:"relevance,omitempty"`
	Snippet   string         `json:"snippet,omitempty"`
	SnippetOf string         `json:"snippet_of,omitempty" jsonschema:"the attachment that the snippet is of"`
}

// ModelAnswer is the answer of the optional model about a notice.
type ModelAnswer struct {
	Answer string    `json:"answer" jsonschema:"yes, no or unsure"`
	Quote  string    `json:"quote,omitempty" jsonschema:"words of the notice"`
	Model  string    `json:"model"`
	Stale  bool      `json:"stale,omitempty" jsonschema:"the question or the notice has changed since"`
	At     time.Time `json:"at"`
}

// modelAnswer returns an answer for programs; nil = none.
func modelAnswer(a *records.Answer, stale bool) *ModelAnswer {
	if a == nil {
		return nil
	}
	return &ModelAnswer{a.Said, line(a.Quote), line(a.Model), stale, second(a.At)}
}

// minorFields are missing in rows; GetNotice returns them.
var minorFields = []string{"project", "agent", "contact", "phone", "place", "documents", "opening"}

// lineOf returns the row of a notice.
func lineOf(e *crawl.Engine, r *inbox.ListedNotice) NoticeLine {
	x := NoticeLine{ID: r.ID, Title: line(r.Title), URL: r.URL, Site: r.Site, FirstSeen: second(r.At),
		Changed: second(r.Changed),
		State:   r.State.String(), Doubtful: r.Doubt != nil, Read: r.Read, Starred: r.Marks.Starred(),
		Done:    r.Marks.IsDone(),
		Verdict: string(r.Marks.Judgement()), Copies: r.Copies, Files: r.Files, Relevance: view.Round(r.Match),
		ForMe: view.Round(max(0, r.ForMe)), Score: view.Round(r.Score), Fields: map[string]any{},
		Assistant: modelAnswer(r.Answer, r.Stale)}
	if !r.Date.IsZero() {
		x.Date = r.Date.String()
	}
	for _, f := range e.Facts.Fields() {
		if slices.Contains(minorFields, f.Name) {
			continue
		}
		switch f.Type {
		case fields.Money, fields.Number:
			if n, known := r.Facts.Number(f.Name); known && !math.IsInf(n, 0) && !math.IsNaN(n) {
				x.Fields[f.Name] = n
			}
		case fields.Time:
			if t := r.Facts.Time(f.Name); !t.IsZero() {
				x.Fields[f.Name] = clock(t)
			}
		default:
			if t := r.Facts.Texts(f.Name, r.Title); len(t) > 0 {
				x.Fields[f.Name] = htmldoc.CleanLine(strings.Join(t[:min(len(t), 3)], "; "), maxCell)
			}
		}
	}
	return x
}

// clock formats a time of a notice in the zone of its readers.
func clock(t time.Time) string { return t.In(article.Shanghai).Format("2006-01-02T15:04") }

// find runs a search.
func (s *Service) find(ctx context.Context, e *crawl.Engine, p *part,
	ask inbox.SearchRequest) (*inbox.FoundNotices, string, error) {
	if len(ask.Query) > maxFilter {
		return nil, "", fmt.Errorf("the filter has %d bytes; at most %d are read", len(ask.Query), maxFilter)
	}
	if err := cmp.Or(filter.Closed(ask.Query), e.Inbox.CheckFilter(ask.Query)); err != nil {
		return nil, "", fmt.Errorf("the filter: %w", err)
	}
	if err := s.noticesRead(ctx, e); err != nil {
		return nil, "", err
	}
	index := s.searchReady(ctx, e)
	ask.Skip, ask.Limit, ask.Around, ask.Unrecorded = p.skip, p.n, around, true
	got, err := e.Inbox.Search(ctx, ask)
	if err != nil {
		return nil, "", err
	}
	var notes []string
	if got.Loose {
		notes = append(notes, "no notice holds all of these words; these hold most of: "+strings.Join(got.Words, " "))
	}
	if !index.Ready && index.Why != "" && len(got.Words) > 0 {
		notes = append(notes, "not by relevance: "+index.Why)
	}
	return got, strings.Join(notes, "; "), nil
}

// SearchNotices finds notices. A fault in the filter is an error that lists the valid fields.
func (s *Service) SearchNotices(ctx context.Context, ask SearchNotices) (out FoundNotices, err error) {
	if !slices.Contains([]string{"", "relevance", "date"}, ask.Order) {
		return out, fmt.Errorf("order %.20q is none of relevance, date", ask.Order)
	}
	p, err := s.part(ask.Paging, "search_notices", ask.Filter, ask.Order)
	if err != nil {
		return out, err
	}
	err = s.use(ctx, func(e *crawl.Engine, at time.Time) error {
		got, note, err := s.find(ctx, e, &p, inbox.SearchRequest{Query: ask.Filter, ByDate: ask.Order == "date"})
		if err != nil {
			return err
		}
		out = FoundNotices{Page: p.page(at, len(got.Rows), got.Total), Note: note,
			Notices: []NoticeLine{}}
		for i := range got.Rows {
			r := &got.Rows[i]
			x := lineOf(e, &r.ListedNotice)
			x.Snippet, x.SnippetOf = line(r.Snippet), line(r.Document)
			out.Notices = append(out.Notices, x)
		}
		return nil
	})
	return out, err
}

// ListChanges requests new and changed notices.
type ListChanges struct {
	Since  string `json:"since" jsonschema:"a time such as 2026-11-20, 2026-11-20T14:00, 36h or 7d"`
	Filter string `json:"filter,omitempty" jsonschema:"filter of the inbox; empty lets all notices pass"`
	Paging
}

// Changes are new and changed notices, oldest change first.
type Changes struct {
	Page
	Since   time.Time      `json:"since"`
	Note    string         `json:"note,omitempty"`
	Changes []NoticeChange `json:"changes"`
}

// NoticeChange is one new or changed notice.
type NoticeChange struct {
	At     time.Time  `json:"at"`
	Change string     `json:"change" jsonschema:"new or changed"`
	Lines  []string   `json:"lines,omitempty" jsonschema:"of a change: + came, - is gone"`
	Notice NoticeLine `json:"notice"`
}

// ListChanges lists new and changed notices since a time.
func (s *Service) ListChanges(ctx context.Context, ask ListChanges) (out Changes, err error) {
	p, err := s.part(ask.Paging, "list_changes", ask.Since, ask.Filter)
	if err != nil {
		return out, err
	}
	since, err := ParseTime(ask.Since, s.now())
	if err != nil {
		return out, fmt.Errorf("since: %w", err)
	}
	err = s.use(ctx, func(e *crawl.Engine, at time.Time) error {
		got, note, err := s.find(ctx, e, &p, inbox.SearchRequest{Query: ask.Filter, Since: since})
		if err != nil {
			return err
		}
		out = Changes{Page: p.page(at, len(got.Rows), got.Total), Since: second(since), Note: note,
			Changes: []NoticeChange{}}
		for i := range got.Rows {
			r := &got.Rows[i].ListedNotice
			x := NoticeChange{At: second(r.Moved()), Change: "new", Notice: lineOf(e, r)}
			if !r.At.After(since) {
				x.Change = "changed"
				kin, err := e.Inbox.Kindred(ctx, r.ID)
				if err != nil {
					return err
				}
				if kin != nil && len(kin.Versions) > 0 {
					x.Lines = diff(kin.Versions[0].Lines, maxDiff/3)
				}
			}
			out.Changes = append(out.Changes, x)
		}
		return nil
	})
	return out, err
}

// diff lists at most n added or removed lines of a comparison.
func diff(lines []notices.DiffLine, n int) (out []string) {
	for _, l := range lines {
		if l.Kind != notices.DiffGone && l.Kind != notices.DiffAdded {
			continue
		}
		if len(out) == n {
			return append(out, "…")
		}
		out = append(out, l.Kind.Sign()+" "+line(l.Text))
	}
	return out
}

// GetNotice asks for one notice, by its id or by its address.
type GetNotice struct {
	ID     uint64 `json:"id,omitempty" jsonschema:"the notice's id"`
	URL    string `json:"url,omitempty" jsonschema:"the notice's address, in place of its id"`
	Cursor string `json:"cursor,omitempty" jsonschema:"next_cursor of the previous answer: the texts that follow"`
}

// Notice is one notice in full.
type Notice struct {
	AsOf        time.Time         `json:"as_of"`
	ID          uint64            `json:"id"`
	Title       string            `json:"title"`
	URL         string            `json:"url"`
	Date        string            `json:"date,omitempty"`
	FirstSeen   time.Time         `json:"first_seen,omitzero"`
	List        string            `json:"list,omitempty" jsonschema:"the aggregation page that announced it"`
	ListTitle   string            `json:"list_title,omitempty"`
	Score       float64           `json:"score,omitempty" jsonschema:"of the list under the topic"`
	Threshold   float64           `json:"threshold,omitempty" jsonschema:"the score that makes a page a list"`
	Quality     string            `json:"quality,omitempty"`
	Doubtful    bool              `json:"doubtful,omitempty" jsonschema:"it may be no notice"`
	Check       string            `json:"check,omitempty" jsonschema:"how it was checked whether it is a notice"`
	Starred     bool              `json:"starred,omitempty"`
	Done        bool              `json:"done,omitempty"`
	Verdict     string            `json:"verdict,omitempty"`
	Assistant   *ModelAnswer      `json:"assistant,omitempty" jsonschema:"what the optional model answered; it is no verdict of a person"`
	Note        string            `json:"note,omitempty" jsonschema:"a note of the team"`
	Fields      []FieldValue      `json:"fields,omitempty"`
	Corrections []FieldCorrection `json:"corrections,omitempty" jsonschema:"of fields by people, newest first"`
	Versions    []OldVersion      `json:"versions,omitempty" jsonschema:"what it said before, newest first"`
	Copies      []NoticeRef       `json:"copies,omitempty" jsonschema:"other addresses that show the same"`
	CopiesBy    string            `json:"copies_by,omitempty"`
	Project     *Project          `json:"project,omitempty" jsonschema:"notices of its project; missing when alone"`
	Attachments []Attachment      `json:"attachments,omitempty"`
	Texts       []Text            `json:"texts,omitempty" jsonschema:"its text, then the texts of its attachments"`
	NextCursor  string            `json:"next_cursor,omitempty" jsonschema:"there are more texts"`
}

// FieldValue is a value of a field with its place and its doubt.
type FieldValue struct {
	Field   string  `json:"field"`
	Title   string  `json:"title"`
	English string  `json:"english,omitempty" jsonschema:"the title in English"`
	Type    string  `json:"type,omitempty" jsonschema:"money, time, number, choice, org, person, phone; missing for texts"`
	Value   string  `json:"value" jsonschema:"money in yuan, times of China"`
	Text    string  `json:"text,omitempty" jsonschema:"as printed, where that differs"`
	Lot     string  `json:"lot,omitempty"`
	Place   string  `json:"place" jsonschema:"where it was read, or who corrected it"`
	Source  string  `json:"source" jsonschema:"table, line, sentence, title, attachment, names or person"`
	Label   string  `json:"label,omitempty" jsonschema:"the label before or above it; of an attachment its name"`
	Table   int     `json:"table,omitempty" jsonschema:"the table of the page that holds it, from 1"`
	Row     int     `json:"row,omitempty"`
	Column  int     `json:"column,omitempty"`
	Agree   int     `json:"agree,omitempty" jsonschema:"further places with the same value"`
	Sure    float64 `json:"sure"`
	Doubt   string  `json:"doubt,omitempty" jsonschema:"why it is not believed"`
}

// FieldCorrection is the valid correction of a field by a person.
type FieldCorrection struct {
	Field   string    `json:"field"`
	Title   string    `json:"title"`
	English string    `json:"english,omitempty"`
	By      string    `json:"by"`
	At      time.Time `json:"at"`
	Value   string    `json:"value,omitempty" jsonschema:"missing where the notice does not have the field"`
	Read    string    `json:"read,omitempty" jsonschema:"the value that was read before"`
}

// OldVersion is one change of a notice.
type OldVersion struct {
	Number int       `json:"number"`
	Until  time.Time `json:"until"`
	Title  string    `json:"title"`
	Lines  []string  `json:"lines" jsonschema:"+ came with the next version, - went"`
}

// NoticeRef names a notice.
type NoticeRef struct {
	ID    uint64 `json:"id"`
	Title string `json:"title"`
	URL   string `json:"url"`
	Date  string `json:"date"`
	State string `json:"state,omitempty"`
}

// Project is the notices of one project.
type Project struct {
	State    string      `json:"state,omitempty"`
	Number   string      `json:"number,omitempty"`
	Name     string      `json:"name,omitempty"`
	Buyer    string      `json:"buyer,omitempty"`
	Deadline string      `json:"deadline,omitempty"`
	By       string      `json:"by,omitempty" jsonschema:"why they belong together"`
	Notices  []NoticeRef `json:"notices"`
}

// Attachment is a document that a notice links to.
type Attachment struct {
	Name  string `json:"name"`
	URL   string `json:"url"`
	State string `json:"state,omitempty"`
	Why   string `json:"why,omitempty"`
	Type  string `json:"type,omitempty"`
	Size  int64  `json:"size,omitempty"`
	Pages int    `json:"pages,omitempty"`
}

// Text is a part of a text.
type Text struct {
	Of   string `json:"of" jsonschema:"notice, or the name of an attachment"`
	From int    `json:"from,omitempty" jsonschema:"characters before this part"`
	Text string `json:"text"`
}

// UnknownError reports an id or an address that is not in the workspace.
type UnknownError string

// Error says which one, and how to find others.
func (e UnknownError) Error() string { return string(e) }

// notice returns a stored notice by its id or its address.
func notice(ctx context.Context, e *crawl.Engine, id uint64, url string) (*query.NoticeDetail, error) {
	if id == 0 {
		canonical, err := e.Pages.Reader.Resolver.Canonical(url)
		if err != nil {
			return nil, fmt.Errorf("%.200q is no http address; give an id or a url", url)
		}
		var known bool
		if id, known = e.Workspace().Lookup(canonical); !known {
			return nil, UnknownError(fmt.Sprintf("%.200s is not known here; search_notices finds notices",
				line(canonical)))
		}
	}
	n, err := e.Workspace().Notice(id)
	if err == nil && n == nil {
		err = UnknownError(fmt.Sprintf("%d is the id of no notice; search_notices finds notices", id))
	}
	if err != nil {
		return nil, err
	}
	return e.Pages.Notice(ctx, id)
}

// GetNotice returns one notice. With a cursor it returns further texts only.
func (s *Service) GetNotice(ctx context.Context, ask GetNotice) (out Notice, err error) {
	if (ask.ID == 0) == (ask.URL == "") {
		return out, errors.New("give either id or url")
	}
	p, err := s.part(Paging{Cursor: ask.Cursor}, "get_notice", ask.ID, ask.URL)
	if err != nil {
		return out, err
	}
	err = s.use(ctx, func(e *crawl.Engine, at time.Time) error {
		if err := s.noticesRead(ctx, e); err != nil {
			return err
		}
		d, err := notice(ctx, e, ask.ID, ask.URL)
		if err != nil {
			return err
		}
		out = Notice{AsOf: at, ID: d.ID, Title: line(d.Title), URL: d.URL}
		stored, err := e.Workspace().Notice(d.ID)
		if err != nil {
			return err
		}
		docs, err := e.Files.Export(stored)
		if err != nil {
			return err
		}
		texts := []Text{{Of: "notice", Text: clean(d.Text)}}
		for _, doc := range docs {
			if doc.Text != "" {
				texts = append(texts, Text{Of: line(doc.Name), Text: clean(doc.Text)})
			}
		}
		total := 0
		out.Texts, total = cut(texts, p.skip, maxText)
		shown := 0
		for _, t := range out.Texts {
			shown += utf8.RuneCountInString(t.Text)
		}
		if out.NextCursor = p.next(shown, total); p.skip > 0 {
			return nil
		}
		for _, doc := range docs[:min(len(docs), maxFiles)] {
			out.Attachments = append(out.Attachments, Attachment{line(doc.Name), doc.URL, doc.State, line(doc.Why),
				doc.Type, doc.Size, doc.Pages})
		}
		return fill(ctx, e, &out, d)
	})
	return out, err
}

// cut returns at most n characters of texts after skip, and the total of characters.
func cut(texts []Text, skip, n int) (out []Text, total int) {
	for _, t := range texts {
		r := []rune(t.Text)
		total += len(r)
		from := min(skip, len(r))
		skip -= from
		to := min(from+n, len(r))
		if n -= to - from; to > from {
			out = append(out, Text{t.Of, from, string(r[from:to])})
		}
	}
	return out, total
}

// titles returns the title of a field, and the English one.
func titles(set *fields.Set, name string) (title, english string) {
	if f := set.Named(name); f != nil {
		return f.Heading(false), f.Heading(true)
	}
	return name, name
}

// corrections returns the corrections of a notice, newest first.
func corrections(said *facts.NoticeFacts) (out []FieldCorrection) {
	join := func(list []fields.Value) string {
		var all []string
		for i := range list[:min(len(list), maxCorrected)] {
			all = append(all, list[i].Norm)
		}
		return line(strings.Join(all, "; "))
	}
	for name, c := range said.Corrected {
		x := FieldCorrection{Field: name, By: line(c.By), At: second(c.At), Value: join(c.Values),
			Read: join(said.Read.Of(name))}
		x.Title, x.English = titles(said.Set, name)
		out = append(out, x)
	}
	slices.SortFunc(out, func(a, b FieldCorrection) int {
		return cmp.Or(b.At.Compare(a.At), strings.Compare(a.Field, b.Field))
	})
	return out[:min(len(out), maxValues)]
}

// fill adds fields, versions, copies and the project of a notice to an answer.
func fill(ctx context.Context, e *crawl.Engine, out *Notice, d *query.NoticeDetail) error {
	out.FirstSeen, out.List, out.ListTitle = second(d.At), d.Source, line(d.SourceTitle)
	out.Score, out.Threshold = view.Round(d.Score), view.Round(d.Theta)
	out.Starred, out.Done, out.Verdict, out.Note = d.Marks.Starred(), d.Marks.IsDone(), string(d.Marks.Judgement()),
		clean(d.Marks.Says())
	if !d.Date.IsZero() {
		out.Date = d.Date.String()
	}
	if d.Quality != nil {
		out.Quality = d.Quality.String()
	}
	said, err := e.Facts.Of(d.ID)
	if err != nil {
		return err
	}
	if said != nil {
		for i, v := range slices.Concat(said.Result.Values, said.Result.Doubtful) {
			if i == maxValues {
				break
			}
			x := FieldValue{Field: v.Field, Value: line(v.Norm), Lot: line(v.Lot),
				Sure: view.Round(v.Sure), Doubt: v.Doubt, Source: string(v.Source), Label: line(v.Label),
				Table: v.Table, Row: v.Row, Column: v.Column, Agree: v.Agree,
				Place: query.ValuePlace(&v, said.Corrected[v.Field])}
			x.Title, x.English = titles(said.Set, v.Field)
			if f := said.Set.Named(v.Field); f != nil {
				x.Type = string(f.Type)
			}
			if v.Text != v.Norm {
				x.Text = line(v.Text)
			}
			out.Fields = append(out.Fields, x)
		}
		out.Corrections = corrections(said)
	}
	kin, err := e.Inbox.Kindred(ctx, d.ID)
	if err != nil || kin == nil {
		return err
	}
	out.Assistant = modelAnswer(kin.Answer, kin.Stale)
	out.Check, out.Doubtful = kin.Content(), kin.Check != nil && kin.Check.Doubtful
	for _, v := range kin.Versions[:min(len(kin.Versions), maxVersions)] {
		out.Versions = append(out.Versions, OldVersion{v.Number, second(v.Until), line(v.Title), diff(v.Lines,
			maxDiff)})
	}
	ref := func(r *inbox.NoticeRef) NoticeRef {
		return NoticeRef{ID: r.ID, Title: line(r.Title), URL: r.URL, Date: r.At.Format(time.DateOnly)}
	}
	for i := range kin.Others[:min(len(kin.Others), maxSteps)] {
		out.Copies, out.CopiesBy = append(out.Copies, ref(&kin.Others[i])), kin.Why.Says()
	}
	if t := kin.Thread; t != nil {
		out.Project = &Project{State: t.State.String(), Number: line(t.Number), Name: line(t.Name),
			Buyer: line(t.Buyer), By: t.Why.Says(), Notices: []NoticeRef{}}
		if !t.Deadline.IsZero() {
			out.Project.Deadline = clock(t.Deadline)
		}
		for i := range kin.Steps[:min(len(kin.Steps), maxSteps)] {
			x := ref(&kin.Steps[i].NoticeRef)
			x.State = kin.Steps[i].Kind.String()
			out.Project.Notices = append(out.Project.Notices, x)
		}
	}
	return nil
}
