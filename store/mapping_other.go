//go:build !linux

package store

// dropResident does nothing: elsewhere such an advice is no promise, and the
// system takes the pages back when it needs them.
func dropResident(at, size uintptr) {}
