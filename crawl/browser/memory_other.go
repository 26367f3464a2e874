//go:build !linux

package browser

// residentOf is not available here: the browser's memory is not bounded.
func residentOf(int) (int64, bool) { return 0, false }
