package screen

import (
	"fmt"
	"strings"
	"time"

	"angler/crawl/article"
	"angler/crawl/page"
	"angler/crawl/query"
	"angler/tui/widget"
)

// This file makes the lines of the preview: the records, the reasons of the score, and the blocks.

func recordLines(sh *Shared, head []widget.TextLine, p *query.Preview) []widget.TextLine {
	out := Lines(head)
	for _, r := range p.Records {
		st, day := widget.Good, DayText(r.Date)
		if r.Date.IsZero() {
			st, day = widget.Dim, "–         "
		}
		out.Line(st.Text(day+" "), widget.Plain.Text(widget.Clean(r.Title)))
	}
	if len(p.Records) == 0 {
		out.Line(widget.Dim.Text(sh.T("no records on this page; {view} shows its text")))
	}
	return out
}

// dayWidth is the width of DayText.
const dayWidth = 10

// DayText returns the day of a date in ten cells, 2006?01-02 if its year is guessed.
func DayText(d article.Date) string {
	return d.Time.Format(widget.Either(d.Guessed(), "2006?01-02", time.DateOnly))
}

func scoreLines(sh *Shared, p *query.Preview) []widget.TextLine {
	if !p.HasModel {
		return []widget.TextLine{
			{widget.Dim.Text(sh.T("No topic yet: make pages samples with {sample} on screen {screen_samples}."))}}
	}
	e := p.Explain
	verdict, st := "%s below θ %s", widget.Dim
	if e.Above {
		verdict, st = "%s above θ %s", widget.Good
	}
	gate := sh.T("gate passed: at least 3 dated records, at least half dated")
	if !e.Gate {
		gate = sh.F("gate closed: fewer than 3 dated records, less than half dated, or a front page; raw %s",
			widget.Score(e.Raw, 3))
	}
	out := Lines{
		{(st | widget.Bold).Text(sh.F(verdict, widget.Score(e.Score, 3), widget.Score(e.Theta, 3)))},
		{widget.Dim.Text(gate)},
		{widget.Dim.Text(sh.F("scheme %s · %s · model %d", e.Scheme, e.Norm, e.ModelRev))},
		{{Text: ""}},
		{widget.Head.Text(sh.T("share        times word"))},
	}
	most := 0.0
	for _, w := range e.Words {
		most = max(most, w.Share)
	}
	for _, w := range e.Words {
		bar := ""
		if most > 0 {
			bar = widget.Meter(w.Share/most, 6)
		}
		taken := ""
		if w.Taken != 0 { // the share that the negative samples took
			taken = "  " + NegativeSign + " −" + widget.Percent(w.Taken)
		}
		out.Line(widget.Plain.Text(widget.Pad(widget.Score(w.Share, 3), 5)), widget.Bar.Text(" "+bar),
			widget.Dim.Text(fmt.Sprintf(" %5d ", w.Count)), widget.Plain.Text(widget.Clean(w.Word)),
			widget.Bad.Text(taken))
	}
	return append(out, learnerLines(sh, p.Learner)...)
}

// learnerLines shows the learner's verdict on the page, term by term.
func learnerLines(sh *Shared, l *query.LearnerVerdict) []widget.TextLine {
	if l == nil {
		return nil
	}
	decides := widget.Either(l.InUse, sh.T("decides"), sh.T("does not decide"))
	var out Lines
	out.Head(sh.F("learner %s", widget.Score(l.Probability, 3)) + " · " + decides)
	for _, t := range l.Terms {
		st := widget.Either(t.Share < 0, widget.Bad, widget.Good)
		out.Line(st.Text(fmt.Sprintf("%+7.3f ", t.Share)), widget.Plain.Text(widget.Clean(t.Name)))
	}
	return out
}

// blockLines draws the reasons, the record groups and the block tree.
func blockLines(sh *Shared, e *page.Explanation) []widget.TextLine {
	if e == nil {
		return nil
	}
	var out Lines
	for _, why := range e.Why {
		out.Line(widget.Plain.Text(sh.Says(why)))
	}
	out.Head(sh.T("items dated  score group"))
	for _, g := range e.Groups {
		st := widget.Either(g.Chosen, widget.Good, widget.Dim)
		out.Line(st.Text(fmt.Sprintf("%5d %5d %6.1f %s ", g.Items, g.Dated, g.Score, widget.Clean(g.Path))),
			widget.Plain.Text(widget.Clean(g.First)))
	}
	out.Head(sh.T("chars links mass block"))
	for _, b := range e.Blocks {
		st := widget.Either(b.Noise, widget.Dim, widget.Plain)
		name := strings.Repeat("  ", min(b.Depth, 12)) + b.Path[strings.LastIndexByte(b.Path, '/')+1:]
		out.Line(widget.Dim.Text(fmt.Sprintf("%5d %5d %3.0f%% ", b.Chars, b.Links, 100*b.Mass)),
			st.Text(widget.Clean(name)+" "), widget.Good.Text(b.Chosen),
			widget.Dim.Text(" "+widget.Clean(b.Text)))
	}
	return out
}
