package view

// Assistant is the state of the optional model.
type Assistant struct {
	On        bool   // a model is asked
	Answers   int    // of today
	Tokens    int    // of today
	Budget    int    // tokens a day
	Discarded int    // quotes of today that their notice does not contain
	Failure   string // why the last question got no answer; "" after an answer
}
