//go:build !linux

package store

// On other systems the advice guarantees nothing, and the system takes the
// pages back when it needs them.

// residentMapping is 0: the system does not tell.
func residentMapping() int64 { return 0 }

func dropResident(at, size uintptr) {}
