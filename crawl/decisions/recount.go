package decisions

import (
	"context"
	"errors"
	"runtime"

	"golang.org/x/sync/errgroup"

	"angler/crawl/page"
	"angler/crawl/reader"
	"angler/dict"
	"angler/store"
	"angler/topic"
)

// Words waits until the dictionary is loaded and has the stored pages counted
// by it, after the background job under way; then it rebuilds the model over
// what has been crawled meanwhile. ctx ends the waiting.
func (d *Decisions) Words(ctx context.Context) error {
	if _, err := d.recountStale(ctx); err != nil {
		return err
	}
	return d.Settle()
}

// RecountSoon brings the counts of the stored pages and the model up to date in
// the background, until the engine closes; what goes wrong is an event.
func (d *Decisions) RecountSoon() {
	stale, err := d.recountStale(d.Context)
	if err == nil && stale {
		err = d.Settle()
	}
	if err != nil && d.Context.Err() == nil {
		d.Events.Note("error", "counting words again: %v", err)
	}
}

// recountBatch pages are stored at once.
const recountBatch = 256

// recountStale counts the words of stored pages that were counted by another
// dictionary, from their bodies, on all processors. It waits for the background
// job under way instead of being refused: otherwise those pages would keep
// their counts of the wrong words. It may be cancelled at any time; every page
// is counted by one dictionary or the other, and remembers by which.
//
// It reports whether the model is stale: because pages, or samples, were counted
// by another dictionary.
func (d *Decisions) recountStale(ctx context.Context) (stale bool, err error) {
	d.recounting.Lock()
	defer d.recounting.Unlock()
	words := d.Reader.Dict()
	if err := words.Wait(ctx); err != nil {
		return false, err
	}
	fingerprint := words.Fingerprint()
	if ids := d.fingerprints.stale(fingerprint); len(ids) > 0 {
		return true, d.recount(ctx, words, fingerprint, ids)
	}
	return d.behind(), nil
}

func (d *Decisions) recount(ctx context.Context, words *dict.Dict, fingerprint uint64, ids []uint64) error {
	ctx, err := d.Jobs.Await(ctx, "counting words again", len(ids))
	if err != nil {
		return err
	}
	defer d.Jobs.End()
	d.Events.Note("info", "the dictionary changed: counting the words of %d pages again", len(ids))
	for len(ids) > 0 {
		batch := ids[:min(recountBatch, len(ids))]
		ids = ids[len(batch):]
		docs, err := d.countBatch(ctx, words, batch)
		if err != nil {
			return err
		}
		terms := make(map[uint64][]byte, len(batch))
		for i, doc := range docs {
			if doc != nil {
				terms[batch[i]] = reader.EncodeDoc(doc, fingerprint)
			}
		}
		// Where nothing can be written the counts are those of this process.
		if err := d.Store.PutTerms(terms); err != nil && !errors.Is(err, store.ErrReadOnly) {
			return err
		}
		for i, doc := range docs {
			if doc != nil {
				d.Index.Add(batch[i], *doc)
			}
			d.fingerprints.set(batch[i], fingerprint)
		}
	}
	return nil
}

// countBatch reads stored pages again; a page without a body has no document: its
// counts stay as they are.
func (d *Decisions) countBatch(ctx context.Context, words *dict.Dict, batch []uint64) ([]*topic.Doc, error) {
	docs := make([]*topic.Doc, len(batch))
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, id := range batch {
		g.Go(func() error {
			if gctx.Err() != nil {
				return gctx.Err()
			}
			p, err := d.Reader.Stored(id, page.Options{})
			if err != nil || p == nil {
				return nil
			}
			doc := d.Reader.Count(words, p)
			docs[i] = &doc
			d.Jobs.Done.Add(1)
			return nil
		})
	}
	return docs, g.Wait()
}
