package screen

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/query"
	"angler/crawl/view"
	"angler/tui/keymap"
	"angler/tui/widget"
)

// Preview shows one stored page beside a list: its records, its text, or the reasons of its score.
// During quick moves it shows only the last page: requests are numbered, and a new one cancels the
// one before.
type Preview struct {
	ui     *UI
	shared *Shared
	pages  Pages
	id     uint64
	at     DataVersion
	page   *query.Preview
	err    error
	mode   int
	Text   widget.Text
	asked  Request
	// Verdict, if set, adds a line about the page below its facts.
	Verdict func(id uint64) widget.TextLine

	src    string // HTML of page srcID
	srcID  uint64
	srcErr error
}

// NewPreview returns an empty preview.
func NewPreview(u *UI, sh *Shared, pages Pages) Preview {
	return Preview{ui: u, shared: sh, pages: pages}
}

var previewModes = [...]string{"records", "text", "score", "blocks", "HTML"}

const sourceMode = 4 // the only mode that needs another request

// still is how long the cursor must stay on a page before the page is read and parsed. That takes
// some milliseconds, which a held key would cost for every row.
const still = 30 * time.Millisecond

// Want requests page id; 0 empties the pane.
func (p *Preview) Want(id uint64) tea.Cmd {
	at := DataVersion{Model: p.shared.Snap.ModelRev, Acts: p.shared.Acts}
	if id == p.id && at == p.at {
		return nil
	}
	p.asked.Drop()
	if id != p.id {
		p.page, p.err = nil, nil
		p.Text.Set(nil)
	}
	p.id, p.at = id, at
	if id == 0 {
		return nil
	}
	pages, after := p.pages, p.shared.After
	return Start(&p.asked, p.ui, "opening the page", func(ctx context.Context) (*query.Preview, error) {
		select {
		case <-after(still):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return pages.Preview(ctx, id)
	}, p.show)
}

// show shows the requested page.
func (p *Preview) show(page *query.Preview, err error) tea.Cmd {
	again := p.page != nil && page != nil && p.page.ID == page.ID
	p.page, p.err = page, err
	p.Fill(again)
	return p.source()
}

// Fill makes the lines of the current mode; keep keeps the scroll position.
func (p *Preview) Fill(keep bool) {
	if p.page == nil {
		p.Text.Set(nil)
		return
	}
	lines := Lines(p.head())
	p.Text.Indent = 0
	switch {
	case p.mode == 0:
		p.Text.Indent = dayWidth + 1 // indents continuation lines of a title past the day
		lines = recordLines(p.shared, lines, p.page)
	case p.mode == 1:
		lines = append(lines, widget.Lines(cmp.Or(p.page.Main, p.page.Text))...)
	case p.mode == 2:
		lines = append(lines, scoreLines(p.shared, p.page)...)
	case p.mode != sourceMode:
		lines = append(lines, blockLines(p.shared, p.page.Blocks)...)
	case p.srcID != p.id:
		lines.Line(widget.Dim.Text(p.shared.T("reading the source …")))
	case p.srcErr != nil:
		lines.Line(widget.Bad.Text(p.shared.Reason(p.srcErr)))
	default:
		lines = append(lines, widget.Lines(strings.ReplaceAll(p.src, "\t", "  "))...)
	}
	if keep {
		p.Text.Replace(lines)
	} else {
		p.Text.Set(lines)
	}
}

// source requests the HTML if it is shown.
func (p *Preview) source() tea.Cmd {
	if p.mode != sourceMode || p.page == nil || p.srcID == p.id {
		return nil
	}
	pages, id := p.pages, p.id
	return Load(p.ui, "reading the source", func(ctx context.Context) (string, error) { return pages.Source(ctx, id) },
		func(text string, err error) tea.Cmd {
			if id == p.id { // still shown
				p.src, p.srcID, p.srcErr = text, id, err
				p.Fill(false)
			}
			return nil
		})
}

// head describes the page, in every mode.
func (v *Preview) head() []widget.TextLine {
	p := v.page
	facts := fmt.Sprintf("%s · β %s · %s · %s", v.shared.T(p.Type.String()), widget.Score(p.Beta, 2),
		v.shared.N(len(p.Records), "record"), p.Charset)
	if d := p.Date.String(); d != "" {
		facts += " · " + d
	}
	if p.Method != "" {
		facts += " · " + v.shared.F("text by %s", v.shared.Value("", p.Method))
	}
	out := Lines{
		{widget.Bold.Text(widget.Clean(p.Title))},
		{widget.Key.Text(widget.Clean(p.URL))},
		{widget.Dim.Text(widget.Clean(facts))},
	}
	if v.Verdict != nil {
		if l := v.Verdict(p.ID); l != nil {
			out = append(out, l)
		}
	}
	for _, l := range p.Limits {
		out.Line(widget.Warn.Text(v.shared.F("limit hit: %s", widget.Clean(l))))
	}
	for i := range p.Unfollowed {
		x := &p.Unfollowed[i]
		out.Line(widget.Warn.Text("⚠ " + v.shared.Says(view.UnfollowedSays(x.Kind, x.Text, x.Why))))
		if x.Help != "" {
			out.Line(widget.Dim.Text("  " + v.shared.F("remedy: %s", v.shared.T(x.Help))))
		}
	}
	return append(out, widget.TextLine{{Text: ""}})
}

// Bindings are the keys that control the preview from anywhere on the screen.
func (p *Preview) Bindings() []Binding {
	off := If(p.id == 0, "no page is chosen")
	return []Binding{
		Bind(keymap.View, off, func() tea.Cmd { return p.look(p.mode + 1) }),
		Bind(keymap.ViewBefore, off, func() tea.Cmd { return p.look(p.mode - 1) }),
		Bind(keymap.ScrollDown, off, Do(func() { p.ui.Scroll(&p.Text, p.Text.Page()/2) })),
		Bind(keymap.ScrollUp, off, Do(func() { p.ui.Scroll(&p.Text, -p.Text.Page()/2) })),
	}
}

// look selects a view, wrapping around.
func (p *Preview) look(mode int) tea.Cmd {
	p.mode = (mode + len(previewModes)) % len(previewModes)
	p.Fill(false)
	return p.source()
}

// Pane frames the preview.
func (p *Preview) Pane(hint string) *Pane {
	return &Pane{
		Title: func() string {
			s := p.shared.T("preview")
			for i, m := range previewModes {
				m = p.shared.T(m)
				if i == p.mode {
					s += " [" + m + "]"
				} else {
					s += " " + m
				}
			}
			return s
		},
		Tabs: func() []string {
			return widget.Map(previewModes[:], p.shared.T)
		},
		Tab:  func(i int) tea.Cmd { return p.look(i) },
		Note: p.Text.Note,
		Draw: func(c *widget.Canvas, _ bool) {
			switch {
			case p.id == 0:
				widget.DrawNote(c, hint)
			case p.err != nil:
				widget.DrawNote(c, p.shared.F("The page cannot be shown: %s", p.shared.Reason(p.err)))
			case p.page == nil:
				widget.DrawNote(c, "opening …")
			default:
				p.Text.Draw(c)
			}
		},
		List:    &p.Text,
		Figures: p.figures,
	}
}

// figures are the numbers in the current view of the page.
func (p *Preview) figures() []Figure {
	if p.page == nil {
		return nil
	}
	var out []Figure
	add := func(title, value string) { out = append(out, Named("Preview", title, value)) }
	switch previewModes[p.mode] {
	case "score":
		add("share", "")
		add("times", "")
	case "blocks":
		for _, title := range []string{"items", "dated", "group score", "chars", "links", "mass"} {
			add(title, "")
		}
	default:
		add("β", widget.Score(p.page.Beta, 2))
		add("records", widget.Count(len(p.page.Records)))
	}
	return out
}
