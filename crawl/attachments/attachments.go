// Package attachments fetches the documents that notices link to, stores them, and
// reads their texts.
//
// Nothing is fetched unless a person asks for it or the rule in the settings does
// ([attachments]: a filter of notices, types, sizes, a daily budget). Each wanted
// document has a row before its first request, so a kill loses only the documents in
// flight; the next process that opens the workspace to work in it continues. Fetching
// is polite: a frontier of its own shares the pauses of hosts with the run
// (fetch.HostLimiter), and robots.txt and the address guard hold.
// Memory is bounded by max_mb for each of a few workers. Texts that are missing or of
// an older ReaderVersion are read again in the background.
//
// documentReader turns bytes of PDF, Word and Excel files, presentations, archives, web
// pages and plain text into text. The content decides on the format, not the name.
// Documents are hostile: each is read within bounds of pages, letters, unpacked bytes,
// memory and time (DocumentLimits), in a goroutine with a recover. PDFium runs as
// WebAssembly without files, network or clock. Converters of old formats run as
// processes with limits and a folder of their own. Archives are listed, never unpacked
// to the disk. A bound that is reached gives the text up to there, or an error.
//
// Cost: a PDF page of Chinese text some 10 ms, the first PDF of a process .1 s (2 s
// where PDFium was not compiled before, see documentReader.Cache), a Word file some
// 20 ms a megabyte of XML, a workbook of 10 MB of XML some 1.3 s.
package attachments

import (
	"context"
	"errors"
	"sync"
	"time"
	"unicode/utf8"

	"angler/crawl/fetch"
	"angler/crawl/hostauth"
	"angler/crawl/jobs"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/store/records"
)

// Config is what Documents works with.
type Config struct {
	Store    *store.Workspace
	Settings func() *config.Settings // in force; not to be written to
	Jobs     *jobs.Jobs
	Events   *view.EventLog
	Limiter  *fetch.HostLimiter // keeps the pauses of hosts
	HostAuth *hostauth.HostAuth // nil means logins are not known
	// Fetcher makes the fetcher of one batch, for documents of at most max bytes.
	Fetcher func(max int) (*fetch.Fetcher, error)
	// Select calls f for the notices that a filter lets pass.
	Select func(ctx context.Context, filter string, f func(*store.Notice) error) error
	Cache  string // see documentReader
	Now    func() time.Time
}

// Documents keeps the documents. It is safe for concurrent use.
type Documents struct {
	Config
	reader documentReader
	turn   chan struct{} // held by who fetches or reads: one at a time
	rows   sync.Mutex    // held while rows are read and stored again; nothing else is taken under it

	mu        sync.Mutex // guards what follows
	listeners []func(ids []uint64)
	rev       int
	asked     bool         // a person asked while a batch was under way, or before one
	going     bool         // a goroutine of the background is there
	working   int          // goroutines of the background
	idle      jobs.Waiters // until there is none
}

// New returns Documents; Start has it begin.
func New(c Config) *Documents {
	return &Documents{Config: c, reader: documentReader{Cache: c.Cache}, turn: make(chan struct{}, 1)}
}

// Start fetches in the background what was wanted when the workspace was closed, and
// reads texts that are missing or outdated. Nothing is done in a workspace that is
// only read.
func (k *Documents) Start() {
	if !store.ReadOnly(k.Store) {
		k.stir()
	}
}

// Close frees what reading takes, when nothing goes on any more.
func (k *Documents) Close() error { return k.reader.Close() }

// run has f run in the background.
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

// Idle waits until nothing goes on in the background, or for the end of ctx.
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

// Listen has f told the ids of notices whose documents' texts are there or have
// changed, from now on. It is called on the keeper's goroutine.
func (k *Documents) Listen(f func(ids []uint64)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.listeners = append(k.listeners, f)
}

func (k *Documents) tell(ids []uint64) {
	k.mu.Lock()
	list := k.listeners
	k.mu.Unlock()
	if len(ids) > 0 {
		for _, f := range list {
			f(ids)
		}
	}
}

// Rev changes whenever a document's state or text has.
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

