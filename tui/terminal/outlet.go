package terminal

import (
	"io"
	"sync/atomic"
	"time"
)

// Outlet is a writer to a client that may stop reading. It counts the bytes sent and measures how
// long a write waits. One goroutine writes, any may query it.
type Outlet struct {
	w    io.Writer
	sent atomic.Int64
	made time.Time
	busy atomic.Int64 // start of the current write, ns after made; 0: none
}

// NewOutlet returns an outlet to w.
func NewOutlet(w io.Writer) *Outlet { return &Outlet{w: w, made: time.Now()} }

// Write implements io.Writer.
func (o *Outlet) Write(p []byte) (int, error) {
	o.busy.Store(max(1, int64(time.Since(o.made)))) // monotonic: setting the clock drops no viewer
	n, err := o.w.Write(p)
	o.busy.Store(0)
	o.sent.Add(int64(n))
	return n, err
}

// Sent returns the number of bytes written so far.
func (o *Outlet) Sent() int64 { return o.sent.Load() }

// Stalled returns how long the current write has waited for the client; 0 if there is none.
func (o *Outlet) Stalled() time.Duration {
	if at := o.busy.Load(); at != 0 {
		return time.Since(o.made) - time.Duration(at)
	}
	return 0
}
