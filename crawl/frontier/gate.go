package frontier

import "slices"

// gate hands entries to waiting callers, the last caller first, and holds them back while paused or
// held. With few hosts only a few of a thousand workers have work at a time. Serving always the
// same ones keeps their grown stacks in the processor's cache.
type gate struct {
	waiters []*waiter
	paused  bool
	held    bool // nothing passes, not even steps
	tokens  int  // entries that Step lets pass
}

// waiter is one blocked Next. It receives exactly one value unless it leaves the list first.
type waiter struct{ ch chan grant }

type grant struct {
	slot slot
	err  error
}

func (g *gate) open() bool { return !g.held && (!g.paused || g.tokens > 0) }

// spend lets one entry pass and reports whether it used a token.
func (g *gate) spend() bool {
	if g.paused {
		g.tokens--
	}
	return g.paused
}

// refund returns a token, unless the pause is over.
func (g *gate) refund() {
	if g.paused {
		g.tokens++
	}
}

// hand serves the waiter that came last.
func (g *gate) hand(x grant) {
	last := len(g.waiters) - 1
	w := g.waiters[last]
	g.waiters[last] = nil
	g.waiters = g.waiters[:last]
	w.ch <- x
}

// leave removes a waiter from the list and reports whether it was still there.
func (g *gate) leave(w *waiter) bool {
	i := slices.Index(g.waiters, w)
	if i < 0 {
		return false
	}
	g.waiters = slices.Delete(g.waiters, i, i+1)
	return true
}
