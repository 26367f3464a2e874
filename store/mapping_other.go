//go:build !linux

package store

// Elsewhere such an advice is no promise, and the system takes the pages back
// when it needs them.

func residentFiles() int64 { return 0 }

func dropResident(at, size uintptr) {}
