package screen

import (
	"errors"
	"fmt"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/message"
	"angler/topic"
	"angler/tui/keymap"
	"angler/tui/widget"
)

// Target is a page that page keys act on.
type Target struct {
	id         uint64
	url, title string
	label      topic.Label
}

// NewTarget returns the page with an id.
func NewTarget(id uint64, url, title string, l topic.Label) *Target {
	return &Target{id, url, title, l}
}

// Chosen is the selection of a list: the marked rows, or the row under the cursor.
type Chosen struct {
	Row    *Target          // under the cursor; nil: none
	Marked int              // number of marked rows
	All    func() []*Target // the marked rows
	Done   func()           // removes the marks
}

// ChosenOf returns the selection of a table; of makes a target of a row.
func ChosenOf[T any](t *widget.Table[T], of func(*T) *Target) Chosen {
	c := Chosen{Marked: t.NumMarked(), Done: t.Unmark, All: func() []*Target {
		return widget.Map(t.Marked(), of)
	}}
	if r := t.Selected(); r != nil {
		c.Row = of(r)
	}
	return c
}

// ErrNoPage is why page keys do nothing without a page.
var ErrNoPage = errors.New("no page is chosen")

// PageKeys makes the keys of every list of pages: verdicts and the address.
type PageKeys struct {
	ui     *UI
	shared *Shared
	set    Labels
	browse func(url string) error
}

// NewPageKeys returns the keys; browse opens an address in the reader's browser, nil if there is
// none.
func NewPageKeys(u *UI, sh *Shared, labels Labels, browse func(url string) error) *PageKeys {
	return &PageKeys{u, sh, labels, browse}
}

// Of returns the keys for the selection of a list.
func (k *PageKeys) Of(c Chosen) []Binding { return k.Given(c, nil) }

// Given returns the same keys; tell gets a page's new label at once.
func (k *PageKeys) Given(c Chosen, tell func(id uint64, l topic.Label)) []Binding {
	off := If(c.Row == nil, ErrNoPage.Error())
	return append([]Binding{
		Bind(keymap.Yes, off, k.labels(c, topic.Yes, tell)),
		Bind(keymap.No, off, k.labels(c, topic.No, tell)),
		Bind(keymap.Unsure, off, k.labels(c, topic.Unsure, tell)),
	}, k.Address(c)...)
}

// Address returns the address keys for the selection of a list.
func (k *PageKeys) Address(c Chosen) []Binding {
	off, t := "", c.Row
	if t == nil {
		off, t = ErrNoPage.Error(), &Target{}
	}
	return []Binding{
		Bind(keymap.Copy, off, func() tea.Cmd {
			if c.Marked == 0 {
				return Copy(t.url)
			}
			urls := widget.Map(c.All(), func(t *Target) string { return t.url })
			return Copy(strings.Join(urls, "\n"))
		}),
		k.browseKey(off, t.url),
	}
}

// labels sets the label of the page under the cursor, or removes it if it is the same, or sets it
// for all marked pages in one step.
func (k *PageKeys) labels(c Chosen, l topic.Label, tell func(id uint64, l topic.Label)) func() tea.Cmd {
	return func() tea.Cmd {
		if c.Marked > 0 {
			return k.labelMarked(c, l, tell)
		}
		t := c.Row
		want, what := l, k.shared.F("label %s", k.shared.T(string(l)))
		if t.label == l {
			want, what = topic.NoLabel, k.shared.T("label removed")
		}
		if tell != nil {
			tell(t.id, want)
		}
		if what += " · " + widget.Clean(t.title); want == topic.NoLabel {
			what = k.shared.Undoable(what)
		}
		return k.ui.Run(what, k.ui.InOrder(func() tea.Msg {
			return Ended(ActMsg{What: what, Err: k.set.SetLabel(t.id, want), Page: t.id}, func() tea.Cmd {
				return k.ui.Act(what, func() error {
					_, _, err := k.set.LabelURLs([]topic.LabelRow{{URL: t.url}}, message.Of("label none %s", t.url))
					return err
				})
			})
		}))
	}
}

func (k *PageKeys) labelMarked(c Chosen, l topic.Label, tell func(id uint64, l topic.Label)) tea.Cmd {
	all := c.All()
	rows := make([]topic.LabelRow, len(all))
	for i, t := range all {
		rows[i] = topic.LabelRow{URL: t.url, Label: l}
		if tell != nil {
			tell(t.id, l)
		}
	}
	c.Done()
	log := message.Of("label %s of %d marked pages", l, len(all))
	return k.ui.Act(k.shared.Message(log), func() error {
		_, unknown, err := k.set.LabelURLs(rows, log)
		if err == nil && len(unknown) > 0 {
			err = fmt.Errorf("%d of %d are no stored pages", len(unknown), len(rows))
		}
		return err
	})
}

// browseKey opens an address in the reader's browser. Text from the web is only passed as an
// argument, and only if it is an http address.
func (k *PageKeys) browseKey(off, url string) Binding {
	switch {
	case off != "":
	case k.browse == nil:
		off = "there is no browser here; {copy} copies the URL"
	case !strings.HasPrefix(url, "http://") && !strings.HasPrefix(url, "https://"):
		off = "this is no http address"
	}
	return Bind(keymap.Browse, off, func() tea.Cmd {
		return k.ui.Act(k.shared.F("opened %s", widget.Clean(url)), func() error { return k.browse(url) })
	})
}

// CopyMsg asks the program to copy text to the terminal's clipboard.
type CopyMsg struct{ Text string }

// Copy returns the Cmd that copies text.
func Copy(text string) tea.Cmd {
	return func() tea.Msg { return CopyMsg{widget.Clean(text)} }
}

// The signs of the two marks.
const (
	SampleSign   = "✓"
	NegativeSign = "✗"
)

var labelSigns = map[topic.Label]widget.Part{
	topic.Yes:    (widget.Good | widget.Bold).Text("y"),
	topic.No:     (widget.Bad | widget.Bold).Text("x"),
	topic.Unsure: (widget.Warn | widget.Bold).Text("-"),
}

// LabelSign shows a label in one cell: the key that sets it, as in the table of keys.
func LabelSign(l topic.Label) (string, widget.Style) {
	sign, known := labelSigns[l]
	return widget.Either(known, sign.Text, " "), sign.Style
}
