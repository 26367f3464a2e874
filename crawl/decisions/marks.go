package decisions

import (
	"time"

	"angler/crawl/fields"
	"angler/topic"
)

// Correction is a person's correction of a field of a notice.
type Correction struct {
	Values []fields.Value `json:"values,omitempty"` // empty: the notice does not state it
	Remark
}

// Remark records who decided something about a notice, and when.
type Remark struct {
	By string    `json:"by"`
	At time.Time `json:"at"`
}

// Marks are the decisions about one notice; nil means none. Do not change them.
type Marks struct {
	Star, Done *Remark
	Note       string
	Noted      *Remark
	Verdict    topic.Label // whether the notice belongs to the topic
	Judged     *Remark
	Apart      *Remark // it is not a copy of another notice
	Alone      *Remark // it is not in the project of its number or name
	Joined     uint64  // the notice whose project it is in
	JoinedBy   *Remark
	Mute       string // of an aggregation page: the muted alarm, see ListAlarm.Mark
	Muted      *Remark
}

// Starred, IsDone and Judgement accept nil marks.
func (m *Marks) Starred() bool { return m != nil && m.Star != nil }

func (m *Marks) IsDone() bool { return m != nil && m.Done != nil }

func (m *Marks) Judgement() topic.Label {
	if m == nil {
		return topic.NoLabel
	}
	return m.Verdict
}

// IsApart, IsAlone and joinedTo accept nil marks.
func (m *Marks) IsApart() bool { return m != nil && m.Apart != nil }

func (m *Marks) IsAlone() bool { return m != nil && m.Alone != nil }

func (m *Marks) joinedTo() uint64 {
	if m == nil {
		return 0
	}
	return m.Joined
}

// Says returns the note, or "".
func (m *Marks) Says() string {
	if m == nil {
		return ""
	}
	return m.Note
}

// Mutes returns the muted alarm, or "".
func (m *Marks) Mutes() string {
	if m == nil {
		return ""
	}
	return m.Mute
}

// SavedView is a filter with a name.
type SavedView struct {
	Name  string `json:"name"`
	Query string `json:"query"`
	Remark
}
