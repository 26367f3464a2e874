// Package attachments fetches the documents that notices link to, stores them, and reads their
// texts.
//
// Documents are fetched only if an analyst or the rule in the settings asks for them
// ([attachments]: a filter of notices, types, sizes, a daily budget). Each wanted document has a
// row before its first request, so a kill loses only documents in flight. The next process that
// opens the workspace for work continues. Fetching is polite: a separate frontier shares the pauses
// of hosts with the run (fetch.HostLimiter), and robots.txt and the address guard apply. Memory is
// bounded by max_mb per worker. Missing texts and texts of an older ReaderVersion are read in the
// background.
//
// documentReader turns bytes of PDF, Word and Excel files, presentations, archives, web pages and
// plain text into text. The content decides the format, not the name. Documents are hostile. Each
// is read within bounds of pages, letters, unpacked bytes, memory and time (documentLimits), in a
// goroutine with a recover. PDFium runs as WebAssembly without files, network or clock. Converters
// of old formats run as processes with limits and a folder of their own. Archives are listed, never
// unpacked to disk. At a bound, reading returns the text up to there, or an error.
//
// Cost: a PDF page of Chinese text takes about 10 ms. The first PDF of a process takes .1 s, or 2 s
// if no compiled PDFium is cached (documentReader.Cache). A Word file takes about 20 ms per
// megabyte of XML, a workbook of 10 MB of XML about .6 s.
package attachments

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/sync/semaphore"

	"angler/crawl/fetch"
	"angler/crawl/hostauth"
	"angler/crawl/jobs"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/store/records"
)

// Config holds the parts of Documents.
type Config struct {
	Store    *store.Workspace
	Settings func() *config.Settings // in force; read-only
	Jobs     *jobs.Jobs
	Events   *view.EventLog
	Limiter  *fetch.HostLimiter // shared pauses of hosts
	HostAuth *hostauth.HostAuth // nil = logins are not detected
	// Fetcher returns a fetcher for one batch, for documents of at most max bytes.
	Fetcher func(max int) (*fetch.Fetcher, error)
	// Select calls f for each notice that a filter selects.
	Select func(ctx context.Context, filter string, f func(*store.Notice) error) error
	Cache  string // see documentReader
	Now    func() time.Time
}

// Documents manages the documents of a workspace. It is safe for concurrent use.
type Documents struct {
	Config
	reader documentReader
	turn   *semaphore.Weighted // only one batch fetches or reads at a time
	rows   sync.Mutex          // held while rows are read and written back; no other lock is taken under it

	mu        sync.Mutex // guards the fields below
	listeners []func(ids []uint64)
	rev       int
	asked     bool         // the background loop must run once more
	looping   bool         // the background loop runs
	working   int          // goroutines in the background
	idle      jobs.Waiters // released when working reaches 0
}

// New returns Documents. Start begins the background work.
func New(c Config) *Documents {
	return &Documents{Config: c, reader: documentReader{Cache: c.Cache}, turn: semaphore.NewWeighted(1)}
}

// Start continues fetching wanted documents and reads missing or outdated texts in the background.
// It does nothing in a read-only workspace.
func (k *Documents) Start() {
	if !store.ReadOnly(k.Store) {
		k.signal()
	}
}

// Close frees the reader's memory. No other call may be in progress.
func (k *Documents) Close() error { return k.reader.Close() }

// run calls f in the background.
func (k *Documents) run(f func()) {
	k.mu.Lock()
	k.working++
	k.mu.Unlock()
	k.Jobs.Go(func() {
		defer func() {
			k.mu.Lock()
			defer k.mu.Unlock()
			if k.working--; k.working == 0 {
				k.idle.Release()
			}
		}()
		f()
	})
}

// Idle waits until no background work runs, or until ctx ends.
func (k *Documents) Idle(ctx context.Context) error {
	k.mu.Lock()
	if k.working == 0 {
		k.mu.Unlock()
		return nil
	}
	done := k.idle.Join()
	k.mu.Unlock()
	return jobs.Await(done, ctx, k.Jobs.Context)
}

// Listen registers f for the ids of notices whose document texts are new or changed. f runs on the
// goroutine that stored the text.
func (k *Documents) Listen(f func(ids []uint64)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.listeners = append(k.listeners, f)
}

func (k *Documents) notify(ids []uint64) {
	k.mu.Lock()
	list := k.listeners
	k.mu.Unlock()
	if len(ids) > 0 {
		for _, f := range list {
			f(ids)
		}
	}
}

// Rev returns a number that changes whenever a document's state or text changes.
func (k *Documents) Rev() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.rev
}

func (k *Documents) changed() {
	k.mu.Lock()
	k.rev++
	k.mu.Unlock()
	k.Events.Show()
}

