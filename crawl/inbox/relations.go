package inbox

import (
	"context"
	"fmt"
	"strings"
	"time"

	"angler/crawl/decisions"
	"angler/crawl/notices"
	"angler/topic"
)

// This file is which notices belong together, and which are doubtful.

// relationIndex is made of all heads and marks of a moment, and made again when they are
// others. Making it takes some 10 µs a notice: while a harvest goes on it may be older
// than the list, so that it takes no more than a small part of the time.
type relationIndex struct {
	turn chan struct{} // full while it is made

	now   *bonds
	heads []*NoticeHead // that now was made of
	marks uint64        // see printOf
	check bool
	made  time.Time
	took  time.Duration
}

// bonds are what is known of all notices together; nil knows nothing.
type bonds struct {
	kin    *notices.Relations
	judge  *notices.Judge
	set    *notices.FamilySet
	doubts map[uint64]*notices.Finding
	kinds  map[*NoticeHead]notices.ProjectState // see kindOf, of the heads that they are made of
	counts RelationCounts
}

// resting is how many times as long as it took it is not made again.
const resting = 20

// bonds returns what is known of the heads together.
func (in *Inbox) bonds(ctx context.Context, heads []*NoticeHead) (*bonds, error) {
	k := &in.kin
	if err := enter(ctx, k.turn); err != nil {
		return nil, err
	}
	defer func() { <-k.turn }()
	marks, on := in.Decisions.State().Remarks, in.Settings.Now().Harvest.Check
	print := printOf(marks)
	if k.now != nil && k.check == on && k.marks == print {
		if sameList(k.heads, heads) {
			return k.now, nil
		}
		if took := time.Since(k.made); took < resting*k.took {
			in.later(resting*k.took - took)
			return k.now, nil
		}
	}
	begun := time.Now()
	k.now = bondsOf(heads, marks, in.Facts.Checks(), on)
	k.heads, k.marks, k.check, k.made, k.took = heads, print, on, time.Now(), time.Since(begun)
	in.known.Store(k.now)
	return k.now, nil
}

// later has viewers ask again.
func (in *Inbox) later(d time.Duration) {
	if in.asked.CompareAndSwap(false, true) {
		time.AfterFunc(d, func() {
			in.asked.Store(false)
			in.Renewed()
		})
	}
}

func sameList(a, b []*NoticeHead) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// printOf is a number of what marks say of which notices belong together and which are
// notices.
func printOf(marks map[uint64]*decisions.Marks) uint64 {
	sum := uint64(0)
	for id, m := range marks {
		if m.Apart == nil && m.Alone == nil && m.Joined == 0 && m.Verdict == topic.NoLabel {
			continue
		}
		x := id*0x9e3779b97f4a7c15 ^ m.Joined*0xd6e8feb86659fd93
		for i, on := range [...]bool{m.Apart != nil, m.Alone != nil, m.Verdict == topic.Yes, m.Verdict == topic.No} {
			if on {
				x ^= 0xbf58476d1ce4e5b9 << i
			}
		}
		x ^= x >> 31
		sum += x * 0x94d049bb133111eb
	}
	return sum
}

func bondsOf(heads []*NoticeHead, marks map[uint64]*decisions.Marks, set *notices.FamilySet, on bool) *bonds {
	b := &bonds{set: set, doubts: map[uint64]*notices.Finding{},
		kinds: make(map[*NoticeHead]notices.ProjectState, len(heads))}
	said := notices.Corrections{Apart: map[uint64]bool{}, Alone: map[uint64]bool{}, Joined: map[uint64]uint64{}}
	verdicts := map[uint64]bool{}
	for id, m := range marks {
		if m.Apart != nil {
			said.Apart[id] = true
		}
		if m.Alone != nil {
			said.Alone[id] = true
		}
		if m.Joined != 0 {
			said.Joined[id] = m.Joined
		}
		switch m.Verdict {
		case topic.Yes:
			verdicts[id] = true
		case topic.No:
			verdicts[id] = false
		}
	}
	items := make([]notices.RelatedNotice, len(heads))
	cases := make([]notices.CheckCase, 0, len(heads))
	for i, h := range heads {
		items[i] = itemOf(h)
		b.kinds[h] = items[i].Kind
		if h.Sketch.Known {
			cases = append(cases, caseOf(h))
		}
		if !h.Changed.IsZero() {
			b.counts.Changed++
		}
	}
	b.kin = notices.Relate(items, said)
	b.counts.Groups, b.counts.Copies, b.counts.Threads = b.kin.Groups, b.kin.Copies, b.kin.Threads
	if !on {
		return b
	}
	b.judge = notices.NewJudge(set, cases, verdicts)
	for i := range cases {
		if f := b.judge.Of(&cases[i]); f.Doubtful {
			b.doubts[cases[i].ID] = &f
		}
	}
	b.counts.Doubtful, b.counts.Checked = len(b.doubts), len(cases)
	return b
}

func caseOf(h *NoticeHead) notices.CheckCase {
	return notices.CheckCase{ID: h.ID, Title: h.Title, Aside: h.Aside, Size: int(h.Sketch.Size), Families: h.Sketch.Families, Words: h.Sketch.Words}
}

