package seeding

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/seeds"
	"angler/tui/screen"
	"angler/tui/ui"
)

// This file tells what speaks for a host, and looks at its first page.

// glanceMsg brings what a first page says.
type glanceMsg struct {
	url string
	g   *seeds.FirstLook
	err error
}

// look fetches the first page of the host under the cursor.
func (v *View) look() tea.Cmd {
	r := v.table.Selected()
	url, seeds := r.URL, v.seeds
	v.looked[url] = &glance{busy: true}
	return v.ui.Run("looking at the first page", func(ctx context.Context) tea.Msg {
		g, err := seeds.LookAt(ctx, url)
		return glanceMsg{url, g, err}
	})
}

// lines are all that is known of a proposal.
func (v *View) lines(r *seeds.Proposal, g *glance) []ui.TextLine {
	sh := v.shared
	out := []ui.TextLine{{{Style: ui.Bold, Text: ui.Clean(r.URL)}}}
	if r.Title != "" {
		out = append(out, ui.TextLine{{Text: ui.Clean(r.Title)}})
	}
	if r.By != "" {
		st := ui.Warn
		if r.State == seeds.ProposalAccepted {
			st = ui.Good
		}
		out = append(out, ui.TextLine{{Style: st, Text: sh.T(r.State)}, {Style: ui.Dim, Text: " · " + ui.Clean(r.By) + " · " + ui.When(r.At, sh.Snap.At)}})
	}
	head := func(text string) {
		out = append(out, ui.TextLine{}, ui.TextLine{{Style: ui.Head, Text: text}})
	}
	line := func(st ui.Style, text string) { out = append(out, ui.TextLine{{Style: st, Text: ui.Clean(text)}}) }
	if g != nil {
		out = append(out, firstPage(sh, g)...)
	}
	if f := r.Search; f != nil {
		head(sh.F("found by %s, %s, the best at place %s", sh.N(f.Questions, "word"), sh.N(f.Results, "result"), ui.Count(f.Best)))
		line(ui.Plain, strings.Join(f.Words, " · "))
		line(ui.Dim, f.Example)
	}
	if l := r.Links; l != nil {
		head(sh.F("linked from %s of %s", sh.N(l.Pages, "relevant page"), sh.N(l.Sites, "site")))
		line(ui.Plain, strings.Join(l.Anchors, " · "))
		line(ui.Dim, l.Example)
	}
	for i, f := range r.Files {
		if i == 0 {
			head(sh.T("named in lists"))
		}
		said := f.Name + " ×" + ui.Count(f.Entries)
		if f.Text != "" {
			said += " · " + f.Text
		}
		line(ui.Plain, said)
	}
	if g == nil {
		out = append(out, firstPage(sh, g)...)
	}
	return out
}

// firstPage tells what was seen of a host's first page.
func firstPage(sh *screen.Shared, g *glance) []ui.TextLine {
	out := []ui.TextLine{{}, {{Style: ui.Head, Text: sh.T("its first page")}}}
	add := func(st ui.Style, text string) { out = append(out, ui.TextLine{{Style: st, Text: text}}) }
	switch {
	case g == nil:
		add(ui.Dim, sh.T("{open} looks at it"))
	case g.busy:
		add(ui.Dim, sh.T("looking at the first page")+" …")
	case g.err != nil:
		add(ui.Warn, sh.Reason(g.err))
	case g.Status != 200:
		add(ui.Warn, sh.F("HTTP status %s", ui.Count(g.Status)))
	default:
		add(ui.Bold, ui.Clean(g.Title))
		says := sh.T(g.Type) + " · " + sh.N(g.Records, "record") + " · " + ui.Clean(g.URL)
		if g.Scored {
			says = sh.F("similarity %s", ui.Score(g.Score, 3)) + " · " + says
		}
		add(ui.Dim, says)
		add(ui.Plain, ui.Clean(strings.Join(g.Links, " · ")))
	}
	return out
}
