package inbox

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2/roaring64"
	"golang.org/x/sync/semaphore"

	"angler/crawl/filter"
	"angler/crawl/search"
	"angler/store"
)

// words caches the notices that hold each word.
type words struct {
	turn *semaphore.Weighted // taken during a search

	mu   sync.Mutex
	hits map[filter.Word]*hits
}

// hits holds the notices that hold one word. Lists read it while runs add to it.
type hits struct {
	mu  sync.RWMutex
	ids *roaring64.Bitmap
}

func (h *hits) note(id uint64, held bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if held {
		h.ids.Add(id)
	} else {
		h.ids.Remove(id)
	}
}

// all returns a copy of the ids; nil holds none.
func (h *hits) all() *roaring64.Bitmap {
	if h == nil {
		return roaring64.New()
	}
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.ids.Clone()
}

// maxWords bounds the cached words.
const maxWords = 128

// add updates the cache for a notice that is new or has changed documents.
func (w *words) add(find *search.Search, n *store.Notice) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.hits) == 0 {
		return
	}
	asked := slices.Collect(maps.Keys(w.hits))
	for i, held := range find.Held(n, asked) {
		w.hits[asked[i]].note(n.ID, held)
	}
}

// of returns the notices that hold each word, and searches words that are not cached.
func (w *words) of(ctx context.Context, find *search.Search, asked []filter.Word) (map[filter.Word]*hits, error) {
	if len(asked) == 0 {
		return nil, nil
	}
	if err := w.turn.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer w.turn.Release(1)
	var fresh []filter.Word
	out := make(map[filter.Word]*hits, len(asked))
	w.mu.Lock()
	if w.hits == nil || len(w.hits)+len(asked) > maxWords {
		w.hits = map[filter.Word]*hits{}
	}
	for _, word := range asked {
		h := w.hits[word]
		if h == nil {
			h = &hits{ids: roaring64.New()}
			w.hits[word] = h // add handles notices that arrive from now on
			fresh = append(fresh, word)
		}
		out[word] = h
	}
	w.mu.Unlock()
	if len(fresh) == 0 {
		return out, nil
	}
	found, err := find.Holding(ctx, fresh)
	if err != nil {
		w.mu.Lock()
		for _, word := range fresh {
			delete(w.hits, word)
		}
		w.mu.Unlock()
		return nil, err
	}
	for i, word := range fresh {
		h := out[word]
		h.mu.Lock()
		h.ids.Or(found[i])
		h.mu.Unlock()
	}
	return out, nil
}

// Documented updates the cache for notices with changed document texts.
func (in *Inbox) Documented(ids []uint64) {
	for _, id := range ids {
		if n, err := in.Store.Notice(id); err == nil && n != nil {
			in.words.add(in.Find, n)
		}
	}
}
