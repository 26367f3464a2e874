package view

import (
	"time"

	"angler/crawl/fields"
	"angler/crawl/notices"
	"angler/crawl/page"
	"angler/topic"
)

// This file holds what the list of notices and the reader show.

// Remark says who said something of a notice, and when.
type Remark struct {
	By string    `json:"by"`
	At time.Time `json:"at"`
}

// Marks are what the people of a workspace have decided about one notice; nil
// means that nobody has. They are not to be changed.
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
	Mute       string // of an aggregation page: the alarm that nobody wants to hear of, see ListAlarm.Mark
	Muted      *Remark
}

// Starred, IsDone and Judgement read marks that may be nil.
func (m *Marks) Starred() bool { return m != nil && m.Star != nil }
func (m *Marks) IsDone() bool  { return m != nil && m.Done != nil }
func (m *Marks) Judgement() topic.Label {
	if m == nil {
		return topic.NoLabel
	}
	return m.Verdict
}

// IsApart, IsAlone and JoinedTo read marks that may be nil.
func (m *Marks) IsApart() bool { return m != nil && m.Apart != nil }
func (m *Marks) IsAlone() bool { return m != nil && m.Alone != nil }
func (m *Marks) JoinedTo() uint64 {
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

// SavedView is a filter that somebody gave a name.
type SavedView struct {
	Name  string `json:"name"`
	Query string `json:"query"`
	Remark
}

// NoticeHead is what lists know of a stored notice. It is shared: not to be changed.
type NoticeHead struct {
	ID       uint64
	URL      string
	Host     string
	Title    string
	Date     page.Date
	At       time.Time // first seen
	Source   string    // address of the aggregation page
	SourceID uint64
	FrameID  uint64  // where the list shows it in a frame: the page in that frame
	Score    float64 // of the aggregation page when harvested
	Files    int
	Text     bool        // it has one
	Aside    bool        // see notices.IsOffTopicTitle
	Same     uint64      // equal for notices that show the same text under the same title; 0 = nothing is known
	Version  uint64      // another one whenever title, date, text or attachments are others
	Facts    PackedFacts // the values of its fields
	Sketch   Sketch
	Changed  time.Time // when it was last found to say something else; zero = never
}

// Shown is when a notice is from: its date, or without one when it was first seen.
func (h *NoticeHead) Shown() time.Time {
	if h.Date.IsZero() {
		return h.At
	}
	return h.Date.Time
}

// KinCounts count what belongs together, and what is doubtful or has changed.
type KinCounts struct {
	Groups   int `json:"groups"`   // notices at several addresses
	Copies   int `json:"copies"`   // other addresses of them
	Threads  int `json:"threads"`  // projects of several notices
	Doubtful int `json:"doubtful"` // may be no notices
	Checked  int `json:"checked"`  // notices whose content was checked
	Changed  int `json:"changed"`  // notices that said something else before
}

// InboxRow is one notice as a person sees it in the list.
type InboxRow struct {
	*NoticeHead
	Site    string // short and unique
	Cut     int    // bytes of the title before what the site writes behind every title
	Read    bool   // by this person
	New     bool   // since the person last looked
	Marks   *Marks
	Quality *Quality
	State   notices.ProjectState    // of its project; of one notice alone what its kind says
	Thread  *notices.ProjectThread  // of several notices; nil = it is alone
	Group   *notices.DuplicateGroup // its other addresses; nil = it has none
	Doubt   *notices.Finding        // why it may be no notice; nil = it is one
	Match   float64                 // how relevant it is to the words asked for (BM25); 0 without any
	Copies  int                     // how many others of the list show the same and are folded under it
	Under   uint64                  // the notice that this one is folded under; 0 = none
}

// Due is the notice's deadline as long as it counts: zero once a later notice of its
// project gives another one or stops the project.
func (r *InboxRow) Due() time.Time {
	if at := r.Facts.Time("deadline"); at.IsZero() || notices.DeadlineHolds(r.Thread, r.Group, r.ID) {
		return at
	}
	return time.Time{}
}

// InboxAsk says which notices are wanted.
type InboxAsk struct {
	Query  string
	Counts []string  // filters whose notices are counted besides
	Since  time.Time // when the person last looked; zero = nothing is new
	Keep   []uint64  // notices that stay in the list although the filter does not let them pass any more
}

// Inbox is the notices that a filter lets pass, at one moment.
type Inbox struct {
	Rows   []InboxRow    // newest first
	Query  string        // that was asked for
	All    int           // notices of the workspace
	Unread int           // of all
	New    int           // of all: since the person last looked
	Newest time.Time     // when the newest of all was first seen
	Counts []int         // of the views that were asked for, in their order; -1 = the view has a mistake
	Lit    []string      // words to be lit
	Ranked bool          // words were asked for, so rows have a Match
	Why    []TermMatches // for no rows: what each term of the filter leaves
	Yields map[uint64]ListYield
	Lists  map[uint64]*Quality // of the aggregation pages that RankNotices has seen
	T      float64             // in force for every Quality
	Kin    KinCounts
	Fields []fields.Field // that notices have
}

// TermMatches tells of one term of a filter how many notices meet it alone, and how many
// meet all the other terms.
type TermMatches struct {
	Term           string
	Alone, Without int

	// Of a term that none meets: which values there are instead, as they are typed.
	Least, Most string   // of numbers and times; "" = none is known
	Values      []string // of names, the most frequent first
}

// SearchAsk says what is searched for among notices.
type SearchAsk struct {
	Query  string
	Limit  int  // rows that are wanted; 0 = 20
	ByDate bool // newest first, not the most relevant
	Plain  bool // as without a domain dictionary: whatever has one of the words that the base dictionary cuts (P2, figure 6)
	Around int  // characters of text that a snippet has; 0 = 80
}

// FoundNotices is what a search has found.
type FoundNotices struct {
	Rows  []FoundNotice
	Total int      // with those beyond Limit
	Words []string // as they were looked for
	// Loose says that no notice holds the words as they stand, so these are those that
	// have most of the words they are cut into.
	Loose   bool
	Indexed bool   // found by the index
	Why     string // why not, where it is not
}

// FoundNotice is a notice with the place where its words stand.
type FoundNotice struct {
	InboxRow
	Snippet  string
	Lit      []Span // in the snippet
	Document string // that the snippet is of; "" = the notice's text
	InTitle  []Span
}

// Span is a part of a text, in bytes.
type Span struct{ From, To int }

// FailedQuery is a question that no notice has answered.
type FailedQuery struct {
	Query string    `json:"query"`
	Times int       `json:"times"`
	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	By    string    `json:"by"`  // who asked last
	Now   int       `json:"now"` // notices that answer it by now
}
