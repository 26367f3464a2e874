package cli

import (
	"os"
	"runtime/debug"
)

// frugal is how much garbage may lie beside what is in use, in percent: half of Go's
// usual, for a tenth more work.
const frugal = 50

// Frugal keeps the memory of a command small that writes many rows and keeps few. It is
// called before the workspace is opened; GOGC in the environment wins.
func Frugal() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(frugal)
	}
}
