// Package alerts tells people about new notices and broken lists, at once or in a
// digest, by mail, webhook, or a robot of DingTalk, WeCom or Feishu.
//
// Notifier keeps its queue in the workspace (see outbox): a message is queued in one
// transaction and sent afterwards. A message whose attempt failed, or was cut off by
// the end of the process, is sent again under the same reference, with pauses that grow
// up to a day. What arrived is marked, notice by notice and version by version, so that
// no address is told twice. A digest whose hour passed while no process ran is made
// once at the next opening. Messages of one setting are sent one after the other, those
// of different settings in parallel; a server that hangs delays its own setting alone.
//
// Digest writes sections as text, HTML and the markdown of chat robots. Titles come
// from strangers' pages: control characters, tags, and markdown that makes a link, a
// picture or a mention are removed, and only http and https addresses become links.
//
// A Way sends one message to the host that the settings name and to no other: a
// redirect is an error. Each attempt is bounded in time and in what it reads. Secrets
// are read from their file or variable at each attempt, and no error holds one.
package alerts

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"angler/crawl/inbox"
	"angler/crawl/revisit"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/store/records"
)

// Inbox lists notices and tells their earlier versions; *inbox.Session does.
type Inbox interface {
	List(ctx context.Context, ask inbox.Request) (*inbox.Listing, error)
	Kindred(ctx context.Context, id uint64) (*inbox.Relations, error)
}

// Facts tells whether fields of notices are still being read; *facts.Extractor does.
type Facts interface {
	Busy() bool
	Idle(ctx context.Context) error // waits until they are not
}

// Lists finds aggregation pages that stopped to deliver; *query.ListHealth does.
type Lists interface {
	Alarms(ctx context.Context) ([]view.ListAlarm, error)
}

// NotifierConfig is what a Notifier works with.
type NotifierConfig struct {
	Store     *store.Workspace
	Workspace string // as people call it
	Settings  func() *config.Settings
	Inbox     Inbox
	Facts     Facts
	Lists     Lists
	Events    *view.EventLog
	Env       WayEnv
	Language  string // of settings without one: zh or en
	Now       func() time.Time
	AfterFunc func(d time.Duration, fn func()) (stop func() bool)
}

// Pauses.
const (
	quiet     = 5 * time.Second // after a notice, before those that came together are told at once
	breath    = time.Minute     // between two messages at once of one setting
	firstWait = time.Minute     // after a failure; doubled with each further one
	longWait  = 24 * time.Hour  // at most
	leave     = 3 * time.Second // at the end of the program, for messages that are being sent
)

// Notifier holds the queue. It is safe for concurrent use.
type Notifier struct {
	NotifierConfig
	Wake   view.Signal  // the queue is to be looked at
	news   atomic.Int64 // when a notice came last, Unix nanoseconds
	status atomic.Pointer[[]AlertRow]
	flying sync.WaitGroup

	mu    sync.Mutex // guards what follows; held while the queue is read or written, never while something is sent
	box   *records.Outbox
	busy  map[string]bool      // settings of which a message is being sent
	heard map[string]time.Time // at once: when news came last that was looked at
	whole map[string]bool      // settings whose state was compared with what is stored
	since map[string]time.Time // at once: when the first unsent news came
	said  map[string]string    // what was reported last of a setting
	put   map[string]time.Time // since when a setting waits for what is being read
}

// NewNotifier returns a Notifier that has read nothing yet.
func NewNotifier(c NotifierConfig) *Notifier {
	return &Notifier{NotifierConfig: c, Wake: view.NewSignal(), busy: map[string]bool{}, heard: map[string]time.Time{}, whole: map[string]bool{}, since: map[string]time.Time{}, said: map[string]string{}, put: map[string]time.Time{}}
}

// Noticed says that a notice came home or became another. It returns at once.
func (n *Notifier) Noticed() {
	n.news.Store(n.Now().UnixNano())
	n.Wake.Ring()
}

// Loop sends what is due until ctx ends, and then waits a moment for messages that
// are being sent.
func (n *Notifier) Loop(ctx context.Context) {
	n.news.CompareAndSwap(0, n.Now().UnixNano()) // what came before the opening
	sending, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	for {
		next, err := n.step(ctx, sending)
		if err != nil && ctx.Err() == nil {
			n.report("", err.Error())
			next = n.Now().Add(firstWait)
		}
		if !n.rest(ctx, next) {
			break
		}
	}
	stop := n.AfterFunc(leave, end)
	defer stop()
	n.flying.Wait()
}

