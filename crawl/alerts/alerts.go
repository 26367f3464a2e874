// Package alerts reports new notices and broken lists, at once or in a digest. It sends mail,
// webhooks, and messages to robots of DingTalk, WeCom or Feishu.
//
// Notifier keeps its queue in the workspace (see outbox): a message is queued in one transaction
// and sent afterwards. A failed or interrupted message is sent again under the same reference, with
// pauses that grow up to a day. Delivered notices are marked by version, so that no address
// receives one twice. A digest whose hour passed while no process ran is made once at the next
// opening. Messages of one setting are sent one after the other, those of different settings in
// parallel. A server that hangs delays its own setting only.
//
// Digest writes sections as text, HTML and the markdown of chat robots. Titles come from hostile
// pages. Digest removes control characters, tags, and markdown of links, pictures and mentions;
// only http and https addresses become links.
//
// A way sends one message to the host in the settings and to no other: a redirect is an error. Each
// attempt is bounded in time and in the bytes it reads. Secrets are read from their file or
// variable at each attempt, and no error contains one.
package alerts

import (
	"context"
	"encoding/json"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"angler/crawl/inbox"
	"angler/crawl/jobs"
	"angler/crawl/revisit"
	"angler/crawl/view"
	"angler/store"
	"angler/store/config"
	"angler/store/records"
)

// noticeLister lists notices and their earlier versions; *inbox.Session implements it.
type noticeLister interface {
	List(ctx context.Context, ask inbox.Request) (*inbox.Listing, error)
	Kindred(ctx context.Context, id uint64) (*inbox.Relations, error)
}

// factReader reports whether fields of notices are still being read; *facts.Extractor implements it.
type factReader interface {
	Busy() bool
	Idle(ctx context.Context) error // waits until Busy is false
}

// listChecker finds broken aggregation pages; *query.ListHealth implements it.
type listChecker interface {
	Alarms(ctx context.Context) ([]view.ListAlarm, error)
}

// NotifierConfig holds the parts of a Notifier.
type NotifierConfig struct {
	Store     *store.Workspace
	Workspace string // display name
	Settings  func() *config.Settings
	Inbox     noticeLister
	Facts     factReader
	Lists     listChecker
	Events    *view.EventLog
	Env       WayEnv
	Language  string // default language of a setting: zh or en
	Now       func() time.Time
	AfterFunc func(d time.Duration, fn func()) (stop func() bool)
}

// Intervals.
const (
	quietTime    = 5 * time.Second // at once: wait after the last notice, so that one message holds several
	minInterval  = time.Minute     // at once: between two messages of one setting
	firstWait    = time.Minute     // after the first failure; doubled with each further one
	maxWait      = 24 * time.Hour  // longest wait after a failure
	shutdownWait = 3 * time.Second // at shutdown, for messages in flight
)

// Notifier queues and sends messages. It is safe for concurrent use.
type Notifier struct {
	NotifierConfig
	Wake     view.Signal  // rings when the queue may hold work
	news     atomic.Int64 // time of the last new notice, Unix nanoseconds
	status   atomic.Pointer[[]AlertRow]
	inFlight sync.WaitGroup

	mu           sync.Mutex // guards the fields below; held during database access, never while a message is sent
	box          *records.Outbox
	busy         map[string]bool      // settings with a message in flight
	checked      map[string]time.Time // at once: value of news at the last check
	verified     map[string]bool      // settings whose state was compared with the store
	firstUnsent  map[string]time.Time // at once: time of the first unsent notice
	reported     map[string]string    // last problem reported, by setting
	waitingSince map[string]time.Time // start of the wait for field extraction, by setting
}

// NewNotifier returns a Notifier. It reads the queue on first use.
func NewNotifier(c NotifierConfig) *Notifier {
	return &Notifier{NotifierConfig: c, Wake: view.NewSignal(), busy: map[string]bool{},
		checked: map[string]time.Time{}, verified: map[string]bool{}, firstUnsent: map[string]time.Time{},
		reported: map[string]string{}, waitingSince: map[string]time.Time{}}
}

// Noticed signals a new or changed notice. It does not block.
func (n *Notifier) Noticed() {
	n.news.Store(n.Now().UnixNano())
	n.Wake.Ring()
}

// Loop sends due messages until ctx ends, then waits up to 3 s for messages in flight.
func (n *Notifier) Loop(ctx context.Context) {
	n.news.CompareAndSwap(0, n.Now().UnixNano()) // notices from before the opening
	sending, end := context.WithCancel(context.WithoutCancel(ctx))
	defer end()
	for {
		next, err := n.step(ctx, sending)
		if err != nil && ctx.Err() == nil {
			n.report("", err.Error())
			next = n.Now().Add(firstWait)
		}
		if !n.sleep(ctx, next) {
			break
		}
	}
	stop := n.AfterFunc(shutdownWait, end)
	defer stop()
	n.inFlight.Wait()
}

// sleep waits until a time or a signal; a zero time means until a signal. It returns false if ctx
// ended.
func (n *Notifier) sleep(ctx context.Context, until time.Time) bool {
	return jobs.SleepUntil(ctx, n.Wake, until, n.Now, n.AfterFunc)
}

// Flush waits for field extraction and sends everything due, including messages that wait for a
// retry. It returns when nothing is left to try.
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
		clear(n.checked)
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
	n.news.Add(-int64(quietTime)) // do not wait for further notices
	for ctx.Err() == nil {
		next, err := n.step(ctx, ctx)
		if err != nil {
			return err
		}
		n.inFlight.Wait()
		if n.idle(next) {
			return nil
		}
	}
	return ctx.Err()
}

