package inbox

import (
	"context"
	"errors"
	"slices"
	"time"

	"angler/crawl/notices"
)

// This file counts each thing once. A notice at several addresses has one deadline, and a project
// only that of its newest notice; deadlines of notices marked done do not count. New notices with
// equal content count once. Lists, messages and the first screen count alike.

// Due counts the given notices that have a valid deadline ahead, by the relations last computed. It
// does not block.
func (in *Inbox) Due(ids []uint64) (n int) {
	known, marks, scores := in.known.Load(), in.Decisions.State().Remarks, in.Decisions.Scores()
	seen := make(map[rowKey]bool, len(ids))
	for _, id := range ids {
		m, key := marks[id], rowKey{'n', id}
		if m.IsDone() {
			continue
		}
		if known != nil {
			g := known.kin.Group(id)
			if !notices.DeadlineHolds(known.kin.Thread(id), g, id) {
				continue
			}
			if g != nil && !m.IsApart() {
				key = rowKey{'k', g.IDs[0]}
			}
		}
		if key.what == 'n' && !m.IsApart() {
			if p := scores.Same(id); p != 0 {
				key = rowKey{'p', p}
			}
		}
		if !seen[key] {
			seen[key] = true
			n++
		}
	}
	return n
}

// withCopies adds the other addresses of notices, except those that an analyst detached.
func (in *Inbox) withCopies(ids []uint64) []uint64 {
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

// Done marks notices as done, or not done, at all their addresses. One undo reverts it.
func (h *Session) Done(ids []uint64, on bool) error {
	return h.NoticeEditor.Done(h.withCopies(ids), on)
}

// Bind computes the relations of notices, as a list does. Soon after another call it may do
// nothing; Config.Renewed is called when another call makes sense.
func (in *Inbox) Bind(ctx context.Context) error {
	heads, known, err := in.related(ctx)
	if err == nil {
		in.copyTimes.Store(in.copies(heads, known))
	}
	if errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// copies returns when notices were first seen that have the content of a later one, newest first.
// heads must be in that order.
func (in *Inbox) copies(heads []*NoticeHead, known *relatedNotices) *[]time.Time {
	var out []time.Time
	marks, shown, met := in.Decisions.State().Remarks, in.shown(), map[rowKey]bool{}
	for _, h := range heads {
		r := row{NoticeHead: h, Marks: marks[h.ID]}
		known.fill(&r)
		if key := shown(&r); key != (rowKey{}) {
			if met[key] {
				out = append(out, h.At)
			}
			met[key] = true
		}
	}
	return &out
}

// Copies returns how many of the notices first seen since a time repeat another of them, by the
// relations last computed. A list folds them. It does not block.
func (in *Inbox) Copies(since time.Time) int {
	times := in.copyTimes.Load()
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
