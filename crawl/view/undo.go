package view

import (
	"fmt"
	"time"
)

// UndoQuestion is the error of an undo or a redo that asks first: the last action, or
// the undo that a redo takes back, is another person's, or not of now. By and At are of
// that. Whoever agrees turns the action round by its Seq.
type UndoQuestion struct {
	Seq  uint64
	By   string
	What string
	At   time.Time
	Own  bool // of the person who asked to undo it
	Redo bool // it was taken back, and asked is whether it shall be done again
}

func (q *UndoQuestion) Error() string {
	if q.Redo {
		return fmt.Sprintf("%s took “%s” back at %s; nothing was done again", q.By, q.What, q.At.Format("2006-01-02 15:04"))
	}
	return fmt.Sprintf("the last action is %s's “%s” of %s; nothing was undone", q.By, q.What, q.At.Format("2006-01-02 15:04"))
}
