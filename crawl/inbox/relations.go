package inbox

import (
	"context"
	"fmt"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"

	"angler/crawl/decisions"
	"angler/crawl/notices"
	"angler/store/records"
	"angler/topic"
)

// This file computes the relations of notices, and the doubtful ones.

// relationIndex holds the relations of all heads and marks. Groups and projects are computed again when heads
// change, about 10 µs per notice. After a correction only those that it concerns are computed. Doubts are computed
// again when heads or verdicts change, about 1 µs per notice. During a harvest the relations may be older than the
// list, so that computing them takes only a small part of the time.
type relationIndex struct {
	turn *semaphore.Weighted // taken during a computation

	now *relatedNotices

	heads       []*NoticeHead // input of groups and projects
	said        notices.Corrections
	corrections uint64 // fingerprint of said, see marksFingerprints
	made        time.Time
	took        time.Duration

	judged   []*NoticeHead // input of doubts
	verdicts uint64        // see marksFingerprints
	check    bool
}

// relatedNotices holds the relations of all notices.
type relatedNotices struct {
	kin    *notices.Relations
	judge  *notices.Judge
	set    *notices.FamilySet
	doubts map[uint64]*notices.Finding
	kinds  map[*NoticeHead]notices.ProjectState // see kindOf, of the heads that they are made of
	counts relationCounts
}

// restFactor is the pause between computations, as a multiple of the last duration.
const restFactor = 20

// relate returns the relations of heads.
func (in *Inbox) relate(ctx context.Context, heads []*NoticeHead) (*relatedNotices, error) {
	k := &in.kin
	if err := k.turn.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer k.turn.Release(1)
	rest := k.update(heads, in.Decisions.State().Remarks, in.Facts.Checks(), in.Settings.Now().Harvest.Check)
	if rest > 0 {
		in.askLater(rest)
	}
	in.known.Store(k.now)
	return k.now, nil
}

// update computes what changed. rest is positive if groups and projects stay older than heads; it is the time until
// they may be computed.
func (k *relationIndex) update(heads []*NoticeHead, marks map[uint64]*decisions.Marks, set *notices.FamilySet,
	check bool) (rest time.Duration) {
	corrections, verdicts := marksFingerprints(marks)
	related := k.now != nil && k.corrections == corrections
	sameMarks := related && k.verdicts == verdicts && k.check == check
	if related && !sameList(k.heads, heads) {
		rest = restFactor*k.took - time.Since(k.made)
		related = rest > 0
	}
	if related && sameMarks && (rest > 0 || sameList(k.judged, heads)) {
		return rest
	}
	switch said := correctionsOf(marks); {
	case related:
	case k.now != nil && sameList(k.heads, heads):
		k.now = k.now.corrected(heads, k.said, said)
		k.said, k.corrections = said, corrections
	default:
		begun := time.Now()
		k.now = relateHeads(heads, said)
		k.heads, k.said, k.corrections, k.made, k.took = heads, said, corrections, time.Now(), time.Since(begun)
		k.judged = nil
	}
	if k.judged == nil || !sameList(k.judged, heads) || k.verdicts != verdicts || k.check != check {
		k.now = k.now.judgedBy(heads, marks, set, check)
		k.judged, k.verdicts, k.check = heads, verdicts, check
	}
	return rest
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

// marksFingerprints returns hashes of the marks that affect relations and of those that affect doubts.
func marksFingerprints(marks map[uint64]*decisions.Marks) (corrections, verdicts uint64) {
	mix := func(x uint64, flags ...bool) uint64 {
		for i, on := range flags {
			if on {
				x ^= 0xbf58476d1ce4e5b9 << i
			}
		}
		x ^= x >> 31
		return x * 0x94d049bb133111eb
	}
	for id, m := range marks {
		x := id * 0x9e3779b97f4a7c15
		if m.Apart != nil || m.Alone != nil || m.Joined != 0 {
			corrections += mix(x^m.Joined*0xd6e8feb86659fd93, m.Apart != nil, m.Alone != nil)
		}
		if m.Verdict != topic.NoLabel {
			verdicts += mix(x, m.Verdict == topic.Yes, m.Verdict == topic.No)
		}
	}
	return corrections, verdicts
}

// correctionsOf returns the corrections among marks.
func correctionsOf(marks map[uint64]*decisions.Marks) notices.Corrections {
	said := notices.Corrections{Apart: map[uint64]bool{}, Alone: map[uint64]bool{}, Joined: map[uint64]uint64{}}
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
	}
	return said
}

// relateHeads computes groups and projects.
func relateHeads(heads []*NoticeHead, said notices.Corrections) *relatedNotices {
	b := &relatedNotices{kinds: make(map[*NoticeHead]notices.ProjectState, len(heads))}
	items := make([]notices.RelatedNotice, len(heads))
	for i, h := range heads {
		items[i] = itemOf(h)
		b.kinds[h] = items[i].Kind
	}
	b.kin = notices.Relate(items, said)
	return b
}

// corrected returns the relations of the same heads after a change of corrections.
func (b *relatedNotices) corrected(heads []*NoticeHead, before, after notices.Corrections) *relatedNotices {
	out := *b
	out.kin = b.kin.Correct(before, after, func(ids map[uint64]bool) (items []notices.RelatedNotice) {
		for _, h := range heads {
			if ids[h.ID] {
				items = append(items, itemOf(h))
			}
		}
		return items
	})
	out.counts.Groups, out.counts.Copies, out.counts.Threads = out.kin.Groups, out.kin.Copies, out.kin.Threads
	return &out
}

// judgedBy returns the same groups and projects with the doubts of heads.
func (b *relatedNotices) judgedBy(heads []*NoticeHead, marks map[uint64]*decisions.Marks, set *notices.FamilySet,
	check bool) *relatedNotices {
	verdicts := map[uint64]bool{}
	for id, m := range marks {
		if m.Verdict == topic.Yes || m.Verdict == topic.No {
			verdicts[id] = m.Verdict == topic.Yes
		}
	}
	out := &relatedNotices{kin: b.kin, kinds: b.kinds, set: set, doubts: map[uint64]*notices.Finding{},
		counts: relationCounts{Groups: b.kin.Groups, Copies: b.kin.Copies, Threads: b.kin.Threads}}
	cases := make([]notices.CheckCase, 0, len(heads))
	for _, h := range heads {
		if h.Sketch.Known {
			cases = append(cases, caseOf(h))
		}
		if !h.Changed.IsZero() {
			out.counts.Changed++
		}
	}
	if !check {
		return out
	}
	out.judge = notices.NewJudge(set, cases, verdicts)
	for i := range cases {
		if f := out.judge.Of(&cases[i]); f.Doubtful {
			out.doubts[cases[i].ID] = &f
		}
	}
	out.counts.Doubtful, out.counts.Checked = len(out.doubts), len(cases)
	return out
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
func (in *Inbox) Kin() *relationCounts {
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
