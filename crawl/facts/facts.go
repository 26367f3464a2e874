// Package facts reads the values of the stored notices in the background and keeps them
// up to date: number, buyer, deadline, winner … Opening a workspace reads the
// missing and outdated ones: notices that came or changed, other fields in the settings, a
// newer reader.
//
// A notice is read after the commit that stored it, from its text and its page, in some
// 2 ms; beside a run that takes a fiftieth of a processor. Rows are stored in batches, then
// listeners are told. A kill loses nothing but time. What people have corrected is a
// decision (see package decisions) and is laid over what was read whenever it is asked
// for.
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

// Documents tells the texts of the documents of notices; *attachments.Documents does.
type Documents interface {
	Texts(n *store.Notice) ([]attachments.DocumentText, error)
	Holders() ([]uint64, error) // notices that may have some
}

// Config is what an Extractor works with.
type Config struct {
	Store     *store.Workspace
	Reader    *reader.Reader
	Decisions *decisions.Decisions
	Jobs      *jobs.Jobs
	Events    *view.EventLog
	Settings  *settings.Live
	Documents Documents
	Now       func() time.Time
}

// Extractor keeps the values. It is safe for concurrent use.
type Extractor struct {
	Config
	wake view.Signal // there may be something to read

	mu        sync.Mutex // guards what follows; nothing else is taken under it
	listeners []func(said []*NoticeFacts)
	set       *fields.Set
	checks    *notices.FamilySet // families that notices are checked by
	print     uint64             // fingerprint of set and checks
	queue     []uint64
	waiting   map[uint64]bool // in queue
	scan      bool            // look through everything for what is outdated
	busy      bool
	begun     int          // number of the newest attempt
	ended     int          // number of the one that ended last
	failed    error        // how the last attempt to read what waits ended
	idle      jobs.Waiters // until an attempt has ended
	deadlines deadlines
}

// New returns an Extractor that has read nothing yet and knows the fields of the settings;
// Start has it begin.
func New(c Config) *Extractor {
	k := &Extractor{Config: c, wake: view.NewSignal(), waiting: map[uint64]bool{}, scan: true}
	k.adopt()
	return k
}

// Start begins the work in the background, when first is closed. Nothing is written to a
// workspace that is only read: there values are read when a person asks for them.
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

// Listen has f told of notices whose values are there or have changed, after they are
// stored; nothing was read of one that is gone. f is called on the extractor's goroutine or
// on that of a person's action, and holds up the reading of further notices.
func (k *Extractor) Listen(f func(said []*NoticeFacts)) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.listeners = append(k.listeners, f)
}

// Set is the fields in force.
func (k *Extractor) Set() *fields.Set {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.set
}

// adopt takes the fields from the settings and reports whether they are others.
func (k *Extractor) adopt() bool {
	s := k.Settings.Now()
	set, err := seeds.FieldSet(seeds.FieldTopic(s), s.Fields)
	if err != nil { // the settings were checked
		k.Events.Note("error", "fields: %v", err)
		set = fields.NewSet(nil)
	}
	checks := notices.NewFamilySet(seeds.FieldTopic(s), own(s))
	k.mu.Lock()
	defer k.mu.Unlock()
	if print := set.Fingerprint() ^ checks.Print()<<1; k.set == nil || print != k.print {
		k.set, k.checks, k.print = set, checks, print
		return true
	}
	return false
}

// own are an analyst's fields, whose labels are families of their own.
func own(s *config.Settings) []fields.Field {
	var out []fields.Field
	for _, f := range s.Fields {
		out = append(out, fields.Field{Name: f.Name, Title: f.Title, Labels: f.Labels})
	}
	return out
}

// Checks are the families that notices are checked by.
func (k *Extractor) Checks() *notices.FamilySet {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.checks
}

// Resettled takes up changed settings: with other fields everything is read again.
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

// Noticed has a notice read that was stored or has changed. It returns at once.
func (k *Extractor) Noticed(id uint64) { k.enqueue(id) }

// Again has notices read again, because more is known of them: the text of an
// attachment. It returns at once.
func (k *Extractor) Again(ids []uint64) { k.enqueue(ids...) }

func (k *Extractor) enqueue(ids ...uint64) {
	k.await(ids...)
	k.wake.Ring()
}

// await has notices wait for the next attempt.
func (k *Extractor) await(ids ...uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, id := range ids {
		if !k.waiting[id] {
			k.waiting[id] = true
			k.queue = append(k.queue, id)
		}
	}
}

// TakenBack follows notices that are no longer stored.
func (k *Extractor) TakenBack() { k.rescan() }

// Decided tells listeners of notices that an action corrected.
func (k *Extractor) Decided(ids []uint64) {
	var said []*NoticeFacts
	for _, id := range ids {
		if s, err := k.Of(id); err == nil && s != nil {
			said = append(said, s)
		}
	}
	k.tell(said)
}

func (k *Extractor) tell(said []*NoticeFacts) {
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

// Busy reports whether something is known to be outdated and will be read. In a
// workspace that is only read nothing is.
func (k *Extractor) Busy() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.behind()
}

// behind is Busy for who holds the lock.
func (k *Extractor) behind() bool {
	return !store.ReadOnly(k.Store) && (k.busy || k.scan || len(k.queue) > 0)
}

// Idle waits until everything that is known to be outdated was read, or for the end of
// ctx. What an earlier attempt left is tried again; the error is why something is still not
// read. In a workspace that is only read it returns at once.
func (k *Extractor) Idle(ctx context.Context) error {
	k.mu.Lock()
	if !k.behind() {
		k.mu.Unlock()
		return nil
	}
	asked := k.begun
	for { // until an attempt has ended that began after this call, or left nothing
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

// Of returns what a notice says: from its row, or read now where that is missing or
// outdated. nil is no notice.
func (k *Extractor) Of(id uint64) (*NoticeFacts, error) {
	row, seal, err := records.FactsOf(k.Store, id)
	if err != nil || seal == 0 {
		return nil, err
	}
	if row != nil {
		if row.Stamp == k.stamp(seal, row.Stamp.Files) { // Again reports other documents
			return k.said(row), nil
		}
	}
	row, err = k.read(id)
	if err != nil || row == nil {
		return nil, err
	}
	s := k.said(row)
	s.Pending = true
	return s, nil
}

// Each calls f for what every notice says whose values are stored, in the order of ids;
// outdated ones too. In a workspace that is only read, where they are not stored, missing
// ones are read. It holds no transaction meanwhile.
func (k *Extractor) Each(ctx context.Context, f func(*NoticeFacts) error) error {
	alone := store.ReadOnly(k.Store) && len(k.Set().Fields()) > 0
	return records.ScanFacts(ctx, k.Store, func(p records.FactsPlace) error {
		switch {
		case p.Row == nil && p.Notice != 0 && alone:
			row, err := k.read(p.ID)
			if err != nil || row == nil {
				return err
			}
			return f(k.said(row))
		case p.Row == nil || p.Notice == 0:
			return nil
		}
		return f(k.said(p.Row))
	})
}

// stamp is what a row must be made from to be up to date, with documents of a
// fingerprint.
func (k *Extractor) stamp(seal uint32, files uint64) records.FactsStamp {
	k.mu.Lock()
	defer k.mu.Unlock()
	return records.FactsStamp{Version: fields.Version, Set: k.print, Notice: seal, Files: files}
}
