package revisit

import "time"

// This file says when a fetch that failed is tried again. No failure is for ever:
// the distance grows from seconds, within a run, over minutes, hours and days to a
// month or three, and stays there.

// FailureClass is why a fetch failed, as far as the next one is concerned.
type FailureClass uint8

// The troubles.
const (
	Passing   FailureClass = iota // network, server or firewall: it may be over at any moment
	Gone                          // 404 or 410: pages come back seldom
	Forbidden                     // robots.txt, a private address, what is no page: a person must change something first
)

const day = 24 * time.Hour

// The distances of tries; the last one holds from then on.
var (
	passing   = [...]time.Duration{10 * time.Minute, time.Hour, 6 * time.Hour, day, 3 * day, 10 * day, 30 * day}
	gone      = [...]time.Duration{7 * day, 30 * day, 90 * day}
	forbidden = [...]time.Duration{day, 7 * day, 30 * day}
)

// Retry is when a URL is tried again after its fetch has failed at now, and
// whether it is an exception until then. fails ≥ 1 counts the failures in a row,
// this one included; the first patience ones of a passing trouble cost 1 s, 4 s,
// 16 s … and are no exception. chance, 0 … 1, makes the distance up to half as
// long again, so that what failed together does not come back in one moment. wait
// is what the server asked for; the try is not before it.
func (t FailureClass) Retry(now time.Time, fails, patience int, wait time.Duration, chance float64) (at time.Time, exception bool) {
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

// Ready reports whether the time of a retry has come. The zero time, which rows of
// older workspaces hold, is any time; one farther ahead than maxRetry counts as
// come.
func Ready(retry, now time.Time) bool {
	wait, _ := Until(retry, now)
	return wait == 0
}
