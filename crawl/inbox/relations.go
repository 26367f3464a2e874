package inbox

import (
	"context"
	"time"

	"angler/crawl/notices"
	"angler/crawl/view"
	"angler/topic"
)

// This file is which notices belong together, and which are doubtful.

// relationIndex is made of all heads and marks of a moment, and made again when they are
// others. Making it takes some 10 µs a notice: while a harvest goes on it may be older
// than the list, so that it takes no more than a small part of the time.
type relationIndex struct {
	turn chan struct{} // full while it is made

	now   *bonds
	heads []*view.NoticeHead // that now was made of
	marks uint64             // see printOf
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
	counts view.KinCounts
}

// resting is how many times as long as it took it is not made again.
const resting = 20

// bonds returns what is known of the heads together.
func (in *Inbox) bonds(ctx context.Context, heads []*view.NoticeHead) (*bonds, error) {
	k := &in.kin
	if err := enter(ctx, k.turn); err != nil {
		return nil, err
	}
	defer func() { <-k.turn }()
	marks, on := in.Decisions.State().Remarks, in.Check()
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
	if in.Renewed != nil && in.asked.CompareAndSwap(false, true) {
		time.AfterFunc(d, func() {
			in.asked.Store(false)
			in.Renewed()
		})
	}
}

func sameList(a, b []*view.NoticeHead) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0])
}

// printOf is a number of what marks say of which notices belong together and which are
// notices.
func printOf(marks map[uint64]*view.Marks) uint64 {
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

func bondsOf(heads []*view.NoticeHead, marks map[uint64]*view.Marks, set *notices.FamilySet, on bool) *bonds {
	b := &bonds{set: set, doubts: map[uint64]*notices.Finding{}}
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

func caseOf(h *view.NoticeHead) notices.CheckCase {
	return notices.CheckCase{ID: h.ID, Title: h.Title, Aside: h.Aside, Size: int(h.Sketch.Size), Families: h.Sketch.Families, Words: h.Sketch.Words}
}

func itemOf(h *view.NoticeHead) notices.RelatedNotice {
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
func kindOf(h *view.NoticeHead) notices.ProjectState {
	for _, k := range h.Facts.Texts("kind", h.Title) {
		if s := notices.StateOf(k); s != notices.StateUnknown {
			return s
		}
	}
	return notices.StateUnknown
}

// Kin counts what belongs together, as the last list found it; nil before the first.
func (in *Inbox) Kin() *view.KinCounts {
	if known := in.known.Load(); known != nil {
		return &known.counts
	}
	return nil
}

// finding says how a notice was checked.
func (b *bonds) finding(h *view.NoticeHead) *notices.Finding {
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
func (b *bonds) state(h *view.NoticeHead) notices.ProjectState {
	if t := b.kin.Thread(h.ID); t != nil {
		return t.State
	}
	return kindOf(h)
}
