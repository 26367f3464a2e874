package inbox

import (
	"cmp"
	"context"
	"hash/fnv"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/RoaringBitmap/roaring/v2/roaring64"
	"golang.org/x/sync/semaphore"

	"angler/crawl/article"
	"angler/crawl/facts"
	"angler/crawl/jobs"
	"angler/crawl/notices"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/store"
)

// heads caches the heads of all notices.
type heads struct {
	turn *semaphore.Weighted // taken while they are read

	mu      sync.Mutex
	wanted  bool // a caller needed them; before that none is kept
	loaded  bool
	lost    int // number of TakenBack calls
	byID    map[uint64]*NoticeHead
	newest  []*NoticeHead                 // newest first; nil = to be rebuilt; replaced, never modified
	moved   map[uint64]bool               // notices whose heads in byID are newer than those in newest
	arrived map[uint64]*facts.NoticeFacts // values that arrived while all heads were read; nil otherwise

	steps atomic.Int64 // notices and fields that were read last, two steps a notice
}

// setFacts replaces the heads of notices with new values.
func (h *heads) setFacts(words *facts.Words, list []*facts.NoticeFacts) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range list {
		switch x := h.byID[s.ID]; {
		case x != nil:
			h.byID[s.ID], h.moved[s.ID] = withFacts(x, words, s), true
		case h.arrived != nil:
			h.arrived[s.ID] = s
		}
	}
}

func withFacts(x *NoticeHead, words *facts.Words, s *facts.NoticeFacts) *NoticeHead {
	y := *x
	y.take(words, s)
	return &y
}

// take sets the values of a head that no other goroutine has.
func (h *NoticeHead) take(words *facts.Words, s *facts.NoticeFacts) {
	h.Facts, h.Sketch = words.Pack(s, h.Title), s.Sketch
	h.values = valuesOf(h.Facts, h.Title)
}

func (h *heads) add(x *NoticeHead) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.wanted {
		return
	}
	if was := h.byID[x.ID]; was != nil && was.Title == x.Title {
		x.Facts, x.Sketch, x.values = was.Facts, was.Sketch, was.values // until the new values are read
	}
	h.byID[x.ID], h.moved[x.ID] = x, true
}

// get returns the head of a notice; nil if it is not cached.
func (h *heads) get(id uint64) *NoticeHead {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.byID[id]
}

// changed returns when a notice's text last changed; zero if it is not cached.
func (h *heads) changed(id uint64) time.Time {
	if x := h.get(id); x != nil {
		return x.Changed
	}
	return time.Time{}
}

// forget makes the next call of all read everything again.
func (h *heads) forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.loaded, h.newest = false, nil
	h.lost++
	clear(h.byID)
}

