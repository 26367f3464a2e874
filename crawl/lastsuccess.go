package crawl

import (
	"sync/atomic"
	"time"

	"angler/crawl/view"
)

// lastSuccess holds the times of the last successes in this process, in Unix seconds; 0 = none yet. Many goroutines
// write it.
type lastSuccess struct {
	discovery, harvest, stored, backup atomic.Int64
}

// reached records the successful end of a run.
func (l *lastSuccess) reached(task string, at time.Time) {
	switch task {
	case view.Discovery:
		l.discovery.Store(at.Unix())
	case view.Harvest:
		l.harvest.Store(at.Unix())
	}
}

// heartbeat is the time of a loop's last round. It uses the monotonic clock, which ignores changes of the machine's
// clock.
type heartbeat struct{ last atomic.Pointer[time.Time] }

func (h *heartbeat) hit() {
	now := time.Now() // includes the monotonic clock
	h.last.Store(&now)
}

// age returns the time since the last beat at now.
func (h *heartbeat) age(now time.Time) time.Duration {
	last := h.last.Load()
	if last == nil {
		return 0
	}
	return now.Sub(*last)
}
