package screen

import (
	"errors"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/topic"
	"angler/tui/parts"
	"angler/tui/role"
	"angler/tui/ui"
)

// Target is the page that a page's keys act on.
type Target struct {
	id         uint64
	url, title string
	label      topic.Label
}

// NewTarget returns the page with an id.
func NewTarget(id uint64, url, title string, l topic.Label) *Target {
	return &Target{id, url, title, l}
}

// ErrNoPage is why the keys of a page do nothing where there is none.
var ErrNoPage = errors.New("no page is chosen")

// PageKeys makes the keys of every list of pages: verdicts and the address.
type PageKeys struct {
	ui     *UI
	shared *Shared
	labels parts.Labels
	browse func(url string) error
}

// NewPageKeys returns them; browse opens an address in the reader's browser,
// nil where there is none.
func NewPageKeys(u *UI, sh *Shared, labels parts.Labels, browse func(url string) error) *PageKeys {
	return &PageKeys{u, sh, labels, browse}
}

// Of returns the keys for a page, nil for none. n is a verdict here and no jump
// to the next hit: a filter already hides the rows that do not match.
func (k *PageKeys) Of(t *Target) []Binding { return k.Given(t, nil) }

// Given returns the same keys, which tell at once what label the page is being
// given.
func (k *PageKeys) Given(t *Target, tell func(id uint64, l topic.Label)) []Binding {
	off := ""
	if t == nil {
		off, t = ErrNoPage.Error(), &Target{}
	}
	label := func(key, name, help string, l topic.Label, foot int16) Binding {
		return Binding{Keys: []string{key}, Action: role.Label.As(name), Row: true, Help: help, Foot: foot, Off: off, Do: func() tea.Cmd {
			want, what := l, k.shared.F("label %s", k.shared.T(string(l)))
			if t.label == l {
				want, what = topic.NoLabel, k.shared.T("label removed")
			}
			if tell != nil {
				tell(t.id, want)
			}
			what += " · " + ui.Clean(t.title)
			return k.ui.Run(what, k.ui.InOrder(func() tea.Msg {
				return ActMsg{What: what, Err: k.labels.SetLabel(t.id, want), Page: t.id}
			}))
		}}
	}
	return []Binding{
		label("y", "yes", "label the page: yes (again: no label)", topic.Yes, 30),
		label("n", "no", "label the page: no (again: no label)", topic.No, 31),
		label("U", "unsure", "label the page: unsure (again: no label)", topic.Unsure, 32),
		{Keys: []string{"c"}, Action: role.Own("copy URL"), Help: "copy the page's URL to the clipboard (OSC 52)", Foot: 80, Off: off, Do: func() tea.Cmd { return Copy(t.url) }},
		k.browseKey(off, t.url),
	}
}

// browseKey opens an address in the reader's browser. What came from the web
// is only ever an argument, and only when it is an http address.
func (k *PageKeys) browseKey(off, url string) Binding {
	switch {
	case off != "":
	case k.browse == nil:
		off = "there is no browser here; c copies the URL"
	case !strings.HasPrefix(url, "http://") && !strings.HasPrefix(url, "https://"):
		off = "this is no http address"
	}
	return Binding{Keys: []string{"o"}, Action: role.Own("open"), Help: "open the page in a browser", Foot: 81, Off: off, Do: func() tea.Cmd {
		return k.ui.Act(k.shared.F("opened %s", ui.Clean(url)), func() error { return k.browse(url) })
	}}
}

// CopyMsg asks the program to put text on the terminal's clipboard.
type CopyMsg struct{ Text string }

// Copy returns the Cmd that copies text.
func Copy(text string) tea.Cmd {
	return func() tea.Msg { return CopyMsg{ui.Clean(text)} }
}

// The signs of the two marks, wherever they are shown.
const (
	SampleSign   = "✓"
	NegativeSign = "✗"
)

// LabelSign shows a label in one cell.
func LabelSign(l topic.Label) (string, ui.Style) {
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
