package view

// Signal wakes one goroutine that receives from it. Rings before it receives count as one.
// A nil Signal wakes none.
type Signal chan struct{}

// NewSignal returns a Signal that was not rung yet.
func NewSignal() Signal { return make(Signal, 1) }

// Ring never waits. It is safe for concurrent use.
func (s Signal) Ring() {
	select {
	case s <- struct{}{}:
	default:
	}
}
