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

// glanceMsg brings a first page.
type glanceMsg struct {
	url string
	g   *seeds.FirstLook
	err error
}

// look fetches the first page of the host under the cursor.
func (v *seedsView) look() tea.Cmd {
	r := v.Table.Selected()
	url, seeds := r.URL, v.seeds
	v.looked[url] = &glance{busy: true}
	return v.ui.Run("looking at the first page", func(ctx context.Context) tea.Msg {
		g, err := seeds.LookAt(ctx, url)
		return glanceMsg{url, g, err}
	})
}

// lines returns all facts about a proposal.
func (v *seedsView) lines(r *seeds.Proposal, g *glance) []widget.TextLine {
	sh := v.shared
	out := []widget.TextLine{{{Style: widget.Bold, Text: widget.Clean(r.URL)}}}
	if r.Title != "" {
		out = append(out, widget.TextLine{{Text: widget.Clean(r.Title)}})
	}
	if r.By != "" {
		st := widget.Warn
		if r.State == seeds.ProposalAccepted {
			st = widget.Good
		}
		out = append(out,
			widget.TextLine{{Style: st, Text: sh.T(r.State)},
				{Style: widget.Dim, Text: " · " + widget.Clean(r.By) + " · " + widget.When(r.At, sh.Snap.At)}})
	}
	head := func(text string) {
		out = append(out, widget.TextLine{}, widget.TextLine{{Style: widget.Head, Text: text}})
	}
	line := func(st widget.Style, text string) {
		out = append(out, widget.TextLine{{Style: st, Text: widget.Clean(text)}})
	}
	if g != nil {
		out = append(out, firstPage(sh, g)...)
	}
	if f := r.Search; f != nil {
		head(sh.F("found by %s, %s, the best at place %s", sh.N(f.Questions, "word"), sh.N(f.Results, "result"),
			widget.Count(f.Best)))
		line(widget.Plain, strings.Join(f.Words, " · "))
		line(widget.Dim, f.Example)
	}
	if l := r.Links; l != nil {
		head(sh.F("linked from %s of %s", sh.N(l.Pages, "relevant page"), sh.N(l.Sites, "site")))
		line(widget.Plain, strings.Join(l.Anchors, " · "))
		line(widget.Dim, l.Example)
	}
	for i, f := range r.Files {
		if i == 0 {
			head(sh.T("named in lists"))
		}
		said := f.Name + " ×" + widget.Count(f.Entries)
		if f.Text != "" {
			said += " · " + f.Text
		}
		line(widget.Plain, said)
	}
	if g == nil {
		out = append(out, firstPage(sh, g)...)
	}
	return out
}

// firstPage describes a host's first page.
func firstPage(sh *screen.Shared, g *glance) []widget.TextLine {
	out := []widget.TextLine{{}, {{Style: widget.Head, Text: sh.T("its first page")}}}
	add := func(st widget.Style, text string) { out = append(out, widget.TextLine{{Style: st, Text: text}}) }
	switch {
	case g == nil:
		add(widget.Dim, sh.T("{open} looks at it"))
	case g.busy:
		add(widget.Dim, sh.T("looking at the first page")+" …")
	case g.err != nil:
		add(widget.Warn, sh.Reason(g.err))
	case g.Status != 200:
		add(widget.Warn, sh.F("HTTP status %s", widget.Count(g.Status)))
	default:
		add(widget.Bold, widget.Clean(g.Title))
		says := sh.T(g.Type) + " · " + sh.N(g.Records, "record") + " · " + widget.Clean(g.URL)
		if g.Scored {
			says = sh.F("similarity %s", widget.Score(g.Score, 3)) + " · " + says
		}
		add(widget.Dim, says)
		add(widget.Plain, widget.Clean(strings.Join(g.Links, " · ")))
	}
	return out
}
