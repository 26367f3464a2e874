package tui

import (
	"errors"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/view"
	"angler/tui/lang"
	"angler/tui/screen"
	"angler/tui/ui"
)

// undoMsg asks whether an action shall be undone that is old, or another
// person's.
type undoMsg struct{ *view.UndoQuestion }

// history runs an undo or a redo.
func (a *app) history(what string, do func() (string, error)) func() tea.Cmd {
	l := a.shared.Lang
	return func() tea.Cmd {
		return a.ui.Run(what, a.ui.InOrder(func() tea.Msg {
			line, err := do()
			if q, asks := errors.AsType[*view.UndoQuestion](err); asks {
				return undoMsg{q}
			}
			if err != nil {
				return screen.ActMsg{What: what, Err: err}
			}
			return screen.ActMsg{What: l.F("%s: %s", l.T(what), l.Line(line)), Back: true}
		}))
	}
}

// askUndo puts the question into the status line, unless the reader has begun
// to type something else meanwhile.
func (a *app) askUndo(q *view.UndoQuestion) {
	if a.over.typing() {
		a.say(ui.Warn, a.shared.T("nothing was undone: the last action is old or another person's; u asks again"))
		return
	}
	a.undoing = q
}

// answerUndo takes the key that answers the question.
func (a *app) answerUndo(k tea.KeyMsg) tea.Cmd {
	q := a.undoing
	a.undoing = nil
	if k.String() != "y" {
		a.say(ui.Plain, a.shared.T("nothing was undone"))
		return nil
	}
	return a.history("undone", func() (string, error) {
		line, err := a.parts.Topic.UndoAgreed(q.Seq)
		return strings.TrimPrefix(line, "undo: "), err
	})()
}

// undoQuestion is the question in at most room cells: of what was done as much
// as fits, and who, when and the keys whole.
func undoQuestion(q *view.UndoQuestion, l *lang.Lang, now time.Time, room int) string {
	at := q.At.Local()
	when := at.Format("15:04")
	if at.Format(time.DateOnly) != now.Local().Format(time.DateOnly) {
		when = at.Format("2006-01-02 15:04")
	}
	ask := func(what string) string {
		if q.Own {
			return l.F("undo your “%s” of %s? y/n", what, when)
		}
		return l.F("undo %s's “%s” of %s? y/n", ui.Fit(ui.Clean(q.By), 16), what, when)
	}
	return ask(ui.Fit(l.Line(ui.Clean(q.What)), max(1, room-ui.Width(ask("")))))
}
