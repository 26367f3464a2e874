package tui

import (
	"fmt"
	"strconv"

	"github.com/charmbracelet/lipgloss"

	"angler/crawl/seeds"
	"angler/tui/widget"
)

// View implements tea.Model.
func (w *wizard) View() string {
	c := w.canvas
	c.Clear()
	if w.step == stepMenu {
		w.menu.Draw(c)
		hints := w.menu.Hints()
		hints[len(hints)-1].Does = "quit"
		c.Block(1, w.h-1, w.theme.Hints(hints, w.w-2))
		return c.String()
	}
	l := w.theme.Lang
	c.Block(1, 0, w.head())
	body := c.Sub(widget.Rect{Y: 1, W: w.w, H: max(0, w.h-3)})
	switch w.step {
	case stepWords:
		note(body, "Which words does the title of a notice that you want hold? One of them is enough.",
			"They choose among the entries of mixed lists; lists that you mark as samples are taken whole.")
	case stepName:
		note(body, "A workspace is a folder that keeps one topic: its seeds, its pages, and what you decide.",
			"What do you look for?")
	case stepDir:
		note(body, "In which folder shall the workspace be kept?",
			"angler.toml there holds its settings; you may edit it.")
	case stepSeeds:
		w.drawSeeds(body)
	case stepScope:
		w.drawScope(body)
	}
	if w.h >= 3 {
		switch {
		case w.flash != "":
			c.Text(1, w.h-2, widget.Bad, widget.Fit(w.flash, w.w-2))
		case w.busy:
			c.Say(1, w.h-2, widget.Accent, "one moment …")
		default:
			c.Text(1, w.h-2, widget.Dim, widget.Fit(l.T(w.keys()), w.w-2))
		}
	}
	w.prompt.Draw(c, w.h-1)
	return c.String()
}

// head draws the steps with the current one highlighted.
func (w *wizard) head() string {
	parts := []string{w.theme.Style(widget.Accent | widget.Bold).Render("angler"), "  "}
	for i, name := range []string{"seeds", "name", "folder", "scope"} {
		st := widget.Either(i == w.step-stepSeeds, widget.Accent|widget.Bold, widget.Dim)
		if i > 0 {
			parts = append(parts, w.theme.Style(widget.Line).Render(" › "))
		}
		parts = append(parts, w.theme.Style(st).Render(strconv.Itoa(i+1)+" "+w.theme.Lang.T(name)))
	}
	return lipgloss.JoinHorizontal(lipgloss.Top, parts...)
}

// keys returns the keys of the step besides text.
func (w *wizard) keys() string {
	switch w.step {
	case stepSeeds:
		if w.check.Good+len(w.check.Words) > 0 && w.prompt.Text() == "" {
			return "enter makes the workspace · tab name, folder, scope · ctrl+x clears · esc back"
		}
		return "enter adds · tab name, folder, scope · pgdown pgup scroll · esc back"
	case stepScope:
		return "tab another scope · pgdown pgup scroll · enter makes the workspace · esc back"
	}
	return "enter goes on · esc back · ctrl+c leaves"
}

func note(c *widget.Canvas, lines ...string) {
	w, h := c.Size()
	y := min(2, max(0, h-1))
	for _, text := range lines {
		for _, s := range widget.Wrap(c.T(text), max(1, min(76, w-4)), 6) {
			c.Text(2, y, widget.Plain, s)
			y++
		}
		y++
	}
}

// facts summarises the seed list in one line.
func (w *wizard) facts() string {
	l, n := w.theme.Lang, w.check
	if len(n.Words) > 0 {
		return l.F("none yet; the web is searched for %s", l.N(len(n.Words), "word"))
	}
	s := l.F("%s of %s", l.N(n.Good, "seed"), l.N(n.Hosts, "host"))
	if bad := len(n.Lines) - n.Good; bad > 0 {
		s += " · " + l.F("%s no address", widget.Count(bad))
	}
	if n.Twice > 0 {
		s += " · " + l.F("%s named twice", widget.Count(n.Twice))
	}
	return s
}

