package frontier

import "slices"

// gate lets entries out to those who wait for one, the last who came first, and holds them
// back while paused or held. Of a thousand workers few have work at a time where hosts are
// few; when those are always the same, their stacks are the ones that have grown and lie in
// the processor's cache.
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

// hand serves the waiter who came last.
func (g *gate) hand(x grant) {
	last := len(g.waiters) - 1
	w := g.waiters[last]
	g.waiters[last] = nil
	g.waiters = g.waiters[:last]
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
