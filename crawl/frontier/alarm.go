package frontier

import (
	"time"

	"angler/crawl/fetch"
)

// alarm calls ring once at a set time.
type alarm struct {
	clock *fetch.Clock
	after fetch.AfterFunc
	ring  func(at int64) // called in its own goroutine with the time that was set
	stop  func() bool    // nil = not set
	at    int64
}

// set replaces the time; 0 stops the alarm.
func (a *alarm) set(at int64) {
	if at == a.at {
		return
	}
	if a.stop != nil {
		a.stop()
		a.stop = nil
	}
	a.at = at
	if at == 0 {
		return
	}
	a.stop = a.after(time.Duration(max(at-a.clock.Now(), 0)), func() { a.ring(at) })
}

// rang handles a call of ring. It reports whether at is the time set last.
func (a *alarm) rang(at int64) bool {
	if a.at != at {
		return false
	}
	a.at, a.stop = 0, nil
	return true
}
