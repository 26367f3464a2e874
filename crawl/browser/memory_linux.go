package browser

import (
	"bytes"
	"os"
	"strconv"
)

// residentOf is how much memory the processes of a group have in RAM, bytes: their
// RSS, added up, so what they share counts for each. False when that cannot be
// told.
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
			continue // it has ended
		}
		// The name of the program, in brackets, may hold anything.
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
