package workers

import (
	"fmt"
	"os"
	"time"
)

// This file measures a worker's use of its machine. Figures are 0 where the system has none.

// usage computes the processor cores used since the last call. It is for one goroutine.
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

// resident returns the resident memory of the process in bytes.
func resident() int64 {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var all, n int64
	_, _ = fmt.Sscan(string(b), &all, &n) // a file in another form leaves 0
	return n * int64(os.Getpagesize())
}
