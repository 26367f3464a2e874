package api

import (
	"context"
	"errors"
	"io"
	"time"

	"angler/crawl"
	"angler/crawl/inbox"
	"angler/crawl/query"
	"angler/store/export"
)

// Bounds of feeds, calendars and streams.
const (
	feedEntries = 100
	maxDue      = 1000
	followPause = 2 * time.Second  // shortest time between two searches of a stream
	idleEvery   = 15 * time.Second // how often emit is called without a change

	// overlap is how far each search of a stream looks back. A notice is stored after it was first seen,
	// and a filter may let it pass only once its fields are read.
	overlap = 5 * time.Minute
)

// Feed writes the notices that came last as Atom (RFC 4287), at most 100. Fields that are not read yet are left out.
func (s *Service) Feed(ctx context.Context, filter string, w io.Writer) error {
	return s.use(ctx, func(e *crawl.Engine, _ time.Time) error {
		ask := inbox.SearchRequest{Query: filter, Since: time.Unix(1, 0)} // all, the oldest first
		got, _, err := s.find(ctx, e, &part{n: 1}, ask)
		if err != nil {
			return err
		}
		last := part{skip: max(0, got.Total-feedEntries), n: feedEntries}
		if got, _, err = s.find(ctx, e, &last, ask); err != nil {
			return err
		}
		ids := []uint64{}
		for i := range got.Rows {
			ids = append(ids, got.Rows[i].ID)
		}
		_, err = e.Pages.Export(ctx, query.ExportPlan{What: "notices", Format: export.Atom, IDs: ids, Known: true,
			By: e.Name}, w)
		return err
	})
}

// Deadline is the deadline of one notice.
type Deadline struct {
	ID         uint64
	Title, URL string
	Buyer      string
	Due        time.Time
	Changed    time.Time // when the notice was last changed, or first seen
}

// Deadlines returns the deadlines within the next 90 days of notices that a filter lets pass, at most 1000.
func (s *Service) Deadlines(ctx context.Context, filter string) (out []Deadline, err error) {
	err = s.use(ctx, func(e *crawl.Engine, _ time.Time) error {
		got, _, err := s.find(ctx, e, &part{n: maxDue}, inbox.SearchRequest{Query: "due<90d " + filter, ByDate: true})
		if err != nil {
			return err
		}
		for i := range got.Rows {
			r := &got.Rows[i].ListedNotice
			x := Deadline{ID: r.ID, Title: line(r.Title), URL: r.URL, Due: r.Due(), Changed: second(r.Moved())}
			if buyers := r.Facts.Texts("buyer", r.Title); len(buyers) > 0 {
				x.Buyer = line(buyers[0])
			}
			out = append(out, x)
		}
		return nil
	})
	return out, err
}

// Follow calls emit with each notice of a live workspace that comes or changes after since and that a filter lets
// pass, the oldest change first, and with nil every 15 seconds. moved is the time of the change. Follow returns when
// ctx ends or with the error of emit. A notice may be emitted again after a stream began anew.
func (s *Service) Follow(ctx context.Context, filter string, since time.Time,
	emit func(x *NoticeChange, moved time.Time) error) error {
	if !s.live {
		return errors.New("only a served workspace has a stream of new notices; use list_changes")
	}
	s.mu.RLock()
	e := s.engine
	s.mu.RUnlock()
	if e == nil {
		return errClosed
	}
	snapshots, end := e.Subscribe()
	defer end()
	idle := time.NewTicker(idleEvery)
	defer idle.Stop()
	f := follower{s: s, filter: filter, since: since, newest: since, sent: map[uint64]time.Time{}, emit: emit}
	var notices int
	var facts uint64
	for first := true; ; {
		select {
		case snap, open := <-snapshots:
			if !open {
				return errClosed
			}
			if !first && snap.Counts.Notices == notices && snap.FactsRev == facts {
				continue
			}
			first, notices, facts = false, snap.Counts.Notices, snap.FactsRev
			if err := f.look(ctx); err != nil {
				return err
			}
			select { // a crawl publishes five times a second
			case <-time.After(followPause):
			case <-ctx.Done():
			}
		case <-idle.C:
			if err := emit(nil, time.Time{}); err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// follower is the state of one stream.
type follower struct {
	s      *Service
	filter string
	since  time.Time
	newest time.Time            // last change that was emitted
	sent   map[uint64]time.Time // changes that were emitted, as far as overlap looks back
	emit   func(*NoticeChange, time.Time) error
}

// look emits the changes since the last look.
func (f *follower) look(ctx context.Context) error {
	from := f.newest.Add(-overlap)
	if from.Before(f.since) {
		from = f.since
	}
	type move struct {
		x  NoticeChange
		at time.Time
	}
	for skip, total := 0, 1; skip < total; skip += maxRows {
		var moves []move
		err := f.s.use(ctx, func(e *crawl.Engine, _ time.Time) error {
			got, _, err := f.s.find(ctx, e, &part{skip: skip, n: maxRows},
				inbox.SearchRequest{Query: f.filter, Since: from})
			if err != nil {
				return err
			}
			total = got.Total
			for i := range got.Rows {
				r := &got.Rows[i].ListedNotice
				moved := r.Moved()
				if f.sent[r.ID].Equal(moved) {
					continue
				}
				x := NoticeChange{At: second(moved), Change: "new", Notice: lineOf(e, r)}
				if moved.After(r.At) {
					x.Change = "changed"
				}
				moves = append(moves, move{x, moved})
			}
			return nil
		})
		if err != nil {
			return err
		}
		for i := range moves { // without the lock of use: a client may be slow
			m := &moves[i]
			if err := f.emit(&m.x, m.at); err != nil {
				return err
			}
			f.sent[m.x.Notice.ID] = m.at
			if m.at.After(f.newest) {
				f.newest = m.at
			}
		}
	}
	for id, at := range f.sent {
		if at.Before(f.newest.Add(-overlap)) {
			delete(f.sent, id)
		}
	}
	return nil
}
