package jobs

import "context"

// Waiters are those who wait until work in the background has come to its end. The zero
// value has none. It is guarded by the lock of its worker.
type Waiters struct{ done chan struct{} }

// Join returns what is closed when the work is done; the lock is held.
func (w *Waiters) Join() <-chan struct{} {
	if w.done == nil {
		w.done = make(chan struct{})
	}
	return w.done
}

// Release says that the work is done; the lock is held.
func (w *Waiters) Release() {
	if w.done != nil {
		close(w.done)
		w.done = nil
	}
}

// Await waits for done, or for the end of one of the contexts, whose error it returns.
func Await(done <-chan struct{}, ctx, life context.Context) error {
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-life.Done():
		return life.Err()
	}
}
