// Package query reads the store for people: rows of pages and notices, previews,
// exports, the explanation of one URL, the frontier while nothing runs, and lists that
// have stopped to deliver.
//
// It changes nothing. Query reads every stored page or notice, some 2 µs a row, and
// collects rows before it writes them, so that no slow connection holds a transaction
// open. Survey ranks the waiting URLs, hosts and failures in one pass of 2 µs a URL and
// keeps the result until its input changes; it takes 24 bytes a waiting URL.
//
// ListHealth finds aggregation pages that fail, ask for a login, redirect elsewhere,
// show nothing, pause longer than ever before, or show more than could be followed. It
// computes this from stored rows and notices. It also looks at pages that are no longer
// aggregation pages but have brought notices: a list that turned into a login page no
// longer resembles the samples and would be missed silently.
package query

import (
	"context"
	"iter"
	"sync/atomic"
	"time"

	"angler/crawl/attachments"
	"angler/crawl/decisions"
	"angler/crawl/facts"
	"angler/crawl/inbox"
	"angler/crawl/jobs"
	"angler/crawl/linkorder"
	"angler/crawl/reader"
	"angler/crawl/urls"
	"angler/store"
	"angler/store/config"
)

// Robots tells what robots.txt says of a URL; *fetch.Fetcher is one.
type Robots interface {
	Robots(ctx context.Context, url string) (allowed bool, rule string, err error)
}

// Documents tells what has become of the documents that a notice links to;
// *attachments.Documents is one.
type Documents interface {
	Of(n *store.Notice) ([]attachments.Document, error)
	Export(n *store.Notice) ([]attachments.DocumentJSON, error) // with their texts
}

// Config is what a Query reads.
type Config struct {
	Store     *store.Workspace
	Reader    *reader.Reader
	Decisions *decisions.Decisions
	Robots    Robots
	Filter    *urls.Filter
	Jobs      *jobs.Jobs
	Settings  func() *config.Settings               // in force; not to be written to
	Order     func() (*linkorder.Priorities, error) // the running discovery's link order, or one with its stored knowledge
	Now       func() time.Time

	// Said tells what a notice says; nil for one that says nothing, or nobody knows.
	Said func(id uint64) (*facts.NoticeFacts, error)

	// Settled waits until what is derived of notices is up to date, so that a filter
	// asks for all of it.
	Settled func(context.Context) error

	// Kindred tells what belongs to a notice, and whether it is one; nil is no notice.
	Kindred func(ctx context.Context, id uint64) (*inbox.Relations, error)

	// Select calls f for some notices: those of ids in their order, or when ids is nil
	// those that a filter lets pass for a person.
	Select func(ctx context.Context, by string, ids []uint64, filter string, f func(*store.Notice) error) error

	// List lists the notices that a filter lets pass for a person.
	List func(ctx context.Context, by, filter string) (*inbox.Listing, error)

	Facts func() Facts // what was read of notices; nil = nothing

	Documents Documents // nil = nothing is known of them
}

// Query answers questions about what is stored. It is safe for concurrent use.
type Query struct {
	Config
	ranking ranking
	linked  atomic.Int64 // pages stored with their links since opening
}

// New returns a Query.
func New(c Config) *Query {
	return &Query{Config: c, ranking: ranking{turn: make(chan struct{}, 1)}}
}

// Linked notes that a page was stored with its links, so that ranks over the links
// are out of date.
func (q *Query) Linked() { q.linked.Add(1) }

// eachBatch calls f for ids in batches, until ctx ends.
func eachBatch(ctx context.Context, ids []uint64, f func([]uint64) error) error {
	for len(ids) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := min(len(ids), readBatch)
		if err := f(ids[:n]); err != nil {
			return err
		}
		ids = ids[n:]
	}
	return nil
}

// until yields what rows yields and, when ctx has ended, its error. It looks at
// ctx before the first row and then every 500 rows.
func until[T any](ctx context.Context, rows iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		n := 0
		for row, err := range rows {
			if n++; err == nil && n%500 == 1 {
				err = ctx.Err()
			}
			if !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// readBatch rows are read in one transaction.
const readBatch = 512
