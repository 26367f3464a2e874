package workers

import (
	"os"
	"strconv"
	"strings"
	"time"
)

// This file is what a worker uses of its machine. Where the system does not tell, it is 0.

// usage tells how many cores the process has used since it was asked last. One goroutine
// asks.
type usage struct {
	at   time.Time
	used time.Duration
}

func (u *usage) cores() float64 {
	now, used := time.Now(), processor()
	before := *u
	u.at, u.used = now, used
	if took := now.Sub(before.at); !before.at.IsZero() && took > 0 && used >= before.used {
		return used.Seconds()/took.Seconds() - before.used.Seconds()/took.Seconds()
	}
	return 0
}

// resident is the memory of the process in bytes.
func resident() int64 {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	if f := strings.Fields(string(b)); len(f) > 1 {
		n, _ := strconv.ParseInt(f[1], 10, 64)
		return n * int64(os.Getpagesize())
	}
	return 0
}