// rest waits until a moment, or for news; false = the context ended.
func (n *Notifier) rest(ctx context.Context, until time.Time) bool {
	due := make(chan struct{})
	if !until.IsZero() {
		stop := n.AfterFunc(max(0, until.Sub(n.Now())), func() { close(due) })
		defer stop()
	}
	select {
	case <-ctx.Done():
	case <-due:
	case <-n.Wake:
	}
	return ctx.Err() == nil
}

// Flush waits until notices have been read, sends what is due now, also what waits for
// its next attempt, and returns when nothing is left to try.
func (n *Notifier) Flush(ctx context.Context) error {
	if err := n.Facts.Idle(ctx); err != nil {
		return err
	}
	n.news.CompareAndSwap(0, n.Now().UnixNano())
	n.mu.Lock()
	err := n.load()
	if err == nil {
		for _, d := range n.box.Deliveries {
			d.Next = time.Time{}
		}
		clear(n.heard)
		for _, s := range n.box.States {
			if set := n.setting(s.Name); set != nil && set.RhythmOf() == config.AtOnce {
				s.Slot = time.Time{}
			}
		}
	}
	n.mu.Unlock()
	if err != nil {
		return err
	}
	n.news.Add(-int64(quiet)) // no more is expected
	for ctx.Err() == nil {
		next, err := n.step(ctx, ctx)
		if err != nil {
			return err
		}
		n.flying.Wait()
		if n.idle(next) {
			return nil
		}
	}
	return ctx.Err()
}

// idle tells that nothing is to be done before a moment that has not come.
func (n *Notifier) idle(next time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.Now()
	for _, d := range n.box.Deliveries {
		if set := n.setting(d.Notify); d.Sent.IsZero() && set != nil && !set.Off && !n.later(d, now).After(now) {
			return false
		}
	}
	return next.IsZero() || next.After(now)
}

// setting finds one by its name; nil = there is none.
func (n *Notifier) setting(name string) *config.Notify {
	list := n.Settings().Notify
	if i := slices.IndexFunc(list, func(x config.Notify) bool { return x.Name == name }); i >= 0 {
		return &list[i]
	}
	return nil
}

// load reads the queue once; mu is held.
func (n *Notifier) load() (err error) {
	if n.box == nil {
		n.box, err = records.ReadOutbox(n.Store)
	}
	return err
}

// step does what is due now, begins to send what waits, and says when there is
// more to do: zero = only news will tell.
func (n *Notifier) step(ctx, sending context.Context) (next time.Time, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	defer n.tell()
	set := n.Settings().Notify
	if len(set) == 0 && n.box == nil {
		return next, nil
	}
	if err := n.load(); err != nil {
		return next, err
	}
	if err := n.dropGone(); err != nil {
		return next, err
	}
	sooner := func(t time.Time) {
		if next.IsZero() || t.Before(next) {
			next = t
		}
	}
	for i := range set {
		x := &set[i]
		if x.Off {
			continue
		}
		at, err := n.attend(ctx, sending, x)
		if err != nil {
			if ctx.Err() != nil {
				return next, ctx.Err()
			}
			n.report(x.Name, err.Error())
			at = n.Now().Add(firstWait)
		}
		if !at.IsZero() {
			sooner(at)
		}
	}
	return next, nil
}

// dropGone forgets messages whose setting is gone.
func (n *Notifier) dropGone() error {
	var gone []uint64
	for _, d := range n.box.Deliveries {
		if d.Sent.IsZero() && n.setting(d.Notify) == nil && !n.busy[d.Notify] {
			gone = append(gone, d.ID)
		}
	}
	return n.drop(gone)
}

func (n *Notifier) drop(ids []uint64) error {
	if len(ids) == 0 {
		return nil
	}
	if err := records.DropDeliveries(n.Store, ids); err != nil {
		return err
	}
	n.box.Deliveries = slices.DeleteFunc(n.box.Deliveries, func(d *records.Delivery) bool { return slices.Contains(ids, d.ID) })
	return nil
}

// attend looks after one setting; mu is held.
func (n *Notifier) attend(ctx, sending context.Context, x *config.Notify) (next time.Time, err error) {
	if n.busy[x.Name] {
		return next, nil // its end rouses the loop
	}
	s, err := n.state(ctx, x)
	if err != nil {
		return next, err
	}
	now := n.Now()
	if d := n.first(x.Name); d == nil {
		if next = n.due(x, s, now); next.IsZero() || next.After(now) {
			return next, nil
		}
		if next = n.unread(x.Name, now); !next.IsZero() {
			return next, nil
		}
		if err := n.collect(ctx, x, s, now); err != nil {
			return next, err
		}
		if n.first(x.Name) == nil {
			return n.due(x, s, now), nil
		}
	}
	d := n.first(x.Name)
	if at := n.later(d, now); at.After(now) {
		return at, nil
	}
	n.send(sending, x, d)
	return time.Time{}, nil
}

