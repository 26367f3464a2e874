package inbox

import (
	"strings"

	"angler/crawl/inbox"
	"angler/store/records"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file tells what was learned from the reader's verdicts.

// learnedText tells how far the learner is; "" when it is ready and nothing is wrong.
func learnedText(sh *screen.Shared, l *inbox.Learned) string {
	switch n := l.Yes + l.No; {
	case n < inbox.MinVerdicts:
		return sh.F("%s of %s verdicts: {star}, {yes}, {no}, and {done} without opening, teach it",
			n, inbox.MinVerdicts)
	case l.No == 0:
		return sh.T("only stars so far: mark some as done, without opening them, to learn the difference")
	case l.Yes == 0:
		return sh.T("no stars so far: star what is for you to learn the difference")
	case l.Uncertain:
		return sh.F("your verdicts contradict each other: words and fields tell %s of %s right",
			int(l.Fit*float64(n)+.5), n)
	case l.Disagree > 0:
		return sh.F("%s got two verdicts: the later one counts", sh.N(l.Disagree, "notice"))
	}
	return ""
}

// forMeText tells the value of a notice and the verdicts that it resembles.
func forMeText(sh *screen.Shared, x *inbox.WhyForMe, fieldName func(string) string) string {
	state := learnedText(sh, &x.Learned)
	if !x.Ready {
		return state
	}
	reasons := strings.Join(x.Words, sh.T(", "))
	for _, f := range x.Fields {
		if reasons != "" {
			reasons += sh.T("; ")
		}
		reasons += fieldName(f.Field) + " " + f.Text
	}
	value := widget.Score(x.Value, 2)
	switch {
	case reasons == "":
		value += " · " + sh.T("it shares no word or value with your verdicts")
	case x.Yes:
		value += " · " + sh.F("like %s that you starred: %s", x.Alike, widget.Clean(reasons))
	default:
		value += " · " + sh.F("like %s that you marked done: %s", x.Alike, widget.Clean(reasons))
	}
	if state != "" {
		value += " · " + state
	}
	return value
}

// answerText tells what the optional model answered.
func answerText(sh *screen.Shared, a *records.Answer, stale bool) string {
	text := sh.T(a.Said)
	if a.Quote != "" {
		text += sh.T(": ") + quoted(a.Quote)
	}
	text += " · " + sh.F("%s answered on %s; it is no verdict", widget.Clean(a.Model), a.At.Format("2006-01-02 15:04"))
	if stale {
		text += " · " + sh.T("the question or the notice has changed since")
	}
	return text
}

// fieldNamed is the title of a field in the reader's language.
func (s *harvest) fieldNamed(name string) string {
	for i := range s.fields {
		if s.fields[i].Name == name {
			return called(s.Shared, &s.fields[i])
		}
	}
	return name
}
