package inbox

import (
	"context"
	"slices"

	"angler/crawl/decisions"
	"angler/crawl/notices"
	"angler/crawl/view"
	"angler/store"
	"angler/store/versions"
)

// RelationsSession is which notices belong together, in the hands of one person. It is safe for
// concurrent use.
type RelationsSession struct {
	in   *Inbox
	mark *decisions.NoticeEditor
}

// KinOf returns which notices belong together in the hands of a person.
func (in *Inbox) KinOf(by string) *RelationsSession {
	return &RelationsSession{in, in.Decisions.EditorOf(by)}
}

// Kindred tells what is known of a notice besides what it says; nil is no notice. The
// first call reads all notices.
func (h *RelationsSession) Kindred(ctx context.Context, id uint64) (*Relations, error) {
	heads, err := h.in.heads.all(ctx, h.in, h.in.Now())
	if err != nil {
		return nil, err
	}
	known, err := h.in.bonds(ctx, heads)
	if err != nil {
		return nil, err
	}
	head := h.in.heads.one(id)
	if head == nil {
		return nil, nil
	}
	x := &Relations{ID: id, State: known.state(head), Thread: known.kin.Thread(id), Check: known.finding(head)}
	if m := h.in.Decisions.State().Remarks[id]; m != nil {
		x.Detached, x.Cut, x.Joined = m.Apart, m.Alone, m.JoinedBy
	}
	if g := known.kin.Group(id); g != nil {
		x.Why = g.Why
		for _, other := range g.IDs {
			if r := h.in.heads.one(other); r != nil && other != id {
				x.Others = append(x.Others, refOf(r))
			}
		}
	}
	if x.Thread != nil {
		for _, s := range x.Thread.Steps {
			r := h.in.heads.one(s.ID)
			if r == nil {
				continue
			}
			step := StepRow{NoticeRef: refOf(r), Kind: s.Kind, Deadline: s.Deadline}
			if g := known.kin.Group(s.ID); g != nil {
				step.Copies = len(g.IDs) - 1
			}
			x.Steps = append(x.Steps, step)
		}
	}
	x.Families = known.set.Names(head.Sketch.Families)
	x.Missing = known.set.Names(^head.Sketch.Families)
	x.Versions, err = versionsOf(h.in.Store, id)
	return x, err
}

func refOf(h *NoticeHead) NoticeRef {
	return NoticeRef{ID: h.ID, URL: h.URL, Host: h.Host, Title: h.Title, At: h.Shown()}
}

// versionsOf returns what a notice said before, the newest first, each with what came
// instead.
func versionsOf(w *store.Workspace, id uint64) ([]Version, error) {
	kept, err := versions.Of(store.RowsOf(w).DB(), id)
	if err != nil || len(kept) == 0 {
		return nil, err
	}
	n, err := w.Notice(id)
	if err != nil || n == nil {
		return nil, err
	}
	next := view.Says(n)
	var out []Version
	for _, v := range slices.Backward(kept) {
		said := notices.NoticeText{Title: v.Title, Text: v.Text, Files: v.Files}
		out = append(out, Version{Number: v.Number, Until: v.Until, Title: v.Title, Text: v.Text, Files: v.Files, Lines: notices.CompareTexts(said, next)})
		next = said
	}
	return out, nil
}

// Detach says that notices are no other addresses of another one, or again that they may
// be. One undo takes it back.
func (h *RelationsSession) Detach(ids []uint64, on bool) error {
	return decisions.Detach(h.mark, ids, on)
}

// Cut takes notices out of their project, or puts them back. One undo takes it back.
func (h *RelationsSession) Cut(ids []uint64, on bool) error { return decisions.Cut(h.mark, ids, on) }

// Join says that notices are of the project of another one. One undo takes it back.
func (h *RelationsSession) Join(ids []uint64, to uint64) error {
	return decisions.Join(h.mark, ids, to)
}
