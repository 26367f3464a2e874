package decisions

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"angler/crawl/reader"
	"angler/dict"
	"angler/store"
)

// This file reads stored pages again: those counted by another dictionary, and those that would be
// read differently now.

// Words waits until the dictionary is loaded and all stored pages are read and counted alike, after
// the current background job. Then it rebuilds the model over the new pages. ctx ends the wait.
func (d *Decisions) Words(ctx context.Context) error {
	if _, err := d.readAlike(ctx); err != nil {
		return err
	}
	return d.Settle()
}

// ReadSoon updates the stored pages and the model in the background until the engine closes; an
// error becomes an event.
func (d *Decisions) ReadSoon() {
	stale, err := d.readAlike(d.Jobs.Context)
	if err == nil && stale {
		err = d.Settle()
	}
	if err != nil && d.Jobs.Context.Err() == nil {
		d.Events.Note("error", "reading the stored pages again: %v", err)
	}
}

// readAlike first recovers from a killed run. Then it counts the words of stored pages that another
// dictionary has counted, from their bodies, on all processors. It waits for the current background
// job instead of failing: otherwise those pages would keep wrong counts. It can be cancelled at any
// time: each page is counted by one dictionary and records which.
//
// stale means that the model must be rebuilt, because pages were read again or samples were counted
// by another dictionary.
func (d *Decisions) readAlike(ctx context.Context) (stale bool, err error) {
	d.recounting.Lock()
	defer d.recounting.Unlock()
	words := d.Reader.Dict()
	if err := words.Wait(ctx); err != nil {
		return false, err
	}
	if d.unfinished.Load() {
		if err := d.recover(ctx, words); err != nil {
			return false, err
		}
		stale = true
	}
	fingerprint := words.Fingerprint()
	ids := d.fingerprints.stale(fingerprint)
	if len(ids) == 0 {
		return stale || d.behind(), nil
	}
	ctx, err = d.Jobs.Await(ctx, "counting words again", len(ids))
	if err != nil {
		return true, err
	}
	defer d.Jobs.End()
	d.Events.Note("info", "the dictionary changed: counting the words of %d pages again", len(ids))
	return true, d.again(ctx, words, ids, &d.Jobs.Done)
}

// recover learns again the data that a killed run has lost.
func (d *Decisions) recover(ctx context.Context, words *dict.Dict) error {
	ctx, err := d.Jobs.Await(ctx, "learning again what hosts repeat", d.Index.Len())
	if err != nil {
		return err
	}
	defer d.Jobs.End()
	near, err := nowWithin(d)
	if err != nil {
		return err
	}
	if err := d.Reader.Recover(func(pages int) { d.Jobs.Done.Store(int64(pages)) }); err != nil {
		return err
	}
	// The link order learns again when a discovery asks it: its stored state may lack the last pages.
	if err := d.Store.PutState(store.OrderState(d.Topic), nil); unlessReadOnly(err) != nil {
		return err
	}
	ids, err := outdatedPages(d, near)
	if err != nil {
		return err
	}
	d.Jobs.Stage("judging pages again", 0, len(ids))
	if err := d.again(ctx, words, ids, &d.Jobs.Done); err != nil {
		return err
	}
	if err := d.Reader.Settled(); unlessReadOnly(err) != nil {
		return err
	}
	d.unfinished.Store(false)
	d.Events.Note("info", "judged again, as if that run had come to its end: %d pages", len(ids))
	return nil
}

// unlessReadOnly returns every error except that of a read-only workspace, where only this process
// knows the pages read again.
func unlessReadOnly(err error) error {
	if errors.Is(err, store.ErrReadOnly) {
		return nil
	}
	return err
}

// maxLast bounds the pages judged again while the engine is closing; the next opening judges the
// others.
const maxLast = 2000

// Conclude runs after a run. It judges again the pages that were judged before the repeated blocks
// of their hosts were known. So the result does not depend on the order of pages. Then it rebuilds
// the model.
func (d *Decisions) Conclude() error {
	if err := d.conclude(); err != nil {
		return err
	}
	return d.Settle()
}

