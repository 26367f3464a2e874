package screen

import (
	"fmt"
	"strings"

	"angler/crawl/article"
	"angler/crawl/listpage"
	"angler/crawl/page"
	"angler/crawl/query"
	"angler/tui/ui"
)

// This file makes the lines of the preview: the records, why the page scored
// what it scored, and its blocks.

func recordLines(sh *Shared, out []ui.TextLine, p *query.Preview) []ui.TextLine {
	for _, r := range p.Records {
		out = append(out, recordLine(r))
	}
	if len(p.Records) == 0 {
		out = append(out, ui.TextLine{{Style: ui.Dim, Text: sh.T("no records on this page; {view} shows its text")}})
	}
	return out
}

// dayWidth are the cells of DayText.
const dayWidth = 10

// DayText returns the day of a date in ten cells, 2006?01-02 when its year is
// guessed.
func DayText(d article.Date) string {
	if d.Guessed() {
		return d.Time.Format("2006?01-02")
	}
	return d.Time.Format("2006-01-02")
}

func recordLine(r listpage.Record) ui.TextLine {
	st, day := ui.Good, DayText(r.Date)
	if r.Date.IsZero() {
		st, day = ui.Dim, "–         "
	}
	return ui.TextLine{{Style: st, Text: day + " "}, {Text: ui.Clean(r.Title)}}
}

func scoreLines(sh *Shared, p *query.Preview) []ui.TextLine {
	if !p.HasModel {
		return []ui.TextLine{{{Style: ui.Dim, Text: sh.T("No topic yet: make pages samples with {sample} on screen {screen_samples}.")}}}
	}
	e := p.Explain
	verdict, st := sh.F("%s below θ %s", ui.Score(e.Score, 3), ui.Score(e.Theta, 3)), ui.Dim
	if e.Above {
		verdict, st = sh.F("%s above θ %s", ui.Score(e.Score, 3), ui.Score(e.Theta, 3)), ui.Good
	}
	gate := sh.T("gate passed: at least 3 dated records, at least half dated")
	if !e.Gate {
		gate = sh.F("gate closed: fewer than 3 dated records, less than half dated, or a front page; raw %s", ui.Score(e.Raw, 3))
	}
	out := []ui.TextLine{
		{{Style: st | ui.Bold, Text: verdict}},
		{{Style: ui.Dim, Text: gate}},
		{{Style: ui.Dim, Text: sh.F("scheme %s · %s · model %d", e.Scheme, e.Norm, e.ModelRev)}},
		{{Text: ""}},
		{{Style: ui.Head, Text: sh.T("share        times word")}},
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
			{Style: ui.Dim, Text: fmt.Sprintf(" %5d ", w.Count)}, {Text: ui.Clean(w.Word)}, takenPart(sh, w.Taken),
		})
	}
	return append(out, learnerLines(sh, p.Learner)...)
}

// takenPart tells what the negative samples took of a word's weight.
func takenPart(sh *Shared, taken float64) ui.Part {
	if taken == 0 {
		return ui.Part{}
	}
	return ui.Part{Style: ui.Bad, Text: "  " + NegativeSign + " −" + ui.Percent(taken)}
}

// learnerLines tells what the learner makes of the page, term by term.
func learnerLines(sh *Shared, l *query.LearnerVerdict) []ui.TextLine {
	if l == nil {
		return nil
	}
	decides := sh.T("does not decide")
	if l.InUse {
		decides = sh.T("decides")
	}
	out := []ui.TextLine{{{Text: ""}}, {{Style: ui.Head, Text: sh.F("learner %s", ui.Score(l.Probability, 3)) + " · " + decides}}}
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
func blockLines(sh *Shared, e *page.Explanation) []ui.TextLine {
	if e == nil {
		return nil
	}
	var out []ui.TextLine
	for _, why := range e.Why {
		out = append(out, ui.TextLine{{Text: sh.Line(ui.Clean(why))}})
	}
	out = append(out, ui.TextLine{{Text: ""}}, ui.TextLine{{Style: ui.Head, Text: sh.T("items dated  score group")}})
	for _, g := range e.Groups {
		st := ui.Dim
		if g.Chosen {
			st = ui.Good
		}
		out = append(out, ui.TextLine{{Style: st, Text: fmt.Sprintf("%5d %5d %6.1f %s ", g.Items, g.Dated, g.Score, ui.Clean(g.Path))}, {Text: ui.Clean(g.First)}})
	}
	out = append(out, ui.TextLine{{Text: ""}}, ui.TextLine{{Style: ui.Head, Text: sh.T("chars links mass block")}})
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
