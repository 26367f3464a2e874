// Package query reads the store for people. It returns rows of pages and notices, previews, exports, explanations of
// URLs, the idle frontier, and faulty lists.
//
// It changes nothing. Query reads stored pages or notices at about 2 µs per row, and collects rows before it writes
// them, so no slow connection keeps a transaction open. Survey ranks waiting URLs, hosts and failures in one pass of
// 2 µs per URL. It keeps the result until its input changes, 24 bytes per waiting URL.
//
// ListHealth finds aggregation pages that fail, ask for a login, redirect, are empty, pause longer than ever, or
// have content that could not be followed. It reads stored rows and notices. It also checks former aggregation pages
// with notices: a list that became a login page no longer resembles the samples and would be missed silently.
package query

import (
	"context"
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

// Config holds the dependencies of Query, Survey and ListHealth.
type Config struct {
	Store     *store.Workspace
	Reader    *reader.Reader
	Decisions *decisions.Decisions
	Settings  *settings.Live
	Fetcher   *fetch.Fetcher // fetches robots.txt
	Jobs      *jobs.Jobs
	Events    *view.EventLog
	History   *run.History
	Facts     *facts.Extractor
	Documents *attachments.Documents
	Inbox     *inbox.Inbox
	Recipes   *recipe.Recipes
	// link order of the running discovery, or one with stored knowledge
	Order func() (*linkorder.Priorities, error)
	Now   func() time.Time
}

// Query answers questions about stored data. It is safe for concurrent use.
type Query struct{ Config }

// eachBatch calls f with batches of ids until ctx ends.
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

// readBatch is the number of rows read in one transaction.
const readBatch = 512
