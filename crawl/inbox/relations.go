package inbox

import (
	"context"
	"fmt"
	"strings"
	"time"

	"angler/crawl/decisions"
	"angler/crawl/notices"
	"angler/store/records"
	"angler/topic"
)

// This file computes the relations of notices, and the doubtful ones.

// relationIndex holds the relations of all heads and marks, computed again when these change. A
// computation takes about 10 µs per notice. During a harvest the relations may be older than the
// list, so that computing them takes only a small part of the time.
type relationIndex struct {
	turn chan struct{} // semaphore, full during a computation

	now   *relatedNotices
	heads []*NoticeHead // input of now
	marks uint64        // see marksFingerprint
	check bool
	made  time.Time
	took  time.Duration
}

// relatedNotices holds the relations of all notices.
type relatedNotices struct {
	kin    *notices.Relations
	judge  *notices.Judge
	set    *notices.FamilySet
	doubts map[uint64]*notices.Finding
	kinds  map[*NoticeHead]notices.ProjectState // see kindOf, of the heads that they are made of
	counts RelationCounts
}

// restFactor is the pause between computations, as a multiple of the last duration.
const restFactor = 20

// relate returns the relations of heads.
func (in *Inbox) relate(ctx context.Context, heads []*NoticeHead) (*relatedNotices, error) {
	k := &in.kin
	if err := enter(ctx, k.turn); err != nil {
		return nil, err
	}
	defer func() { <-k.turn }()
	marks, on := in.Decisions.State().Remarks, in.Settings.Now().Harvest.Check
	print := marksFingerprint(marks)
	if k.now != nil && k.check == on && k.marks == print {
		if sameList(k.heads, heads) {
			return k.now, nil
		}
		if took := time.Since(k.made); took < restFactor*k.took {
			in.askLater(restFactor*k.took - took)
			return k.now, nil
		}
	}
	begun := time.Now()
	k.now = relateHeads(heads, marks, in.Facts.Checks(), on)
	k.heads, k.marks, k.check, k.made, k.took = heads, print, on, time.Now(), time.Since(begun)
	in.known.Store(k.now)
	return k.now, nil
}

// askLater calls Renewed after d, so that viewers request lists again.
func (in *Inbox) askLater(d time.Duration) {
	if in.renewing.CompareAndSwap(false, true) {
		time.AfterFunc(d, func() {
			in.renewing.Store(false)
			in.Renewed()
		})
	}
}

func sameList(a, b []*NoticeHead) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// marksFingerprint returns a hash of the marks that affect relations and doubts.
func marksFingerprint(marks map[uint64]*decisions.Marks) uint64 {
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

func relateHeads(heads []*NoticeHead, marks map[uint64]*decisions.Marks, set *notices.FamilySet,
	on bool) *relatedNotices {
	b := &relatedNotices{set: set, doubts: map[uint64]*notices.Finding{},
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
	return notices.CheckCase{ID: h.ID, Title: h.Title, Aside: h.Aside, Size: int(h.Sketch.Size),
		Families: h.Sketch.Families, Words: h.Sketch.Words}
}

func itemOf(h *NoticeHead) notices.RelatedNotice {
	x := notices.RelatedNotice{ID: h.ID, Host: h.Host, Title: h.Title, At: h.Shown(), Kind: kindOf(h),
		Deadline: h.Facts.Time("deadline"), Sketch: h.Sketch.Simhash}
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

// kindOf returns the project state of a notice's kind.
func kindOf(h *NoticeHead) notices.ProjectState {
	for _, k := range h.Facts.Texts("kind", h.Title) {
		if s := notices.StateOf(k); s != notices.StateUnknown {
			return s
		}
	}
	return notices.StateUnknown
}

// Kin returns the counts of the last relations; nil before the first list.
func (in *Inbox) Kin() *RelationCounts {
	if known := in.known.Load(); known != nil {
		return &known.counts
	}
	return nil
}

// finding returns the result of a notice's check; nil if it was not checked.
func (b *relatedNotices) finding(h *NoticeHead) *notices.Finding {
	if b.judge == nil || !h.Sketch.Known {
		return nil
	}
	c := caseOf(h)
	f := b.judge.Of(&c)
	return &f
}

// fill sets the relations of a row, without the state.
func (b *relatedNotices) fill(r *row) {
	r.Thread, r.Group, r.Doubt = b.kin.Thread(r.ID), b.kin.Group(r.ID), b.doubts[r.ID]
}

// state returns the state of a notice's project; of a single notice by its kind.
func (b *relatedNotices) state(h *NoticeHead) notices.ProjectState {
	if t := b.kin.Thread(h.ID); t != nil {
		return t.State
	}
	if kind, known := b.kinds[h]; known {
		return kind
	}
	return kindOf(h)
}

// Relations holds the relations of a notice: its other addresses, its project, its earlier
// versions, and whether it is a notice at all.
type Relations struct {
	ID       uint64
	State    notices.ProjectState   // of its project; of a single notice by its kind
	Others   []NoticeRef            // its other addresses
	Why      notices.MatchReason    // why the addresses are one notice
	Detached *decisions.Remark      // an analyst decided that it is no copy of another notice
	Cut      *decisions.Remark      // … that it does not belong to the project of the same number or name
	Joined   *decisions.Remark      // … that it belongs to the project
	Thread   *notices.ProjectThread // nil = single
	Steps    []StepRow              // notices of the project by date
	Versions []Version              // earlier versions, the newest first
	Check    *notices.Finding
	Families []string        // of the notice
	Missing  []string        // the topic's other families
	Answer   *records.Answer // of the optional model; nil = none
	Stale    bool            // see ListedNotice.Stale
}

// NoticeRef identifies a notice.
type NoticeRef struct {
	ID    uint64    `json:"id"`
	URL   string    `json:"url"`
	Host  string    `json:"-"`
	Title string    `json:"title"`
	At    time.Time `json:"date"` // its date, else the time first seen
}

// StepRow is one notice of a project.
type StepRow struct {
	NoticeRef
	Kind     notices.ProjectState
	Deadline time.Time
	Copies   int // number of its other addresses
}

// Version is an earlier version of a notice.
type Version struct {
	Number int                `json:"number"`
	Until  time.Time          `json:"until"` // time the change was found
	Title  string             `json:"title"`
	Text   string             `json:"text"`
	Files  []string           `json:"files,omitempty"`
	Lines  []notices.DiffLine `json:"changes"` // differences of the next version
}

// Content describes how the notice was checked; "" if it was not.
func (k *Relations) Content() string { return k.content(func(en, _ string) string { return en }) }

// ContentZh is Content in Chinese, without the names of the families.
func (k *Relations) ContentZh() string { return k.content(func(_, zh string) string { return zh }) }

// content is Content in the language that in selects.
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
		return in(fmt.Sprintf("like notice %d, which was judged (likeness %.2f)", f.Example, f.Like),
			fmt.Sprintf("与一条已判断的公告相似（相似度 %.2f）", f.Like))
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
