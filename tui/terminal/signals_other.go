//go:build !unix

package terminal

import (
	"os"
	"time"
)

// CanSuspend reports whether Suspend stops the process.
const CanSuspend = false

func halt() error { return nil }

// sizeEvery is how often the size is polled where no signal reports it.
const sizeEvery = 250 * time.Millisecond

// signals replaces the signals of a terminal.
func signals() (changed, woken <-chan os.Signal, stop func()) {
	sizes, done := make(chan os.Signal, 1), make(chan struct{})
	go func() {
		tick := time.NewTicker(sizeEvery)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				select {
				case sizes <- os.Interrupt:
				default:
				}
			case <-done:
				return
			}
		}
	}()
	return sizes, nil, func() { close(done) }
}
