package search

import (
	"context"
	"errors"
	"os"
	"sync"

	"github.com/RoaringBitmap/roaring/v2/roaring64"
	"github.com/blevesearch/bleve/v2/document"
	"github.com/blevesearch/bleve/v2/index/scorch"
	query "github.com/blevesearch/bleve/v2/search"
	"github.com/blevesearch/bleve/v2/search/searcher"
	bleve "github.com/blevesearch/bleve_index_api"

	"angler/store/modes"
)

// index is the open index of a workspace. Only one process has it open.
type index struct {
	dir    string
	x      bleve.Index
	queue  *bleve.AnalysisQueue
	failed chan error // holds the first error, also of bleve's goroutines

	mu   sync.Mutex
	last *snapshot // last snapshot; valid until the index changes
}

// rootFile is bleve's name for the list of segments.
const rootFile = "root.bolt"

// analysers is the number of goroutines that tokenize texts of a batch.
const analysers = 2

// asyncName is the name of the callback for bleve's asynchronous errors.
const asyncName = "angler"

// opened maps a folder to its open index.
var opened sync.Map // path → *index

func init() {
	scorch.RegistryAsyncErrorCallbacks[asyncName] = func(err error, path string) {
		if ix, ok := opened.Load(path); ok {
			ix.(*index).fail(err)
		}
	}
}

// fail makes the keeper close the index; the first error counts.
func (ix *index) fail(err error) {
	select {
	case ix.failed <- err:
	default:
	}
}

// openIndex opens the index in a folder, or creates an empty one. It turns a panic of the library
// over a damaged file into an error.
func openIndex(dir string, reading bool) (ix *index, err error) {
	if !reading {
		if err := modes.MakeFolder(dir); err != nil {
			return nil, err
		}
	}
	made := &index{dir: dir, queue: bleve.NewAnalysisQueue(analysers), failed: make(chan error, 1)}
	defer func() {
		if err != nil {
			made.queue.Close()
			opened.Delete(dir)
		}
	}()
	defer caught(&err)
	opened.Store(dir, made)
	made.x, err = scorch.NewScorch(scorch.Name, map[string]any{
		"path": dir, "read_only": reading, "bolt_timeout": "2s", "asyncErrorCallbackName": asyncName,
		"scorchMergePlanOptions": map[string]any{"maxSegmentsPerTier": 6, "segmentsPerMergeTask": 6,
			"floorSegmentSize": 2000, "maxSegmentSize": 5_000_000},
	}, made.queue)
	if err != nil {
		return nil, err
	}
	if err := made.x.Open(); err != nil {
		return nil, err
	}
	return made, nil
}

func (ix *index) close() error {
	err := ix.x.Close()
	ix.queue.Close()
	opened.Delete(ix.dir)
	return err
}

// batch adds and removes documents in one step, which is on disk when it returns.
func (ix *index) batch(in []*document.Document, out []string) (err error) {
	defer caught(&err)
	b := bleve.NewBatch()
	for _, k := range out {
		b.Delete(k)
	}
	for _, d := range in {
		b.Update(d)
	}
	return ix.x.Batch(b)
}

// sizeOf returns the bytes of the index on disk.
func sizeOf(dir string) (n int64) {
	list, _ := os.ReadDir(dir)
	for _, e := range list {
		if st, err := e.Info(); err == nil {
			n += st.Size()
		}
	}
	return n
}

// snapshot is the index at one moment. It must be closed.
type snapshot struct {
	*scorch.IndexSnapshot
	at       []entry           // by document number
	of       map[uint64]uint32 // notice → document number
	docs     int
	avgWords float64 // average number of words per document
}

// entry is a document with its notice; 0 = deleted.
type entry struct {
	id    uint64
	made  docSource
	words float32 // number of its words
}

var errIndex = errors.New("the index cannot be read")

// snapshot returns the present index. It reads the keys of all documents after a change.
func (ix *index) snapshot() (_ *snapshot, err error) {
	defer caught(&err)
	r, err := ix.x.Reader()
	if err != nil {
		return nil, err
	}
	snap, _ := r.(*scorch.IndexSnapshot)
	if snap == nil {
		return nil, errIndex // it was closed
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.last != nil && ix.last.IndexSnapshot == snap {
		return ix.last, nil
	}
	s := &snapshot{IndexSnapshot: snap, of: map[uint64]uint32{}}
	err = s.each(everyDocument, true, func(p *bleve.TermFieldDoc) error {
		key, err := snap.ExternalID(p.ID)
		if err != nil {
			return err
		}
		id, m, ok := splitKey(key)
		if !ok {
			return errIndex
		}
		n := int(p.ID.Value())
		long := 1 / (p.Norm * p.Norm) // bleve stores 1 ÷ √length
		s.at = append(s.at, make([]entry, n+1-len(s.at))...)
		s.at[n], s.of[id] = entry{id, m, float32(long)}, uint32(n)
		s.docs++
		s.avgWords += long
		return nil
	})
	if err != nil {
		s.close()
		return nil, err
	}
	s.avgWords /= float64(max(1, s.docs))
	ix.last = s
	return s, nil
}

func (s *snapshot) close() { _ = s.IndexSnapshot.Close() }

// each calls f for the documents with a word, in order.
func (s *snapshot) each(word string, norm bool, f func(*bleve.TermFieldDoc) error) error {
	it, err := s.TermFieldReader(context.Background(), []byte(word), wordField, true, norm, false)
	if err != nil {
		return err
	}
	defer it.Close()
	var doc bleve.TermFieldDoc
	for {
		p, err := it.Next(doc.Reset())
		if err != nil || p == nil {
			return err
		}
		if err := f(p); err != nil {
			return err
		}
	}
}

// having counts the documents with a word.
func (s *snapshot) having(word string) (uint64, error) {
	it, err := s.TermFieldReader(context.Background(), []byte(word), wordField, false, false, false)
	if err != nil {
		return 0, err
	}
	defer it.Close()
	return it.Count(), nil
}

// holding returns the notices whose documents have all terms.
func (s *snapshot) holding(ctx context.Context, field string, terms []string) (*roaring64.Bitmap, error) {
	var parts []query.Searcher
	for _, t := range terms {
		one, err := searcher.NewTermSearcher(ctx, s.IndexSnapshot, t, field, 1, unscored)
		if err != nil {
			return nil, err
		}
		defer one.Close()
		parts = append(parts, one)
	}
	all := parts[0]
	if len(parts) > 1 {
		var err error
		if all, err = searcher.NewConjunctionSearcher(ctx, s.IndexSnapshot, parts, unscored); err != nil {
			return nil, err
		}
	}
	var ids []uint64
	at := &query.SearchContext{DocumentMatchPool: query.NewDocumentMatchPool(all.DocumentMatchPoolSize()+1, 0)}
	for {
		d, err := all.Next(at)
		if err != nil || d == nil {
			return roaring64.BitmapOf(ids...), err
		}
		ids = append(ids, s.at[d.IndexInternalID.Value()].id)
		at.DocumentMatchPool.Put(d)
	}
}

// unscored asks bleve for documents without scores, which lets it intersect whole sets.
var unscored = query.SearcherOptions{Score: "none"}

// indexed returns the source of each notice's document, and the keys of duplicate documents.
func (s *snapshot) indexed() (of map[uint64]docSource, besides []string) {
	of = make(map[uint64]docSource, s.docs)
	for _, d := range s.at {
		if d.id == 0 {
			continue
		}
		if other, twice := of[d.id]; twice {
			besides = append(besides, keyOf(d.id, other))
		}
		of[d.id] = d.made
	}
	return of, besides
}
