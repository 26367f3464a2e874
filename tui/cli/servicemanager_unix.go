//go:build unix

package cli

import (
	"time"

	"golang.org/x/sys/unix"
)

// monotonic is the reading of CLOCK_MONOTONIC, by which systemd tells a reload
// from one that it had heard of before.
func monotonic() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
