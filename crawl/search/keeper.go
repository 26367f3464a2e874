package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/blevesearch/bleve/v2/document"
	"golang.org/x/sync/errgroup"

	"angler/crawl/jobs"
	"angler/dict"
	"angler/store"
)

// This file keeps the index up to date, in one goroutine.

const (
	startDelay = time.Second            // delay after opening a workspace
	batchWait  = 200 * time.Millisecond // so that one batch takes several new notices
	retryDelay = time.Minute            // after a failure
	manyDocs   = 1000                   // documents from which a job shows the progress
	restFactor = 49                     // beside a run: rest this multiple of the working time
	maxRest    = 5 * time.Second        // the run may have ended by then
	maxRests   = 12                     // maximum of rests before a batch beside a run
	batchDocs  = 512                    // documents per batch
	batchSize  = 4 << 20                // bytes of their texts
	maxTries   = 3                      // rebuilds of a damaged index
)

// keeper is the state of the goroutine.
type keeper struct {
	*Search
	dir          string
	words        *dict.Dict // dictionary of the index; nil = compare with the store
	tries        int
	fullReported bool // the full disk was reported

	making sync.Mutex // guards have
	have   map[uint64]docSource
}

// minFree is the disk space required in addition to the size of the index, because segments are
// merged into new ones. bleve must not meet a full disk: it retries forever, and some of its parts
// do not survive it.
const minFree = 32 << 20

// checkFree returns syscall.ENOSPC if the disk lacks space for a write.
func (k *keeper) checkFree() error {
	if k.Free == nil {
		return nil
	}
	if free, known := k.Free(k.Store.Dir()); known && free < minFree+sizeOf(k.dir) {
		return syscall.ENOSPC
	}
	return nil
}

// errCancelled means that a user cancelled the indexing.
var errCancelled = errors.New("it was cancelled")

// Keep builds the index and keeps it up to date until ctx ends. Call it at most once per Search.
func (s *Search) Keep(ctx context.Context) {
	if !s.Soon {
		if jobs.Sleep(ctx, startDelay); ctx.Err() != nil {
			return
		}
	}
	words := s.Dict()
	if words.Wait(ctx) != nil && ctx.Err() != nil {
		return
	}
	k := &keeper{Search: s, dir: filepath.Join(s.Store.Dir(), Folder)}
	defer k.shut()
	if store.ReadOnly(s.Store) {
		k.readCopy(ctx)
		return
	}
	for ctx.Err() == nil {
		err := k.catchUp(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			k.failed(ctx, err)
			continue
		}
		var broken chan error
		if k.index != nil {
			broken = k.index.failed
		}
		look := time.NewTimer(cmp.Or(k.Look, lookEvery))
		select {
		case <-ctx.Done():
			return
		case <-look.C: // a user may have deleted the files
		case err := <-broken:
			k.failed(ctx, err)
		case <-s.Wake:
			// Queries read queued notices from memory, and every batch beside a run adds a segment
			// to merge.
			jobs.Sleep(ctx, batchWait)
			for n := 0; n < maxRests && k.Jobs.Task() != "" && !k.pressing(); n++ {
				jobs.Sleep(ctx, maxRest)
			}
		}
		look.Stop()
	}
}

// pressing reports whether a batch is full, or the index may give wrong results.
func (k *keeper) pressing() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.waiting) >= batchDocs || k.lost || k.words != k.Dict()
}

// lookEvery is how often the keeper checks the files of the index while idle.
const lookEvery = time.Minute

func (k *keeper) shut() {
	k.mu.Lock()
	ix := k.index
	k.index, k.whole = nil, false
	k.mu.Unlock()
	if ix != nil {
		_ = ix.close()
	}
	k.words, k.have = nil, nil
}

