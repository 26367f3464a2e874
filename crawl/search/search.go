// Package search finds notices by their words among a hundred thousand others.
//
// The folder Folder beside the workspace's database holds an index of bleve (scorch): segments that
// are written once and merged in the background. It can be rebuilt at any time from the stored
// notices, so backups omit it, and damage is repaired by a rebuild. A notice is a document with two
// fields:
//
//   - words: the words of title and text as the workspace's dictionary cuts them
//     (dict.CutSearch), with their frequency; one in a title counts as three in a text.
//     Notices are ranked by them (BM25).
//   - grams: all pairs of neighbouring letters, and all triples of Latin letters and
//     digits, of address, title and text. Words are searched by them.
//
// Document texts of a notice count as its text, see attached.go. Values that the notice does not
// contain count as its title, see values.go.
//
// Both are needed: a query for 油大 or 2026-01 means literal matches, wherever the dictionary cuts.
// Words cannot find these, nor can phrases of words. Grams leave few candidates, which are then
// checked in the store (scan.go). If one gram or one dictionary word is the whole query word, no
// check is needed. So a word finds the same notices with and without the index. Positions are not
// stored: they would double the index, and a phrase is a word with spaces, found in the same way.
//
// Indexing does not delay pages. A committed notice waits in memory until the keeper (keeper.go)
// indexes it, beside a run together with some hundred others. Every query also reads waiting
// notices, so a new notice is found at once. When a process opens a workspace, the keeper compares
// the index with the store and indexes notices that are missing, outdated, or cut by another
// dictionary. Without an index, because the disk is full or the process only reads, queries read
// the stored notices.
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

// Folder is the index's folder in a workspace.
const Folder = "search"

// Config holds the parts of a Search.
type Config struct {
	Store *store.Workspace
	Dict  func() *dict.Dict // dictionary in force
	Jobs  *jobs.Jobs        // shows the indexing of many notices; during a run it uses a fiftieth of a core
	Note  func(level, format string, args ...any)
	// start at once; else after a delay, so as not to slow down the opening
	Soon bool
	Free func(dir string) (bytes int64, known bool) // free disk space of a folder; nil = unknown
	// Documents returns the document texts of a notice; nil = none are searched.
	Documents func(n *store.Notice) ([]attachments.DocumentText, error)
	// Values calls f for the known values of every notice, in any order; nil = no values are
	// searched. Said reports later changes.
	Values func(ctx context.Context, f func(*facts.NoticeFacts) error) error
	Grown  func()        // called when the index is complete; nil = no call
	Look   time.Duration // interval of file checks while idle; 0 = a minute
}

// Search answers queries for words. It is safe for concurrent use.
type Search struct {
	Config
	Wake   view.Signal // rings when the keeper has work or the dictionary changed
	values values

	mu       sync.Mutex
	index    *index                   // nil = none
	whole    bool                     // the index was compared with the store
	waiting  map[uint64]*store.Notice // committed, not indexed yet; nil = read it from the store
	rankings []ranking                // of the last queries
	cuts     map[uint64]*cut          // of waiting notices
	lost     bool                     // notices were withdrawn: compare again
	progress Progress
	settled  chan struct{} // closed once progress is known
}

// Progress is the state of the index.
type Progress struct {
	Ready bool   // queries use it
	Why   string // why there is no index, in a few words; "" = it is being built or ready
}

// New returns a Search without an index, which reads the stored notices. Keep builds the index.
func New(c Config) *Search {
	if c.Grown == nil {
		c.Grown = func() {}
	}
	return &Search{Config: c, Wake: view.NewSignal(), waiting: map[uint64]*store.Notice{}, cuts: map[uint64]*cut{},
		settled: make(chan struct{}),
		values:  values{turn: make(chan struct{}, 1), of: map[uint64][]value{}}}
}

// maxWaiting bounds the queued notices in memory; of further ones only the ids are kept.
const maxWaiting = 2048

// Noticed queues a stored notice. It costs a map entry.
func (s *Search) Noticed(n *store.Notice) {
	s.mu.Lock()
	if len(s.waiting) >= maxWaiting {
		s.waiting[n.ID] = nil
	} else {
		s.waiting[n.ID] = n
	}
	s.mu.Unlock()
	s.Wake.Ring()
}

// TakenBack handles withdrawn notices.
func (s *Search) TakenBack() {
	s.mu.Lock()
	s.lost = true
	s.mu.Unlock()
	s.Wake.Ring()
}

// setProgress sets the progress.
func (s *Search) setProgress(p Progress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setProgressLocked(p)
}

// setProgressLocked is setProgress; the caller holds the lock.
func (s *Search) setProgressLocked(p Progress) {
	s.progress = p
	select {
	case <-s.settled:
	default:
		close(s.settled)
	}
}

// Ready waits until the index is ready or known to be missing, or until ctx ends. Keep must be
// running.
func (s *Search) Ready(ctx context.Context) Progress {
	select {
	case <-s.settled:
	case <-ctx.Done():
	}
	return s.present()
}

// present returns the state of the index.
func (s *Search) present() Progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.progress
}

// queryState is the input of a query: the index if it is complete, and the queued notices.
type queryState struct {
	ix      *snapshot // nil = read the stored notices
	waiting map[uint64]*store.Notice
}

func (m *queryState) close() {
	if m.ix != nil {
		m.ix.close()
	}
}

// state returns the present input, which the caller closes. The queue is copied first, so a notice
// that is indexed meanwhile is in both.
func (s *Search) state() *queryState {
	s.mu.Lock()
	m := &queryState{waiting: maps.Clone(s.waiting)}
	ix := s.index
	if !s.whole {
		ix = nil
	}
	s.mu.Unlock()
	if ix == nil {
		return m
	}
	var err error
	if m.ix, err = ix.snapshot(); err != nil {
		ix.fail(err)
	}
	return m
}

// read returns a queued notice, read from the store if necessary.
func (s *Search) read(id uint64, n *store.Notice) *store.Notice {
	if n == nil {
		n, _ = s.Store.Notice(id)
	}
	return n
}
