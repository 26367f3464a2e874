package revisit

import "time"

// This file plans retries of failed fetches. No failure is final: the delay grows from seconds,
// within a run, over minutes, hours and days to one or three months, and stays there.

// FailureClass is the class of a failure, for its retry.
type FailureClass uint8

// The classes.
const (
	Passing   FailureClass = iota // network, server or firewall: may end at any moment
	Gone                          // 404 or 410: such pages seldom return
	Forbidden                     // robots.txt, a private address, or no page: needs a change by someone
)

const day = 24 * time.Hour

// Delays of retries; the last one repeats.
var (
	passing   = [...]time.Duration{10 * time.Minute, time.Hour, 6 * time.Hour, day, 3 * day, 10 * day, 30 * day}
	gone      = [...]time.Duration{7 * day, 30 * day, 90 * day}
	forbidden = [...]time.Duration{day, 7 * day, 30 * day}
)

// Retry returns when a URL is retried after a failure at now, and whether it is an exception until
// then. fails ≥ 1 is the number of consecutive failures, this one included. The first patience ones
// of class Passing wait 1 s, 4 s, 16 s … and are no exception. chance, 0 … 1, extends the delay by
// up to half, so that URLs that failed together do not return together. wait is the server's
// Retry-After, a lower bound.
func (t FailureClass) Retry(now time.Time, fails, patience int, wait time.Duration,
	chance float64) (at time.Time, exception bool) {
	n := max(fails-1, 0)
	var back time.Duration
	switch {
	case t == Gone:
		back, exception = gone[min(n, len(gone)-1)], true
	case t == Forbidden:
		back, exception = forbidden[min(n, len(forbidden)-1)], true
	case fails > patience:
		back, exception = passing[min(n-patience, len(passing)-1)], true
	default:
		back = min(time.Second<<min(2*n, 20), passing[0])
	}
	back += time.Duration(min(max(chance, 0), 1) * float64(back/2))
	return now.Add(max(back, min(wait, day))), exception
}

// Ready reports whether a retry is due. The zero time, in rows of older workspaces, is always due,
// and so is one beyond maxRetry.
func Ready(retry, now time.Time) bool {
	wait, _ := Until(retry, now)
	return wait == 0
}
