package inbox

import (
	"context"
	"errors"
	"slices"

	"angler/crawl/notice/kin"
)

// This file is which deadlines count: one for a notice at several addresses, the newest
// of a project, none that somebody is done with. Lists, messages and the first screen
// count alike.

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
			if !kin.Holds(known.kin.Thread(id), g, id) {
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

// whole adds to notices their other addresses, unless somebody has detached them.
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
func (h *Hand) Done(ids []uint64, on bool) error { return h.Marker.Done(h.in.whole(ids), on) }

// Bind finds out what belongs together, as a list does. A call soon after another one
// may find nothing new; Renewed is told when another is worth it.
func (in *Inbox) Bind(ctx context.Context) error {
	heads, err := in.heads.all(ctx, in, in.Now())
	if err == nil {
		_, err = in.bonds(ctx, heads)
	}
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}
