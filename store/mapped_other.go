//go:build !linux

package store

// On other systems the advice guarantees nothing. The system reclaims the pages when it needs
// memory.

// residentMapping returns 0: the system does not report it.
func residentMapping() int64 { return 0 }

func dropResident(at, size uintptr) {}
