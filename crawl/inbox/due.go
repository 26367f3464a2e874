package inbox

import (
	"context"
	"errors"
	"slices"
	"time"

	"angler/crawl/notices"
)

// This file is what counts once. Of deadlines one for a notice at several addresses, the
// newest of a project, none that a person is done with; of what is new one for all that
// show the same. Lists, messages and the first screen count alike.

// Due counts those of some notices with a deadline ahead that are due, by what was last
// known of which belong together. It returns at once.
func (in *Inbox) Due(ids []uint64) (n int) {
	known, marks, scores := in.known.Load(), in.Decisions.State().Remarks, in.Decisions.Scores()
	seen := make(map[same]bool, len(ids))
	for _, id := range ids {
		m, key := marks[id], same{'n', id}
		if m.IsDone() {
			continue
		}
		if known != nil {
			g := known.kin.Group(id)
			if !notices.DeadlineHolds(known.kin.Thread(id), g, id) {
				continue
			}
			if g != nil && !m.IsApart() {
				key = same{'k', g.IDs[0]}
			}
		}
		if key.what == 'n' && !m.IsApart() {
			if p := scores.Same(id); p != 0 {
				key = same{'p', p}
			}
		}
		if !seen[key] {
			seen[key] = true
			n++
		}
	}
	return n
}

// whole adds to notices their other addresses, unless a person has detached them.
func (in *Inbox) whole(ids []uint64) []uint64 {
	known, marks := in.known.Load(), in.Decisions.State().Remarks
	if known == nil {
		return ids
	}
	out := slices.Clone(ids)
	for _, id := range ids {
		g := known.kin.Group(id)
		if g == nil || marks[id].IsApart() {
			continue
		}
		for _, other := range g.IDs {
			if !marks[other].IsApart() && !slices.Contains(ids, other) {
				out = append(out, other)
			}
		}
	}
	return out
}

// Done says that the team is done with notices at all their addresses, or is not. One
// undo takes it back.
func (h *Session) Done(ids []uint64, on bool) error { return h.NoticeEditor.Done(h.whole(ids), on) }

// Bind finds out what belongs together, as a list does. A call soon after another one
// may find nothing new; Renewed is told when another is worth it.
func (in *Inbox) Bind(ctx context.Context) error {
	now := in.Now()
	heads, err := in.heads.all(ctx, in, now)
	if err == nil {
		var known *bonds
		if known, err = in.bonds(ctx, heads); err == nil {
			in.again.Store(in.copies(heads, known))
		}
	}
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// copies returns when the notices were first seen that show what a later one shows, the last
// first; the heads are in that order.
func (in *Inbox) copies(heads []*NoticeHead, known *bonds) *[]time.Time {
	var out []time.Time
	marks, shown, met := in.Decisions.State().Remarks, in.shown(), map[same]bool{}
	for _, h := range heads {
		r := row{NoticeHead: h, Marks: marks[h.ID]}
		known.fill(&r)
		if key := shown(&r); key != (same{}) {
			if met[key] {
				out = append(out, h.At)
			}
			met[key] = true
		}
	}
	return &out
}

// Copies is how many of the notices that were first seen since a time show what another of
// them shows, by what was last known: a list folds them. It returns at once.
func (in *Inbox) Copies(since time.Time) int {
	times := in.again.Load()
	if times == nil {
		return 0
	}
	n, _ := slices.BinarySearchFunc(*times, since, func(at, since time.Time) int {
		if at.Before(since) {
			return 1
		}
		return -1
	})
	return n
}
