package screen

import (
	"context"
	"fmt"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/page"
	"angler/crawl/view"
	"angler/tui/ui"
)

// preview shows one stored page beside a list: its records, its text, or why
// it scored what it scored. Of quick moves only the last page is shown: every
// request has a number, and the one before is cancelled.
type preview struct {
	env    *Env
	id     uint64
	at     stamp
	page   *view.Preview
	err    error
	mode   int
	text   ui.Text
	seq    int
	cancel context.CancelFunc
	// verdict, if set, adds a line about the page below its facts.
	verdict func(id uint64) ui.TextLine

	src    string // HTML of page srcID
	srcID  uint64
	srcErr error
}

var previewModes = [...]string{"records", "text", "score", "blocks", "HTML"}

const sourceMode = 4 // the only one that asks the engine for more

// sourceMsg is the HTML of a page.
type sourceMsg struct {
	owner *preview
	id    uint64
	text  string
	err   error
}

type previewMsg struct {
	owner *preview
	seq   int
	page  *view.Preview
	err   error
}

// still is how long the cursor stands on a page before it is read again and
// parsed, some milliseconds of work that a held key, or a flood of them over a
// line, would start for every row it passes.
const still = 30 * time.Millisecond

// want asks for page id; 0 empties the pane.
func (p *preview) want(id uint64) tea.Cmd {
	at := stamp{model: p.env.Snap.ModelRev, acts: p.env.Acts}
	if id == p.id && at == p.at {
		return nil
	}
	if p.cancel != nil {
		p.cancel()
		p.cancel = nil
	}
	if id != p.id {
		p.page, p.err = nil, nil
		p.text.Set(nil)
	}
	p.id, p.at = id, at
	if id == 0 || p.env.Bench == nil {
		return nil
	}
	p.seq++
	seq, bench := p.seq, p.env.Bench
	mine, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	return p.env.Run("opening the page", func(ctx context.Context) tea.Msg {
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		defer context.AfterFunc(mine, stop)()
		select {
		case <-time.After(still):
		case <-mine.Done():
			return nil
		}
		pg, err := bench.Preview(ctx, id)
		return previewMsg{p, seq, pg, err}
	})
}

func (p *preview) update(m previewMsg) tea.Cmd {
	if m.owner != p || m.seq != p.seq {
		return nil
	}
	again := p.page != nil && m.page != nil && p.page.ID == m.page.ID
	if p.cancel != nil {
		p.cancel() // frees what the context holds
		p.cancel = nil
	}
	p.page, p.err = m.page, m.err
	p.fill(again)
	return p.source()
}

// fill makes the lines of the present mode; keep leaves the window where it is.
func (p *preview) fill(keep bool) {
	if p.page == nil {
		p.text.Set(nil)
		return
	}
	var lines []ui.TextLine
	switch p.mode {
	case 0:
		lines = p.env.recordLines(p.head(), p.page)
	case 1:
		body := p.page.Main
		if body == "" {
			body = p.page.Text
		}
		lines = append(p.head(), ui.Lines(body)...)
	case 2:
		lines = append(p.head(), p.env.scoreLines(p.page)...)
	case sourceMode:
		switch {
		case p.srcID != p.id:
			lines = append(p.head(), ui.TextLine{{Style: ui.Dim, Text: p.env.T("reading the source …")}})
		case p.srcErr != nil:
			lines = append(p.head(), ui.TextLine{{Style: ui.Bad, Text: p.env.reason(p.srcErr)}})
		default:
			lines = append(p.head(), ui.Lines(strings.ReplaceAll(p.src, "\t", "  "))...)
		}
	default:
		lines = append(p.head(), p.env.blockLines(p.page.Blocks)...)
	}
	if keep {
		p.text.Replace(lines)
	} else {
		p.text.Set(lines)
	}
}

// source asks for the HTML where it is shown.
func (p *preview) source() tea.Cmd {
	if p.mode != sourceMode || p.page == nil || p.srcID == p.id {
		return nil
	}
	bench, id := p.env.Bench, p.id
	return p.env.Run("reading the source", func(ctx context.Context) tea.Msg {
		text, err := bench.Source(ctx, id)
		return sourceMsg{p, id, text, err}
	})
}

