package wire

import (
	"io"
	"sync/atomic"
	"time"
)

// Outlet is a writer to a client that may stop reading: it tells how much went
// out and how long a write has been waiting. One goroutine writes, any may ask.
type Outlet struct {
	w    io.Writer
	sent atomic.Int64
	busy atomic.Int64 // since when a write has been under way, Unix ns; 0 = none
}

// NewOutlet returns an outlet to w.
func NewOutlet(w io.Writer) *Outlet { return &Outlet{w: w} }

// Write implements io.Writer.
func (o *Outlet) Write(p []byte) (int, error) {
	o.busy.Store(time.Now().UnixNano())
	n, err := o.w.Write(p)
	o.busy.Store(0)
	o.sent.Add(int64(n))
	return n, err
}

// Sent is the number of bytes written so far.
func (o *Outlet) Sent() int64 { return o.sent.Load() }

// Stalled is how long the write under way has been waiting for the client; 0
// when none is.
func (o *Outlet) Stalled() time.Duration {
	if at := o.busy.Load(); at != 0 {
		return time.Since(time.Unix(0, at))
	}
	return 0
}
