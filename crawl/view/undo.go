package view

import (
	"fmt"
	"time"
)

// UndoQuestion is the error of an undo that asks first: the last action is
// another person's, or not of now. Whoever agrees undoes the action by its Seq.
type UndoQuestion struct {
	Seq  uint64
	By   string
	What string
	At   time.Time
	Own  bool // of the person who asked to undo it
}

func (q *UndoQuestion) Error() string {
	return fmt.Sprintf("the last action is %s's “%s” of %s; nothing was undone", q.By, q.What, q.At.Format("2006-01-02 15:04"))
}
