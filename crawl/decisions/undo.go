package decisions

import (
	"errors"
	"fmt"
	"time"

	"angler/crawl/auth"
	"angler/message"
	"angler/store"
)

// fresh is how long an action of one's own can be undone without a question.
const fresh = time.Hour

// Errors of a late answer.
var (
	errOther    = errors.New("something else was done meanwhile and nothing was undone; try again")
	errNotAgain = errors.New("something else was done meanwhile and nothing was done again; try again")
)

// asksFirst returns the question before a person reverts a decision; nil for a recent one of their
// own.
func (d *Decisions) asksFirst(who, by string, at time.Time, what message.Text) error {
	own := by == who
	if own && d.Now().Sub(at) <= fresh {
		return nil
	}
	return &UndoQuestion{By: by, What: what, At: at, Own: own}
}

// Undo takes back the last action and names it. For an action of another person, from before this
// Topic was made, or over an hour old, it returns a *UndoQuestion instead.
func (t *Topic) Undo() (message.Text, error) { return t.revert(false, t.asks(false)) }

// asks returns the question before an undo or redo; nil for what the Topic itself did or took back
// in the last hour.
func (t *Topic) asks(redo bool) func(*store.Standing) error {
	return func(e *store.Standing) error {
		if e.Placed > t.since && t.recent(e) {
			return nil
		}
		return t.question(e, redo)
	}
}

// recent reports whether the person did an action, or took it back, in the last hour.
func (t *Topic) recent(e *store.Standing) bool { return e.By == t.Name && t.d.Now().Sub(e.At) <= fresh }

func (t *Topic) question(e *store.Standing, redo bool) *UndoQuestion {
	return &UndoQuestion{Seq: e.Placed, By: e.By, What: e.What, At: e.At, Own: e.By == t.Name, Redo: redo}
}

// UndoLate is Undo for a session of one action: the person's own actions of the last hour need no
// question, even if they are older than this Topic. With yes no action does.
func (t *Topic) UndoLate(yes bool) (message.Text, error) {
	return t.revert(false, func(e *store.Standing) error {
		if yes || t.recent(e) {
			return nil
		}
		return t.question(e, false)
	})
}

// UndoAgreed takes back the action of a *UndoQuestion, if it is still the last.
func (t *Topic) UndoAgreed(seq uint64) (message.Text, error) {
	return t.revert(false, still(seq, errOther))
}

// still agrees only to the action of the question.
func still(seq uint64, other error) func(*store.Standing) error {
	return func(e *store.Standing) error {
		if e.Placed != seq {
			return other
		}
		return nil
	}
}

// revert undoes the last action, or redoes the last undone one, if agree returns no error for it.
func (t *Topic) revert(redo bool, agree func(*store.Standing) error) (message.Text, error) {
	do, change := auth.Undo, (*store.Decisions).Undo
	if redo {
		do, change = auth.Redo, (*store.Decisions).Redo
	}
	if err := t.May(do); err != nil {
		return "", err
	}
	return t.d.acted(func(_ *State, log *store.Decisions) (*store.Event, error) { return change(log, t.Name, agree) })
}

// Redo redoes the last undone action and names it. If another person took it back, or that was
// before this Topic was made or over an hour ago, it returns a *UndoQuestion instead.
func (t *Topic) Redo() (message.Text, error) { return t.revert(true, t.asks(true)) }

// RedoAgreed redoes the action of a *UndoQuestion, if it is still the last undone one.
func (t *Topic) RedoAgreed(seq uint64) (message.Text, error) {
	return t.revert(true, still(seq, errNotAgain))
}

// Decided returns at most most decisions of all people, the newest, oldest first.
func (t *Topic) Decided(most int) ([]store.Event, error) { return t.d.Store.Decisions.Events(most) }

// UndoQuestion is the error of an undo or redo that must ask first: the last action, or the undo
// that a redo reverts, is old or another person's. By and At describe it. A person who agrees
// passes its Seq.
type UndoQuestion struct {
	Seq  uint64
	By   string
	What message.Text
	At   time.Time
	Own  bool // of the person who asked
	Redo bool // the question is about a redo
}

func (q *UndoQuestion) Error() string {
	if q.Redo {
		return fmt.Sprintf("%s took “%s” back at %s; nothing was done again", q.By, q.What,
			q.At.Format("2006-01-02 15:04"))
	}
	return fmt.Sprintf("the last action is %s's “%s” of %s; nothing was undone", q.By, q.What,
		q.At.Format("2006-01-02 15:04"))
}
