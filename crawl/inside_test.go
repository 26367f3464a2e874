package crawl

import (
	"context"

	"angler/crawl/reader"
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

// TermTasks makes proposals of terms believe in another run under way: task is its
// name, and wait waits for its end.
func (c *core) TermTasks(task func() string, wait func(context.Context)) {
	c.terms.Task, c.terms.WaitIdle = task, wait
}
