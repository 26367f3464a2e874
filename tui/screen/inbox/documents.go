package inbox

import (
	"context"
	"strconv"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/attachments"
	"angler/crawl/auth"
	"angler/crawl/inbox"
	"angler/store/records"
	"angler/tui/keymap"
	"angler/tui/screen"
	"angler/tui/widget"
)

// This file shows the documents that a notice links to, and has them fetched. The text
// of one takes the place of the notice in the reader until it is closed.

// document is the text of a document that is read in place of its notice.
type document struct {
	of   attachments.Document
	text *records.DocumentText // nil until it has come
	err  error
}

// fileLines returns the name and the state of one document of the notice, in w cells; an
// address for which the line has no room stands below it, indented.
func (v *reader) fileLines(i int, f *attachments.Document, w int) []widget.TextLine {
	st := widget.Dim
	switch f.State {
	case records.DocumentFailed:
		st = widget.Warn
	case records.DocumentKept:
		st = widget.Good
	}
	name := widget.TextLine{widget.Key.Text(strconv.Itoa(i+1) + " "),
		widget.Accent.Text(fileName(f)), st.Text("  " + v.fileState(f))}
	address := widget.Dim.Text(widget.Clean(f.URL))
	if name.Width()+2+widget.Width(address.Text) > w {
		out := screen.Lines{name}
		for _, l := range widget.Wrap(address.Text, max(1, w-2), widget.Width(address.Text)) {
			out = append(out, widget.TextLine{{Text: "  "}, widget.Dim.Text(l)})
		}
		return out
	}
	return []widget.TextLine{append(name, widget.Part{Text: "  "}, address)}
}

// fileState says in a few words what has become of a document.
func (v *reader) fileState(f *attachments.Document) string {
	sh := v.Shared
	why := widget.Clean(f.Why)
	switch f.State {
	case records.DocumentWanted:
		if why != "" {
			return sh.F("waits: %s", sh.Line(why))
		}
		return sh.T("is to be fetched")
	case records.DocumentFailed, records.DocumentSkipped:
		return sh.F("not here: %s", sh.Line(why))
	case records.DocumentKept:
		out := []string{strings.ToUpper(widget.Clean(f.Kind)), widget.Bytes(f.Size)}
		listing := f.Kind == "zip" || f.Kind == "rar"
		switch {
		case f.Pages == 0:
		case listing:
			out = append(out, sh.N(f.Pages, "file"))
		case f.Kind == "xlsx":
			out = append(out, sh.N(f.Pages, "sheet"))
		case f.Pages == 1:
			out = append(out, sh.T("1 page"))
		default:
			out = append(out, sh.F("%s pages", f.Pages))
		}
		switch {
		case listing && f.Letters > 0: // the text is the list
		case !f.Read:
			out = append(out, sh.T("its text is still to be read"))
		case f.Letters == 0:
			out = append(out, sh.F("no text: %s", sh.Line(why)))
		default:
			out = append(out, sh.F("%s letters", f.Letters))
		}
		return strings.Join(out, " · ")
	}
	return sh.T(widget.Clean(f.Class)) + " · " + sh.T("not fetched")
}

func fileName(f *attachments.Document) string {
	if name := widget.Clean(f.Name); name != "" {
		return name
	}
	return widget.Clean(f.URL)
}

// documentKey is what enter does in the reader: opens the one document, or the one whose
// digit is pressed next; with a document's text open it leads back to the notice.
func (v *reader) documentKey() (off string, do func() tea.Cmd) {
	switch {
	case v.doc != nil:
		return "", v.closeDocument
	case v.values.at >= 0 && v.values.said != nil:
		return "", v.correct
	case v.got == nil || len(v.got.Files) == 0:
		return "the notice has no attachments; {copy} copies its address", nil
	}
	files := v.got.Files
	return "", func() tea.Cmd {
		var items, others []widget.Item
		for i := range files {
			ways := v.ways(&files[i])
			for w := range ways {
				ways[w].Name = strconv.Itoa(i+1) + " " + ways[w].Name
			}
			items, others = append(items, ways[0]), append(others, ways[1:]...)
		}
		if len(items) == 1 {
			return items[0].Do()
		}
		c := widget.NewChooser("attachments; a digit opens one", append(items, others...))
		c.Numbered = true
		v.Choose(c)
		return nil
	}
}

