package records

import (
	"time"

	"angler/store/schema"
	"angler/store/sealed"
)

// This file keeps what a model answered about notices, and the tokens used on the last day.

// AnswersBucket holds id of the notice → Answer, JSON.
var AnswersBucket = []byte("answers")

// assistantBucket holds one row: AssistantUse, JSON.
var assistantBucket = []byte("assistant")

// The values of Answer.Said.
const (
	SaidYes    = "yes"
	SaidNo     = "no"
	SaidUnsure = "unsure"
)

// Answer is what a model said about a notice. It is no verdict of a person.
type Answer struct {
	ID       uint64    `json:"-"`
	Said     string    `json:"said"` // SaidYes, SaidNo or SaidUnsure
	Quote    string    `json:"quote,omitempty"`
	Model    string    `json:"model"`
	Question uint64    `json:"question"` // hash of the question
	Version  uint64    `json:"version"`  // hash of the notice's content
	Sent     uint64    `json:"sent"`     // hash of what the model got of the notice
	At       time.Time `json:"at"`
}

// AssistantUse counts one day of the model.
type AssistantUse struct {
	Day       string `json:"day"` // 2006-01-02
	Tokens    int    `json:"tokens"`
	Answers   int    `json:"answers"`
	Discarded int    `json:"discarded"` // quotes that the notice does not contain
}

var (
	answers = table[uint64, Answer]{bucket: AnswersBucket, key: idKey, sound: func(key []byte, a *Answer) bool {
		a.ID = idOf(key)
		return a.ID != 0 && (a.Said == SaidYes || a.Said == SaidNo || a.Said == SaidUnsure)
	}}
	assistantUse = table[struct{}, AssistantUse]{bucket: assistantBucket,
		key:   func(struct{}) []byte { return text("use") },
		sound: func(key []byte, u *AssistantUse) bool { return string(key) == "use" && u.Tokens >= 0 }}
)

// ReadAnswers returns all answers and the use of the last day; its zero value if there is none.
func ReadAnswers(db DB) (list []*Answer, use AssistantUse, err error) {
	err = db.View(func(tx sealed.Tx) error {
		list = answers.in(tx).scan(nil)
		if u := assistantUse.in(tx).get(struct{}{}); u != nil {
			use = *u
		}
		return nil
	})
	return list, use, err
}

// PutAnswer stores the use of a day, and an answer unless it is nil or its notice was removed meanwhile.
func PutAnswer(db DB, a *Answer, use AssistantUse) error {
	return db.Write(func(tx sealed.Tx) error {
		if a != nil && tx.Bucket(schema.Notices).Get(idKey(a.ID)) != nil {
			if err := answers.put(tx, a.ID, a); err != nil {
				return err
			}
		}
		return assistantUse.put(tx, struct{}{}, &use)
	})
}
