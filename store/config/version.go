package config

import "time"

// This file defines the version for the command, the crash report, the SSH server and the
// User-Agent.

const (
	// Version is the version of the program.
	Version = "0.1.0"
	// UserAgent is the default User-Agent; its product token selects the robots.txt group.
	UserAgent = "angler/" + Version + " (focused crawler)"
)

// ReleasedAfter is a day before the release of this version: a clock that shows an earlier day is
// wrong. Change it with Version.
func ReleasedAfter() time.Time { return time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC) }
