package search

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/RoaringBitmap/roaring/v2/roaring64"
	"github.com/blevesearch/bleve/v2/index/scorch"
	bleve "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"

	"angler/store/modes"
)

// index is the open index of a workspace. One process has it open at a time.
type index struct {
	dir     string
	x       bleve.Index
	queue   *bleve.AnalysisQueue
	failed  chan error // what bleve's own goroutines met; holds one
	mu      sync.Mutex
	known   map[uint64]*segmentDocs // by the number of the segment
	reading bool
}

// rootFile names the segments; bleve calls it so.
const rootFile = "root.bolt"

// analysers is how many goroutines cut texts while a batch is made.
const analysers = 2

// asyncName names the function that bleve tells its errors.
const asyncName = "angler"

// failures leads from the folder of an index to who is told.
var failures sync.Map // path → chan error

func init() {
	scorch.RegistryAsyncErrorCallbacks[asyncName] = func(err error, path string) {
		if c, ok := failures.Load(path); ok {
			select {
			case c.(chan error) <- err:
			default:
			}
		}
	}
}

// openIndex opens the index in a folder, or makes an empty one. A panic of the library
// over a damaged file is an error.
func openIndex(dir string, reading bool) (ix *index, err error) {
	if !reading {
		if err := modes.MakeFolder(dir); err != nil {
			return nil, err
		}
	}
	made := &index{dir: dir, queue: bleve.NewAnalysisQueue(analysers), failed: make(chan error, 1), known: map[uint64]*segmentDocs{}, reading: reading}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
		if err != nil {
			made.queue.Close()
			failures.Delete(dir)
		}
	}()
	failures.Store(dir, made.failed)
	made.x, err = scorch.NewScorch(scorch.Name, map[string]any{
		"path": dir, "read_only": reading, "bolt_timeout": "2s", "asyncErrorCallbackName": asyncName,
		"scorchMergePlanOptions": map[string]any{"maxSegmentsPerTier": 6, "segmentsPerMergeTask": 6, "floorSegmentSize": 2000, "maxSegmentSize": 5_000_000},
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
	failures.Delete(ix.dir)
	return err
}

// batch puts documents into the index and takes others out, in one step that is on the
// disk when it returns.
func (ix *index) batch(in []*doc, out []string) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%v", p)
		}
	}()
	b := bleve.NewBatch()
	for _, k := range out {
		b.Delete(k)
	}
	for _, d := range in {
		b.Update(d)
	}
	return ix.x.Batch(b)
}

// size is how many bytes the index takes on the disk.
func sizeOf(dir string) (n int64) {
	list, _ := os.ReadDir(dir)
	for _, e := range list {
		if st, err := e.Info(); err == nil {
			n += st.Size()
		}
	}
	return n
}

// remove takes the files of an index away.
func remove(dir string) error { return os.RemoveAll(filepath.Clean(dir)) }

// snapshot is the index at one moment. It must be closed.
type snapshot struct {
	r    *scorch.IndexSnapshot
	segs []*segmentDocs
	docs int
	long float64 // the average number of words of a document
}

// segmentDocs is what is kept of a segment, which never changes but for the documents
// that are taken out of it.
type segmentDocs struct {
	seg   segment.Segment
	ids   []uint64 // of the notices, by number of the document
	made  []made
	long  []float32 // how many words each has
	words float64   // their average
	at    map[uint64]uint32
	out   *roaring.Bitmap // taken out, at this moment
}

// snapshot returns the moment; nil when the index cannot be read.
func (ix *index) snapshot() *snapshot {
	s, err := ix.look()
	if err != nil {
		select {
		case ix.failed <- err:
		default:
		}
		return nil
	}
	return s
}

var errIndex = errors.New("the index cannot be read")

