package tui

import (
	"errors"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"angler/crawl/decisions"
	"angler/message"
	"angler/tui/i18n"
	"angler/tui/screen"
	"angler/tui/widget"
)

// history runs an undo or a redo.
func (a *app) history(what string, do func() (message.Text, error)) func() tea.Cmd {
	l := a.shared.Lang
	return func() tea.Cmd {
		return a.ui.Run(what, a.ui.InOrder(func() tea.Msg {
			line, err := do()
			if q, asks := errors.AsType[*decisions.UndoQuestion](err); asks {
				return screen.Reply{Take: screen.Do(func() { a.askUndo(q, undoAgreed(a, q)) })}
			}
			if err != nil {
				return screen.ActMsg{What: what, Err: err}
			}
			return screen.ActMsg{What: l.F("%s: %s", l.T(what), l.Message(line)), Back: true}
		}))
	}
}

// undo takes back this viewer's last action, or the last decision if that is a decision.
func (a *app) undo() tea.Cmd {
	if last := a.last; last.Undo != nil {
		a.last = screen.ActMsg{}
		l := a.shared.Lang
		return a.ui.Run("undone", a.ui.InOrder(func() tea.Msg {
			return screen.ActMsg{What: l.F("%s: %s", l.T("undone"), last.What), Err: last.Undo(), Back: true}
		}))
	}
	topic := a.parts.Topic
	return a.history("undone", func() (message.Text, error) {
		line, err := topic.Undo()
		return takenBack(line), err
	})()
}

// takenBack returns what the log's line of an undo took back.
func takenBack(line message.Text) message.Text {
	if id, args := line.Parts(); id == "undo: %s" {
		return args[0]
	}
	return line
}

// undoAgreed undoes or redoes an action after its question.
func undoAgreed(a *app, q *decisions.UndoQuestion) func() tea.Cmd {
	if q.Redo {
		return a.history("done again", func() (message.Text, error) { return a.parts.Topic.RedoAgreed(q.Seq) })
	}
	return a.history("undone", func() (message.Text, error) {
		line, err := a.parts.Topic.UndoAgreed(q.Seq)
		return takenBack(line), err
	})
}

// refused is the message after a declined question.
func refused(q *decisions.UndoQuestion) string {
	return widget.Either(q.Redo, "nothing was done again", "nothing was undone")
}

// askUndo shows the question in the status line, unless the reader has started to type.
func (a *app) askUndo(q *decisions.UndoQuestion, agreed func() tea.Cmd) {
	if a.over.typing() {
		a.say(widget.Warn,
			a.shared.F("%s: it is old or another person's; the same key asks again", a.shared.T(refused(q))))
		return
	}
	a.undoing, a.agreed = q, agreed
}

// answerUndo handles the key that answers the question.
func (a *app) answerUndo(k tea.KeyMsg) tea.Cmd {
	q := a.undoing
	a.undoing = nil
	if k.String() != "y" {
		a.say(widget.Plain, a.shared.T(refused(q)))
		return nil
	}
	return a.agreed()
}

// undoQuestion returns the question in at most room cells: the action, shortened if needed, and
// person, time and keys in full.
func undoQuestion(q *decisions.UndoQuestion, l *i18n.Lang, now time.Time, room int) string {
	at := q.At.Local()
	when := widget.Either(at.Format(time.DateOnly) != now.Local().Format(time.DateOnly),
		at.Format("2006-01-02 15:04"), at.Format("15:04"))
	ask := func(what string) string {
		switch by := widget.Fit(widget.Clean(q.By), 16); {
		case q.Redo && q.Own:
			return l.F("redo “%s”, which you undid at %s? y/n", what, when)
		case q.Redo:
			return l.F("redo “%s”, which %s undid at %s? y/n", what, by, when)
		case q.Own:
			return l.F("undo your “%s” of %s? y/n", what, when)
		default:
			return l.F("undo %s's “%s” of %s? y/n", by, what, when)
		}
	}
	return ask(widget.Fit(widget.Clean(l.Message(q.What)), max(1, room-widget.Width(ask("")))))
}
