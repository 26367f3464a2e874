package decisions

import (
	"errors"
	"time"

	"angler/crawl/view"
	"angler/store"
)

// fresh is how long one's own action can be undone without a question.
const fresh = time.Hour

var errOther = errors.New("something else was done meanwhile and nothing was undone; press u again")

// Undo takes back the last action and says which. One that another person did,
// or that was done before this Topic was made or over an hour ago, it does not
// take back: the error is a *view.UndoQuestion then.
func (t *Topic) Undo() (string, error) {
	return t.undo(func(e *store.Standing) error {
		own := e.By == t.by
		if own && e.Placed > t.since && t.d.Now().Sub(e.At) <= fresh {
			return nil
		}
		return &view.UndoQuestion{Seq: e.Placed, By: e.By, What: e.What, At: e.At, Own: own}
	})
}

// UndoLate is Undo for a session of one action: the person's own actions of the last
// hour are taken back without a question, whenever this Topic was made, and with yes
// every action is.
func (t *Topic) UndoLate(yes bool) (string, error) {
	return t.undo(func(e *store.Standing) error {
		own := e.By == t.by
		if yes || own && t.d.Now().Sub(e.At) <= fresh {
			return nil
		}
		return &view.UndoQuestion{Seq: e.Placed, By: e.By, What: e.What, At: e.At, Own: own}
	})
}

// UndoAgreed takes back the action that a *view.UndoQuestion told, if it is
// still the last.
func (t *Topic) UndoAgreed(seq uint64) (string, error) {
	return t.undo(func(e *store.Standing) error {
		if e.Placed != seq {
			return errOther
		}
		return nil
	})
}

func (t *Topic) undo(agree func(*store.Standing) error) (string, error) {
	return what(t.d.act(func(*State) (*store.Event, error) { return t.d.Store.Decisions.Undo(t.by, agree) }))
}