func (ix *index) look() (_ *snapshot, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errIndex, p)
		}
	}()
	r, err := ix.x.Reader()
	if err != nil {
		return nil, err
	}
	snap, ok := r.(*scorch.IndexSnapshot)
	if !ok || snap == nil {
		return nil, errIndex // it was closed
	}
	s := &snapshot{r: snap}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	known := make(map[uint64]*segmentDocs, len(ix.known))
	words := 0.
	for _, x := range snap.Segments() {
		d := ix.known[x.Id()]
		if d == nil {
			if d, err = readSegment(x.Segment()); err != nil {
				s.close()
				return nil, err
			}
		}
		known[x.Id()] = d
		here := &segmentDocs{seg: x.Segment(), ids: d.ids, made: d.made, long: d.long, words: d.words, at: d.at, out: x.Deleted()}
		n := len(d.ids)
		if here.out != nil {
			n -= int(here.out.GetCardinality())
		}
		s.docs += n
		words += d.words * float64(n)
		s.segs = append(s.segs, here)
	}
	ix.known = known
	if s.docs > 0 {
		s.long = words / float64(s.docs)
	}
	return s, nil
}

func (s *snapshot) close() { _ = s.r.Close() }

func readSegment(seg segment.Segment) (*segmentDocs, error) {
	n := seg.Count()
	d := &segmentDocs{ids: make([]uint64, n), made: make([]made, n), long: make([]float32, n), at: make(map[uint64]uint32, n)}
	for i := range d.ids {
		k, err := seg.DocID(uint64(i))
		if err != nil {
			return nil, err
		}
		var ok bool
		if d.ids[i], d.made[i], ok = splitKey(k); !ok {
			return nil, errIndex
		}
		d.at[d.ids[i]] = uint32(i)
	}
	it, err := postings(seg, wordField, everyDocument, nil, true)
	if err != nil {
		return nil, err
	}
	for {
		p, err := it.Next()
		if err != nil {
			return nil, err
		}
		if p == nil {
			break
		}
		d.long[p.Number()] = float32(lengthOf(p))
		d.words += lengthOf(p)
	}
	d.words /= float64(max(1, n))
	return d, nil
}

// without are the documents that are not among some notices, and those taken out.
func (d *segmentDocs) without(among *roaring64.Bitmap) *roaring.Bitmap {
	if among == nil {
		return d.out
	}
	n := uint64(len(d.ids))
	in := roaring.New()
	if among.GetCardinality() < n/8 {
		for it := among.Iterator(); it.HasNext(); {
			if i, ok := d.at[it.Next()]; ok {
				in.Add(i)
			}
		}
	} else {
		for i, id := range d.ids {
			if among.Contains(id) {
				in.Add(uint32(i))
			}
		}
	}
	in.Flip(0, n)
	if d.out != nil {
		in.Or(d.out)
	}
	return in
}

// lengthOf is how many words a document has, of which bleve keeps 1 ÷ √length.
func lengthOf(p segment.Posting) float64 {
	if norm := p.Norm(); norm > 0 {
		return 1 / (norm * norm)
	}
	return 1
}

// postings are the documents of a segment that have a term, without those taken out;
// never nil.
func postings(seg segment.Segment, field, term string, out *roaring.Bitmap, counted bool) (segment.PostingsIterator, error) {
	terms, err := seg.Dictionary(field)
	if err != nil {
		return nil, err
	}
	list, err := terms.PostingsList([]byte(term), out, nil)
	if err != nil {
		return nil, err
	}
	return list.Iterator(counted, counted, false, nil), nil
}

// bitmap is postings as a set, which is not to be changed.
func bitmap(seg segment.Segment, field, term string, out *roaring.Bitmap) (*roaring.Bitmap, error) {
	it, err := postings(seg, field, term, out, false)
	if err != nil {
		return nil, err
	}
	if x, ok := it.(segment.OptimizablePostingsIterator); ok {
		if n, one := x.DocNum1Hit(); one {
			return roaring.BitmapOf(uint32(n)), nil
		}
		if b := x.ActualBitmap(); b != nil {
			return b, nil
		}
	}
	b := roaring.New()
	for {
		p, err := it.Next()
		if err != nil || p == nil {
			return b, err
		}
		b.Add(uint32(p.Number()))
	}
}

// indexed returns what each notice's document was made from, and the keys of documents
// that stand for a notice besides.
func (s *snapshot) indexed() (of map[uint64]made, besides []string) {
	of = make(map[uint64]made, s.docs)
	for _, d := range s.segs {
		for i, id := range d.ids {
			if d.out != nil && d.out.Contains(uint32(i)) {
				continue
			}
			if other, twice := of[id]; twice {
				besides = append(besides, keyOf(id, other))
			}
			of[id] = d.made[i]
		}
	}
	return of, besides
}
