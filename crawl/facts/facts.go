// Package facts extracts the field values of stored notices in the background and keeps them up to
// date: number, buyer, deadline, winner and others. When a workspace opens, it extracts missing and
// outdated ones: after new or changed notices, changed fields in the settings, or a newer
// extractor.
//
// A notice is read after the commit that stored it, from its text and its page, in about 2 ms.
// Beside a run this takes a fiftieth of a processor. Rows are stored in batches, then listeners are
// called. A kill loses only time. Corrections are decisions (see package decisions), which overlay
// the extracted values on every read.
package facts

import (
	"context"
	"fmt"
	"sync"
	"time"

	"angler/crawl/attachments"
	"angler/crawl/decisions"
	"angler/crawl/fields"
	"angler/crawl/jobs"
	"angler/crawl/notices"
	"angler/crawl/reader"
	"angler/crawl/seeds"
	"angler/crawl/settings"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/store/records"
)

// documentTexts returns the document texts of notices; *attachments.Documents implements it.
type documentTexts interface {
	Texts(n *store.Notice) ([]attachments.DocumentText, error)
	Holders() ([]uint64, error) // notices that may have document texts
}

// Config holds the parts of an Extractor.
type Config struct {
	Store     *store.Workspace
	Reader    *reader.Reader
	Decisions *decisions.Decisions
	Jobs      *jobs.Jobs
	Events    *view.EventLog
	Settings  *settings.Live
	Documents documentTexts
	Now       func() time.Time
}

// Extractor manages the field values. It is safe for concurrent use.
type Extractor struct {
	Config
	wake view.Signal // rings when there may be something to read

	mu        sync.Mutex // guards the fields below; no other lock is taken under it
	listeners []func(said []*NoticeFacts)
	set       *fields.Set
	checks    *notices.FamilySet // families for the check of notices
	print     uint64             // fingerprint of set and checks
	queue     []uint64
	waiting   map[uint64]bool // ids in queue
	scan      bool            // search all notices for outdated values
	busy      bool
	begun     int          // number of the newest pass
	ended     int          // number of the pass that ended last
	failed    error        // error of the last pass; nil = all was read
	idle      jobs.Waiters // released when a pass ends
	deadlines deadlines
}

// New returns an Extractor with the fields of the settings. Start begins the work.
func New(c Config) *Extractor {
	k := &Extractor{Config: c, wake: view.NewSignal(), waiting: map[uint64]bool{}, scan: true}
	k.adopt()
	return k
}

// Start begins the background work once first is closed. In a read-only workspace it does nothing;
// values are then extracted on request.
func (k *Extractor) Start(first <-chan struct{}) {
	if store.ReadOnly(k.Store) {
		return
	}
	k.Jobs.Go(func() {
		select {
		case <-first:
			k.loop()
		case <-k.Jobs.Context.Done():
		}
	})
}

// Listen registers f for notices whose values are new or changed, after these are stored. A
// withdrawn notice is not reported. f runs on the extractor's goroutine or on that of a user's
// action, and delays further notices.
func (k *Extractor) Listen(f func(said []*NoticeFacts)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.listeners = append(k.listeners, f)
}

// Set returns the fields in force.
func (k *Extractor) Set() *fields.Set {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.set
}

// adopt takes over the fields of the settings and reports whether they changed.
func (k *Extractor) adopt() bool {
	s := k.Settings.Now()
	set, err := seeds.FieldSet(seeds.FieldTopic(s), s.Fields)
	if err != nil { // impossible with checked settings
		k.Events.Note("error", "fields: %v", err)
		set = fields.NewSet(nil)
	}
	checks := notices.NewFamilySet(seeds.FieldTopic(s), ownFields(s))
	k.mu.Lock()
	defer k.mu.Unlock()
	if print := set.Fingerprint() ^ checks.Print()<<1; k.set == nil || print != k.print {
		k.set, k.checks, k.print = set, checks, print
		return true
	}
	return false
}

// ownFields returns an analyst's fields, whose labels form their own families.
func ownFields(s *config.Settings) []fields.Field {
	var out []fields.Field
	for _, f := range s.Fields {
		out = append(out, fields.Field{Name: f.Name, Title: f.Title, Labels: f.Labels})
	}
	return out
}

// Checks returns the families for the check of notices.
func (k *Extractor) Checks() *notices.FamilySet {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.checks
}

// Resettled applies changed settings. Changed fields cause a new extraction of all notices.
func (k *Extractor) Resettled() {
	if k.adopt() {
		k.rescan()
	}
}

