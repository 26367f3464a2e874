package crawl

import (
	"context"
	"slices"

	"angler/crawl/decisions"
	"angler/crawl/reader"
	"angler/crawl/view"
	"angler/topic"
)

// This file lets tests from outside look into an engine.

// OccupyJobs makes the place for background work busy until free is called.
func (c *core) OccupyJobs(name string) (free func()) {
	if _, err := c.jobs.Begin(context.Background(), name, 0); err != nil {
		panic(err)
	}
	return c.jobs.End
}

// ReadNotices reads the notices for the inbox, as opening with Options.Lists does in the background.
func (c *core) ReadNotices() { c.readNotices() }

// StalePages counts the stored pages that were counted by another dictionary than
// the one in force.
func (c *core) StalePages() (n int) {
	for row, err := range c.ws.Counted() {
		if err != nil {
			panic(err)
		}
		if len(row.Terms) == 0 {
			continue
		}
		_, fingerprint, err := reader.DecodeDoc(row.Terms, c.reader.Lexicon.Len())
		if err != nil {
			panic(err)
		}
		if fingerprint != c.reader.Dict().Fingerprint() {
			n++
		}
	}
	return n
}

// FetchedSoFar counts the fetches of all runs.
func (c *core) FetchedSoFar() int64 { return c.metrics.Totals().Fetched }

// CountPage enters the words of a page that a test has stored.
func (c *core) CountPage(id uint64, doc topic.Doc) { c.decisions.Counted(id, doc, 0) }

// Indexed returns the number of pages in the index. It takes the lock of the index.
func (c *core) Indexed() int { return c.decisions.Index.Len() }

// SetRun makes background work believe in a run under way, see jobs.Jobs.SetRun.
func (c *core) SetRun(task string, done <-chan struct{}) { c.jobs.SetRun(task, done) }

// Recalled reports whether opening has read a checkpoint instead of every page.
func (c *core) Recalled() bool { return !c.readAll }

// Gathered is what an engine knows of its pages beside its lists: in the order of their
// capture, which of them were entered, which lie aside, and how common words are. Words are
// sorted: where a dictionary is counted anew, goroutines number them as they meet them.
func (c *core) Gathered() map[string]any {
	var entered []uint64
	for p := range c.ws.Pages() {
		if p != nil && decisions.Entered(c.decisions, p.ID) {
			entered = append(entered, p.ID)
		}
	}
	aside := c.decisions.Index.Aside()
	slices.Sort(aside)
	words := slices.Sorted(slices.Values(c.reader.Lexicon.Since(0)))
	bg := c.decisions.Index.Background()
	weights, rest := bg.Spread.Weights()
	return map[string]any{"entered": entered, "aside": aside, "known": c.decisions.Index.Known(), "pages": bg.N, "list": bg.List, "full": bg.Full,
		"sites": bg.Spread.Sites(), "weights": weights, "rest": rest, "captured": c.captured.Latest(1 << 20), "words": words, "counts": c.ws.Counts(), "seen": c.ws.Seen().Keys}
}

// Tally is what the run under way has done at this moment, its lists apart.
func (c *core) Tally() view.Tally {
	if r := c.runner.current(); r != nil {
		return r.Tally(0)
	}
	return c.Snapshot().Run
}
