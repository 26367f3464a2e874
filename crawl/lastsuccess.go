package crawl

import (
	"sync/atomic"
	"time"

	"angler/crawl/view"
)

// lastSuccess are when something last succeeded in the life of this process, in
// Unix seconds; 0 = not yet. They are written by many goroutines.
type lastSuccess struct {
	discovery, harvest, stored, backup atomic.Int64
}

// reached files the end of a run that came to its end.
func (l *lastSuccess) reached(task string, at time.Time) {
	switch task {
	case view.Discovery:
		l.discovery.Store(at.Unix())
	case view.Harvest:
		l.harvest.Store(at.Unix())
	}
}

// heartbeat tells how long ago a loop came round. Its time is that of the
// process: it does not change with the clock of the machine.
type heartbeat struct{ last atomic.Pointer[time.Time] }

func (h *heartbeat) hit() {
	now := time.Now() // with the monotonic reading
	h.last.Store(&now)
}

// age is how long ago the last beat was, seen at now.
func (h *heartbeat) age(now time.Time) time.Duration {
	last := h.last.Load()
	if last == nil {
		return 0
	}
	return now.Sub(*last)
}