// all returns the heads, the last seen first. It reads them on the first call.
func (h *heads) all(ctx context.Context, in *Inbox, now time.Time) ([]*NoticeHead, error) {
	if err := h.turn.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	defer h.turn.Release(1)
	h.mu.Lock()
	loaded := h.loaded
	if !h.wanted {
		h.wanted, h.byID, h.moved = true, map[uint64]*NoticeHead{}, map[uint64]bool{}
	}
	h.mu.Unlock()
	if !loaded {
		if err := h.read(ctx, in, now); err != nil {
			return nil, err
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.newest == nil || len(h.moved) > 0 {
		h.newest = h.ordered()
	}
	return h.newest, nil
}

// ordered returns newest with the heads that moved at their places. The caller holds the lock.
func (h *heads) ordered() []*NoticeHead {
	var fresh []*NoticeHead
	if h.newest == nil {
		fresh = slices.AppendSeq(make([]*NoticeHead, 0, len(h.byID)), maps.Values(h.byID))
	} else {
		for id := range h.moved {
			fresh = append(fresh, h.byID[id])
		}
	}
	slices.SortFunc(fresh, newestFirst)
	out := make([]*NoticeHead, 0, len(h.byID))
	for _, x := range h.newest {
		if h.moved[x.ID] {
			continue
		}
		for len(fresh) > 0 && newestFirst(fresh[0], x) < 0 {
			out, fresh = append(out, fresh[0]), fresh[1:]
		}
		out = append(out, x)
	}
	clear(h.moved)
	return append(out, fresh...)
}

func newestFirst(a, b *NoticeHead) int {
	return cmp.Or(b.At.Compare(a.At), b.Date.Time.Compare(a.Date.Time), cmp.Compare(a.ID, b.ID))
}

func (h *heads) read(ctx context.Context, in *Inbox, now time.Time) error {
	h.mu.Lock()
	lost := h.lost
	h.arrived = map[uint64]*facts.NoticeFacts{}
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		h.arrived = nil
		h.mu.Unlock()
	}()
	h.steps.Store(0)
	var all []*NoticeHead
	first := revisit.Believed{Now: now}
	for n, err := range jobs.Until(ctx, in.Store.Notices()) {
		if err != nil {
			return err
		}
		n.FirstSeen = first.Time(n.FirstSeen)
		all = append(all, headOf(n))
		h.steps.Add(1)
	}
	at := 0
	err := in.Facts.Each(ctx, func(s *facts.NoticeFacts) error { // in the order of ids, as notices are
		h.steps.Add(1)
		for at < len(all) && all[at].ID < s.ID {
			at++
		}
		if at < len(all) && all[at].ID == s.ID {
			all[at].take(in.facts, s)
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(all, newestFirst)
	inOrder := make([]NoticeHead, len(all)) // a pass over a list is several times faster if it reads memory in order
	values, places := make([]*facts.PackedFacts, len(all)), make([]atomic.Uint32, len(all))
	for i, x := range all {
		inOrder[i], values[i] = *x, &inOrder[i].Facts
		inOrder[i].place = &places[i]
	}
	facts.Gather(values)
	h.mu.Lock()
	defer h.mu.Unlock()
	came := h.byID // heads that arrived meanwhile
	h.byID = make(map[uint64]*NoticeHead, len(all))
	for i := range inOrder {
		h.byID[inOrder[i].ID] = &inOrder[i]
	}
	for id, x := range came {
		h.byID[id] = x
	}
	for id, s := range h.arrived {
		if x := h.byID[id]; x != nil {
			h.byID[id] = withFacts(x, in.facts, s)
		}
	}
	h.loaded, h.newest = h.lost == lost, nil // notices taken back meanwhile may be among them
	return nil
}

func headOf(n *store.Notice) *NoticeHead {
	return &NoticeHead{ID: n.ID, URL: n.URL, Host: urls.HostOf(n.URL), Title: n.Title,
		Date: article.Date{Time: n.Date, Precision: article.DatePrecision(n.Precision)}, At: n.FirstSeen,
		Source: n.Source, SourceID: n.SourceID, FrameID: n.FrameID, Score: n.Score, Files: len(n.Attachments),
		Text: n.Text != "", Aside: notices.IsOffTopicTitle(n.Title), Same: sameText(n), Version: versionOf(n),
		Changed: n.Changed.Truncate(time.Second), words: wordTokens(n.Title, n.Text), place: new(atomic.Uint32)}
}

// minText is the minimum length, in bytes, of a text that identifies a notice. "See the attachment"
// stands below many titles.
const minText = 60

// sameText returns a hash of a notice's title and text, 0 for a short text. A title alone
// identifies nothing: of 17 equal ones all had different texts.
func sameText(n *store.Notice) uint64 {
	if len(n.Text) < minText {
		return 0
	}
	h := fnv.New64a()
	h.Write([]byte(strings.Join(strings.Fields(n.Title), "")))
	h.Write([]byte{0})
	h.Write([]byte(n.Text))
	return h.Sum64() | 1
}

// versionOf returns a hash of a notice's content without white space.
func versionOf(n *store.Notice) uint64 {
	h := fnv.New64a()
	for _, s := range []string{n.Title, n.Date.UTC().Format(time.RFC3339), n.Text} {
		for w := range strings.FieldsSeq(s) {
			h.Write([]byte(w))
		}
		h.Write([]byte{0})
	}
	for i := range n.Attachments {
		h.Write([]byte(n.Attachments[i].URL))
	}
	return h.Sum64()
}

// of returns the cached heads of a few notices, in any order.
func (h *heads) of(ids *roaring64.Bitmap) []*NoticeHead {
	out := make([]*NoticeHead, 0, ids.GetCardinality())
	h.mu.Lock()
	defer h.mu.Unlock()
	for it := ids.Iterator(); it.HasNext(); {
		if x := h.byID[it.Next()]; x != nil {
			out = append(out, x)
		}
	}
	return out
}