// idle reports whether nothing is due before next, which lies in the future or is zero.
func (n *Notifier) idle(next time.Time) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	now := n.Now()
	for _, d := range n.box.Deliveries {
		if set := n.setting(d.Notify); d.Sent.IsZero() && set != nil && !set.Off && !n.retryTime(d, now).After(now) {
			return false
		}
	}
	return next.IsZero() || next.After(now)
}

// setting returns a setting by its name; nil if it does not exist.
func (n *Notifier) setting(name string) *config.Notify {
	list := n.Settings().Notify
	if i := slices.IndexFunc(list, func(x config.Notify) bool { return x.Name == name }); i >= 0 {
		return &list[i]
	}
	return nil
}

// load reads the queue on the first call. The caller holds mu.
func (n *Notifier) load() (err error) {
	if n.box == nil {
		n.box, err = records.ReadOutbox(n.Store)
	}
	return err
}

// step queues and sends what is due, and returns the time of the next step; zero = wait for a
// signal.
func (n *Notifier) step(ctx, sending context.Context) (next time.Time, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	defer n.publishStatus()
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
		at, err := n.process(ctx, sending, x)
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

// dropGone deletes messages whose setting was removed.
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
	n.box.Deliveries = slices.DeleteFunc(n.box.Deliveries,
		func(d *records.Delivery) bool { return slices.Contains(ids, d.ID) })
	return nil
}

// process handles one setting. The caller holds mu.
func (n *Notifier) process(ctx, sending context.Context, x *config.Notify) (next time.Time, err error) {
	if n.busy[x.Name] {
		return next, nil // the end of that message signals the loop
	}
	s, err := n.state(ctx, x)
	if err != nil {
		return next, err
	}
	now := n.Now()
	if d := n.pending(x.Name); d == nil {
		if next = n.due(x, s, now); next.IsZero() || next.After(now) {
			return next, nil
		}
		if next = n.awaitFacts(x.Name, now); !next.IsZero() {
			return next, nil
		}
		if err := n.enqueue(ctx, x, s, now); err != nil {
			return next, err
		}
		if n.pending(x.Name) == nil {
			return n.due(x, s, now), nil
		}
	}
	d := n.pending(x.Name)
	if at := n.retryTime(d, now); at.After(now) {
		return at, nil
	}
	n.send(sending, x, d)
	return time.Time{}, nil
}

// pending returns the oldest unsent message of a setting; nil = none.
func (n *Notifier) pending(name string) *records.Delivery {
	for _, d := range n.box.Deliveries {
		if d.Notify == name && d.Sent.IsZero() {
			return d
		}
	}
	return nil
}

// retryTime returns when a message is tried. A time too far ahead comes from a wrong clock and
// counts as now.
func (n *Notifier) retryTime(d *records.Delivery, now time.Time) time.Time {
	if d.Next.Sub(now) > maxWait {
		return now
	}
	return d.Next
}

// due returns when a setting is processed next: now or earlier if it is due.
func (n *Notifier) due(x *config.Notify, s *records.AlertState, now time.Time) time.Time {
	if x.RhythmOf() == config.AtOnce {
		news := time.Unix(0, n.news.Load())
		if !news.After(n.checked[x.Name]) {
			delete(n.firstUnsent, x.Name)
			return time.Time{}
		}
		if n.firstUnsent[x.Name].IsZero() {
			n.firstUnsent[x.Name] = news
		}
		at := news.Add(quietTime)
		if most := n.firstUnsent[x.Name].Add(minInterval); most.Before(at) { // notices keep coming
			at = most
		}
		if again := s.Slot.Add(minInterval); again.After(at) && again.Sub(now) <= minInterval {
			at = again
		}
		if at.Sub(now) > minInterval { // the clock was set back
			return now
		}
		return at
	}
	if revisit.Behind(now) { // the clock is wrong
		return now.Add(time.Hour)
	}
	if slot := x.Slot(now); slot.After(s.Slot) || s.Slot.Sub(now) > maxWait {
		return now
	}
	return x.Next(now)
}

// enqueue queues the messages of a setting. The caller holds mu.
func (n *Notifier) enqueue(ctx context.Context, x *config.Notify, s *records.AlertState, now time.Time) error {
	heard := time.Unix(0, n.news.Load())
	d, marks, err := n.compose(ctx, x, s.Place, now)
	if err != nil {
		return err
	}
	n.checked[x.Name] = heard
	delete(n.firstUnsent, x.Name)
	next := *s
	next.Slot = now
	if x.RhythmOf() != config.AtOnce {
		next.Slot = x.Slot(now)
	}
	if d.size() == 0 && (!x.Empty || x.RhythmOf() == config.AtOnce) {
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
	for _, part := range newWay(x, n.Env).split(d) {
		body, err := json.Marshal(part)
		if err != nil {
			return err
		}
		list = append(list, &records.Delivery{Ref: "angler-" + newRef(), Notify: x.Name, Place: s.Place, Made: now,
			Body: body, N: part.size(), Title: part.title(), Marks: marksOf(part, marks)})
	}
	if err := records.QueueDeliveries(n.Store, &next, list); err != nil {
		return err
	}
	*s = next
	n.box.Deliveries = append(n.box.Deliveries, list...)
	return nil
}

// marksOf returns the marks of the rows in a part and removes them from marks. The first part also
// gets the marks of repaired lists, which have no row.
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

// report logs a problem of a setting once until it changes; "" clears it.
func (n *Notifier) report(name, why string) {
	if n.reported[name] == why {
		return
	}
	n.reported[name] = why
	if why != "" {
		n.Events.Note("warn", "notify %s: %s", name, why)
	}
}