func (d *Decisions) conclude() error {
	d.recounting.Lock()
	defer d.recounting.Unlock()
	if d.unfinished.Load() {
		return nil // the run was cancelled while it waited for recover
	}
	words := d.Reader.Dict()
	near, err := nowWithin(d)
	if err != nil {
		return err
	}
	ids, err := outdatedPages(d, near)
	if err != nil {
		return err
	}
	ctx := context.WithoutCancel(d.Jobs.Context)
	if len(ids) > 0 {
		if d.Jobs.Context.Err() != nil && len(ids) > maxLast {
			return nil
		}
		if err := words.Wait(ctx); err != nil {
			return err
		}
		done := new(atomic.Int64) // not shown
		if _, err := d.Jobs.Begin(ctx, "judging pages again", len(ids)); err == nil {
			defer d.Jobs.End()
			done = &d.Jobs.Done
		}
		if err := d.again(ctx, words, ids, done); err != nil {
			return err
		}
	}
	d.Index.Pack() // a page that was visited again counts once
	return d.Reader.Settled()
}

// nowWithin finds pages deeper than discoveries to which a shorter path was found since they were
// read, and counts them as background.
func nowWithin(d *Decisions) (near []uint64, err error) {
	ids := d.Index.Aside()
	slices.Sort(ids)
	depth := d.Settings().Crawl.Depth
	err = d.Store.EachURL(ids, func(u *store.URL) {
		if u.Depth <= depth {
			near = append(near, u.ID)
		}
	})
	if err != nil || len(near) == 0 {
		return nil, err
	}
	return near, unlessReadOnly(d.Reader.Within(near))
}

// outdatedPages returns the pages to read again, including near.
func outdatedPages(d *Decisions, near []uint64) ([]uint64, error) {
	ids, err := d.Reader.Outdated()
	if err != nil {
		return nil, err
	}
	ids = append(ids, near...)
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// againBatch is the number of pages stored at once.
const againBatch = 256

// again reads stored pages again.
func (d *Decisions) again(ctx context.Context, words *dict.Dict, ids []uint64, done *atomic.Int64) error {
	for len(ids) > 0 {
		batch := ids[:min(againBatch, len(ids))]
		ids = ids[len(batch):]
		read, err := d.readBatch(ctx, words, batch, done)
		if err != nil {
			return err
		}
		rows := make([]store.Reread, 0, len(batch))
		docs := make(map[uint64]*reader.Reading, len(batch))
		for _, r := range read {
			if r.reading != nil {
				rows = append(rows, store.Reread{Page: r.row, Terms: r.reading.Terms()})
				docs[r.row.ID] = r.reading
			}
		}
		kept, err := d.Store.PutReread(rows)
		if unlessReadOnly(err) != nil {
			return err
		}
		for i := range rows {
			if r := docs[rows[i].Page.ID]; err != nil || kept[i] {
				d.Counted(rows[i].Page.ID, r.Doc, r.Fingerprint)
			}
		}
		for _, r := range read {
			if r.reading == nil { // without a body its counts stay
				if r.row != nil {
					asStored(d, r.row)
				}
				d.fingerprints.set(r.id, words.Fingerprint())
			}
		}
	}
	d.Index.Pack()
	return nil
}

// readAgain is a page that was read again; without a reading it has no body.
type readAgain struct {
	id      uint64
	row     *store.Page
	reading *reader.Reading
}

func (d *Decisions) readBatch(ctx context.Context, words *dict.Dict, batch []uint64,
	done *atomic.Int64) ([]readAgain, error) {
	read := make([]readAgain, len(batch))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, id := range batch {
		g.Go(func() error {
			if gctx.Err() != nil {
				return gctx.Err()
			}
			defer done.Add(1)
			read[i].id = id
			row, err := d.Store.Page(id)
			if err != nil || row == nil {
				return nil
			}
			r, err := d.Reader.Again(words, row)
			if err == nil {
				read[i].row, read[i].reading = row, r
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("reading pages again: %w", err)
	}
	return read, nil
}
