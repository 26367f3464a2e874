package view

// Signal wakes one goroutine that receives from it. Several rings before a receive count as one. Ringing a nil
// Signal does nothing.
type Signal chan struct{}

// NewSignal returns a Signal that has not rung.
func NewSignal() Signal { return make(Signal, 1) }

// Ring never blocks. It is safe for concurrent use.
func (s Signal) Ring() {
	select {
	case s <- struct{}{}:
	default:
	}
}
