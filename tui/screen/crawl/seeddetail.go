package crawl

import (
	"context"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/seeds"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file shows the evidence for a host and its first page.

// look fetches the first page of the host under the cursor.
func (v *seedsView) look() tea.Cmd {
	r := v.Table.Selected()
	url, seeding := r.URL, v.seeds
	v.looked[url] = &glance{busy: true}
	return screen.Load(v.UI, "looking at the first page",
		func(ctx context.Context) (*seeds.FirstLook, error) { return seeding.LookAt(ctx, url) },
		func(g *seeds.FirstLook, err error) tea.Cmd {
			v.looked[url], v.Told = &glance{FirstLook: g, err: err}, ""
			return nil
		})
}

// lines returns all facts about a proposal.
func (v *seedsView) lines(r *seeds.Proposal, g *glance) []widget.TextLine {
	sh := v.Shared
	var out screen.Lines
	out.Add(widget.Bold, r.URL)
	if r.Title != "" {
		out.Add(widget.Plain, r.Title)
	}
	if r.By != "" {
		st := widget.Either(r.State == seeds.ProposalAccepted, widget.Good, widget.Warn)
		out.Line(st.Text(sh.T(r.State)),
			widget.Dim.Text(" · "+widget.Clean(r.By)+" · "+sh.When(r.At)))
	}
	if g != nil {
		out = append(out, firstPage(sh, g)...)
	}
	if f := r.Search; f != nil {
		out.Head(sh.F("found by %s, %s, the best at place %s", sh.N(f.Questions, "word"), sh.N(f.Results, "result"),
			f.Best))
		out.Add(widget.Plain, strings.Join(f.Words, " · "))
		out.Add(widget.Dim, f.Example)
	}
	if l := r.Links; l != nil {
		out.Head(sh.F("linked from %s of %s", sh.N(l.Pages, "relevant page"), sh.N(l.Sites, "site")))
		out.Add(widget.Plain, strings.Join(l.Anchors, " · "))
		out.Add(widget.Dim, l.Example)
	}
	for i, f := range r.Files {
		if i == 0 {
			out.Head(sh.T("named in lists"))
		}
		said := f.Name + " ×" + widget.Count(f.Entries)
		if f.Text != "" {
			said += " · " + f.Text
		}
		out.Add(widget.Plain, said)
	}
	if g == nil {
		out = append(out, firstPage(sh, g)...)
	}
	return out
}

// firstPage describes a host's first page.
func firstPage(sh *screen.Shared, g *glance) []widget.TextLine {
	var out screen.Lines
	out.Head(sh.T("its first page"))
	switch {
	case g == nil:
		out.Add(widget.Dim, sh.T("{open} looks at it"))
	case g.busy:
		out.Add(widget.Dim, sh.T("looking at the first page")+" …")
	case g.err != nil:
		out.Add(widget.Warn, sh.Reason(g.err))
	case g.Status != 200:
		out.Add(widget.Warn, sh.F("HTTP status %s", g.Status))
	default:
		out.Add(widget.Bold, widget.Clean(g.Title))
		says := sh.T(g.Type) + " · " + sh.N(g.Records, "record") + " · " + widget.Clean(g.URL)
		if g.Scored {
			says = sh.F("similarity %s", widget.Score(g.Score, 3)) + " · " + says
		}
		out.Add(widget.Dim, says)
		out.Add(widget.Plain, widget.Clean(strings.Join(g.Links, " · ")))
	}
	return out
}
