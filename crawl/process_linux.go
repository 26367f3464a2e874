package crawl

import (
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"angler/crawl/run"
)

// descriptors returns the number of open files of this process and their limit.
func descriptors() (open, most int, ok bool) {
	f, err := os.Open("/proc/self/fd")
	if err != nil {
		return 0, 0, false
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	var limit unix.Rlimit
	if err != nil || unix.Getrlimit(unix.RLIMIT_NOFILE, &limit) != nil {
		return 0, 0, false
	}
	return len(names) - 1, int(min(limit.Cur, 1<<31)), true // without the folder itself
}

// resident returns the resident memory of this process in bytes.
func resident() (bytes int64, ok bool) {
	statm, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0, false
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(statm), &size, &pages); err != nil {
		return 0, false
	}
	return pages * int64(os.Getpagesize()), true
}

// usage returns the memory and processor time of this process.
func usage() (u run.ProcessUsage) {
	u.Memory, _ = resident()
	var r unix.Rusage
	if unix.Getrusage(unix.RUSAGE_SELF, &r) == nil {
		u.CPU = time.Duration(r.Utime.Nano() + r.Stime.Nano())
	}
	return u
}
