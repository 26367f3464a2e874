package frontier

import (
	"fmt"
	"time"

	"angler/crawl/fetch"
)

// Idle is the kind of a Reason.
type Idle uint8

// Kinds of reasons.
const (
	Moving      Idle = iota // an entry can be handed out
	AllBusy                 // an entry can be handed out, but every worker is fetching
	Paused                  // until Resume or Step
	Held                    // until Unhold
	Polite                  // every host with entries keeps its delay
	Resting                 // every host with entries pauses because it fails or asked for it
	Retrying                // all entries wait for a retry
	InFlight                // all entries are being fetched or stored
	Loading                 // entries are being read from disk
	DiskTrouble             // reading them from disk failed
	TooDeep                 // no entry is left within the depth limit
	Drained                 // no entry is left
)

// Reason says why nothing is handed out.
type Reason struct {
	Kind   Idle
	Host   string           // Polite, Resting, Retrying: the first host to continue
	Until  time.Time        // and when
	Why    fetch.WaitReason // Polite, Resting: reason of its pause
	Fails  int              // Polite, Resting: its consecutive failures
	Pages  int              // AllBusy, InFlight: number of pages
	Depth  int              // TooDeep: the limit
	Beyond int              // TooDeep: entries beyond it
	Err    error            // DiskTrouble
}

// String returns the reason as a sentence; "" for Moving and AllBusy.
func (r Reason) String() string {
	clock := r.Until.Format("15:04:05")
	switch r.Kind {
	case Paused:
		return "paused"
	case Held:
		return "held"
	case Polite, Resting:
		why := ""
		switch {
		case r.Why == fetch.WaitRefused:
			why = ", it refuses us"
		case r.Fails > 1:
			why = fmt.Sprintf(", it failed %d times", r.Fails)
		case r.Why == fetch.WaitCrawlDelay:
			why = ", as its robots.txt asks"
		case r.Why == fetch.WaitThrottled || r.Why == fetch.WaitRetryAfter:
			why = ", as it asks"
		}
		return fmt.Sprintf("waiting for host %s until %s%s", r.Host, clock, why)
	case Retrying:
		return fmt.Sprintf("waiting for host %s until %s, for a retry", r.Host, clock)
	case InFlight:
		if r.Pages == 1 {
			return "waiting for the page in flight"
		}
		return fmt.Sprintf("waiting for %d pages in flight", r.Pages)
	case Loading:
		return "reading the frontier from disk"
	case DiskTrouble:
		return r.Err.Error()
	case TooDeep:
		return fmt.Sprintf("nothing left within depth %d, %d beyond it", r.Depth, r.Beyond)
	case Drained:
		return "nothing left"
	}
	return ""
}

// reason returns why nothing is handed out, the most specific reason first.
func (f *Frontier) reason() Reason {
	inFlight := Reason{Kind: InFlight, Pages: len(f.leases.open)}
	hosts := &f.hosts
	switch {
	case f.gate.held:
		return Reason{Kind: Held}
	case f.tally.waiting == 0 && len(f.leases.open) > 0:
		return inFlight
	case f.tally.waiting == 0 && f.tally.beyond > 0:
		return Reason{Kind: TooDeep, Depth: f.tally.limit, Beyond: f.tally.beyond}
	case f.tally.waiting == 0:
		return Reason{Kind: Drained}
	case !f.gate.open():
		return Reason{Kind: Paused}
	case hosts.any():
		if n := f.leases.fetching(); n > 0 && len(f.gate.waiters) == 0 {
			return Reason{Kind: AllBusy, Pages: n}
		}
		return Reason{Kind: Moving}
	case f.spiller.broken != nil:
		return Reason{Kind: DiskTrouble, Err: f.spiller.broken}
	}
	at := f.pool.nextChange()
	if at == 0 { // every host with entries has its maximum in flight, or the entries are on disk
		if len(f.leases.open) == 0 {
			return Reason{Kind: Loading}
		}
		return inFlight
	}
	if len(hosts.resting) == 0 || hosts.resting[0].wakes() != at {
		return Reason{Kind: Retrying, Host: hosts.of(f.pool.later[0].s).name, Until: f.clock.Moment(at)}
	}
	h := hosts.resting[0]
	r := Reason{Kind: Polite, Host: h.name, Until: f.clock.Moment(at), Why: h.reason(), Fails: int(h.fails)}
	if !r.Why.Recovers() {
		r.Kind = Resting
	}
	return r
}
