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
	"time"

	"angler/crawl/attachments"
	"angler/crawl/decisions"
	"angler/crawl/facts"
	"angler/crawl/fetch"
	"angler/crawl/inbox"
	"angler/crawl/jobs"
	"angler/crawl/linkorder"
	"angler/crawl/reader"
	"angler/crawl/recipe"
	"angler/crawl/run"
	"angler/crawl/settings"
	"angler/crawl/view"
	"angler/store"
)

// Config is what a Query, a Survey and a ListHealth read.
type Config struct {
	Store     *store.Workspace
	Reader    *reader.Reader
	Decisions *decisions.Decisions
	Settings  *settings.Live
	Fetcher   *fetch.Fetcher // asks for robots.txt
	Jobs      *jobs.Jobs
	Events    *view.EventLog
	History   *run.History
	Facts     *facts.Extractor
	Documents *attachments.Documents
	Inbox     *inbox.Inbox
	Recipes   *recipe.Recipes
	Order     func() (*linkorder.Priorities, error) // the running discovery's link order, or one with its stored knowledge
	Now       func() time.Time
}

// Query answers questions about what is stored. It is safe for concurrent use.
type Query struct{ Config }

// New returns a Query.
func New(c Config) *Query { return &Query{c} }

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
