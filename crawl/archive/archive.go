// Package archive exports pages as web archives (WARC 1.1), imports pages of web
// archives, and deletes what the retention settings no longer keep.
//
// An imported page takes the way of a fetched one: the same filter, reader and
// judgement, one commit for several pages. Its time is that of the capture. The
// responses in an archive are trusted no more than those of a server.
//
// Retention deletes bodies of pages, earlier versions of notices, files of attachments,
// logged decisions and rows of the run history. It keeps what a judgement needs,
// whatever its age: bodies of samples, of labelled pages and of aggregation pages, and
// notices that a person starred, judged, noted or corrected. A page without a body
// keeps its words, links, score, and the tables that fields are read from. Nothing is
// deleted while a setting is 0, its default.
package archive

import (
	"context"
	"time"

	"angler/crawl/attachments"
	"angler/crawl/decisions"
	"angler/crawl/inbox"
	"angler/crawl/jobs"
	"angler/crawl/linkorder"
	"angler/crawl/reader"
	"angler/crawl/run"
	"angler/crawl/settings"
	"angler/crawl/view"
	"angler/store"
)

// By is who harvests what an archive has brought, in the log.
const By = "import"

// Config is what an Archive works with.
type Config struct {
	Store     *store.Workspace
	Reader    *reader.Reader
	Decisions *decisions.Decisions
	Links     *linkorder.Links
	Files     *attachments.Documents
	Jobs      *jobs.Jobs
	Events    *view.EventLog
	Settings  *settings.Live
	Now       func() time.Time
	Captured  *linkorder.CaptureOrder // takes in every page
	Inbox     *inbox.Inbox
	Listener  run.Listener // hears of every known notice whose text has changed

	// Harvest makes notices of what the stored aggregation pages announce, and asks for
	// nothing.
	Harvest func(context.Context) (run.Summary, error)
}

// Archive writes and reads archives. It is safe for concurrent use, though only one
// of its actions goes on at a time.
type Archive struct {
	Config
	maker run.NoticeMaker
}

// New returns an Archive.
func New(c Config) *Archive {
	return &Archive{c, run.NoticeMaker{Store: c.Store, Reader: c.Reader, Filter: c.Settings.Filter(), Settings: c.Settings.Now, Now: c.Now}}
}

// The fields of metadata records that are angler's own, or Heritrix's.
const (
	fieldHops   = "hopsFromSeed"  // a letter for each link from a seed; its length is the depth
	fieldVia    = "via"           // the page on which the address was found
	fieldBody   = "angler-body"   // why the body is not what was fetched
	fieldHeader = "angler-header" // that the header is not what was fetched
	fieldScore  = "angler-score"  // relevance under the model of the day of the export
	fieldTitle  = "angler-title"
	fieldType   = "angler-type" // detail, list, hub, other
	fieldDate   = "angler-date"
	fieldList   = "angler-list" // true for an aggregation page
	fieldLabel  = "angler-label"
)
