package view

import "sync"

// Hub sends the newest snapshot to any number of viewers. A viewer's channel holds one snapshot. Publish replaces it
// and never blocks, so a stalled SSH client delays neither the engine nor other viewers. The zero value is ready; it
// is safe for concurrent use.
type Hub struct {
	mu   sync.Mutex
	subs map[chan *Snapshot]struct{}
	last *Snapshot
}

// Publish sends a snapshot to every viewer. It drops one with a smaller Seq than the newest: two snapshots were made
// concurrently and the newer was published first.
func (h *Hub) Publish(s *Snapshot) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.last != nil && s.Seq < h.last.Seq {
		return
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

// Subscribe returns a channel that receives the newest snapshot and its successors. The function ends the
// subscription and closes the channel.
func (h *Hub) Subscribe() (<-chan *Snapshot, func()) {
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

// Newest returns the snapshot published last; nil before the first.
func (h *Hub) Newest() *Snapshot {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.last
}
