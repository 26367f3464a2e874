package inbox

import (
	"cmp"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"angler/crawl/listpage"
	"angler/crawl/recipe"
	"angler/crawl/view"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file shows the details of a recipe: its state, and the rows that it brings.

// tell makes the text of the row under the cursor.
func (v *recipesView) tell() {
	r := v.Table.Selected()
	if r == nil {
		v.TellNone(v.T("This pane shows the list under the cursor, with the rows a recipe would read."))
		return
	}
	t, known := v.tried[r.key], v.Code
	if t != nil {
		known = fmt.Sprint(known, " ", t.n, t.done, t.step())
	}
	v.Tell(fmt.Sprint(r.key, r.state), known, func() []widget.TextLine { return v.lines(r, t) })
}

// step says what the look is busy with.
func (t *try) step() string {
	if s := t.said.Load(); s != nil && !t.done {
		return *s
	}
	return ""
}

// text gathers lines.
type text struct {
	*screen.Shared
	out screen.Lines
}

func (v *recipesView) lines(r *recipeRow, t *try) []widget.TextLine {
	x := &text{Shared: v.Shared}
	if r.name != "" && r.name != r.page {
		x.out.Add(widget.Bold, r.name)
	}
	if r.page != "" {
		x.out.Add(widget.Key, r.page)
	}
	x.stands(r)
	switch {
	case t == nil && r.saved == nil:
		x.out.Head(x.T("what it brings"))
		x.out.Add(widget.Dim, x.T("{open} renders the page in Chromium and tries the requests that brought its rows"))
	case t == nil && !r.saved.Broken:
		x.out.Head(x.T("what it brings"))
		x.out.Add(widget.Dim, x.T("{open} reads its first two pages; nothing is stored"))
	case t == nil:
	case !t.done:
		x.out.Head(x.T("what it brings"))
		x.out.Add(widget.Plain, x.Line(cmp.Or(t.step(), "asking"))+" …")
		x.out.Add(widget.Dim, x.T("{recipe_cancel} cancels"))
	case t.err != nil:
		x.out.Head(x.T("what it brings"))
		x.out.Add(widget.Warn, x.Reason(t.err))
		x.out.Add(widget.Dim, x.T("{recipe_paste} takes a request that a browser has copied as cURL"))
	case t.pages != nil:
		x.preview(t.pages)
	default:
		x.proposals(r, t)
	}
	return x.out
}

// stands tells how a row stands, and what helps.
func (x *text) stands(r *recipeRow) {
	if s := r.saved; s != nil {
		if s.Address != "" {
			x.out.Add(widget.Dim, s.Address)
		}
		about := []string{}
		for _, s := range []string{s.File, x.Line(s.Pages)} {
			if s != "" {
				about = append(about, s)
			}
		}
		x.out.Add(widget.Dim, strings.Join(about, " · "))
		switch {
		case s.Broken:
			x.out.Add(widget.Warn, x.F("left out: %s", x.Line(s.Why)))
			x.out.Add(widget.Dim, x.T("the file is no recipe: mend it in an editor, or remove it"))
		case s.Why != "":
			x.out.Add(widget.Warn, x.F("does not fit: %s", x.Line(s.Why)))
			if s.Reply != "" {
				x.out.Add(widget.Dim, x.F("the reply is kept in %s", s.Reply))
			}
		case r.state == waits:
			x.out.Add(widget.Accent|widget.Bold,
				x.T("proposed: {recipe_accept} accepts it, {recipe_remove} rejects it"))
		case r.state == paused:
			x.out.Add(widget.Dim, x.T("its list is left alone; {recipe_pause} has it read again"))
		case s.Visited.IsZero():
			x.out.Add(widget.Plain, x.T("the next run reads it: {harvest} starts a harvest"))
		default:
			x.out.Add(widget.Good, x.F("visited %s, %s", x.When(s.Visited), x.N(s.Entries, "record")))
		}
	}
	if a := r.alarm; a != nil {
		for i := range a.Unfollowed {
			u := &a.Unfollowed[i]
			x.out.Add(widget.Warn, "⚠ "+x.Says(view.UnfollowedSays(u.Kind, u.Text, u.Why)))
			if u.Kind == listpage.KindLogin || u.Kind == listpage.KindCaptcha {
				x.out.Add(widget.Dim, "  "+x.T(u.Help))
			}
		}
	}
}

// proposals tell what was found for a list.
func (x *text) proposals(r *recipeRow, t *try) {
	for i := range t.list {
		p := &t.list[i]
		if p.Recipe == nil {
			x.out.Head(x.T("not readable"))
			x.out.Add(widget.Plain, x.Line(p.Why))
			x.out.Add(widget.Warn, x.Line(p.Refused))
			continue
		}
		x.out.Head(x.F("found by: %s", x.T(fromNames[p.Recipe.From])))
		if last := len(x.out) - 1; r.saved == nil {
			x.out[last] = append(x.out[last], widget.Dim.Text(" · "),
				(widget.Accent | widget.Bold).Text(x.T("{recipe_accept} accepts it")))
		}
		for _, n := range p.Notes {
			x.out.Add(widget.Warn, x.Line(n))
		}
		if p.Preview != nil { // before how it asks: a small pane shows the first rows
			x.preview(p.Preview)
		}
		x.out = append(x.out, widget.TextLine{})
		x.out.Add(widget.Plain, x.Line(p.Why))
		x.out.Add(widget.Dim, p.Recipe.Sends()+" "+p.Recipe.Request.URL+" · "+x.Line(p.Recipe.Describe()))
	}
	if t.best() == nil {
		x.out = append(x.out, widget.TextLine{})
		x.out.Add(widget.Dim, x.T("{recipe_paste} takes a request that a browser has copied as cURL"))
	}
}

// indented cells stand before the titles of rows, for their dates.
const indented = len(time.DateOnly) + 1

// mostText runes of a row's own text are shown.
const mostText = 80

// preview shows the rows of the first pages.
func (x *text) preview(p *recipe.Preview) {
	for i := range p.Pages {
		s := &p.Pages[i]
		about := x.F("page %s: %s", s.Page, x.N(len(s.Rows), "row"))
		if s.Total > 0 {
			about += " · " + x.F("%s in all", s.Total)
		}
		if s.Last > 0 {
			about += " · " + x.N(s.Last, "list page")
		}
		x.out.Head(about)
		if s.Left > 0 {
			x.out.Add(widget.Warn, x.F("%s without title or address", x.N(s.Left, "row")))
		}
		for j := range s.Rows {
			x.row(&s.Rows[j])
		}
		if s.End != "" {
			x.out.Add(widget.Dim, x.F("it ends here: %s", x.Line(s.End)))
		}
	}
	if p.Note != "" {
		x.out.Add(widget.Warn, x.Line(p.Note))
	}
}

func (x *text) row(r *recipe.Row) {
	day := cmp.Or(widget.Clean(r.Day), "–")
	if len(day) > len(time.DateOnly) && day[4] == '-' { // the hour says little here
		day = day[:len(time.DateOnly)]
	}
	x.out = append(x.out,
		widget.TextLine{widget.Dim.Text(widget.Pad(day, indented)),
			widget.Plain.Text(widget.Clean(r.Title))})
	where := widget.Clean(r.URL)
	if r.Text != "" {
		where = x.F("its text stands in the row: %s letters", utf8.RuneCountInString(r.Text))
		where += " · " + widget.Fit(widget.Clean(r.Text), mostText)
	}
	x.out = append(x.out, widget.TextLine{widget.Dim.Text(strings.Repeat(" ", indented) + where)})
}
