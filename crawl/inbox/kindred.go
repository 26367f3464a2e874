package inbox

import (
	"context"
	"slices"

	"angler/crawl/notices"
	"angler/crawl/view"
	"angler/store"
	"angler/store/records"
)

// Kindred returns the relations of a notice; nil if it does not exist. The first call reads all
// notices.
func (in *Inbox) Kindred(ctx context.Context, id uint64) (*Relations, error) {
	_, known, err := in.related(ctx)
	if err != nil {
		return nil, err
	}
	head := in.heads.get(id)
	if head == nil {
		return nil, nil
	}
	x := &Relations{ID: id, State: known.state(head), Thread: known.kin.Thread(id), Check: known.finding(head)}
	if in.Answer != nil {
		x.Answer, x.Stale = in.Answer(head)
	}
	if m := in.Decisions.State().Remarks[id]; m != nil {
		x.Detached, x.Cut, x.Joined = m.Apart, m.Alone, m.JoinedBy
	}
	if g := known.kin.Group(id); g != nil {
		x.Why = g.Why
		for _, other := range g.IDs {
			if r := in.heads.get(other); r != nil && other != id {
				x.Others = append(x.Others, refOf(r))
			}
		}
	}
	if x.Thread != nil {
		for _, s := range x.Thread.Steps {
			r := in.heads.get(s.ID)
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
	x.Versions, err = versionsOf(in.Store, id)
	return x, err
}

func refOf(h *NoticeHead) NoticeRef {
	return NoticeRef{ID: h.ID, URL: h.URL, Host: h.Host, Title: h.Title, At: h.Shown()}
}

// versionsOf returns the earlier versions of a notice, the newest first, each with its differences
// to the next.
func versionsOf(w *store.Workspace, id uint64) ([]Version, error) {
	kept, err := records.VersionsOf(w, id)
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
		out = append(out, Version{Number: v.Number, Until: v.Until, Title: v.Title, Text: v.Text, Files: v.Files,
			Lines: notices.CompareTexts(said, next)})
		next = said
	}
	return out, nil
}