// opens reports that a browser here can open an address.
func (v *reader) opens(address string) bool {
	return v.in.browse != nil && (strings.HasPrefix(address, "http://") || strings.HasPrefix(address, "https://"))
}

// ways are what can be done with a document, the first the usual one: its text is read
// where there is one, else a browser opens it, else its address is copied.
func (v *reader) ways(f *attachments.Document) []widget.Item {
	var out []widget.Item
	add := func(note string, do func() tea.Cmd) {
		out = append(out, widget.Item{Name: fileName(f), Raw: true, Note: v.T(note), Do: do})
	}
	doc := *f
	if f.Letters > 0 {
		add("read its text", func() tea.Cmd { return v.openDocument(doc) })
	}
	if v.opens(doc.URL) {
		add("open in a browser", func() tea.Cmd {
			return v.Act(v.F("opened %s", widget.Clean(doc.URL)),
				func() error { return v.in.browse(doc.URL) })
		})
	}
	add("copy the address", func() tea.Cmd { return screen.Copy(doc.URL) })
	return out
}

// openDocument shows the text of a document in place of the notice.
func (v *reader) openDocument(f attachments.Document) tea.Cmd {
	v.doc = &document{of: f}
	v.text.Set(nil)
	url, files := f.URL, v.in.files
	return screen.Load(v.UI, "opening the document",
		func(context.Context) (*records.DocumentText, error) { return files.TextOf(url) },
		func(text *records.DocumentText, err error) tea.Cmd {
			if v.doc != nil && v.doc.of.URL == url {
				v.doc.text, v.doc.err = text, err
				v.text.Set(v.lines(max(1, v.width)))
			}
			return nil
		})
}

// closeDocument shows the notice again.
func (v *reader) closeDocument() tea.Cmd {
	v.doc = nil
	v.text.Set(nil)
	if v.got != nil {
		v.text.Set(v.lines(max(1, v.width)))
	}
	return nil
}

// documentLines are the text of the open document in w cells.
func (v *reader) documentLines(w int) []widget.TextLine {
	d, sh := v.doc, v.Shared
	out := screen.Lines{{widget.Bold.Text(fileName(&d.of))},
		{widget.Key.Text(widget.Clean(d.of.URL))},
		{widget.Dim.Text(v.fileState(&d.of))}, rule(w)}
	switch {
	case d.err != nil:
		return append(out,
			widget.TextLine{widget.Warn.Text(sh.F("The document cannot be shown: %s", sh.Reason(d.err)))})
	case d.text == nil:
		return append(out, widget.TextLine{widget.Dim.Text(sh.T("opening …"))})
	}
	out = append(out, body(d.text.Text, w)...)
	if d.text.Cut != "" {
		out = append(out, rule(w),
			widget.TextLine{widget.Warn.Text(sh.F("The text ends here: %s", sh.Says(d.text.Cut)))})
	}
	return out
}

// fetching is the key that has the documents of notices fetched: the marked ones, else
// the one under the cursor.
func (s *harvest) fetching(meant func() []*inbox.ListedNotice) screen.Binding {
	off := ""
	switch r := s.notices.Selected(); {
	case r == nil:
		off = "no notice is chosen"
	case r.Files == 0 && s.notices.NumMarked() == 0:
		off = "the notice has no attachments; {copy} copies its address"
	}
	b := screen.Bind(keymap.FetchFiles, off, func() tea.Cmd {
		rows := meant()
		ids := idsOf(rows)
		what := s.F("%s · %s", s.T("documents are fetched"), s.named(rows))
		s.notices.Unmark()
		return s.Act(what, func() error {
			_, err := s.files.Ask(ids)
			return err
		})
	})
	b.Action = auth.FetchFiles
	return b
}
