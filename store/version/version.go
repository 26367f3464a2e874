// Package version says which angler this is, once for the command, the crash
// report, the SSH server and the name under which pages are fetched.
package version

import "time"

const (
	// Number is the version of the program.
	Number = "0.1.0"
	// UserAgent is how the program introduces itself to a web server unless the
	// settings say otherwise; its product token selects the robots.txt group.
	UserAgent = "angler/" + Number + " (focused crawler)"
)

// Made is a day before which this version did not exist: a clock that shows an
// earlier one is wrong. It moves with Number.
func Made() time.Time { return time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC) }
