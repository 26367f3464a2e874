package store

import "syscall"

// dropResident gives size bytes of a read-only shared mapping back to the
// system, which reads them again from the file when they are looked at.
func dropResident(at, size uintptr) {
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, at, size, syscall.MADV_DONTNEED)
}
