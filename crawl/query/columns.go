package query

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"angler/crawl/auth"
	"angler/crawl/decisions"
	"angler/crawl/facts"
	"angler/crawl/inbox"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/crawl/view"
	"angler/store"
	"angler/store/export"
)

// This file defines the columns of notices as a table.

// noticeRow is one notice for a table.
type noticeRow struct {
	*store.Notice
	seen    time.Time // first seen; zero if not credible
	quality *inbox.Quality
	row     *inbox.ListedNotice // nil for a notice stored during the export
	related NoticeJSON          // related notices, see NoticeJSON.belongs; set for columns in relationColumns only
	doubt   string              // why it may not be a notice, in the table's language
}

func (n *noticeRow) marks() *decisions.Marks {
	if n.row == nil {
		return nil
	}
	return n.row.Marks
}

// noticeColumn is one column available for every notice.
type noticeColumn struct {
	export.Column
	zh string
	of func(*noticeRow) export.Value
}

func columnOf(name, title, zh string, kind export.Kind, of func(*noticeRow) export.Value) noticeColumn {
	return noticeColumn{export.Column{Name: name, Title: title, Kind: kind}, zh, of}
}

// text returns a text value; an empty text is an unknown value.
func text(s string) export.Value {
	if s == "" {
		return export.Value{}
	}
	return export.TextOf(s)
}

// link returns a link value; an empty address is an unknown value.
func link(url string) export.Value {
	if url == "" {
		return export.Value{}
	}
	return export.LinkOf(url)
}

// noticeColumns lists the columns available for every notice. Names are those of NoticeJSON and of filters.
var noticeColumns = []noticeColumn{
	columnOf("title", "Title", "标题", export.Text, func(n *noticeRow) export.Value { return text(n.Title) }),
	columnOf("url", "Address", "网址", export.Link, func(n *noticeRow) export.Value { return export.LinkOf(n.URL) }),
	columnOf("date", "Date", "日期", export.Time,
		func(n *noticeRow) export.Value { return export.DateOf(NoticeJSONOf(n.Notice).Date) }),
	columnOf("site", "Site", "网站", export.Text, func(n *noticeRow) export.Value {
		if n.row == nil {
			return text(urls.HostOf(n.URL))
		}
		return text(n.row.Site)
	}),
	columnOf("host", "Host", "主机", export.Text, func(n *noticeRow) export.Value { return text(urls.HostOf(n.URL)) }),
	columnOf("source", "List", "来源列表", export.Link, func(n *noticeRow) export.Value { return export.LinkOf(n.Source) }),
	columnOf("score", "Score", "得分", export.Number,
		func(n *noticeRow) export.Value { return export.NumberOf(view.Round(n.Score)) }),
	columnOf("quality", "Quality", "质量", export.Number, func(n *noticeRow) export.Value {
		if n.quality == nil {
			return export.Value{}
		}
		return export.NumberOf(view.Round(n.quality.Value))
	}),
	columnOf("first_seen", "First seen", "首次发现", export.Time,
		func(n *noticeRow) export.Value { return export.InstantOf(n.seen) }),
	columnOf("read", "Read", "已读", export.Flag, func(n *noticeRow) export.Value {
		return export.FlagOf(n.row != nil &&
			n.row.Read)
	}),
	columnOf("star", "Starred", "星标", export.Flag,
		func(n *noticeRow) export.Value { return export.FlagOf(n.marks().Starred()) }),
	columnOf("done", "Done", "已办", export.Flag, func(n *noticeRow) export.Value { return export.FlagOf(n.marks().IsDone()) }),
	columnOf("verdict", "Verdict", "判断", export.Text,
		func(n *noticeRow) export.Value { return text(string(n.marks().Judgement())) }),
	columnOf("note", "Note", "备注", export.Text, func(n *noticeRow) export.Value { return text(n.marks().Says()) }),
	columnOf("files", "Attachments", "附件数", export.Number,
		func(n *noticeRow) export.Value { return export.NumberOf(float64(len(n.Attachments))) }),
	columnOf("attachments", "Attachments", "附件", export.List, func(n *noticeRow) export.Value {
		return export.JSONOf(n.Attachments, len(n.Attachments))
	}),
	columnOf("text", "Text", "正文", export.Text, func(n *noticeRow) export.Value { return text(n.Text) }),
	columnOf("state", "State", "项目状态", export.Text, func(n *noticeRow) export.Value { return text(n.related.State) }),
	columnOf("thread", "Thread", "所属项目", export.Text,
		func(n *noticeRow) export.Value { return text(n.related.Thread) }),
	columnOf("same_as", "Same as", "相同公告", export.Link,
		func(n *noticeRow) export.Value { return link(n.related.SameAs) }),
	columnOf("doubtful", "Doubtful", "存疑", export.Text, func(n *noticeRow) export.Value { return text(n.doubt) }),
	columnOf("changed", "Changed", "变更", export.Text,
		func(n *noticeRow) export.Value { return text(n.related.Changed) }),
	columnOf("versions", "Versions", "旧版本", export.List,
		func(n *noticeRow) export.Value { return export.JSONOf(n.related.Versions, len(n.related.Versions)) }),
}

