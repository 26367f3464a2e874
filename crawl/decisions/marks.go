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

// value returns the marks; nil has none. The other methods accept nil marks, too.
func (m *Marks) value() Marks {
	if m == nil {
		return Marks{}
	}
	return *m
}

// Starred reports whether the notice has a star.
func (m *Marks) Starred() bool { return m.value().Star != nil }

// IsDone reports whether the notice is finished.
func (m *Marks) IsDone() bool { return m.value().Done != nil }

// Judgement returns the verdict on the topic, or NoLabel.
func (m *Marks) Judgement() topic.Label { return m.value().Verdict }

// IsApart reports whether a person declared that the notice is no copy.
func (m *Marks) IsApart() bool { return m.value().Apart != nil }

// IsAlone reports whether a person took the notice out of the project of its number or name.
func (m *Marks) IsAlone() bool { return m.value().Alone != nil }

func (m *Marks) joinedTo() uint64 { return m.value().Joined }

// Says returns the note, or "".
func (m *Marks) Says() string { return m.value().Note }

// Mutes returns the muted alarm, or "".
func (m *Marks) Mutes() string { return m.value().Mute }

// SavedView is a filter with a name.
type SavedView struct {
	Name  string `json:"name"`
	Query string `json:"query"`
	Remark
}
