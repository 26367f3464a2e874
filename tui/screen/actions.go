package screen

import (
	"context"
	"errors"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/topic"
	"angler/tui/ui"
)

// target is the page that a page's keys act on.
type target struct {
	id         uint64
	url, title string
	label      topic.Label
}

var errNoPage = errors.New("no page is chosen")

// pageKeys are the keys of every list of pages: verdicts and the address.
// n is a verdict here and no jump to the next hit: a filter already hides the
// rows that do not match.
func (e *Env) pageKeys(t *target) []Binding { return e.labelKeys(t, nil) }

// labelKeys are the same, and tell at once what label the page is being given.
func (e *Env) labelKeys(t *target, given func(id uint64, l topic.Label)) []Binding {
	off := ""
	if t == nil {
		off, t = errNoPage.Error(), &target{}
	}
	label := func(key, name string, l topic.Label, foot int) Binding {
		return Binding{Keys: []string{key}, Name: name, Row: true, Help: map[topic.Label]string{topic.Yes: "label the page: yes (again: no label)", topic.No: "label the page: no (again: no label)", topic.Unsure: "label the page: unsure (again: no label)"}[l], Foot: foot, Off: off, Do: func() tea.Cmd {
			want, what := l, e.F("label %s", e.T(string(l)))
			if t.label == l {
				want, what = topic.NoLabel, e.T("label removed")
			}
			bench, id := e.Bench, t.id
			if given != nil {
				given(id, want)
			}
			what += " · " + ui.Clean(t.title)
			return e.Run(what, e.InOrder(func() tea.Msg {
				return ActMsg{What: what, Err: bench.SetLabel(id, want), Page: id}
			}))
		}}
	}
	return []Binding{
		label("y", "yes", topic.Yes, 30),
		label("n", "no", topic.No, 31),
		label("U", "unsure", topic.Unsure, 32),
		{Keys: []string{"c"}, Name: "copy URL", Help: "copy the page's URL to the clipboard (OSC 52)", Foot: 80, Off: off, Do: func() tea.Cmd { return Copy(t.url) }},
		e.browseKey(off, t.url),
	}
}

// browseKey opens an address in the reader's browser. What came from the web
// is only ever an argument, and only when it is an http address.
func (e *Env) browseKey(off, url string) Binding {
	switch {
	case off != "":
	case e.Browse == nil:
		off = "there is no browser here; c copies the URL"
	case !strings.HasPrefix(url, "http://") && !strings.HasPrefix(url, "https://"):
		off = "this is no http address"
	}
	return Binding{Keys: []string{"o"}, Name: "open", Help: "open the page in a browser", Foot: 81, Off: off, Do: func() tea.Cmd {
		browse := e.Browse
		return e.Act(e.F("opened %s", ui.Clean(url)), func() error { return browse(url) })
	}}
}

// joined puts what there is of two notes beside each other.
func joined(a, b string) string {
	if a != "" && b != "" {
		return a + " · " + b
	}
	return a + b
}

// reason is an error in the words of the one who caused it.
func (e *Env) reason(err error) string {
	if errors.Is(err, context.Canceled) {
		return e.T("it was cancelled")
	}
	return e.Line(ui.Clean(err.Error()))
}

// CopyMsg asks the program to put text on the terminal's clipboard.
type CopyMsg struct{ Text string }

// Copy returns the Cmd that copies text.
func Copy(text string) tea.Cmd {
	return func() tea.Msg { return CopyMsg{ui.Clean(text)} }
}

// setConfig changes the topic's settings as they are when the Cmd runs, so that
// what another viewer, or the key before, changed a moment ago is kept. change
// returns the line for the log.
func (e *Env) setConfig(label string, change func(*topic.Config) string) tea.Cmd {
	bench := e.Bench
	return e.Act(label, func() error { return bench.ChangeConfig(change) })
}

// labelSign shows a label in one cell.
func labelSign(l topic.Label) (string, ui.Style) {
	switch l {
	case topic.Yes:
		return "y", ui.Good | ui.Bold
	case topic.No:
		return "n", ui.Bad | ui.Bold
	case topic.Unsure:
		return "?", ui.Warn | ui.Bold
	}
	return " ", ui.Plain
}

// number checks a typed number of lo … hi.
func (e *Env) number(lo, hi int) func(string) string {
	return func(s string) string {
		n, err := strconv.Atoi(s)
		if err != nil || n < lo || n > hi {
			return e.F("a number from %d to %d", lo, hi)
		}
		return ""
	}
}

// parseTheta reads a threshold: ".34", "0.34", "34%". Only 0 < θ ≤ 1 is one.
func parseTheta(s string) (float64, bool) {
	s = strings.TrimSpace(s)
	s, pct := strings.CutSuffix(s, "%")
	v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if pct {
		v /= 100
	}
	return v, err == nil && v > 0 && v <= 1
}