// takeSource keeps the HTML of the page that is still shown.
func (p *preview) takeSource(m sourceMsg) {
	if m.owner == p && m.id == p.id {
		p.src, p.srcID, p.srcErr = m.text, m.id, m.err
		p.fill(false)
	}
}

// head tells what the page is, in every mode.
func (v *preview) head() []ui.TextLine {
	p := v.page
	facts := fmt.Sprintf("%s · β %s · %s · %s", v.env.T(p.Type.String()), ui.Score(p.Beta, 2), v.env.N(len(p.Records), "record"), p.Charset)
	if d := p.Date.String(); d != "" {
		facts += " · " + d
	}
	if p.Method != "" {
		facts += " · " + p.Method
	}
	out := []ui.TextLine{
		{{Style: ui.Plain | ui.Bold, Text: ui.Clean(p.Title)}},
		{{Style: ui.Key, Text: ui.Clean(p.URL)}},
		{{Style: ui.Dim, Text: ui.Clean(facts)}},
	}
	if v.verdict != nil {
		if l := v.verdict(p.ID); l != nil {
			out = append(out, l)
		}
	}
	for _, l := range p.Limits {
		out = append(out, ui.TextLine{{Style: ui.Warn, Text: v.env.F("limit hit: %s", ui.Clean(l))}})
	}
	return append(out, ui.TextLine{{Text: ""}})
}

func (e *Env) recordLines(out []ui.TextLine, p *view.Preview) []ui.TextLine {
	for _, r := range p.Records {
		out = append(out, recordLine(r))
	}
	if len(p.Records) == 0 {
		out = append(out, ui.TextLine{{Style: ui.Dim, Text: e.T("no records on this page; v shows its text")}})
	}
	return out
}

func recordLine(r page.Record) ui.TextLine {
	st, day := ui.Good, r.Date.Time.Format("2006-01-02")
	if r.Date.IsZero() {
		st, day = ui.Dim, "–         "
	}
	return ui.TextLine{{Style: st, Text: day + " "}, {Text: ui.Clean(r.Title)}}
}

func (env *Env) scoreLines(p *view.Preview) []ui.TextLine {
	if !p.HasModel {
		return []ui.TextLine{{{Style: ui.Dim, Text: env.T("No topic yet: mark sample pages with space on screen 1.")}}}
	}
	e := p.Explain
	verdict, st := env.F("%s below θ %s", ui.Score(e.Score, 3), ui.Score(e.Theta, 3)), ui.Dim
	if e.Above {
		verdict, st = env.F("%s above θ %s", ui.Score(e.Score, 3), ui.Score(e.Theta, 3)), ui.Good
	}
	gate := env.T("gate passed: at least 3 dated records, at least half dated")
	if !e.Gate {
		gate = env.F("gate closed: fewer than 3 dated records or less than half dated; raw %s", ui.Score(e.Raw, 3))
	}
	out := []ui.TextLine{
		{{Style: st | ui.Bold, Text: verdict}},
		{{Style: ui.Dim, Text: gate}},
		{{Style: ui.Dim, Text: env.F("scheme %s · %s · model %d", e.Scheme, e.Norm, e.ModelRev)}},
		{{Text: ""}},
		{{Style: ui.Head, Text: env.T("share        times word")}},
	}
	most := 0.0
	for _, w := range e.Words {
		most = max(most, w.Share)
	}
	for _, w := range e.Words {
		bar := ""
		if most > 0 {
			bar = ui.Meter(w.Share/most, 6)
		}
		out = append(out, ui.TextLine{
			{Text: ui.Pad(ui.Score(w.Share, 3), 5)}, {Style: ui.Bar, Text: " " + bar},
			{Style: ui.Dim, Text: fmt.Sprintf(" %5d ", w.Count)}, {Text: ui.Clean(w.Word)}, env.takenPart(w.Taken),
		})
	}
	return append(out, env.learnerLines(p.Learner)...)
}

// takenPart tells what the anti-samples took of a word's weight.
func (e *Env) takenPart(taken float64) ui.Part {
	if taken == 0 {
		return ui.Part{}
	}
	return ui.Part{Style: ui.Bad, Text: "  " + antiSign + " −" + ui.Percent(taken)}
}