// failed closes the index, so that queries read the stored notices. It waits while the disk is
// full, and does not restart a cancelled job. Otherwise it deletes the index, up to maxTries times,
// to build it again.
func (k *keeper) failed(ctx context.Context, err error) {
	k.shut()
	switch {
	case errors.Is(err, errCancelled):
		k.setProgress(Progress{Why: "the making of the search index was cancelled; it is made when the workspace is opened next"})
		<-ctx.Done()
	case errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) ||
		strings.Contains(err.Error(), syscall.ENOSPC.Error()):
		k.setProgress(Progress{Why: "the disk is full; words are looked for in all stored notices, which takes longer"})
		if !k.fullReported {
			k.Note("error", "the search index cannot be written: the disk of %s is full; free some space. Until then words are looked for in all stored notices", k.dir)
		}
		k.fullReported = true
		jobs.Sleep(ctx, retryDelay)
	case unwritable(err):
		k.setProgress(Progress{Why: "the folder of the search index cannot be written"})
		k.Note("warn", "the search index cannot be written (%v); words are looked for in all stored notices, which takes longer", err)
		<-ctx.Done()
	case k.tries >= maxTries:
		k.setProgress(Progress{Why: "the search index cannot be made"})
		k.Note("error", "the search index cannot be made (%v); words are looked for in all stored notices. It is tried again when the workspace is opened next", err)
		<-ctx.Done()
	default:
		k.tries++
		k.Note("warn", "the search index is damaged (%v) and is made again", err)
		if err := os.RemoveAll(k.dir); err != nil {
			k.Note("error", "%v", err)
		}
	}
}

func unwritable(err error) bool {
	return errors.Is(err, os.ErrPermission) || errors.Is(err, syscall.EROFS)
}

// broken makes the keeper close an unreadable index. The caller must repeat the query.
func (s *Search) broken(err error) error {
	s.mu.Lock()
	if s.index != nil {
		s.index.fail(err)
	}
	s.whole = false
	s.mu.Unlock()
	return fmt.Errorf("%w (%w); it is made again, ask once more", errIndex, err)
}

// catchUp indexes all missing and outdated notices.
func (k *keeper) catchUp(ctx context.Context) error {
	if k.Store.Counts().Notices == 0 && k.index == nil {
		k.setProgress(Progress{Why: "there are no notices yet"})
		return nil
	}
	if k.index == nil {
		if err := k.checkFree(); err != nil {
			return err
		}
		ix, err := openIndex(k.dir, false)
		if err != nil {
			return err
		}
		k.mu.Lock()
		k.index = ix
		k.mu.Unlock()
	} else if _, err := os.Stat(filepath.Join(k.dir, rootFile)); err != nil {
		return fmt.Errorf("%w: its files were removed", errIndex)
	}
	k.mu.Lock()
	lost := k.lost
	k.lost = false
	k.mu.Unlock()
	if words := k.Dict(); k.words != words || lost {
		if err := words.Wait(ctx); err != nil && ctx.Err() != nil {
			return err
		}
		if err := k.compare(ctx, words); err != nil {
			return err
		}
	}
	for ctx.Err() == nil {
		k.mu.Lock()
		ids := make([]uint64, 0, len(k.waiting))
		taken := make(map[uint64]*store.Notice, len(k.waiting))
		for id, n := range k.waiting {
			ids = append(ids, id)
			taken[id] = n
		}
		k.mu.Unlock()
		if len(ids) == 0 {
			break
		}
		slices.Sort(ids)
		if err := k.make(ctx, ids, nil); err != nil {
			return err
		}
		k.mu.Lock()
		for id, n := range taken {
			if now, still := k.waiting[id]; still && now == n && (n != nil || len(k.waiting) <= maxWaiting) {
				delete(k.waiting, id)
				delete(k.cuts, id)
			}
		}
		k.mu.Unlock()
	}
	return ctx.Err()
}

// compare indexes the notices that are missing or outdated in the index. Those with wrong content
// come first, then those cut by another dictionary.
func (k *keeper) compare(ctx context.Context, words *dict.Dict) error {
	if err := k.loadValues(ctx); err != nil {
		return err
	}
	s, err := k.index.snapshot()
	if err != nil {
		return err
	}
	have, gone := s.indexed()
	s.close()
	var wrong, recut []uint64
	there := 0
	fingerprint := words.Fingerprint()
	missing := make(map[uint64]bool, len(have))
	for id := range have {
		missing[id] = true
	}
	err = k.eachSource(ctx, fingerprint, func(id uint64, is docSource) {
		m := have[id]
		switch {
		case m.row != is.row:
			wrong = append(wrong, id)
		case m.words != is.words:
			recut = append(recut, id)
		}
		delete(missing, id)
		there++
	})
	if err != nil {
		return err
	}
	for id := range missing {
		gone = append(gone, keyOf(id, have[id]))
		delete(have, id)
	}
	k.have = have
	many := len(wrong)+len(recut) >= manyDocs
	work := ctx
	if many {
		if work, err = k.Jobs.Await(ctx, "indexing notices", len(wrong)+len(recut)); err != nil {
			return err
		}
		defer k.Jobs.End()
	}
	done := func(n int) {
		if many {
			k.Jobs.Done.Add(int64(n))
		}
	}
	k.words = words
	if len(gone) > 0 {
		if err := k.index.batch(nil, gone); err != nil {
			return err
		}
	}
	err = k.make(work, wrong, done)
	if err == nil {
		k.mu.Lock()
		k.whole = true
		k.setProgressLocked(Progress{Ready: true})
		k.mu.Unlock()
		k.Grown()
		err = k.make(work, recut, done)
	}
	if err != nil && ctx.Err() == nil && work.Err() != nil {
		return errCancelled
	}
	return err
}

