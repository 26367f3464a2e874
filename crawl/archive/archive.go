// Package archive exports pages as web archives (WARC 1.1), imports pages from web archives, and
// deletes data past its retention.
//
// An imported page is handled like a fetched one: the same filter, reader and judgement, one commit
// for several pages. Its time is that of the capture. Responses in an archive are as hostile as
// those of a server.
//
// Retention deletes page bodies, earlier versions of notices, attachment files, logged decisions
// and rows of the run history. It keeps data that judgements need, whatever its age: bodies of
// samples, of labelled pages and of aggregation pages. It also keeps notices that an analyst
// starred, judged, noted or corrected. A page without a body keeps its words, links, score, and the
// tables that fields are read from. A setting of 0, the default, deletes nothing.
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

// By is the actor of a harvest after an import, in the log.
const By = "import"

// Config holds the parts of an Archive.
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
	Captured  *linkorder.CaptureOrder // receives every imported page
	Inbox     *inbox.Inbox
	Listener  run.Listener // called for every known notice whose text changed

	// Harvest makes notices from the stored aggregation pages without sending a request.
	Harvest func(context.Context) (run.Summary, error)
}

// Archive writes and reads archives. It is safe for concurrent use, but only one action runs at a
// time.
type Archive struct {
	Config
	maker run.NoticeMaker
}

// New returns an Archive.
func New(c Config) *Archive {
	return &Archive{c, run.NoticeMaker{Store: c.Store, Reader: c.Reader, Filter: c.Settings.Filter(),
		Settings: c.Settings.Now, Now: c.Now}}
}

// Names of fields in metadata records; the first two are Heritrix's.
const (
	fieldHops   = "hopsFromSeed"  // one letter per link from the seed; its length is the depth
	fieldVia    = "via"           // page that linked to the address
	fieldBody   = "angler-body"   // why the body differs from the fetched one
	fieldHeader = "angler-header" // the header differs from the fetched one
	fieldScore  = "angler-score"  // relevance under the model at the time of the export
	fieldTitle  = "angler-title"
	fieldType   = "angler-type" // detail, list, hub, other
	fieldDate   = "angler-date"
	fieldList   = "angler-list" // true for an aggregation page
	fieldLabel  = "angler-label"
)
