package api

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"angler/crawl"
	"angler/crawl/inbox"
)

// maxListed bounds the rows of a list in Markdown.
const maxListed = 100

// markup lists the characters with a meaning within a line of Markdown or HTML.
const markup = "\\`*_{}[]()<>#|~&$!"

// escape returns a text of the web for a line of Markdown, without effect as markup.
func escape(s string) string {
	var b strings.Builder
	for _, r := range line(s) {
		if strings.ContainsRune(markup, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return strings.ReplaceAll(b.String(), "://", ":\\//") // no automatic link
}

// link returns a Markdown link for a plain web address, and escaped text for others.
func link(url string) string {
	if !strings.HasPrefix(url, "http://") && !strings.HasPrefix(url, "https://") ||
		strings.ContainsFunc(url, func(r rune) bool {
			return r <= ' ' || r == 0x7f || strings.ContainsRune("<>\\`",
				r)
		}) {
		return escape(url)
	}
	return "<" + line(url) + ">"
}

// fenced returns a text of the web as a code block whose fence the text cannot close.
func fenced(s string) string {
	fence := "~~~"
	for strings.Contains(s, fence) {
		fence += "~"
	}
	return fence + "text\n" + strings.TrimRight(s, "\n") + "\n" + fence + "\n"
}

// Markdown returns a notice as Markdown.
func (n *Notice) Markdown() string {
	var b strings.Builder
	item := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "- %s: %s\n", name, fmt.Sprintf(format, args...))
	}
	fmt.Fprintf(&b, "# %s\n\n", cmp.Or(escape(n.Title), escape(n.URL)))
	item("address", "%s", link(n.URL))
	if n.Date != "" {
		item("date", "%s", n.Date)
	}
	if n.List != "" {
		item("list", "%s %s", escape(n.ListTitle), link(n.List))
	}
	if n.Doubtful {
		item("doubtful", "it may be no notice: %s", escape(n.Check))
	}
	for _, mark := range []struct{ name, says string }{{"verdict", n.Verdict}, {"note", n.Note}} {
		if mark.says != "" {
			item(mark.name, "%s", escape(mark.says))
		}
	}
	if a := n.Assistant; a != nil && !a.Stale {
		item("model", "%s %s (%s; no verdict of a person)", a.Answer, escape(a.Quote), escape(a.Model))
	}
	if len(n.Fields) > 0 {
		b.WriteString("\n## Fields\n\n")
	}
	for _, f := range n.Fields {
		name, doubt := escape(f.Title), ""
		if f.Lot != "" {
			name += " (" + escape(f.Lot) + ")"
		}
		if f.Doubt != "" {
			doubt = "; not believed: " + escape(f.Doubt)
		}
		item(name, "%s (%s%s)", escape(f.Value), escape(f.Place), doubt)
	}
	if p := n.Project; p != nil {
		fmt.Fprintf(&b, "\n## Project %s\n\n", escape(cmp.Or(p.Name, p.Number)))
		for _, x := range p.Notices {
			item(x.Date, "%s %s %s", escape(x.State), escape(x.Title), link(x.URL))
		}
	}
	for _, v := range n.Versions {
		fmt.Fprintf(&b, "\n## Version %d, until %s\n\n%s", v.Number, v.Until.Format(time.DateOnly),
			fenced(strings.Join(v.Lines, "\n")))
	}
	if len(n.Attachments) > 0 {
		b.WriteString("\n## Attachments\n\n")
	}
	for _, a := range n.Attachments {
		item(escape(a.Name), "%s", link(a.URL))
	}
	for _, t := range n.Texts {
		fmt.Fprintf(&b, "\n## Text of %s\n\n%s", escape(t.Of), fenced(t.Text))
	}
	if n.NextCursor != "" {
		b.WriteString("\nThere is more text: get_notice.\n")
	}
	return b.String()
}

// row is a notice in a list of Markdown.
func (x *NoticeLine) row() string {
	says := []string{fmt.Sprintf("[%d] %s", x.ID, escape(x.Title)), escape(x.Site), x.Date}
	for _, name := range slices.Sorted(maps.Keys(x.Fields)) {
		value := fmt.Sprint(x.Fields[name])
		if n, ok := x.Fields[name].(float64); ok {
			value = strconv.FormatFloat(n, 'f', -1, 64)
		}
		says = append(says, name+" "+escape(value))
	}
	if x.Doubtful {
		says = append(says, "doubtful")
	}
	return "- " + strings.Join(slices.DeleteFunc(says, func(s string) bool { return s == "" }), " · ") +
		" " + link(x.URL) + "\n"
}

// Markdown returns changes as Markdown.
func (c *Changes) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %d changes since %s\n\n", c.Total, c.Since.Format("2006-01-02 15:04"))
	for i := range c.Changes {
		x := &c.Changes[i]
		if x.Change != "new" {
			fmt.Fprintf(&b, "- %s:\n  ", x.Change)
		}
		b.WriteString(x.Notice.row())
	}
	if rest := c.Total - len(c.Changes); rest > 0 {
		fmt.Fprintf(&b, "\n%d more: list_changes.\n", rest)
	}
	return b.String()
}

// Markdown returns lists as Markdown.
func (l *Lists) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %d lists\n\n", l.Total)
	for i := range l.Lists {
		x := &l.Lists[i]
		fmt.Fprintf(&b, "- [%d] %s · %s · %d notices · %s", x.ID, escape(x.Title), escape(x.Host), x.Notices,
			x.Health)
		if x.Trouble != "" {
			b.WriteString(": " + escape(x.Trouble))
		}
		b.WriteString(" " + link(x.URL) + "\n")
	}
	if rest := l.Total - len(l.Lists); rest > 0 {
		fmt.Fprintf(&b, "\n%d more: list_lists.\n", rest)
	}
	return b.String()
}

// ListMarkdown returns one list and its newest notices as Markdown.
func (s *Service) ListMarkdown(ctx context.Context, id uint64) (out string, err error) {
	err = s.worded(ctx, func(e *crawl.Engine, at time.Time) error {
		all, err := listsOf(ctx, e)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(all, func(x ListLine) bool { return x.ID == id })
		if i < 0 {
			return UnknownError(fmt.Sprintf("%d is the id of no list; list_lists finds lists", id))
		}
		heads, err := e.Inbox.Heads(ctx)
		if err != nil {
			return err
		}
		list := Lists{Page: Page{Total: 1}, Lists: all[i : i+1]}
		var b strings.Builder
		fmt.Fprintf(&b, "%s\n# Notices of the list, the newest first, as of %s\n\n", list.Markdown(),
			at.Format("2006-01-02 15:04"))
		n := 0
		for _, h := range heads {
			if h.SourceID != id && h.FrameID != id {
				continue
			}
			if n++; n > maxListed {
				b.WriteString("\nThere are more: search_notices with list:ADDRESS.\n")
				break
			}
			x := lineOf(e, &inbox.ListedNotice{NoticeHead: h})
			b.WriteString(x.row())
		}
		out = b.String()
		return nil
	})
	return out, err
}
