package crawling

import (
	"context"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/tui/parts"
	"angler/tui/role"
	"angler/tui/screen"
	"angler/tui/ui"
)

// noticeView shows one notice in full: its text, its attachments, and why it
// was taken. Of quick moves only the last notice is shown.
type noticeView struct {
	ui      *screen.UI
	shared  *screen.Shared
	notices parts.Notices
	weigh   func(*view.Quality) *view.Quality // under the t that the reader chose
	id      uint64
	have    screen.Stamp // of what is shown
	got     *view.NoticeDetail
	err     error
	seq     int
	text    ui.Text
}

type noticeMsg struct {
	owner *noticeView
	seq   int
	got   *view.NoticeDetail
	err   error
}

// want asks for a notice.
func (v *noticeView) want(r *view.NoticeItem) tea.Cmd {
	if r == nil {
		return nil
	}
	// θ and the quality follow the topic, which may come after the notices.
	want := screen.Stamp{Model: v.shared.Snap.ModelRev, Acts: v.shared.Acts}
	if r.ID == v.id && v.have == want {
		return nil
	}
	if r.ID != v.id {
		v.got, v.err = nil, nil
		v.text.Set(nil)
	}
	v.id, v.have = r.ID, want
	v.seq++
	id, seq, notices := r.ID, v.seq, v.notices
	return v.ui.Run("opening the notice", func(ctx context.Context) tea.Msg {
		got, err := notices.Notice(ctx, id)
		return noticeMsg{v, seq, got, err}
	})
}

// stale makes the next want read the notice again, although it is the one shown.
func (v *noticeView) stale() { v.have = screen.Stamp{Acts: -1} }

// again draws the notice again, under another t.
func (v *noticeView) again() {
	if v.got != nil {
		v.text.Replace(v.lines())
	}
}

func (v *noticeView) update(m noticeMsg) {
	if m.owner != v || m.seq != v.seq {
		return
	}
	again := v.got != nil && m.got != nil && v.got.ID == m.got.ID
	v.got, v.err = m.got, m.err
	if m.got == nil {
		v.text.Set(nil)
		return
	}
	if again {
		v.text.Replace(v.lines())
	} else {
		v.text.Set(v.lines())
	}
}

func (v *noticeView) lines() []ui.TextLine {
	n, sh := v.got, v.shared
	out := []ui.TextLine{
		{{Style: ui.Plain | ui.Bold, Text: ui.Clean(n.Title)}},
		{{Style: ui.Key, Text: ui.Clean(n.URL)}},
		{{Style: ui.Dim, Text: sh.F("dated %s · first seen %s", dated(n.Date.String()), n.At.Format("2006-01-02 15:04"))}},
		{{Style: ui.Dim, Text: sh.T("from ")}, {Text: ui.Clean(n.SourceTitle)}},
		{{Style: ui.Dim, Text: "  " + ui.Clean(n.Source)}},
		{{Style: ui.Good, Text: v.why()}},
	}
	if q := v.weigh(n.Quality); q != nil {
		for _, line := range qualityLines(sh, q) {
			out = append(out, ui.TextLine{{Style: ui.Dim, Text: line}})
		}
	}
	out = append(out, ui.TextLine{{Text: ""}})
	for _, f := range n.Files {
		name := ui.Clean(f.Name)
		if name == "" {
			name = ui.Clean(f.URL)
		}
		out = append(out, ui.TextLine{{Style: ui.Accent, Text: "▸ " + name}, {Style: ui.Dim, Text: "  " + sh.T(ui.Clean(f.Class)) + "  " + ui.Clean(f.URL)}})
	}
	if len(n.Files) > 0 {
		out = append(out, ui.TextLine{{Text: ""}})
	}
	if n.Text == "" {
		return append(out, ui.TextLine{{Style: ui.Dim, Text: sh.T("No text was found on the page.")}})
	}
	return append(out, ui.Lines(n.Text)...)
}

func dated(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

// why says why the harvest took this notice.
func (v *noticeView) why() string {
	n, sh := v.got, v.shared
	switch {
	case n.Confirmed:
		return sh.F("taken: its list was confirmed by an analyst (score %s)", ui.Score(n.Score, 3))
	case n.Pattern != "":
		return sh.F("taken: its list scored %s (θ %s now), the title holds %s", ui.Score(n.Score, 3), ui.Score(n.Theta, 3), quoted(n.Pattern))
	}
	return sh.F("taken: its list scored %s (θ %s now)", ui.Score(n.Score, 3), ui.Score(n.Theta, 3))
}

func (v *noticeView) pane() *screen.Pane {
	return &screen.Pane{
		Title: func() string { return v.shared.T("notice") },
		Note:  v.text.Note,
		Draw: func(c *ui.Canvas, _ bool) {
			switch {
			case v.err != nil:
				ui.DrawNote(c, v.shared.F("The notice cannot be shown: %s", v.shared.Reason(v.err)))
			case v.got == nil:
				ui.DrawNote(c, "opening …")
			default:
				v.text.Draw(c)
			}
		},
	}
}

func (v *noticeView) bindings() []screen.Binding {
	off := ""
	if v.got == nil {
		off = "no notice is chosen"
	}
	return []screen.Binding{
		{Keys: []string{"J"}, Action: role.Own("scroll"), Help: "scroll the preview down", Off: off, Do: screen.Do(func() { v.text.Scroll(v.text.Page() / 2) })},
		{Keys: []string{"K"}, Action: role.Own("scroll"), Help: "scroll the preview up", Off: off, Do: screen.Do(func() { v.text.Scroll(-v.text.Page() / 2) })},
	}
}

// keys are those of the whole harvest: search and export.
func (s *Harvest) keys() []screen.Binding {
	none, all := "", ""
	if s.shared.Snap.Counts.Notices == 0 && len(s.book.Rows) == 0 { // the rows may be newer than the snapshot
		none = "there are no notices yet"
	}
	if s.query == "" {
		all = "nothing is searched for"
	}
	return append([]screen.Binding{
		{Keys: []string{"Q"}, Action: role.Own("search"), Help: "search the text of all notices", Foot: 10, Off: none, Do: screen.Do(s.askSearch)},
		{Keys: []string{"esc"}, Action: role.Own("all notices"), Help: "end the search, show all notices", Foot: 57, Off: all, Do: func() tea.Cmd { s.query = ""; return s.read() }},
		{Keys: []string{"X"}, Action: role.Export, Help: "export pages, notices, frontier or links to a file", Foot: 11, Do: screen.Do(s.chooseExport)},
	}, s.weighKeys()...)
}

func (s *Harvest) askSearch() {
	p := &ui.Prompt[string]{
		Editor: ui.Editor{Label: "search notices:", Hint: "words of title, text or URL", Past: &s.shared.Filters},
		Check:  ui.AnyText,
		Do: func(v string) tea.Cmd {
			s.query = v
			if s.panes.Focus != 1 && v != "" {
				s.panes.SetFocus(1)
			}
			return s.read()
		},
	}
	p.Preset(s.query)
	s.ui.Ask(p)
}