// Of returns the documents of a notice in their order.
func (k *Documents) Of(n *store.Notice) ([]Document, error) {
	if len(n.Attachments) == 0 {
		return nil, nil
	}
	urls := make([]string, len(n.Attachments))
	for i, a := range n.Attachments {
		urls[i] = a.URL
	}
	rows, err := records.DocumentsOf(k.Store, urls)
	if err != nil {
		return nil, err
	}
	out := make([]Document, len(n.Attachments))
	for i, a := range n.Attachments {
		out[i] = Document{Attachment: a}
		if row := rows[a.URL]; row != nil {
			t, err := records.DocumentTextOf(k.Store, row.Hash)
			if err != nil {
				return nil, err
			}
			out[i] = document(a, row, t)
		}
	}
	return out, nil
}

func document(a store.Attachment, row *records.Document, t *records.DocumentText) Document {
	d := Document{Attachment: a, State: row.State, Why: row.Why, Kind: row.Kind, Size: row.Size, Hash: row.Hash,
		File: row.File, At: row.At}
	if t != nil {
		d.Read, d.Letters, d.Pages, d.Cut, d.text = true, utf8.RuneCountInString(t.Text), t.Pages, t.Cut, t.Text
		if d.Why == "" {
			d.Why = t.Why
		}
	}
	return d
}

// Export is Of with texts, for exports.
func (k *Documents) Export(n *store.Notice) ([]DocumentJSON, error) {
	docs, err := k.Of(n)
	if err != nil {
		return nil, err
	}
	out := DocumentsJSON(n.Attachments)
	for i, d := range docs {
		o := &out[i]
		o.State, o.Why, o.Type, o.Size, o.Hash, o.Path, o.Pages = d.State, d.Why, d.Kind, d.Size, d.Hash, d.File,
			d.Pages
		o.Text = d.text
	}
	return out, nil
}

// TextOf returns the text of the document at an address. The error says why there is none.
func (k *Documents) TextOf(url string) (*records.DocumentText, error) {
	row, err := records.DocumentOf(k.Store, url)
	if err != nil {
		return nil, err
	}
	if row == nil || row.State != records.DocumentKept {
		return nil, errors.New("it was not fetched")
	}
	t, err := records.DocumentTextOf(k.Store, row.Hash)
	if err == nil && t == nil {
		err = errors.New("its text is still to be read")
	}
	return t, err
}

// Texts returns the texts of a notice's documents in their order, without duplicates and documents
// without text.
func (k *Documents) Texts(n *store.Notice) ([]DocumentText, error) {
	docs, err := k.Of(n)
	if err != nil {
		return nil, err
	}
	var out []DocumentText
	seen := map[string]bool{}
	for _, d := range docs {
		if d.text != "" && !seen[d.Hash] {
			seen[d.Hash] = true
			out = append(out, DocumentText{Name: d.Name, Text: d.text})
		}
	}
	return out, nil
}

// Text returns all document texts of a notice, each below its name; "" if there are none or no such
// notice.
func (k *Documents) Text(id uint64) (string, error) {
	n, err := k.Store.Notice(id)
	if err != nil || n == nil {
		return "", err
	}
	documents, err := k.Texts(n)
	var texts []string
	for _, d := range documents {
		texts = append(texts, d.Name+"\n"+d.Text)
	}
	return strings.Join(texts, "\n"), err
}

// Holders returns the ids of notices with at least one fetched document, each once, in no order.
func (k *Documents) Holders() ([]uint64, error) {
	rows, err := records.Documents(k.Store)
	if err != nil {
		return nil, err
	}
	var out []uint64
	seen := map[uint64]bool{}
	for _, r := range rows {
		for _, id := range r.Notices {
			if r.State == records.DocumentKept && !seen[id] {
				seen[id] = true
				out = append(out, id)
			}
		}
	}
	return out, nil
}

// DocumentText is the text of a fetched document.
type DocumentText struct {
	Name string // name in the notice
	Text string
}

// Document is a document that a notice links to, with its state.
type Document struct {
	store.Attachment
	State   string // records.DocumentWanted …; "" = not requested
	Why     string // reason of a failure or of a missing text
	Kind    string // by content; "" before the fetch
	Size    int64  // file size in bytes
	Hash    string
	File    string // path relative to the workspace
	At      time.Time
	Read    bool // reading its text was tried
	Letters int  // characters of the text
	Pages   int
	Cut     string // bound that ended reading
	text    string
}

// DocumentJSON is an attachment of a notice in exports. Fields after Class are set once the
// document was requested.
type DocumentJSON struct {
	Name  string `json:"name"`
	URL   string `json:"url"`
	Class string `json:"class"`
	State string `json:"state,omitempty"`
	Why   string `json:"why,omitempty"`
	Type  string `json:"type,omitempty"`
	Size  int64  `json:"size,omitempty"`
	Hash  string `json:"hash,omitempty"` // SHA-256
	Path  string `json:"path,omitempty"` // relative to the workspace's folder
	Pages int    `json:"pages,omitempty"`
	Text  string `json:"text,omitempty"`
}

// DocumentsJSON returns attachments with only name, address and class set.
func DocumentsJSON(list []store.Attachment) []DocumentJSON {
	out := make([]DocumentJSON, len(list))
	for i, a := range list {
		out[i] = DocumentJSON{Name: a.Name, URL: a.URL, Class: a.Class}
	}
	return out
}