func itemOf(h *NoticeHead) notices.RelatedNotice {
	x := notices.RelatedNotice{ID: h.ID, Host: h.Host, Title: h.Title, At: h.Shown(), Kind: kindOf(h), Deadline: h.Facts.Time("deadline"), Sketch: h.Sketch.Simhash}
	first := func(field string) string {
		if t := h.Facts.Texts(field, h.Title); len(t) > 0 {
			return t[0]
		}
		return ""
	}
	x.Number, x.Project, x.Buyer = first("number"), first("project"), first("buyer")
	x.Amount, _ = h.Facts.Number("amount")
	return x
}

// kindOf is what a notice's kind makes of its project.
func kindOf(h *NoticeHead) notices.ProjectState {
	for _, k := range h.Facts.Texts("kind", h.Title) {
		if s := notices.StateOf(k); s != notices.StateUnknown {
			return s
		}
	}
	return notices.StateUnknown
}

// Kin counts what belongs together, as the last list found it; nil before the first.
func (in *Inbox) Kin() *RelationCounts {
	if known := in.known.Load(); known != nil {
		return &known.counts
	}
	return nil
}

// finding says how a notice was checked.
func (b *bonds) finding(h *NoticeHead) *notices.Finding {
	if b.judge == nil || !h.Sketch.Known {
		return nil
	}
	c := caseOf(h)
	f := b.judge.Of(&c)
	return &f
}

// fill tells a row what belongs to it.
func (b *bonds) fill(r *row) {
	r.Thread, r.Group, r.Doubt = b.kin.Thread(r.ID), b.kin.Group(r.ID), b.doubts[r.ID]
	r.State = b.state(r.NoticeHead)
}

// state is how far a notice's project is; of one alone its kind tells it.
func (b *bonds) state(h *NoticeHead) notices.ProjectState {
	if t := b.kin.Thread(h.ID); t != nil {
		return t.State
	}
	if kind, known := b.kinds[h]; known {
		return kind
	}
	return kindOf(h)
}

// Relations is what is known of a notice besides what it says: its other addresses, its
// project, what it said before, and whether it is a notice at all.
type Relations struct {
	ID       uint64
	State    notices.ProjectState   // of its project; of one notice alone what its kind says
	Others   []NoticeRef            // its other addresses
	Why      notices.MatchReason    // by what they are one notice
	Detached *decisions.Remark      // a person has said that it is no other address of another
	Cut      *decisions.Remark      // … that it is not of the project of the same number or name
	Joined   *decisions.Remark      // … that it is of the project
	Thread   *notices.ProjectThread // nil = it is alone
	Steps    []StepRow              // of the thread, in the order of their days
	Versions []Version              // what it said before, the newest first
	Check    *notices.Finding
	Families []string // that the notice holds
	Missing  []string // of the topic's families, the others
}

// NoticeRef names a notice.
type NoticeRef struct {
	ID    uint64    `json:"id"`
	URL   string    `json:"url"`
	Host  string    `json:"-"`
	Title string    `json:"title"`
	At    time.Time `json:"date"` // its date, else when it was first seen
}

// StepRow is one notice of a project.
type StepRow struct {
	NoticeRef
	Kind     notices.ProjectState
	Deadline time.Time
	Copies   int // its other addresses
}

// Version is what a notice said before it changed.
type Version struct {
	Number int                `json:"number"`
	Until  time.Time          `json:"until"` // when the change was found
	Title  string             `json:"title"`
	Text   string             `json:"text"`
	Files  []string           `json:"files,omitempty"`
	Lines  []notices.DiffLine `json:"changes"` // what the next version, or the notice as it is, says else
}

// Content says how it was checked whether something is a notice, "" where it was not.
func (k *Relations) Content() string { return k.content(func(en, _ string) string { return en }) }

// ContentZh is Content in Chinese, without the names of the kinds of words.
func (k *Relations) ContentZh() string { return k.content(func(_, zh string) string { return zh }) }

// content is Content in the language that in chooses.
func (k *Relations) content(in func(en, zh string) string) string {
	f := k.Check
	if f == nil {
		return ""
	}
	n := f.Families.Count()
	en := fmt.Sprintf("%d of %d kinds of words that notices have, %d make one", n, n+len(k.Missing), f.Need)
	if n > 0 {
		en += ": " + strings.Join(k.Families, ", ")
	}
	found := in(en, fmt.Sprintf("公告常见的 %d 类用语中有 %d 类，有 %d 类即算公告", n+len(k.Missing), n, f.Need))
	switch f.Reason {
	case notices.CheckedByPerson:
		return in("judged by a person", "由人判断")
	case notices.CheckedByExample:
		return in(fmt.Sprintf("like notice %d, which was judged (likeness %.2f)", f.Example, f.Like), fmt.Sprintf("与一条已判断的公告相似（相似度 %.2f）", f.Like))
	case notices.CheckedByLike:
		return found + fmt.Sprintf(in("; its likeness to accepted notices is %.2f", "；与已接受公告的相似度为 %.2f"), f.Like)
	case notices.CheckedByTitle:
		return found + in("; the title announces something else", "；标题说的是别的事")
	case notices.CheckedByShort:
		return in("hardly a text, and the title is a notice's", "几乎没有正文，但标题是公告标题")
	case notices.CheckOff:
		return in("not checked: the topic has no words of its own; verdicts teach it", "未核查：该主题没有自己的用语")
	case notices.CheckedByNothing:
		return in("none like it has been judged", "还没有人判断过类似的公告")
	}
	return found
}
