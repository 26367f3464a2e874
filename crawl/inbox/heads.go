package inbox

import (
	"cmp"
	"context"
	"hash/fnv"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/RoaringBitmap/roaring/v2/roaring64"

	"angler/crawl/article"
	"angler/crawl/facts"
	"angler/crawl/notices"
	"angler/crawl/revisit"
	"angler/crawl/urls"
	"angler/store"
)

// heads caches the heads of all notices.
type heads struct {
	turn chan struct{} // semaphore, full while they are read

	mu      sync.Mutex
	wanted  bool // a caller needed them; before that none is kept
	loaded  bool
	lost    int // number of TakenBack calls
	byID    map[uint64]*NoticeHead
	newest  []*NoticeHead                 // newest first; nil = to be rebuilt; replaced, never modified
	stale   bool                          // byID has newer heads than newest
	arrived map[uint64]*facts.NoticeFacts // values that arrived while all heads were read; nil otherwise
}

// setFacts replaces the heads of notices with new values.
func (h *heads) setFacts(words *facts.Words, list []*facts.NoticeFacts) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range list {
		switch x := h.byID[s.ID]; {
		case x != nil:
			h.byID[s.ID], h.stale = withFacts(x, words, s), true
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
	h.byID[x.ID], h.newest = x, nil
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

// enter takes the semaphore turn, or returns ctx's error.
func enter(ctx context.Context, turn chan struct{}) error {
	select {
	case turn <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// all returns the heads, the last seen first. It reads them on the first call.
func (h *heads) all(ctx context.Context, in *Inbox, now time.Time) ([]*NoticeHead, error) {
	if err := enter(ctx, h.turn); err != nil {
		return nil, err
	}
	defer func() { <-h.turn }()
	h.mu.Lock()
	loaded := h.loaded
	if !h.wanted {
		h.wanted, h.byID = true, map[uint64]*NoticeHead{}
	}
	h.mu.Unlock()
	if !loaded {
		if err := h.read(ctx, in, now); err != nil {
			return nil, err
		}
	}
	h.mu.Lock()
	list := h.newest
	if list != nil && h.stale {
		list = slices.Clone(list)
		for i, x := range list {
			if now := h.byID[x.ID]; now != nil {
				list[i] = now
			}
		}
		h.newest = list
	}
	h.stale = false
	if list == nil {
		list = make([]*NoticeHead, 0, len(h.byID))
		for _, x := range h.byID {
			list = append(list, x)
		}
		slices.SortFunc(list, func(a, b *NoticeHead) int {
			return cmp.Or(b.At.Compare(a.At), b.Date.Time.Compare(a.Date.Time), cmp.Compare(a.ID, b.ID))
		})
		h.newest = list
	}
	h.mu.Unlock()
	return list, nil
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
	var all []*NoticeHead
	first := revisit.Believed{Now: now}
	for n, err := range in.Store.Notices() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		n.FirstSeen = first.Time(n.FirstSeen)
		all = append(all, headOf(n))
	}
	at := 0
	err := in.Facts.Each(ctx, func(s *facts.NoticeFacts) error { // in the order of ids, as notices are
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
	h.mu.Lock()
	defer h.mu.Unlock()
	came := h.byID // heads that arrived meanwhile
	h.byID = make(map[uint64]*NoticeHead, len(all))
	for _, x := range all {
		h.byID[x.ID] = x
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
		Changed: n.Changed.Truncate(time.Second), words: wordTokens(n.Title, n.Text)}
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

// of returns the cached heads of notices.
func (h *heads) of(ids *roaring64.Bitmap) []*NoticeHead {
	h.mu.Lock()
	defer h.mu.Unlock()
	out := make([]*NoticeHead, 0, ids.GetCardinality())
	for it := ids.Iterator(); it.HasNext(); {
		if x := h.byID[it.Next()]; x != nil {
			out = append(out, x)
		}
	}
	return out
}
