package frontier

import "slices"

// gate lets entries out to those who wait for one, in the order they came, and
// holds them back while paused or held.
type gate struct {
	waiters []*waiter
	paused  bool
	held    bool // nothing passes, steps neither
	tokens  int  // entries that Step lets pass
}

// waiter is one blocked Next. It receives exactly one value, unless it takes
// itself off the list first.
type waiter struct{ ch chan grant }

type grant struct {
	slot slot
	err  error
}

func (g *gate) open() bool { return !g.held && (!g.paused || g.tokens > 0) }

// spend lets one entry pass and reports whether it used up a token.
func (g *gate) spend() bool {
	if g.paused {
		g.tokens--
	}
	return g.paused
}

// refund gives a token back, unless the pause it was meant for is over.
func (g *gate) refund() {
	if g.paused {
		g.tokens++
	}
}

// hand serves the first waiter.
func (g *gate) hand(x grant) {
	w := g.waiters[0]
	g.waiters[0] = nil
	g.waiters = g.waiters[1:]
	w.ch <- x
}

// leave takes a waiter off the list and reports whether it was still there.
func (g *gate) leave(w *waiter) bool {
	i := slices.Index(g.waiters, w)
	if i < 0 {
		return false
	}
	g.waiters = slices.Delete(g.waiters, i, i+1)
	return true
}