// Of tells what has become of a notice's documents, in their order.
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
	d := Document{Attachment: a, State: row.State, Why: row.Why, Kind: row.Kind, Size: row.Size, Hash: row.Hash, File: row.File, At: row.At}
	if t != nil {
		d.Read, d.Letters, d.Pages, d.Cut = true, utf8.RuneCountInString(t.Text), t.Pages, t.Cut
		if d.Why == "" {
			d.Why = t.Why
		}
	}
	return d
}

// Export is Of with the texts, for exports.
func (k *Documents) Export(n *store.Notice) ([]DocumentJSON, error) {
	docs, err := k.Of(n)
	if err != nil {
		return nil, err
	}
	out := DocumentsJSON(n.Attachments)
	for i, d := range docs {
		o := &out[i]
		o.State, o.Why, o.Type, o.Size, o.Hash, o.Path, o.Pages = d.State, d.Why, d.Kind, d.Size, d.Hash, d.File, d.Pages
		if d.Letters == 0 {
			continue
		}
		t, err := records.DocumentTextOf(k.Store, d.Hash)
		if err != nil {
			return nil, err
		}
		if t != nil {
			o.Text = t.Text
		}
	}
	return out, nil
}

// TextOf is the text of the document at an address; an error says why there is none.
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

// Texts are the texts of a notice's documents, in their order; those without one are
// left out.
func (k *Documents) Texts(n *store.Notice) ([]DocumentText, error) {
	docs, err := k.Of(n)
	if err != nil {
		return nil, err
	}
	var out []DocumentText
	seen := map[string]bool{}
	for _, d := range docs {
		if d.Letters == 0 || seen[d.Hash] {
			continue
		}
		seen[d.Hash] = true
		t, err := records.DocumentTextOf(k.Store, d.Hash)
		if err != nil {
			return nil, err
		}
		if t != nil {
			out = append(out, DocumentText{Name: d.Name, Hash: d.Hash, Text: t.Text})
		}
	}
	return out, nil
}

// Text is the text of all documents of a notice, one below the other, each below its
// name; "" when there is none, or no such notice.
func (k *Documents) Text(id uint64) (string, error) {
	n, err := k.Store.Notice(id)
	if err != nil || n == nil {
		return "", err
	}
	parts, err := k.Texts(n)
	if err != nil {
		return "", err
	}
	text := ""
	for _, p := range parts {
		if text != "" {
			text += "\n"
		}
		text += p.Name + "\n" + p.Text
	}
	return text, nil
}

// Holders are the notices one of whose documents was fetched, each once, in no order.
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
	Name string // as the notice names it
	Hash string // of the file
	Text string
}

// Document is what a notice links to, and what has become of it.
type Document struct {
	store.Attachment
	State   string // records.DocumentWanted …; "" = without a request
	Why     string // of a failure, or why it has no text
	Kind    string // by its content; "" until it is here
	Size    int64  // bytes of the file
	Hash    string
	File    string // path below the workspace
	At      time.Time
	Read    bool // its text was looked for
	Letters int  // characters of the text
	Pages   int
	Cut     string // the bound at which reading its text ended
}

// DocumentJSON is an attachment of a notice in exports. What comes behind Class is
// there once the document was fetched.
type DocumentJSON struct {
	Name  string `json:"name"`
	URL   string `json:"url"`
	Class string `json:"class"`
	State string `json:"state,omitempty"`
	Why   string `json:"why,omitempty"`
	Type  string `json:"type,omitempty"`
	Size  int64  `json:"size,omitempty"`
	Hash  string `json:"hash,omitempty"` // SHA-256
	Path  string `json:"path,omitempty"` // below the workspace's folder
	Pages int    `json:"pages,omitempty"`
	Text  string `json:"text,omitempty"`
}

// DocumentsJSON are the attachments of a notice of which nothing is known but their
// addresses.
func DocumentsJSON(list []store.Attachment) []DocumentJSON {
	out := make([]DocumentJSON, len(list))
	for i, a := range list {
		out[i] = DocumentJSON{Name: a.Name, URL: a.URL, Class: a.Class}
	}
	return out
}
