package browser

import (
	"bytes"
	"os"
	"strconv"
)

// residentOf returns the sum of the resident memory (RSS) of a process group, in bytes. Shared
// memory counts for each process. It returns false if that is unknown.
func residentOf(group int) (total int64, ok bool) {
	dir, err := os.Open("/proc")
	if err != nil {
		return 0, false
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return 0, false
	}
	for _, name := range names {
		if name[0] < '0' || name[0] > '9' {
			continue
		}
		stat, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue // the process ended
		}
		// The program name, in brackets, may contain anything.
		i := bytes.LastIndexByte(stat, ')')
		fields := bytes.Fields(stat[i+1:])
		if len(fields) < 22 || string(fields[2]) != strconv.Itoa(group) {
			continue
		}
		if pages, err := strconv.ParseInt(string(fields[21]), 10, 64); err == nil {
			total += pages * int64(os.Getpagesize())
		}
	}
	return total, true
}
