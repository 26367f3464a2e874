package crawl

import "sync"

// hub hands the newest snapshot to any number of viewers. A viewer's channel
// holds one snapshot; publishing replaces it and never waits, so a stalled SSH
// client cannot hold up the engine or the other viewers.
type hub struct {
	mu   sync.Mutex
	subs map[chan *Snapshot]struct{}
	last *Snapshot
}

func (h *hub) publish(s *Snapshot) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.last != nil && s.Seq < h.last.Seq {
		return // two were made at once, and the newer one was quicker
	}
	h.last = s
	for c := range h.subs {
		select {
		case <-c:
		default:
		}
		c <- s
	}
}

// subscribe returns a channel that receives snapshots from the newest on, and
// a function that ends the subscription and closes the channel.
func (h *hub) subscribe() (<-chan *Snapshot, func()) {
	h.mu.Lock()
	defer h.mu.Unlock()
	c := make(chan *Snapshot, 1)
	if h.last != nil {
		c <- h.last
	}
	if h.subs == nil {
		h.subs = map[chan *Snapshot]struct{}{}
	}
	h.subs[c] = struct{}{}
	return c, sync.OnceFunc(func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.subs, c)
		close(c)
	})
}

func (h *hub) snapshot() *Snapshot {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.last
}