// learnerLines tells what the learner makes of the page, term by term.
func (e *Env) learnerLines(l *view.LearnerVerdict) []ui.TextLine {
	if l == nil {
		return nil
	}
	decides := e.T("does not decide")
	if l.InUse {
		decides = e.T("decides")
	}
	out := []ui.TextLine{{{Text: ""}}, {{Style: ui.Head, Text: e.F("learner %s", ui.Score(l.Probability, 3)) + " · " + decides}}}
	for _, t := range l.Terms {
		st := ui.Good
		if t.Share < 0 {
			st = ui.Bad
		}
		out = append(out, ui.TextLine{{Style: st, Text: fmt.Sprintf("%+7.3f ", t.Share)}, {Text: ui.Clean(t.Name)}})
	}
	return out
}

// blockLines draws the reasons, the record groups and the block tree.
func (env *Env) blockLines(e *page.Explanation) []ui.TextLine {
	if e == nil {
		return nil
	}
	var out []ui.TextLine
	for _, why := range e.Why {
		out = append(out, ui.TextLine{{Text: env.Line(ui.Clean(why))}})
	}
	out = append(out, ui.TextLine{{Text: ""}}, ui.TextLine{{Style: ui.Head, Text: env.T("items dated  score group")}})
	for _, g := range e.Groups {
		st := ui.Dim
		if g.Chosen {
			st = ui.Good
		}
		out = append(out, ui.TextLine{{Style: st, Text: fmt.Sprintf("%5d %5d %6.1f %s ", g.Items, g.Dated, g.Score, ui.Clean(g.Path))}, {Text: ui.Clean(g.First)}})
	}
	out = append(out, ui.TextLine{{Text: ""}}, ui.TextLine{{Style: ui.Head, Text: env.T("chars links mass block")}})
	for _, b := range e.Blocks {
		st := ui.Plain
		if b.Noise {
			st = ui.Dim
		}
		name := strings.Repeat("  ", min(b.Depth, 12)) + b.Path[strings.LastIndexByte(b.Path, '/')+1:]
		out = append(out, ui.TextLine{{Style: ui.Dim, Text: fmt.Sprintf("%5d %5d %3.0f%% ", b.Chars, b.Links, 100*b.Mass)},
			{Style: st, Text: ui.Clean(name) + " "}, {Style: ui.Good, Text: b.Chosen}, {Style: ui.Dim, Text: " " + ui.Clean(b.Text)}})
	}
	return out
}

// bindings are the keys that change the preview from anywhere on the screen.
func (p *preview) bindings() []Binding {
	off := ""
	if p.id == 0 {
		off = "no page is chosen"
	}
	return []Binding{
		{Keys: []string{"v"}, Name: "view", Help: "preview: records, text, score, the blocks and why, or the HTML source", Foot: 40, Off: off, Do: func() tea.Cmd {
			p.mode = (p.mode + 1) % len(previewModes)
			p.fill(false)
			return p.source()
		}},
		{Keys: []string{"V"}, Name: "view", Help: "preview: the view before", Off: off, Do: func() tea.Cmd {
			p.mode = (p.mode + len(previewModes) - 1) % len(previewModes)
			p.fill(false)
			return p.source()
		}},
		{Keys: []string{"J"}, Name: "scroll", Help: "scroll the preview down", Off: off, Do: do(func() { p.text.Scroll(p.text.Page() / 2) })},
		{Keys: []string{"K"}, Name: "scroll", Help: "scroll the preview up", Off: off, Do: do(func() { p.text.Scroll(-p.text.Page() / 2) })},
	}
}

// pane frames the preview.
func (p *preview) pane(hint string) *pane {
	return &pane{
		title: func() string {
			s := p.env.T("preview")
			for i, m := range previewModes {
				m = p.env.T(m)
				if i == p.mode {
					s += " [" + m + "]"
				} else {
					s += " " + m
				}
			}
			return s
		},
		note: p.text.Note,
		draw: func(c *ui.Canvas, _ bool) {
			switch {
			case p.id == 0:
				ui.DrawNote(c, hint)
			case p.err != nil:
				ui.DrawNote(c, p.env.F("The page cannot be shown: %s", p.env.reason(p.err)))
			case p.page == nil:
				ui.DrawNote(c, "opening …")
			default:
				p.text.Draw(c)
			}
		},
		list: prose{&p.text},
	}
}