// first is the oldest message of a setting that is on its way; nil = none.
func (n *Notifier) first(name string) *records.Delivery {
	for _, d := range n.box.Deliveries {
		if d.Notify == name && d.Sent.IsZero() {
			return d
		}
	}
	return nil
}

// later is when a message is to be tried. A clock that was ahead is not waited
// for.
func (n *Notifier) later(d *records.Delivery, now time.Time) time.Time {
	if d.Next.Sub(now) > longWait {
		return now
	}
	return d.Next
}

// due is when a setting is to be looked at: a moment that has come, or the next.
func (n *Notifier) due(x *config.Notify, s *records.AlertState, now time.Time) time.Time {
	if x.RhythmOf() == config.AtOnce {
		news := time.Unix(0, n.news.Load())
		if !news.After(n.heard[x.Name]) {
			delete(n.since, x.Name)
			return time.Time{}
		}
		if n.since[x.Name].IsZero() {
			n.since[x.Name] = news
		}
		at := news.Add(quiet)
		if most := n.since[x.Name].Add(breath); most.Before(at) { // a run brings more and more
			at = most
		}
		if again := s.Slot.Add(breath); again.After(at) && again.Sub(now) <= breath {
			at = again
		}
		if at.Sub(now) > breath { // the clock was set back
			return now
		}
		return at
	}
	if revisit.Behind(now) { // this clock is wrong
		return now.Add(time.Hour)
	}
	if slot := x.Slot(now); slot.After(s.Slot) || s.Slot.Sub(now) > longWait {
		return now
	}
	return x.Next(now)
}

// collect queues what is to be told; mu is held.
func (n *Notifier) collect(ctx context.Context, x *config.Notify, s *records.AlertState, now time.Time) error {
	heard := time.Unix(0, n.news.Load())
	d, marks, err := n.gather(ctx, x, s.Place, now)
	if err != nil {
		return err
	}
	n.heard[x.Name] = heard
	delete(n.since, x.Name)
	next := *s
	next.Slot = now
	if x.RhythmOf() != config.AtOnce {
		next.Slot = x.Slot(now)
	}
	if d.Len() == 0 && (!x.Empty || x.RhythmOf() == config.AtOnce) {
		if x.RhythmOf() == config.AtOnce {
			return nil
		}
		if err := records.QueueDeliveries(n.Store, &next, nil); err != nil {
			return err
		}
		*s = next
		return nil
	}
	var list []*records.Delivery
	for _, part := range newWay(x, n.Env).Split(d) {
		body, err := json.Marshal(part)
		if err != nil {
			return err
		}
		list = append(list, &records.Delivery{Ref: "angler-" + newRef(), Notify: x.Name, Place: s.Place, Made: now, Body: body, N: part.Len(), Title: part.Title(), Marks: marksOf(part, marks)})
	}
	if err := records.QueueDeliveries(n.Store, &next, list); err != nil {
		return err
	}
	*s = next
	n.box.Deliveries = append(n.box.Deliveries, list...)
	return nil
}

// marksOf are the marks of what stands in a part, and, with the first part, those
// that are about nothing in any.
func marksOf(d *Digest, marks map[records.MarkKey]uint64) []records.Mark {
	var out []records.Mark
	take := func(k records.MarkKey) {
		if v, ok := marks[k]; ok {
			out = append(out, records.Mark{MarkKey: k, Version: v})
			delete(marks, k)
		}
	}
	for _, s := range d.Sections {
		for _, it := range s.Items {
			take(records.MarkKey{Kind: records.MarkNotice, ID: it.ID})
			take(records.MarkKey{Kind: records.MarkDue, ID: it.ID})
		}
		for i := range s.Lists {
			take(records.MarkKey{Kind: records.MarkList, ID: s.Lists[i].ID})
		}
	}
	for k, v := range marks {
		if k.Kind == records.MarkList && v == 0 {
			take(k)
		}
	}
	return out
}

// report notes what is wrong with a setting, once until it is something else.
func (n *Notifier) report(name, why string) {
	if n.said[name] == why {
		return
	}
	n.said[name] = why
	if why != "" {
		n.Events.Note("warn", "notify %s: %s", name, why)
	}
}