func (w *wizard) drawSeeds(c *widget.Canvas) {
	width, h := c.Size()
	l := w.theme.Lang
	c.Text(1, 0, widget.Plain,
		widget.Fit(l.F("%s in the folder %s", widget.Clean(w.plan.Topic), widget.Clean(w.plan.Dir))+" · "+
			l.F("notices: %s", w.notices())+" · "+l.F("scope: %s", l.T(scopes[w.kind].kind)), width-2))
	in := widget.Frame(c.Sub(widget.Rect{Y: 1, W: width, H: h - 1}), l.T("seeds")+" · "+w.facts(), "", true)
	if len(w.check.Lines) == 0 {
		widget.DrawNote(in,
			"Paste a list of addresses here, as long as you like, or type one after the other. http:// may be left "+
				"out. With no address at hand type words of your topic, ten of them for example: sites are looked "+
				"for by them.")
		return
	}
	w.drawLines(in, func(s *seeds.SeedLine) string { return widget.Clean(s.URL) }, "%s")
}

// notices names the kind of notices, or the typed words.
func (w *wizard) notices() string {
	if w.plan.Notices == seeds.AllNotices {
		return w.theme.Lang.T("all of a list")
	}
	return w.theme.Lang.T(widget.Clean(w.plan.Notices))
}

// drawLines draws the visible part of the seed list; wrong lines come first, because they need
// attention. good words a good line, wrong is the form of a wrong one.
func (w *wizard) drawLines(c *widget.Canvas, good func(*seeds.SeedLine) string, wrong string) {
	width, h := c.Size()
	n := len(w.check.Lines)
	for y := 0; y < h && w.top+y < n; y++ {
		s := &w.check.Lines[(w.check.Good+w.top+y)%n]
		sign, text, signed, st := "✓", "", widget.Good, widget.Plain
		switch {
		case s.Wrong == "":
			text = good(s)
		case len(w.check.Words) > 0:
			sign, text = "·", widget.Clean(s.Text)
		default:
			text = fmt.Sprintf(wrong, widget.Clean(s.Text)) + "  " + w.theme.Lang.Line(widget.Clean(s.Wrong))
			sign, signed, st = "✗", widget.Bad, widget.Bad
		}
		c.Text(1, y, signed, sign)
		c.Text(3, y, st, widget.Fit(text, width-4))
	}
}

func (w *wizard) drawScope(c *widget.Canvas) {
	l := w.theme.Lang
	width, h := c.Size()
	y := 0
	for i, s := range scopes {
		sign, st := "○", widget.Dim
		if i == w.kind {
			sign, st = "●", widget.Accent|widget.Bold
		}
		x := c.Text(1, y, st, sign+" "+l.T(s.kind))
		c.Text(max(x+1, 12), y, widget.Dim, widget.Fit(l.T(s.help), width-13))
		y++
	}
	probe := w.prompt.Text()
	switch in, ok := w.check.Contains(probe); {
	case probe == "":
	case !ok:
		c.Text(1, y, widget.Warn, l.F("%s is no address", widget.Fit(widget.Clean(probe), 50)))
	case in:
		c.Text(1, y, widget.Good|widget.Bold, l.F("✓ in: %s", widget.Clean(probe)))
	default:
		c.Text(1, y, widget.Bad|widget.Bold, l.F("✗ out: %s", widget.Clean(probe)))
	}
	in := widget.Frame(c.Sub(widget.Rect{Y: y + 1, W: width, H: h - y - 1}), l.T("in and out")+" · "+w.facts(), "",
		true)
	w.drawLines(in, func(s *seeds.SeedLine) string {
		return l.F("in: %s", widget.Clean(s.Opens)) + "   ← " + widget.Clean(s.URL)
	}, l.T("out: %s"))
}
