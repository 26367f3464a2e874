package config

import "time"

// This file says which angler this is, once for the command, the crash
// report, the SSH server and the name under which pages are fetched.

const (
	// Version is the version of the program.
	Version = "0.1.0"
	// UserAgent is how the program introduces itself to a web server unless the
	// settings say otherwise; its product token selects the robots.txt group.
	UserAgent = "angler/" + Version + " (focused crawler)"
)

// ReleasedAfter is a day before which this version did not exist: a clock that shows an
// earlier one is wrong. It moves with Number.
func ReleasedAfter() time.Time { return time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC) }
