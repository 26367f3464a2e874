//go:build unix

package cli

import (
	"time"

	"golang.org/x/sys/unix"
)

// monotonic returns CLOCK_MONOTONIC, by which systemd distinguishes a new reload from an earlier
// one.
func monotonic() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