func (k *Extractor) rescan() {
	k.mu.Lock()
	k.scan = true
	k.mu.Unlock()
	k.wake.Ring()
}

// Noticed queues a new or changed notice. It does not block.
func (k *Extractor) Noticed(id uint64) { k.enqueue(id) }

// Again queues notices with new data, such as an attachment's text. It does not block.
func (k *Extractor) Again(ids []uint64) { k.enqueue(ids...) }

func (k *Extractor) enqueue(ids ...uint64) {
	k.add(ids...)
	k.wake.Ring()
}

// add adds notices to the queue.
func (k *Extractor) add(ids ...uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, id := range ids {
		if !k.waiting[id] {
			k.waiting[id] = true
			k.queue = append(k.queue, id)
		}
	}
}

// TakenBack searches for notices that are no longer stored.
func (k *Extractor) TakenBack() { k.rescan() }

// Decided calls the listeners for notices that an action corrected.
func (k *Extractor) Decided(ids []uint64) {
	var said []*NoticeFacts
	for _, id := range ids {
		if s, err := k.Of(id); err == nil && s != nil {
			said = append(said, s)
		}
	}
	k.notify(said)
}

func (k *Extractor) notify(said []*NoticeFacts) {
	if len(said) == 0 {
		return
	}
	now := k.Now()
	k.mu.Lock()
	for _, s := range said {
		k.deadlines.take(s, now)
	}
	listeners := k.listeners
	k.mu.Unlock()
	for _, f := range listeners {
		f(said)
	}
}

// Busy reports whether outdated values are known and will be read. It is false in a read-only
// workspace.
func (k *Extractor) Busy() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.behind()
}

// behind is Busy; the caller holds the lock.
func (k *Extractor) behind() bool {
	return !store.ReadOnly(k.Store) && (k.busy || k.scan || len(k.queue) > 0)
}

// Idle waits until all known outdated values were read, or until ctx ends. It starts a new pass for
// notices that failed before; the error says why some are still not read. In a read-only workspace
// it returns at once.
func (k *Extractor) Idle(ctx context.Context) error {
	k.mu.Lock()
	if !k.behind() {
		k.mu.Unlock()
		return nil
	}
	asked := k.begun
	for { // until a pass ends that began after this call, or one without an error
		done := k.idle.Join()
		k.mu.Unlock()
		k.wake.Ring()
		if err := jobs.Await(done, ctx, k.Jobs.Context); err != nil {
			return err
		}
		k.mu.Lock()
		if k.failed == nil || k.ended > asked {
			break
		}
	}
	defer k.mu.Unlock()
	if k.failed != nil {
		return fmt.Errorf("fields of some notices are not read: %w", k.failed)
	}
	return nil
}

// Of returns the values of a notice, from its row, or extracted now if the row is missing or
// outdated. nil = no such notice.
func (k *Extractor) Of(id uint64) (*NoticeFacts, error) {
	if said, err := k.Known(id); said != nil || err != nil {
		return said, err
	}
	row, err := k.read(id)
	if err != nil || row == nil {
		return nil, err
	}
	s := k.factsOf(row)
	s.Pending = true
	return s, nil
}

// Known returns the stored values of a notice. nil = none, or outdated.
func (k *Extractor) Known(id uint64) (*NoticeFacts, error) {
	row, seal, err := records.FactsOf(k.Store, id)
	if err != nil || row == nil || row.Stamp != k.stamp(seal, row.Stamp.Files) { // Again handles changed documents
		return nil, err
	}
	return k.factsOf(row), nil
}

// Each calls f for every notice with stored values, also outdated ones, in the order of ids. In a
// read-only workspace it extracts missing values. It holds no transaction while f runs.
func (k *Extractor) Each(ctx context.Context, f func(*NoticeFacts) error) error {
	alone := store.ReadOnly(k.Store) && len(k.Set().Fields()) > 0
	return records.ScanFacts(ctx, k.Store, func(p records.FactsPlace) (err error) {
		if p.Notice == 0 {
			return nil
		}
		if p.Row == nil && alone {
			p.Row, err = k.read(p.ID)
		}
		if err != nil || p.Row == nil {
			return err
		}
		return f(k.factsOf(p.Row))
	})
}

// stamp returns the Stamp of an up-to-date row, for documents with a fingerprint.
func (k *Extractor) stamp(seal uint32, files uint64) records.FactsStamp {
	k.mu.Lock()
	defer k.mu.Unlock()
	return records.FactsStamp{Version: fields.Version, Set: k.print, Notice: seal, Files: files}
}
