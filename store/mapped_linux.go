package store

import (
	"fmt"
	"os"
	"syscall"
)

// residentMapping returns the resident bytes of all mapped files, including the program; 0 if the
// system does not report it. It costs about 10 µs.
func residentMapping() int64 {
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, resident, shared int64
	if _, err := fmt.Sscan(string(statm), &size, &resident, &shared); err != nil {
		return 0
	}
	return shared * int64(os.Getpagesize())
}

// dropResident releases size bytes of a read-only shared mapping; the system reads them again from
// the file on the next access.
func dropResident(at, size uintptr) {
	_, _, _ = syscall.Syscall(syscall.SYS_MADVISE, at, size, syscall.MADV_DONTNEED)
}
