package decisions

import (
	"time"

	"angler/crawl/fields"
	"angler/topic"
)

// Correction is what a person said of a field of a notice.
type Correction struct {
	Values []fields.Value `json:"values,omitempty"` // none: the notice does not say it
	Remark
}

// Remark says who said something of a notice, and when.
type Remark struct {
	By string    `json:"by"`
	At time.Time `json:"at"`
}

// Marks are what the people of a workspace have decided about one notice; nil
// means none. They are not to be changed.
type Marks struct {
	Star, Done *Remark
	Note       string
	Noted      *Remark
	Verdict    topic.Label // whether it is a notice of the topic
	Judged     *Remark
	Apart      *Remark // it is no other address of another notice
	Alone      *Remark // it is not of the project that its number or its name tells
	Joined     uint64  // the notice of whose project it is
	JoinedBy   *Remark
	Mute       string // of an aggregation page: the muted alarm, see ListAlarm.Mark
	Muted      *Remark
}

// Starred, IsDone and Judgement read marks that may be nil.
func (m *Marks) Starred() bool { return m != nil && m.Star != nil }

func (m *Marks) IsDone() bool { return m != nil && m.Done != nil }

func (m *Marks) Judgement() topic.Label {
	if m == nil {
		return topic.NoLabel
	}
	return m.Verdict
}

// IsApart, IsAlone and joinedTo read marks that may be nil.
func (m *Marks) IsApart() bool { return m != nil && m.Apart != nil }

func (m *Marks) IsAlone() bool { return m != nil && m.Alone != nil }

func (m *Marks) joinedTo() uint64 {
	if m == nil {
		return 0
	}
	return m.Joined
}

// Says is the note; "" when there is none.
func (m *Marks) Says() string {
	if m == nil {
		return ""
	}
	return m.Note
}

// Mutes is the alarm that is muted; "" when none is.
func (m *Marks) Mutes() string {
	if m == nil {
		return ""
	}
	return m.Mute
}

// SavedView is a filter that a person gave a name.
type SavedView struct {
	Name  string `json:"name"`
	Query string `json:"query"`
	Remark
}
