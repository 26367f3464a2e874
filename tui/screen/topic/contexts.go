package topic

import (
	"context"
	"strings"
	"unicode/utf8"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/query"
	"angler/topic"
	"angler/tui/screen"
	"angler/tui/widget"
)

// contexts shows the occurrences of a word in the sample pages with a few words on each side, as a
// concordance.
type contexts struct {
	*screen.UI
	*screen.Shared
	pages   screen.Pages
	samples *samples // the screen that lists them
	word    string
	use     []string // how the sites use the word, one line each
	asked   screen.Request
	acts    int
	text    widget.Text
	n       int // occurrences found
	err     error
}

// occurrences are lines about some occurrences of a word, and the number of all.
type occurrences struct {
	lines []widget.TextLine
	n     int
}

const (
	mostSamples = 12 // sample pages that are searched
	mostPlaces  = 40 // occurrences shown
	around      = 18 // cells on each side of the word
)

// want searches the samples for word; "" empties the pane.
func (c *contexts) want(word string) tea.Cmd {
	if word == c.word && c.acts == c.Acts {
		return nil
	}
	c.word, c.acts, c.n, c.err = word, c.Acts, 0, nil
	c.text.Set(nil)
	c.asked.Drop()
	if word == "" {
		return nil
	}
	pages, scheme := c.pages, topic.Scheme(c.Snap.Scheme)
	marked := c.samples.marked
	ids := widget.Map(marked[:min(len(marked), mostSamples)], func(r query.CandidateRow) uint64 { return r.ID })
	return screen.Start(&c.asked, c.UI, "reading the samples", func(ctx context.Context) (m occurrences, err error) {
		if len(ids) == 0 { // the candidates are not loaded yet
			rows, err := pages.Candidates(ctx)
			if err != nil {
				return m, err
			}
			for _, r := range rows {
				if r.Sample && len(ids) < mostSamples {
					ids = append(ids, r.ID)
				}
			}
		}
		for _, id := range ids {
			p, err := pages.Preview(ctx, id)
			if err != nil {
				return m, err
			}
			lines := places(material(scheme, p), word)
			m.n += len(lines)
			if len(lines) > 0 && len(m.lines) < mostPlaces {
				m.lines = append(m.lines, widget.TextLine{widget.Dim.Text(widget.Clean(p.Title))})
				m.lines = append(m.lines, lines[:min(len(lines), 5)]...)
			}
		}
		return m, nil
	}, c.show)
}

func (c *contexts) show(m occurrences, err error) tea.Cmd {
	c.n, c.err = m.n, err
	lines := widget.Map(c.use, func(u string) widget.TextLine {
		return widget.TextLine{widget.Dim.Text(u)}
	})
	c.text.Set(append(lines, m.lines...))
	return nil
}

// material returns the text whose words the scheme counts: for records the title and the titles of
// the records, for others all visible text.
func material(scheme topic.Scheme, p *query.Preview) string {
	if scheme != topic.SchemeRecords || len(p.Records) == 0 {
		return p.Text
	}
	lines := []string{p.Title}
	for i := range p.Records {
		lines = append(lines, p.Records[i].Title)
	}
	return strings.Join(lines, "\n")
}

// places returns one line for each occurrence of word in text.
func places(text, word string) []widget.TextLine {
	var out screen.Lines
	if word == "" {
		return nil
	}
	folded := strings.ToLower(text) // features are folded, the page is not
	if len(folded) != len(text) {
		folded = text
	}
	for at := 0; len(out) < mostPlaces; {
		k := strings.Index(folded[at:], word)
		if k < 0 {
			break
		}
		k += at
		at = k + len(word)
		left := widget.Clean(tail(text[:k], 6*around))
		for widget.Width(left) > around {
			_, size := utf8.DecodeRuneInString(left)
			left = left[size:]
		}
		right, _ := widget.Cut(widget.Clean(head(text[at:], 6*around)), around)
		out.Line(widget.Plain.Text(strings.Repeat(" ", around-widget.Width(left))+left),
			(widget.Mark | widget.Bold).Text(widget.Clean(text[k:at])),
			widget.Plain.Text(right))
	}
	return out
}

// tail and head bound the text to clean: a page's text can be one long line.
func tail(s string, n int) string {
	if len(s) > n {
		s = s[len(s)-n:]
	}
	return strings.ToValidUTF8(s, "")
}

func head(s string, n int) string {
	if len(s) > n {
		s = s[:n]
	}
	return strings.ToValidUTF8(s, "")
}

func (c *contexts) pane() *screen.Pane {
	return &screen.Pane{
		Title: func() string {
			if c.word == "" {
				return "in samples"
			}
			return c.F("%s in samples %s", widget.Clean(c.word), c.n)
		},
		Note: c.text.Note,
		Draw: func(cv *widget.Canvas, _ bool) {
			switch {
			case c.word == "":
				widget.DrawNote(cv, "The word under the cursor is shown here as the samples use it.")
			case c.err != nil:
				widget.DrawNote(cv, c.F("The samples cannot be read: %s", c.Reason(c.err)))
			case c.asked.Busy():
				widget.DrawNote(cv, "reading the samples …")
			case c.n == 0:
				widget.DrawNote(cv, "What the scheme counts of the samples does not hold this word as one piece.")
			default:
				c.text.Draw(cv)
			}
		},
		List: &c.text,
	}
}