// relationColumns lists the columns that need related notices.
var relationColumns = []string{"state", "thread", "same_as", "doubtful", "changed", "versions"}

// fieldNames returns the valid names for --fields of notices.
func (q *Query) fieldNames() []string {
	var names []string
	for _, c := range noticeColumns {
		names = append(names, c.Name)
	}
	return q.withFacts(names...)
}

// withFacts returns names followed by the columns of facts that are not among them.
func (q *Query) withFacts(names ...string) []string {
	for _, c := range q.Facts.Columns("") {
		if !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// CheckFields returns an error for an unknown field.
func (q *Query) CheckFields(fields []string) error {
	names := q.fieldNames()
	for _, f := range fields {
		if !slices.Contains(names, f) {
			return fmt.Errorf("notices have no field %q; there are: %s", f, strings.Join(names, ", "))
		}
	}
	return nil
}

// DefaultFields returns the columns of a table for people: those of the inbox, and all facts.
func (q *Query) DefaultFields() []string {
	return append(q.withFacts("title", "url", "date", "site", "doubtful"), "state", "score", "first_seen")
}

// wholeFields returns the columns of a workbook: those of NoticeJSON, and all facts.
func (q *Query) wholeFields() []string {
	return append(q.withFacts("url", "title", "date", "text", "source", "attachments", "score", "quality",
		"first_seen"), relationColumns...)
}

// noticeTable builds rows of the chosen fields.
type noticeTable struct {
	columns []export.Column
	of      []func(*noticeRow) export.Value // nil: a fact
	facts   *facts.Extractor
	values  []export.Value
}

func (q *Query) noticeTable(fields []string, lang string) (*noticeTable, error) {
	if err := q.CheckFields(fields); err != nil {
		return nil, err
	}
	t := &noticeTable{facts: q.Facts, values: make([]export.Value, len(fields))}
	more := t.facts.Columns(lang)
	for _, f := range fields {
		if i := slices.IndexFunc(noticeColumns, func(c noticeColumn) bool { return c.Name == f }); i >= 0 {
			c := noticeColumns[i]
			if lang == "zh" {
				c.Title = c.zh
			}
			t.columns, t.of = append(t.columns, c.Column), append(t.of, c.of)
			continue
		}
		i := slices.IndexFunc(more, func(c export.Column) bool { return c.Name == f })
		t.columns, t.of = append(t.columns, more[i]), append(t.of, nil)
	}
	return t, nil
}

// row returns the values of a notice, valid until the next call.
func (t *noticeTable) row(n *noticeRow) ([]export.Value, error) {
	var known map[string]export.Value
	for i, of := range t.of {
		if of != nil {
			t.values[i] = of(n)
			continue
		}
		if known == nil {
			var err error
			if known, err = t.facts.TableValues(n.ID); err != nil {
				return nil, err
			}
			if known == nil {
				known = map[string]export.Value{}
			}
		}
		t.values[i] = known[t.columns[i].Name]
	}
	return t.values, nil
}

// tabled writes notices with the fields of a plan.
func (x *exporter) tabled(p ExportPlan, write func([]export.Column) (export.TableSink, error)) error {
	fields := p.Fields
	switch {
	case fields != nil:
	case p.Format == export.XLSX:
		fields = x.q.wholeFields()
	default:
		fields = x.q.DefaultFields()
	}
	t, err := x.q.noticeTable(fields, p.Lang)
	if err != nil {
		return err
	}
	list, err := x.q.Inbox.SessionOf(auth.Actor{Name: p.By}).List(x.ctx, inbox.Request{})
	if err != nil {
		return err
	}
	belongs := slices.ContainsFunc(fields, func(f string) bool { return slices.Contains(relationColumns, f) })
	rows := make(map[uint64]*inbox.ListedNotice, len(list.Rows))
	for i := range list.Rows {
		rows[list.Rows[i].ID] = &list.Rows[i]
	}
	out, err := write(t.columns)
	if err != nil {
		return err
	}
	defer export.Discard(out)
	first := revisit.Believed{Now: x.q.Now()}
	err = x.stored(p, func(n *store.Notice, quality *inbox.Quality) error {
		row := noticeRow{Notice: n, seen: first.Time(n.FirstSeen), quality: quality, row: rows[n.ID]}
		if belongs {
			k, err := x.q.Inbox.Kindred(x.ctx, n.ID)
			if err != nil {
				return err
			}
			row.related.belongs(k)
			if row.doubt = row.related.Doubtful; row.doubt != "" && p.Lang == "zh" {
				row.doubt = k.ContentZh()
			}
		}
		values, err := t.row(&row)
		if err != nil {
			return err
		}
		x.n++
		return out.Row(values)
	})
	if err != nil {
		return err
	}
	return out.Close()
}
