package sshd

import (
	"io"
	"sync/atomic"
	"time"
)

// outlet is a writer to a client that may stop reading. It counts the bytes sent and measures how
// long a write waits. One goroutine sets w and writes, any may query it.
type outlet struct {
	w    io.Writer // set before the first write
	sent atomic.Int64
	made time.Time
	busy atomic.Int64 // start of the current write, ns after made; 0: none
}

// Write implements io.Writer.
func (o *outlet) Write(p []byte) (int, error) {
	o.busy.Store(max(1, int64(time.Since(o.made)))) // monotonic: setting the clock drops no viewer
	n, err := o.w.Write(p)
	o.busy.Store(0)
	o.sent.Add(int64(n))
	return n, err
}

// stalled returns how long the current write has waited for the client; 0 if there is none.
func (o *outlet) stalled() time.Duration {
	if at := o.busy.Load(); at != 0 {
		return time.Since(o.made) - time.Duration(at)
	}
	return 0
}
