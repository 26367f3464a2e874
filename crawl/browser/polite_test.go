package browser

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Requests of a run and of its pages leave a host alone between them, whoever goes first:
// one that waited while another was under way waits for the pause after it too.
func TestHostRestsBetweenRequests(t *testing.T) {
	for _, c := range []struct {
		most int
		want time.Duration // from the start of one request to the next
	}{{1, 3 * time.Second}, {2, time.Second}} {
		synctest.Test(t, func(t *testing.T) {
			const delay, takes = time.Second, 2 * time.Second
			var (
				h      hosts
				mu     sync.Mutex
				starts []time.Time
				all    sync.WaitGroup
			)
			for range 6 {
				all.Go(func() {
					leave, _, err := h.enter(t.Context(), "A.test", Pace{Delay: delay, PerHost: c.most})
					if err != nil {
						t.Error(err)
						return
					}
					mu.Lock()
					starts = append(starts, time.Now())
					mu.Unlock()
					time.Sleep(takes) // simulated: the answer is on its way
					leave()
				})
			}
			all.Wait()
			for i, at := range starts[1:] {
				if got := at.Sub(starts[i]); got < c.want {
					t.Errorf("%d at once: %v between two requests, want %v", c.most, got, c.want)
				}
			}
		})
	}
}