// makers is the number of parallel batches while no run is in progress, because bleve makes a
// segment in one goroutine.
const makers = 2

// make indexes notices in batches.
func (k *keeper) make(ctx context.Context, ids []uint64, done func(int)) error {
	group, within := errgroup.WithContext(ctx)
	group.SetLimit(makers)
	for part := range slices.Chunk(ids, batchDocs) {
		if within.Err() != nil {
			break
		}
		one := func() error {
			err := k.makePart(within, part)
			if err == nil && done != nil {
				done(len(part))
			}
			return err
		}
		if len(ids) <= batchDocs || k.Jobs.Task() == "" {
			group.Go(one)
			continue
		}
		begun := time.Now()
		if err := one(); err != nil {
			return errors.Join(err, group.Wait())
		}
		jobs.Sleep(within, min(restFactor*time.Since(begun), maxRest))
	}
	return cmp.Or(group.Wait(), ctx.Err())
}

// makePart indexes at most batchDocs notices, in one batch unless their texts are long.
func (k *keeper) makePart(ctx context.Context, ids []uint64) error {
	words := k.words
	fingerprint := words.Fingerprint()
	var docs []*document.Document
	var out []string
	now := map[uint64]docSource{}
	size := 0
	flush := func() error {
		if len(docs) == 0 {
			return nil
		}
		k.making.Lock()
		for id, m := range now {
			if was, ok := k.have[id]; ok && was != m {
				out = append(out, keyOf(id, was))
			}
		}
		k.making.Unlock()
		if err := k.checkFree(); err != nil {
			return err
		}
		if err := k.index.batch(docs, out); err != nil {
			return err
		}
		k.making.Lock()
		maps.Copy(k.have, now)
		k.making.Unlock()
		docs, out, size = nil, nil, 0
		clear(now)
		return nil
	}
	for len(ids) > 0 {
		var rows []readRow
		taken, read := 0, 0
		err := store.NoticeRows(ctx, k.Store, ids, func(id uint64, row []byte) error {
			if read > batchSize {
				return nil
			}
			for taken < len(ids) && ids[taken] <= id {
				taken++
			}
			notice, err := store.DecodeNotice(id, row)
			if err != nil {
				return nil // damaged: the store counts it when it is read
			}
			rows = append(rows, readRow{notice, sourceOf(row, fingerprint), len(row)})
			read += len(row)
			return nil
		})
		if err != nil {
			return err
		}
		if read <= batchSize {
			taken = len(ids)
		}
		for _, x := range rows {
			documents, err := k.documentsOf(x.notice)
			if err != nil {
				return err
			}
			says := k.valuesOf(x.notice.ID)
			m := x.made.withValues(says).withDocuments(documents)
			if k.has(x.notice.ID, m) {
				continue
			}
			docs = append(docs, newDoc(keyOf(x.notice.ID, m), x.notice, documents, says, words))
			now[x.notice.ID] = m
			for size += x.size; len(documents) > 0; documents = documents[1:] {
				size += len(documents[0].Text)
			}
			if size > batchSize {
				if err := flush(); err != nil {
					return err
				}
			}
		}
		if err := flush(); err != nil {
			return err
		}
		ids = ids[taken:]
	}
	return nil
}

// has reports whether the index has a document with this source.
func (k *keeper) has(id uint64, m docSource) bool {
	k.making.Lock()
	defer k.making.Unlock()
	was, ok := k.have[id]
	return ok && was == m
}

// readRow is a notice read by makePart.
type readRow struct {
	notice *store.Notice
	made   docSource
	size   int // bytes of its row
}
