package frontier

import (
	"fmt"
	"time"

	"angler/crawl/fetch"
)

// Idle is the kind of a Reason.
type Idle uint8

// Why nothing is handed out, or that something is.
const (
	Moving      Idle = iota // something could be handed out
	AllBusy                 // it could, but every worker is fetching
	Paused                  // until Resume or Step
	Held                    // until Unhold
	Polite                  // every host with entries keeps its delay
	Resting                 // every host with entries rests: it fails, or asked for it
	Retrying                // all that is left is to be tried again later
	InFlight                // all that is left is being fetched or stored
	Loading                 // what is left is being read from disk
	DiskTrouble             // and cannot be
	TooDeep                 // nothing is left within the depth limit
	Drained                 // nothing is left
)

// Reason says why nothing is handed out.
type Reason struct {
	Kind   Idle
	Host   string           // Polite, Resting, Retrying: the one that is first to go on
	Until  time.Time        // and when
	Why    fetch.WaitReason // Polite, Resting: why it rests
	Fails  int              // Polite, Resting: its failures in a row
	Pages  int              // AllBusy, InFlight: how many
	Depth  int              // TooDeep: the limit
	Beyond int              // TooDeep: what lies beyond it
	Err    error            // DiskTrouble
}

// String is the reason as a sentence; "" when something is or could be fetched.
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

// reason says why nothing is handed out, most telling reason first.
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
	if at == 0 { // every host with entries has all it may have in flight, or they are on disk
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
