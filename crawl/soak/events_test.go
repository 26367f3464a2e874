package soak

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// event is something that goes wrong.
type event struct {
	kind  string
	after int           // how far the crawl comes before, see trial.progress
	n     int           // requests that meet it
	clock time.Duration // how far the clock is off
	host  bool          // one host alone, not all of them
}

func (e event) String() string {
	switch {
	case e.clock != 0:
		return fmt.Sprintf("%s %+d years at +%d", e.kind, e.clock/year, e.after)
	case e.host:
		return fmt.Sprintf("%s of one host ×%d at +%d", e.kind, e.n, e.after)
	case e.n > 0:
		return fmt.Sprintf("%s ×%d at +%d", e.kind, e.n, e.after)
	}
	return fmt.Sprintf("%s at +%d", e.kind, e.after)
}

const year = 365 * 24 * time.Hour

// Where an event happens.
type place int

const (
	signals place = iota // a signal, sent to the process of the crawl
	dialer               // inside that process: the network
	server               // at the web
	clocks               // of the process
)

// kind is what can be said of all events of a name.
type kind struct {
	name  string
	place place
	most  int // requests that one meets
}

// kinds in the order of reports.
var kinds = []kind{
	{"kill", signals, 0},
	{"stop", signals, 0},
	{"hangup", signals, 0},
	{"nxdomain", dialer, 400},
	{"refuse", dialer, 400},
	{"reset", dialer, 200},
	{"ban", server, 400},
	{"busy", server, 200},
	{"throttle", server, 200},
	{"captcha", server, 200},
	{"error", server, 200},
	{"cut", server, 200},
	{"slow", server, 50},
	{"clock", clocks, 0},
}

// Kinds lists the events that can happen: kill (SIGKILL), stop (SIGTERM), hangup
// (SIGHUP), nxdomain, refuse and reset (of every connection), ban (403), busy (503),
// throttle (429), captcha, error (500), cut (answers that end in the middle), slow
// (answers that come late), clock (off by ten years, from the start or by a jump).
func Kinds() []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.name
	}
	return names
}

// CheckKinds reports a name that is none of Kinds.
func CheckKinds(names []string) error {
	for _, name := range names {
		if kindOf(name) == nil {
			return fmt.Errorf("event %q is unknown; choose from: %s", name, strings.Join(Kinds(), ", "))
		}
	}
	return nil
}

func kindOf(name string) *kind {
	for i := range kinds {
		if kinds[i].name == name {
			return &kinds[i]
		}
	}
	return nil
}

// draw makes an event of the kind.
func (k *kind) draw(reach int, rnd *rand.Rand) event {
	e := event{kind: k.name, after: 5 + rnd.IntN(reach)}
	if k.most > 0 {
		e.n = 1 + rnd.IntN(k.most)
		e.host = k.place == server && rnd.IntN(3) == 0
	}
	if k.place == clocks {
		e.clock = 10 * year
		if rnd.IntN(2) == 0 {
			e.clock = -e.clock
		}
		e.n = rnd.IntN(2) // 1: the process starts with it
	}
	return e
}
