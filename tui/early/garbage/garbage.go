// Package garbage keeps the garbage collector from the first frame.
//
// Packages initialise with 9 MB of tables, so the collector ran three times before
// main and again before the first frame, for a quarter of the time until then. Go
// initialises packages in the order of their paths, imports first. This package
// imports only os and runtime and sorts before github.com/…, so it comes before the
// large ones. The first collection then comes at 18 MB, and sets GOGC back. GOGC in
// the environment disables it.
package garbage

import (
	"os"
	"runtime"
	"runtime/debug"
)

const (
	startPercent = 450 // GOGC until the first collection, which comes at 4 MB × 450 %; no other code sets it
	usualPercent = 100 // Go's default
)

func init() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(startPercent)
	type mark struct{ _ *mark }
	runtime.AddCleanup(new(mark), func(struct{}) { settle() }, struct{}{})
}

// settle sets GOGC back unless a command has set it.
func settle() {
	if p := debug.SetGCPercent(usualPercent); p != startPercent {
		debug.SetGCPercent(p)
	}
}
