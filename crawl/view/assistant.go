package view

import "time"

// Assistant is the state of the optional model.
type Assistant struct {
	On        bool   // a model is asked
	Model     string // its name
	Answers   int    // of today
	Tokens    int    // of today
	Budget    int    // tokens a day
	Discarded int    // quotes of today that their notice does not contain
	Waiting   int    // notices without an answer
	Failure   string // why the last question got no answer; "" after an answer
	Again     time.Time
}
