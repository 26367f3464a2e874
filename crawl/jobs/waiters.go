package jobs

import "context"

// Waiters lets goroutines wait for background work to end. The zero value has no waiters. The worker's lock guards
// it.
type Waiters struct{ done chan struct{} }

// Join returns a channel that Release closes. The caller holds the lock.
func (w *Waiters) Join() <-chan struct{} {
	if w.done == nil {
		w.done = make(chan struct{})
	}
	return w.done
}

// Release wakes all waiters. The caller holds the lock.
func (w *Waiters) Release() {
	if w.done != nil {
		close(w.done)
		w.done = nil
	}
}

// Await waits until done is closed or a context ends. It returns that context's error.
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
