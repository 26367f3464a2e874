//go:build !linux

package browser

// residentOf cannot be told here: the memory of the browser is not bounded.
func residentOf(int) (int64, bool) { return 0, false }
