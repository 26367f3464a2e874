// Package search finds notices by their words among a hundred thousand others.
//
// Beside the workspace's database lies an index of bleve (scorch): segments that are
// written once and merged in the background, in the folder Folder. It can be made again
// at any time from the stored notices, so backups leave it out, and what is wrong with
// it is mended by making it again. A notice is a document with two fields:
//
//   - words: those of title and text as the workspace's dictionary cuts them
//     (dict.CutSearch), with how often they occur, one in a title as often as three in
//     a text. By them notices are ranked (BM25).
//   - grams: all pairs of neighbouring letters, and of Latin letters and digits all
//     triples, of address, title and text. By them a word is looked for.
//
// Texts of documents that a notice links to count as its text, see attached.go, and
// values that it does not hold as its title, see values.go.
//
// Why two: a person who types 油大 or 2026-01 wants the notices in which that stands, wherever
// the dictionary cuts. Words alone cannot find it, a phrase of words neither. Grams leave
// few candidates, which are then looked at in the store (scan.go); where one gram or one
// word of the dictionary is the whole word, nothing needs to be looked at. So a word finds
// exactly what a look at every text finds, with the index and without it, only faster.
// Positions are not kept: they would double the index, and a phrase is a word with
// spaces in it, found in the same way.
//
// Nothing of this lies on the way of a page. A notice that was committed waits in memory
// until the keeper (keeper.go) puts it into the index, beside a run with some hundred others; what waits
// is looked at by every question, so a new notice is found at once. A process that opens a
// workspace has the keeper compare the index with the store and make what is missing,
// outdated, or cut by another dictionary. Where there is no index, because the disk is full
// or only a reader is here, questions look at the stored notices instead.
package search

import (
	"context"
	"maps"
	"sync"
	"time"

	"angler/crawl/attachments"
	"angler/crawl/facts"
	"angler/crawl/jobs"
	"angler/crawl/view"
	"angler/dict"
	"angler/store"
)

// Folder is where the index lies within a workspace.
const Folder = "search"

// Config is what a Search works with.
type Config struct {
	Store *store.Workspace
	Dict  func() *dict.Dict // the one in force
	Jobs  *jobs.Jobs        // shows the making of a large index; while a run is under way, a fiftieth of a core is used
	Note  func(level, format string, args ...any)
	Soon  bool                                       // begin at once; else a moment after the opening, which it must not slow down
	Free  func(dir string) (bytes int64, known bool) // room on the disk of a folder; nil = not known
	// Documents are the texts of a notice's documents; nil: none are searched.
	Documents func(n *store.Notice) ([]attachments.DocumentText, error)
	// Values calls f for what every notice says, in any order, as far as it is known; nil:
	// no values are searched. Said is told of what changes after that.
	Values func(ctx context.Context, f func(*facts.NoticeFacts) error) error
	Grown  func()        // told when the index has become whole; nil = none
	Look   time.Duration // how often its files are looked at while nothing happens; 0 = every minute
}

// Search answers questions for words. It is safe for concurrent use.
type Search struct {
	Config
	Wake   view.Signal // there is something to do for the keeper, or the dictionary has changed
	values values

	mu       sync.Mutex
	index    *index                   // nil while there is none
	whole    bool                     // the index has been compared with the store
	waiting  map[uint64]*store.Notice // committed and not in the index yet; nil = read it
	lost     bool                     // notices were taken back: compare again
	progress Progress
	settled  chan struct{} // closed as soon as progress says more than nothing
}

// Progress tells how far the index is.
type Progress struct {
	Ready bool   // questions are answered from it
	Why   string // why there is none, in a few words; "" when it is being made or is there
}

// New returns a Search without an index, which looks at the stored notices. Keep gives
// it one.
func New(c Config) *Search {
	if c.Grown == nil {
		c.Grown = func() {}
	}
	return &Search{Config: c, Wake: view.NewSignal(), waiting: map[uint64]*store.Notice{}, settled: make(chan struct{}),
		values: values{turn: make(chan struct{}, 1), of: map[uint64][]value{}}}
}

// mostWaiting notices are held in memory until the keeper takes them; of more it keeps
// the ids.
const mostWaiting = 2048

// Noticed takes up a notice that was stored. It costs an entry in a map.
func (s *Search) Noticed(n *store.Notice) {
	s.mu.Lock()
	if len(s.waiting) >= mostWaiting {
		s.waiting[n.ID] = nil
	} else {
		s.waiting[n.ID] = n
	}
	s.mu.Unlock()
	s.Wake.Ring()
}

// TakenBack follows notices that are no longer stored.
func (s *Search) TakenBack() {
	s.mu.Lock()
	s.lost = true
	s.mu.Unlock()
	s.Wake.Ring()
}

// tell sets the progress.
func (s *Search) tell(p Progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.told(p)
}

// told is tell for who holds the lock.
func (s *Search) told(p Progress) {
	s.progress = p
	select {
	case <-s.settled:
	default:
		close(s.settled)
	}
}

// Ready waits until there is an index, or it is known that there is none, or ctx ends.
// A caller must Keep it.
func (s *Search) Ready(ctx context.Context) Progress {
	select {
	case <-s.settled:
	case <-ctx.Done():
	}
	return s.Progress()
}

// Progress tells how far the index is.
func (s *Search) Progress() Progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.progress
}

// moment is what a question is answered from: the index as it is, if it is whole, and
// what waits for it.
type moment struct {
	ix      *snapshot // nil: look at the stored notices
	waiting map[uint64]*store.Notice
}

func (m *moment) close() {
	if m.ix != nil {
		m.ix.close()
	}
}

// now returns the moment; the caller closes it. What waits is taken first: a notice
// that enters the index meanwhile is in both.
func (s *Search) now() *moment {
	s.mu.Lock()
	m := &moment{waiting: maps.Clone(s.waiting)}
	ix := s.index
	if !s.whole {
		ix = nil
	}
	s.mu.Unlock()
	if ix == nil {
		return m
	}
	var err error
	if m.ix, err = ix.look(); err != nil {
		ix.fail(err)
	}
	return m
}

// read is a notice that waits, which may have to be read.
func (s *Search) read(id uint64, n *store.Notice) *store.Notice {
	if n == nil {
		n, _ = s.Store.Notice(id)
	}
	return n
}
