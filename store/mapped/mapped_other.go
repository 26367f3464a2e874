//go:build !linux

package mapped

// On other systems the advice guarantees nothing, and the system takes the
// pages back when it needs them.

// Resident is 0: the system does not tell.
func Resident() int64 { return 0 }

func dropResident(at, size uintptr) {}
