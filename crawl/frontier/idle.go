package frontier

import (
	"fmt"
	"time"

	"angler/crawl/fetch"
)

// idle returns why nothing is handed out, the most specific reason first, and when the first host continues; "" means
// that an entry can be handed out.
func (f *Frontier) idle() (why string, until time.Time) {
	inFlight := "waiting for the page in flight"
	if n := len(f.leases.open); n != 1 {
		inFlight = fmt.Sprintf("waiting for %d pages in flight", n)
	}
	at := f.pool.nextChange()
	switch waiting := f.tally.waiting; {
	case f.gate.held:
		why = "held"
	case waiting == 0 && len(f.leases.open) > 0:
		why = inFlight
	case waiting == 0 && f.tally.beyond > 0:
		why = fmt.Sprintf("nothing left within depth %d, %d beyond it", f.tally.limit, f.tally.beyond)
	case waiting == 0:
		why = "nothing left"
	case !f.gate.open():
		why = "paused"
	case f.hosts.any():
	case f.spiller.broken != nil:
		why = f.spiller.broken.Error()
	case at == 0 && len(f.leases.open) == 0:
		why = "reading the frontier from disk"
	case at == 0: // every host with entries has its maximum in flight
		why = inFlight
	default:
		until = f.clock.Moment(at)
		why = f.restsUntil(at, until.Format("15:04:05"))
	}
	return why, until
}

// restsUntil describes the first host to continue and the reason of its pause.
func (f *Frontier) restsUntil(at int64, clock string) string {
	resting := f.hosts.resting
	if len(resting) == 0 || resting[0].wakes() != at {
		return fmt.Sprintf("waiting for host %s until %s, for a retry", f.hosts.of(f.pool.later[0].s).name, clock)
	}
	h, because := resting[0], ""
	switch why := h.reason(); {
	case why == fetch.WaitRefused:
		because = ", it refuses us"
	case h.fails > 1:
		because = fmt.Sprintf(", it failed %d times", h.fails)
	case why == fetch.WaitCrawlDelay:
		because = ", as its robots.txt asks"
	case why == fetch.WaitThrottled || why == fetch.WaitRetryAfter:
		because = ", as it asks"
	}
	return fmt.Sprintf("waiting for host %s until %s%s", h.name, clock, because)
}
